package memtable

import (
	"cmp"
	"slices"
)

// fanOut is the largest number of rows in a leaf and of children in a branch,
// Cassandra's BTree.FAN_FACTOR.
const fanOut = 32

// node is part of an immutable B-tree of rows: a leaf has rows, a branch has
// kids. A nil node is an empty tree.
type node struct {
	rows  []*Row
	kids  []*node
	first int64 // the least clustering below
	size  int   // the number of rows below
}

func (n *node) count() int {
	if n == nil {
		return 0
	}
	return n.size
}

// collect appends rows in order until the capacity of to is used up.
func (n *node) collect(to []*Row) []*Row {
	if n == nil {
		return to
	}
	for _, k := range n.kids {
		if len(to) == cap(to) {
			return to
		}
		to = k.collect(to)
	}
	return append(to, n.rows[:min(len(n.rows), cap(to)-len(to))]...)
}

// treeBuilder makes new trees from old ones. Its slices are scratch space.
type treeBuilder struct {
	clones []*Row
	merged []*Row
	levels [][]*node
}

// update returns the tree of root and rows, which are sorted; of two rows with
// one clustering the newer wins. Nodes that get no row are shared.
func (b *treeBuilder) update(root *node, rows []*Row) *node {
	if len(rows) == 0 {
		return root
	}
	if root == nil {
		root = &node{}
	}
	top := b.level(0)
	*top = (*top)[:0]
	b.replace(root, rows, 0)
	for len(*b.level(0)) > 1 {
		kids := *b.level(0)
		*b.level(0) = b.branches(kids, nil)
	}
	made := (*b.level(0))[0]
	b.reset()
	return made
}

// reset forgets the rows and nodes in the scratch space, which would keep a
// flushed memtable alive.
func (b *treeBuilder) reset() {
	for i, l := range b.levels {
		clear(l[:cap(l)])
		b.levels[i] = l[:0]
	}
	clear(b.merged[:cap(b.merged)])
	clear(b.clones)
	b.merged, b.clones = b.merged[:0], b.clones[:0]
}

// level returns the list of nodes made for a depth of the tree.
func (b *treeBuilder) level(depth int) *[]*node {
	for len(b.levels) <= depth {
		b.levels = append(b.levels, nil)
	}
	return &b.levels[depth]
}

// replace appends to the list of depth the nodes that take the place of n.
func (b *treeBuilder) replace(n *node, rows []*Row, depth int) {
	if n.kids == nil {
		b.merge(n.rows, rows)
		*b.level(depth) = leaves(b.merged, *b.level(depth))
		return
	}
	*b.level(depth + 1) = (*b.level(depth + 1))[:0]
	for i, k := range n.kids {
		end := len(rows)
		if i+1 < len(n.kids) {
			end, _ = slices.BinarySearchFunc(rows, n.kids[i+1].first, func(r *Row, c int64) int { return cmp.Compare(r.Clustering, c) })
		}
		if end == 0 {
			*b.level(depth + 1) = append(*b.level(depth + 1), k)
			continue
		}
		b.replace(k, rows[:end], depth+1)
		rows = rows[end:]
	}
	*b.level(depth) = b.branches(*b.level(depth + 1), *b.level(depth))
}

// merge sets merged to the rows of both.
func (b *treeBuilder) merge(have, put []*Row) {
	out := b.merged[:0]
	for len(have) > 0 && len(put) > 0 {
		switch c := cmp.Compare(have[0].Clustering, put[0].Clustering); {
		case c < 0:
			out, have = append(out, have[0]), have[1:]
		case c > 0:
			out, put = append(out, put[0]), put[1:]
		default:
			newer := put[0]
			if have[0].Timestamp > newer.Timestamp {
				newer = have[0]
			}
			out, have, put = append(out, newer), have[1:], put[1:]
		}
	}
	out = append(out, have...)
	b.merged = append(out, put...)
}

// leaves appends leaves of about equal size that hold rows.
func leaves(rows []*Row, to []*node) []*node {
	for parts := (len(rows) + fanOut - 1) / fanOut; parts > 0; parts-- {
		n := (len(rows) + parts - 1) / parts
		leaf := &node{rows: slices.Clone(rows[:n]), first: rows[0].Clustering, size: n}
		to, rows = append(to, leaf), rows[n:]
	}
	return to
}

// branches appends branches of about equal size that hold kids.
func (b *treeBuilder) branches(kids, to []*node) []*node {
	for parts := (len(kids) + fanOut - 1) / fanOut; parts > 0; parts-- {
		n := (len(kids) + parts - 1) / parts
		branch := &node{kids: slices.Clone(kids[:n]), first: kids[0].first}
		for _, k := range branch.kids {
			branch.size += k.size
		}
		to, kids = append(to, branch), kids[n:]
	}
	return to
}
