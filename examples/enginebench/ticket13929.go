package main

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"strconv"
	"sync"

	"github.com/allocdiff/allocdiff/examples/engine/btree"
	"github.com/allocdiff/allocdiff/examples/engine/pool"
	"github.com/allocdiff/allocdiff/examples/engine/stress"
)

// The B-tree builds of CASSANDRA-13929. An operation is a mutation of a hundred
// partitions, each a build; the queue in front of the stage would hide a single
// small one.
const (
	buildsPerOp   = 100
	buildWorkers  = 32 // threads of the ticket's JMH benchmark
	buildKeys     = 100_000
	smallLargest  = 20   // mixed sizes are 1 to this ...
	largeEvery    = 1000 // ... and one in so many builds is large
	keptSlots     = 1024 // largest builder that the fixed recycler keeps
	leakBuilders  = 16   // out at once in a burst
	leakBursts    = 4
	leakFirst     = 100 // operations before the first burst
	leakBetween   = 500
	mixDefault    = "mixed"
	mixLeak       = "leak"
	mixFixed      = "size-"
	keysPerOp     = 2000 // of fixed sizes, to keep operations alike
	builderStack  = "stack"
	builderLeaky  = "recycle-leak"
	builderShared = "syncpool"
)

var ticket13929 = Ticket{
	Name:     "CASSANDRA-13929",
	Title:    "BTree builders from Netty's recycler, or new each time",
	Variants: []string{"recycle", "alloc", "recycle-fixed", builderShared, builderStack, builderLeaky},
	Mixes:    buildMixes(),
	Kinds:    []string{"BUILD"},
	Ops:      10_000,
	Warm:     1_000,
	Threads:  buildWorkers,
	Open:     openBuilds,
}

func buildMixes() []Mix {
	mixes := []Mix{
		{Name: mixDefault, Title: "sizes 1 to 20, one in 1000 of 10,000"},
		{Name: "mixed-100000", Title: "sizes 1 to 20, one in 1000 of 100,000"},
		{Name: mixLeak, Title: "sizes 1 to 20, and four times 16 builders of 100,000 at once"},
	}
	for _, n := range []int{1, 2, 5, 10, 20, 40, 100, 1000, 10_000, 100_000} {
		mixes = append(mixes, Mix{Name: mixFixed + strconv.Itoa(n), Title: "one size, as in the ticket"})
	}
	return mixes
}

// builds is the engine of this ticket.
type builds struct {
	keys    []*int               // boxed, as the ticket's Integers
	sources []btree.Source[*int] // of the workers, then one for each burst
	inline  bool                 // builders are local variables
	large   int                  // keys of a large build, 0 if there are none
	fixed   int                  // keys of every build, or 0
	leak    bool
	stage   *pool.Pool
	gossip  *pool.Gossiper
	trees   []btree.Tree[*int] // the last of each worker

	mu   sync.Mutex
	live []uint64 // live heap in bytes after each burst
}

func openBuilds(o Options) (*Workload, error) {
	e := &builds{trees: make([]btree.Tree[*int], buildWorkers), live: make([]uint64, 0, leakBursts)}
	if err := e.setMix(o.Mix); err != nil {
		return nil, err
	}
	e.inline = o.Variant == builderStack
	e.sources = builderSources(o.Variant)
	values := make([]int, buildKeys)
	e.keys = make([]*int, buildKeys)
	for i := range values {
		values[i] = i
		e.keys[i] = &values[i]
	}
	e.stage = pool.MutationStage.Start(buildWorkers)
	gossip := pool.GossipStage.Start(1)
	e.gossip = pool.NewGossiper(gossip, gossipEvery)
	w := &Workload{Pools: pool.Set{e.stage, gossip}, Facts: e.facts}
	for range o.Threads {
		w.Clients = append(w.Clients, &buildClient{engine: e, done: make(chan struct{}, 1), task: buildTask{engine: e}})
	}
	return w, nil
}

func (e *builds) setMix(mix string) error {
	switch mix {
	case mixDefault:
		e.large = 10_000
	case "mixed-100000":
		e.large = 100_000
	case mixLeak:
		e.leak = true
	default:
		if _, err := fmt.Sscanf(mix, mixFixed+"%d", &e.fixed); err != nil {
			return fmt.Errorf("reading the size in mix %s: %w", mix, err)
		}
	}
	return nil
}

