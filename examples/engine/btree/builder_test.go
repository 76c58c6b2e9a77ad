package btree

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// sources returns one of each Source, by the variant's name.
func sources() map[string]Source[*int] {
	return map[string]Source[*int]{
		"recycle":       (&Recycler[*int]{}).Stack(),
		"recycle-fixed": (&Recycler[*int]{ClearUsed: true, MaxSlots: 1024}).Stack(),
		"recycle-leak":  (&Recycler[*int]{Leak: true}).Stack(),
		"syncpool":      &Shared[*int]{},
		"alloc":         Fresh[*int]{},
	}
}

// TestNoElementsFromEarlierBuilds is the bug of CASSANDRA-21216: a pooled builder
// that still held elements of an earlier build.
func TestNoElementsFromEarlierBuilds(t *testing.T) {
	for name, source := range sources() {
		r := rand.New(rand.NewPCG(3, 3))
		var trees []Tree[*int]
		var wants [][]*int
		for build := range 300 {
			n := r.IntN(20)
			if build%50 == 7 {
				n = 5000
			}
			keys := sorted(r, n)
			b := source.Get()
			if b.Len() != 0 {
				t.Fatalf("%s: build %d began with %d elements, want 0", name, build, b.Len())
			}
			for i, v := range b.values[:b.Slots()] {
				if v != nil {
					t.Fatalf("%s: build %d: slot %d of %d still holds %d", name, build, i, b.Slots(), *v)
				}
			}
			for _, k := range keys {
				b.Add(k)
			}
			trees, wants = append(trees, b.Build()), append(wants, keys)
			source.Put(b)
		}
		for i, tree := range trees {
			if got := slices.Collect(tree.All()); !slices.Equal(got, wants[i]) {
				t.Errorf("%s: tree %d of %d keys changed after later builds", name, i, len(wants[i]))
			}
		}
	}
}

func TestStackIsLastInFirstOut(t *testing.T) {
	s := (&Recycler[*int]{}).Stack()
	a, b := s.Get(), s.Get()
	s.Put(a)
	s.Put(b)
	if first, second := s.Get(), s.Get(); first != b || second != a {
		t.Error("builders did not come back in the order last in, first out")
	}
}

func TestOverflowLendsToOtherWorkers(t *testing.T) {
	r := &Recycler[*int]{}
	mine, theirs := r.Stack(), r.Stack()
	b := mine.Get()
	theirs.Put(b)
	if len(theirs.free) != 0 || len(r.overflow) != 1 {
		t.Fatalf("foreign builder: %d in the stack and %d in the overflow, want 0 and 1", len(theirs.free), len(r.overflow))
	}
	if got := theirs.Get(); got != b {
		t.Error("Get made a builder although one was in the overflow")
	}
}

func TestRecycleTwicePanics(t *testing.T) {
	s := (&Recycler[*int]{}).Stack()
	for name, b := range map[string]*Builder[*int]{"twice": s.Get(), "foreign": NewBuilder[*int]()} {
		if name == "twice" {
			s.Put(b)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: Put did not panic", name)
				}
			}()
			s.Put(b)
		}()
	}
}

// TestMaxSlots checks that large builders are let go, and that Leak is what keeps
// them reachable.
func TestMaxSlots(t *testing.T) {
	for _, leak := range []bool{false, true} {
		s := (&Recycler[*int]{MaxSlots: 1024, Leak: leak}).Stack()
		gone := make(chan bool, 1)
		func() {
			b := s.Get()
			for range 1025 {
				b.Add(new(int))
			}
			runtime.AddCleanup(&b.values[0], func(c chan bool) { c <- true }, gone)
			s.Put(b)
		}()
		if len(s.free) != 0 {
			t.Fatalf("leak %v: a builder of 2048 slots was kept, want dropped", leak)
		}
		freed := false
		for range 100 {
			runtime.GC()
			runtime.Gosched()
			select {
			case freed = <-gone:
			default:
			}
			if freed || leak {
				break
			}
		}
		if freed == leak {
			t.Errorf("leak %v: dropped builder's array freed = %v, want %v", leak, freed, !leak)
		}
		runtime.KeepAlive(s)
	}
}

// TestWorkers shares one recycler between workers that return each other's
// builders; the race detector watches.
func TestWorkers(t *testing.T) {
	recycler := &Recycler[*int]{ClearUsed: true}
	lent := make(chan *Builder[*int], 8)
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(4, uint64(worker)))
			stack := recycler.Stack()
			for range 2000 {
				b := stack.Get()
				keys := sorted(r, r.IntN(40))
				for _, k := range keys {
					b.Add(k)
				}
				if got := b.Build().Len(); got != len(keys) {
					t.Errorf("tree of %d keys, want %d", got, len(keys))
				}
				lent <- b
				stack.Put(<-lent)
			}
		})
	}
	wg.Wait()
}

func TestInlineStaysOffTheHeap(t *testing.T) {
	keys := sorted(rand.New(rand.NewPCG(5, 5)), 17)
	for n, want := range map[int]float64{16: 0, 17: 1} {
		got := testing.AllocsPerRun(100, func() {
			var b Inline[*int]
			for _, k := range keys[:n] {
				b.Add(k)
			}
			if b.Len() != n {
				t.Fatalf("Len = %d, want %d", b.Len(), n)
			}
		})
		if got != want {
			t.Errorf("%d keys: %v allocations, want %v", n, got, want)
		}
	}
}

func TestInlineAgainstBuilder(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, n := range sizes(r) {
		keys := sorted(r, n)
		var b Inline[*int]
		for _, k := range keys {
			b.Add(k)
		}
		tree := b.Build()
		checkShape(t, tree, n)
		if got := slices.Collect(tree.All()); !slices.Equal(got, keys) {
			t.Errorf("size %d: the tree's keys differ from those added", n)
		}
	}
}
