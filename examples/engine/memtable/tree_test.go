package memtable

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// rowsAt returns rows without cells, sorted, one for each clustering.
func rowsAt(timestamp int64, clusterings ...int64) []*Row {
	slices.Sort(clusterings)
	var rows []*Row
	for _, c := range slices.Compact(clusterings) {
		rows = append(rows, NewRow(c, timestamp, nil))
	}
	return rows
}

// checkTree reports what is wrong with the shape of a tree.
func checkTree(t *testing.T, n *node) {
	t.Helper()
	if len(n.rows) > fanOut || len(n.kids) > fanOut || len(n.rows) > 0 && len(n.kids) > 0 {
		t.Fatalf("node has %d rows and %d kids, want at most %d of one", len(n.rows), len(n.kids), fanOut)
	}
	size := len(n.rows)
	for _, k := range n.kids {
		checkTree(t, k)
		size += k.size
	}
	if size != n.size {
		t.Fatalf("node says it has %d rows, it has %d", n.size, size)
	}
}

func TestTreeAgainstMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var b treeBuilder
	var root *node
	want := map[int64]int64{}
	for step := range 400 {
		var at []int64
		for range 1 + rng.IntN(60) {
			at = append(at, rng.Int64N(6000))
		}
		timestamp := rng.Int64N(1000)
		rows := rowsAt(timestamp, at...)
		for _, r := range rows {
			if have, ok := want[r.Clustering]; !ok || timestamp >= have {
				want[r.Clustering] = timestamp
			}
		}
		before := root
		size := before.count()
		root = b.update(root, rows)
		checkTree(t, root)
		if before.count() != size || len(before.collect(make([]*Row, 0, size))) != size {
			t.Fatalf("step %d changed the tree before it", step)
		}
		if root.count() != len(want) {
			t.Fatalf("step %d: %d rows, want %d", step, root.count(), len(want))
		}
	}
	keys := slices.Sorted(maps.Keys(want))
	for i, r := range root.collect(make([]*Row, 0, root.count())) {
		if r.Clustering != keys[i] || r.Timestamp != want[keys[i]] {
			t.Fatalf("row %d is %d at %d, want %d at %d", i, r.Clustering, r.Timestamp, keys[i], want[keys[i]])
		}
	}
}

func TestTreeBuilderForgets(t *testing.T) {
	var b treeBuilder
	var root *node
	for i := range int64(100) {
		b.clones = append(b.clones[:0], rowsAt(1, i*10, i*10+1, i*10+2)...)
		root = b.update(root, b.clones)
	}
	for _, l := range b.levels {
		for _, n := range l[:cap(l)] {
			if n != nil {
				t.Fatal("the builder keeps a node after update")
			}
		}
	}
	for _, rows := range [][]*Row{b.merged, b.clones} {
		for _, r := range rows[:cap(rows)] {
			if r != nil {
				t.Fatal("the builder keeps a row after update")
			}
		}
	}
}

func TestRowsStopsAtTheLimit(t *testing.T) {
	var at []int64
	for i := range int64(500) {
		at = append(at, i)
	}
	var b treeBuilder
	p := &Partition{root: b.update(nil, rowsAt(1, at...))}
	for _, limit := range []int{0, 1, 31, 32, 33, 499, 500, 501} {
		rows := p.Rows(limit)
		if want := min(limit, 500); len(rows) != want || want > 0 && rows[want-1].Clustering != int64(want-1) {
			t.Errorf("limit %d: %d rows, want the first %d", limit, len(rows), want)
		}
	}
}
