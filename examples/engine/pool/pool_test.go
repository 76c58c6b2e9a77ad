package pool

import (
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// stages maps each stage to the entry function that profiles know it by.
var stages = []struct {
	stage Stage
	entry string
}{
	{StressClient, "pool.runStressClient"},
	{NativeTransportRequests, "pool.runNativeTransportRequests"},
	{ReadStage, "pool.runReadStage"},
	{MutationStage, "pool.runMutationStage"},
	{MemtableFlushWriter, "pool.runMemtableFlushWriter"},
	{CompactionExecutor, "pool.runCompactionExecutor"},
	{RPCServerHandler, "pool.runRpcServerHandler"},
	{GossipStage, "pool.runGossipStage"},
}

// rootTask notes the outermost frame of its worker, as a heap profile sees it.
type rootTask struct{ root string }

func (t *rootTask) Run(*Worker) {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "runtime.") {
			t.root = f.Function
		}
		if !more {
			return
		}
	}
}

func TestOutermostFrameIsTheEntryFunction(t *testing.T) {
	for _, s := range stages {
		p := s.stage.Start(1)
		var task rootTask
		p.Do(&task, make(chan struct{}, 1))
		p.Close()
		if !strings.HasSuffix(task.root, s.entry) {
			t.Errorf("%s: outermost frame %s, want %s", p.Name(), task.root, s.entry)
		}
	}
}

func TestStageNamesDiffer(t *testing.T) {
	var names []string
	for _, s := range stages {
		if slices.Contains(names, s.stage.name) {
			t.Errorf("name %q is used twice", s.stage.name)
		}
		names = append(names, s.stage.name)
	}
}

// countTask counts its runs and hands on to another pool.
type countTask struct {
	runs *atomic.Int64
	next *Pool
}

func (t countTask) Run(*Worker) {
	t.runs.Add(1)
	if t.next != nil {
		t.next.Submit(countTask{runs: t.runs})
	}
}

func TestDrainWaitsForWorkHandedOn(t *testing.T) {
	var runs atomic.Int64
	set := Set{MutationStage.Start(3), MemtableFlushWriter.Start(1)}
	for range 5000 {
		set[0].Submit(countTask{&runs, set[1]})
	}
	set.Drain()
	if got := runs.Load(); got != 10_000 {
		t.Errorf("after Drain %d tasks have run, want 10000", got)
	}
	set.Close()
}

// idTask checks that no two tasks run on one worker at a time.
type idTask struct {
	busy  []atomic.Bool
	wrong atomic.Int64
}

func (t *idTask) Run(w *Worker) {
	if w.ID >= len(t.busy) || !t.busy[w.ID].CompareAndSwap(false, true) {
		t.wrong.Add(1)
		return
	}
	runtime.Gosched()
	t.busy[w.ID].Store(false)
}

func TestWorkersHaveIDsOfTheirOwn(t *testing.T) {
	p := ReadStage.Start(4)
	task := &idTask{busy: make([]atomic.Bool, 4)}
	for range 2000 {
		p.Submit(task)
	}
	p.Close()
	if n := task.wrong.Load(); n != 0 {
		t.Errorf("%d tasks shared a worker's ID, want 0", n)
	}
}

func TestDoAllocatesNothing(t *testing.T) {
	p := ReadStage.Start(2)
	defer p.Close()
	task, done := &idTask{busy: make([]atomic.Bool, 2)}, make(chan struct{}, 1)
	if n := testing.AllocsPerRun(200, func() { p.Do(task, done) }); n != 0 {
		t.Errorf("Do allocates %v objects, want 0", n)
	}
}

func TestGossipTicksByOperations(t *testing.T) {
	for _, c := range []struct{ every, ops, want int }{{1, 10, 10}, {20, 100, 5}, {20, 101, 6}, {7, 6, 1}} {
		p := GossipStage.Start(1)
		g := NewGossiper(p, c.every)
		for op := range c.ops {
			g.Op(op)
		}
		p.Close()
		if got := int(g.versions[0]); got != c.want {
			t.Errorf("a tick every %d of %d operations: %d ticks, want %d", c.every, c.ops, got, c.want)
		}
	}
}

func BenchmarkDo(b *testing.B) {
	p := ReadStage.Start(2)
	defer p.Close()
	task, done := &idTask{busy: make([]atomic.Bool, 2)}, make(chan struct{}, 1)
	b.ReportAllocs()
	for b.Loop() {
		p.Do(task, done)
	}
}

func BenchmarkGossipTick(b *testing.B) {
	p := GossipStage.Start(1)
	defer p.Close()
	g := NewGossiper(p, 1)
	b.ReportAllocs()
	for b.Loop() {
		g.Run(nil)
	}
}
