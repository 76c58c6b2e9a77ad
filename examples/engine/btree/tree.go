package btree

import "iter"

const (
	fanOut   = 32         // children of a full branch
	leafKeys = fanOut - 1 // keys of a full leaf
)

// Tree is an immutable sorted sequence. The zero value is the empty tree.
type Tree[K any] struct {
	root *node[K]
}

// node is a leaf if children is nil. A branch's key i stands between child i and
// child i+1, and ends[i] is the position of that key in the branch's whole
// sequence; the last element of ends is the number of keys under the branch.
type node[K any] struct {
	keys     []K
	children []*node[K]
	ends     []int
}

func (n *node[K]) len() int {
	if n.children == nil {
		return len(n.keys)
	}
	return n.ends[len(n.ends)-1]
}

// Len is the number of keys.
func (t Tree[K]) Len() int {
	if t.root == nil {
		return 0
	}
	return t.root.len()
}

// Depth is the number of levels, 0 for the empty tree.
func (t Tree[K]) Depth() int {
	if t.root == nil {
		return 0
	}
	depth := 1
	for n := t.root; n.children != nil; n = n.children[0] {
		depth++
	}
	return depth
}

// At returns the i-th key in ascending order. It panics unless 0 <= i < Len().
func (t Tree[K]) At(i int) K {
	n := t.root
	for n.children != nil {
		c := 0
		for n.ends[c] < i {
			c++
		}
		if c < len(n.keys) && n.ends[c] == i {
			return n.keys[c]
		}
		if c > 0 {
			i -= n.ends[c-1] + 1
		}
		n = n.children[c]
	}
	return n.keys[i]
}

// Find returns the position of the key for which compare is 0, and true; or the
// position that such a key would have, and false. compare tells how its argument
// stands to the key sought: negative if before it, positive if after it.
func (t Tree[K]) Find(compare func(K) int) (int, bool) {
	if t.root == nil {
		return 0, false
	}
	n, base := t.root, 0
	for {
		i, found := search(n.keys, compare)
		if n.children == nil {
			return base + i, found
		}
		if found {
			return base + n.ends[i], true
		}
		if i > 0 {
			base += n.ends[i-1] + 1
		}
		n = n.children[i]
	}
}

// search is a binary search for the first key not before the one sought.
func search[K any](keys []K, compare func(K) int) (int, bool) {
	low, high := 0, len(keys)
	for low < high {
		mid := int(uint(low+high) >> 1)
		if compare(keys[mid]) < 0 {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low, low < len(keys) && compare(keys[low]) == 0
}

// All iterates over the keys in ascending order.
func (t Tree[K]) All() iter.Seq[K] {
	return func(yield func(K) bool) {
		if t.root != nil {
			t.root.each(yield)
		}
	}
}

// each reports whether yield asked for more until the end.
func (n *node[K]) each(yield func(K) bool) bool {
	for i, k := range n.keys {
		if n.children != nil && !n.children[i].each(yield) {
			return false
		}
		if !yield(k) {
			return false
		}
	}
	return n.children == nil || n.children[len(n.keys)].each(yield)
}
