package btree

// firstSlots is the capacity of a new builder, as in BTree.Builder.
const firstSlots = 16

// Builder collects keys for one tree at a time. The zero value is empty and
// ready, and allocates at the first Add. A Builder may be used again after Build
// only by way of Reset or of the Source it came from.
type Builder[K any] struct {
	values []K        // len is the number of keys added; never shrinks
	handle *handle[K] // the recycler's hold on this builder, or nil
}

// NewBuilder returns a builder with 16 slots.
//
//go:noinline so that a builder's birth is a row of its own in a profile.
func NewBuilder[K any]() *Builder[K] {
	return &Builder[K]{values: make([]K, 0, firstSlots)}
}

// Add appends a key, which must not be before the keys added so far: Add does
// not check, as a BTree.Builder with auto(false).
func (b *Builder[K]) Add(key K) {
	if len(b.values) == cap(b.values) {
		b.grow()
	}
	b.values = append(b.values, key)
}

// grow doubles the array, as Arrays.copyOf(values, count*2).
//
//go:noinline so that the doubling ladder is a row of its own in a profile.
func (b *Builder[K]) grow() {
	bigger := make([]K, len(b.values), max(firstSlots, 2*cap(b.values)))
	copy(bigger, b.values)
	b.values = bigger
}

// Len is the number of keys added since the last reset.
func (b *Builder[K]) Len() int { return len(b.values) }

// Slots is the capacity of the array, in keys.
func (b *Builder[K]) Slots() int { return cap(b.values) }

// Build returns the tree of the keys added. The builder keeps its keys.
func (b *Builder[K]) Build() Tree[K] {
	return Tree[K]{root: build(b.values)}
}

// Reset clears the whole array, however few of its slots were used, and empties
// the builder: cleanup() of the original, and what makes reuse dear after one
// large build.
//
//go:noinline so that the cost of clearing is a row of its own in a profile.
func (b *Builder[K]) Reset() {
	clear(b.values[:cap(b.values)])
	b.values = b.values[:0]
}

// resetUsed clears the slots used since the last reset and empties the builder.
//
//go:noinline so that it compares with Reset.
func (b *Builder[K]) resetUsed() {
	clear(b.values)
	b.values = b.values[:0]
}
