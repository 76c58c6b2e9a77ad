package btree

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// sorted returns n ascending keys with gaps.
func sorted(r *rand.Rand, n int) []*int {
	keys := make([]*int, n)
	next := 0
	for i := range keys {
		next += 1 + r.IntN(3)
		v := next
		keys[i] = &v
	}
	return keys
}

func at(want int) func(*int) int {
	return func(k *int) int { return cmp.Compare(*k, want) }
}

// sizes are the edges of leaves and of levels, then some at random.
func sizes(r *rand.Rand) []int {
	out := []int{0, 1, 2, 16, 17, 30, 31, 32, 33, 63, 64, 1022, 1023, 1024, 1025, 32767, 32768, 32769}
	for range 40 {
		out = append(out, r.IntN(3000))
	}
	return out
}

func TestTreeAgainstSortedSlice(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range sizes(r) {
		keys := sorted(r, n)
		tree := buildFrom(Fresh[*int]{}, keys)
		checkShape(t, tree, n)
		if got := slices.Collect(tree.All()); !slices.Equal(got, keys) {
			t.Fatalf("size %d: All gives %d keys that differ from the %d added", n, len(got), n)
		}
		for i, k := range keys {
			if got := tree.At(i); got != k {
				t.Fatalf("size %d: At(%d) = %d, want %d", n, i, *got, *k)
			}
		}
		last := 0
		if n > 0 {
			last = *keys[n-1]
		}
		for range 200 {
			sought := r.IntN(last + 3)
			wantPos, wantFound := slices.BinarySearchFunc(keys, sought, func(k *int, v int) int { return cmp.Compare(*k, v) })
			pos, found := tree.Find(at(sought))
			if pos != wantPos || found != wantFound {
				t.Fatalf("size %d: Find(%d) = %d, %v, want %d, %v", n, sought, pos, found, wantPos, wantFound)
			}
		}
	}
}

// checkShape checks the invariants that the package comment lists.
func checkShape(t *testing.T, tree Tree[*int], n int) {
	t.Helper()
	if got := tree.Len(); got != n {
		t.Fatalf("Len = %d, want %d", got, n)
	}
	if n == 0 {
		if tree.root != nil {
			t.Fatal("empty tree has a root")
		}
		return
	}
	var walk func(nd *node[*int], level int) int
	walk = func(nd *node[*int], level int) int {
		if nd.children == nil {
			if len(nd.keys) == 0 || len(nd.keys) > leafKeys {
				t.Fatalf("size %d: leaf with %d keys, want 1 to %d", n, len(nd.keys), leafKeys)
			}
			if got, want := cap(nd.keys), len(nd.keys)|1; got != want {
				t.Fatalf("size %d: leaf of %d keys has %d slots, want %d", n, len(nd.keys), got, want)
			}
			if level != tree.Depth() {
				t.Fatalf("size %d: leaf at level %d of %d", n, level, tree.Depth())
			}
			return len(nd.keys)
		}
		if got := len(nd.children); got < 2 || got > fanOut || got != len(nd.keys)+1 || got != len(nd.ends) {
			t.Fatalf("size %d: branch with %d children, %d keys and %d ends", n, got, len(nd.keys), len(nd.ends))
		}
		sum := 0
		for i, c := range nd.children {
			sum += walk(c, level+1)
			if nd.ends[i] != sum {
				t.Fatalf("size %d: ends[%d] = %d, want %d", n, i, nd.ends[i], sum)
			}
			if i < len(nd.keys) {
				sum++
			}
		}
		return sum
	}
	if got := walk(tree.root, 1); got != n {
		t.Fatalf("walk found %d keys, want %d", got, n)
	}
}

func TestAllStopsWhenAsked(t *testing.T) {
	tree := buildFrom(Fresh[*int]{}, sorted(rand.New(rand.NewPCG(2, 2)), 2000))
	for stop := 1; stop < 2000; stop += 97 {
		seen := 0
		for range tree.All() {
			if seen++; seen == stop {
				break
			}
		}
		if seen != stop {
			t.Fatalf("iteration stopped after %d keys, want %d", seen, stop)
		}
	}
}

func buildFrom[K any](s Source[K], keys []K) Tree[K] {
	b := s.Get()
	for _, k := range keys {
		b.Add(k)
	}
	tree := b.Build()
	s.Put(b)
	return tree
}
