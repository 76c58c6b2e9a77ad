package btree

// Inline is a builder whose first 16 slots are part of it, so that as a local
// variable it needs no allocation for up to 16 keys. The zero value is empty and
// ready; it builds one tree.
//
// Note: a Builder over a slice of a local array would not do, since storing that
// slice through a method's pointer receiver makes the array escape.
type Inline[K any] struct {
	first [firstSlots]K
	n     int // keys in first; all keys are in more once there are too many
	more  []K
}

// Add appends a key, which must not be before the keys added so far.
func (b *Inline[K]) Add(key K) {
	if b.n < firstSlots {
		b.first[b.n] = key
		b.n++
		return
	}
	if len(b.more) == cap(b.more) {
		b.grow()
	}
	b.more = append(b.more, key)
}

// grow doubles the array, on the heap.
//
//go:noinline so that the doubling ladder is a row of its own in a profile.
func (b *Inline[K]) grow() {
	if b.more == nil {
		b.more = make([]K, firstSlots, 2*firstSlots)
		copy(b.more, b.first[:])
		return
	}
	bigger := make([]K, len(b.more), 2*cap(b.more))
	copy(bigger, b.more)
	b.more = bigger
}

// Len is the number of keys added.
func (b *Inline[K]) Len() int { return max(b.n, len(b.more)) }

// Build returns the tree of the keys added.
func (b *Inline[K]) Build() Tree[K] {
	if b.more != nil {
		return Tree[K]{root: build(b.more)}
	}
	return Tree[K]{root: build(b.first[:b.n])}
}