// builderSources returns a source for each worker and for each burst.
func builderSources(variant string) []btree.Source[*int] {
	recycler := &btree.Recycler[*int]{}
	if variant != "recycle" {
		recycler.ClearUsed, recycler.MaxSlots = true, keptSlots
		recycler.Leak = variant == builderLeaky
	}
	shared := &btree.Shared[*int]{}
	sources := make([]btree.Source[*int], buildWorkers+leakBursts)
	for i := range sources {
		switch variant {
		case builderShared:
			sources[i] = shared
		case "alloc", builderStack:
			sources[i] = btree.Fresh[*int]{}
		default:
			sources[i] = recycler.Stack()
		}
	}
	return sources
}

// facts are the live heap, with whatever the builders keep, at the end and after
// each burst of the leak workload.
func (e *builds) facts() []Fact {
	facts := []Fact{{"builds in an operation", float64(e.count()), ""}}
	for i, n := range e.live {
		facts = append(facts, Fact{fmt.Sprintf("live after burst %d", i+1), float64(n), "B"})
	}
	facts = append(facts, Fact{"live at the end", float64(liveHeap()), "B"})
	runtime.KeepAlive(e)
	return facts
}

// liveHeap is the memory that a collection finds reachable, in bytes.
func liveHeap() uint64 {
	runtime.GC()
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// count is the number of builds in an operation.
func (e *builds) count() int {
	if e.fixed == 0 {
		return buildsPerOp
	}
	return min(max(1, keysPerOp/e.fixed), buildsPerOp)
}

// size is the number of keys of build i of operation op.
func (e *builds) size(op, i int) int {
	if e.fixed > 0 {
		return e.fixed
	}
	n := op*buildsPerOp + i
	if e.large > 0 && n%largeEvery == largeEvery/2 {
		return e.large
	}
	return 1 + n*7%smallLargest
}

// burstOf is the number of the burst that operation op of the leak workload
// brings, or -1.
func (e *builds) burstOf(op int) int {
	op -= ticket13929.Warm + leakFirst
	if !e.leak || op < 0 || op%leakBetween != 0 || op/leakBetween >= leakBursts {
		return -1
	}
	return op / leakBetween
}

// buildClient is one client connection.
type buildClient struct {
	engine *builds
	done   chan struct{}
	task   buildTask
}

// Do sends a mutation.
func (c *buildClient) Do(op int) stress.Result {
	c.engine.gossip.Op(op)
	c.task.op = op
	c.engine.stage.Do(&c.task, c.done)
	return stress.Result{Rows: c.engine.count()}
}

// buildTask is a mutation on a mutation thread.
type buildTask struct {
	engine *builds
	op     int
}

// Run builds the trees of the mutation.
func (t *buildTask) Run(w *pool.Worker) {
	e := t.engine
	source := e.sources[w.ID]
	if b := e.burstOf(t.op); b >= 0 {
		e.burst(e.sources[buildWorkers+b])
	}
	for i := range e.count() {
		keys := e.keys[:e.size(t.op, i)]
		if e.inline {
			e.trees[w.ID] = buildInline(keys)
		} else {
			e.trees[w.ID] = buildTree(source, keys)
		}
	}
}

// buildTree is the ticket's loop.
//
//go:noinline so that the profile has it whatever the source.
func buildTree(source btree.Source[*int], keys []*int) btree.Tree[*int] {
	b := source.Get()
	for _, k := range keys {
		b.Add(k)
	}
	tree := b.Build()
	source.Put(b)
	return tree
}

// buildInline does without a builder on the heap up to 16 keys.
//
//go:noinline so that it compares with buildTree.
func buildInline(keys []*int) btree.Tree[*int] {
	var b btree.Inline[*int]
	for _, k := range keys {
		b.Add(k)
	}
	return b.Build()
}

// burst grows several builders at once and gives them all back, to the stack of
// a thread that does nothing else, before or after.
//
//go:noinline so that an inuse profile tells a burst from everyday builds.
func (e *builds) burst(source btree.Source[*int]) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var out [leakBuilders]*btree.Builder[*int]
	for i := range out {
		out[i] = source.Get()
		for _, k := range e.keys {
			out[i].Add(k)
		}
	}
	for _, b := range out {
		source.Put(b)
	}
	clear(out[:])
	e.live = append(e.live, liveHeap())
}
