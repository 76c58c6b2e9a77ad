package btree

// build makes a dense tree of sorted keys: as few levels as possible, as few
// children as possible on each, and keys spread evenly over the children. It
// copies the keys and keeps no reference to the slice.
func build[K any](keys []K) *node[K] {
	if len(keys) == 0 {
		return nil
	}
	levels, most := 1, leafKeys
	for most < len(keys) {
		levels++
		most = fanOut*most + leafKeys
	}
	return buildLevel(keys, levels, most)
}

// buildLevel builds the node over keys that has the given number of levels; most
// is the number of keys that such a node can hold.
func buildLevel[K any](keys []K, levels, most int) *node[K] {
	if levels == 1 {
		return newLeaf(keys)
	}
	below := (most - leafKeys) / fanOut
	// c children hold c*below keys and c-1 keys stand between them.
	children := (len(keys) + 1 + below) / (below + 1)
	n := newBranch[K](children)
	for c, start := 0, 0; c < children; c++ {
		left := children - c
		size := (len(keys) - start - (left - 1)) / left
		n.children[c] = buildLevel(keys[start:start+size], levels-1, below)
		start += size
		n.ends[c] = start
		if c < children-1 {
			n.keys[c] = keys[start]
			start++
		}
	}
	return n
}

// newLeaf copies keys into a leaf of len(keys)|1 slots: Cassandra tells a leaf
// from a branch by the parity of its array's length, so a leaf with an even
// number of keys carries one empty slot. Kept, so that bytes compare.
//
//go:noinline so that tree nodes are one row of an allocation profile.
func newLeaf[K any](keys []K) *node[K] {
	slots := make([]K, len(keys)|1)
	copy(slots, keys)
	return &node[K]{keys: slots[:len(keys)]}
}

//go:noinline so that tree nodes are one row of an allocation profile.
func newBranch[K any](children int) *node[K] {
	return &node[K]{
		keys:     make([]K, children-1),
		children: make([]*node[K], children),
		ends:     make([]int, children),
	}
}
