package profile

import (
	"fmt"
	"math/rand/v2"

	pprof "github.com/google/pprof/profile"

	"github.com/allocdiff/allocdiff/profile/profiletest"
)

// randomNames are function names of every kind that attribution treats apart.
var randomNames = []string{
	"runtime.main", "runtime.mallocgc", "runtime.gcBgMarkWorker", "runtime/pprof.profileWriter",
	"testing.tRunner", "testing.(*B).runN", "sync.(*WaitGroup).Go.func1", "golang.org/x/sync/errgroup.(*Group).Go.func1",
	"bytes.growSlice", "encoding/json.Unmarshal", "strings.(*Builder).grow",
	"main.main", "main.work", "main.work.func1", "main.work.func2.1", "main.(*pool).run",
	"example.com/engine/btree.(*Tree).Put", "example.com/engine/btree.build[go.shape.int]", "example.com/engine/cell.Copy",
	"github.com/acme/lib/v2.Parse", "[read-3 tid=7]", "[read-4 tid=8]", "java/lang/Thread.run", "org/acme/App.run",
	"malloc", "std::vec::push", "bad\xffname", "",
}

// randomProfile makes a valid profile of one of several makes, with recursion,
// inlined frames, samples without stack or value, and labels of every kind.
// Profiles of one seed and make share their functions.
func randomProfile(r *rand.Rand, kind int) *pprof.Profile {
	g := randomGraph(r)
	switch kind % randomKinds {
	case 0, 1, 2:
		g.heap(r, []int64{512 << 10, 4096, 1}[kind%randomKinds])
	case 3:
		g.period("cpu", "nanoseconds", 10_000_000)
		g.types("samples", "count", "cpu", "nanoseconds")
		g.samples(r, func() []int64 { n := r.Int64N(5); return []int64{n, n * 10_000_000} })
	case 4:
		g.period("contentions", "count", 1)
		g.types("contentions", "count", "delay", "nanoseconds")
		g.samples(r, func() []int64 { return []int64{r.Int64N(5), r.Int64N(1e9)} })
	case 5:
		g.p.Comments = []string{"Produced by async-profiler"}
		g.types("allocations", "bytes")
		g.samples(r, func() []int64 { return []int64{r.Int64N(9) * 524288} })
	case 6: // a delta: some values are negative
		g.p.DurationNanos = 1e9
		g.heap(r, 512<<10)
		for _, s := range g.p.Sample {
			if r.IntN(3) == 0 {
				s.Value[2], s.Value[3] = -s.Value[2], -s.Value[3]
			}
		}
	case 7: // Go values without the label of object sizes, and halves of pairs
		g.heap(r, 512<<10)
		for _, s := range g.p.Sample {
			s.NumLabel, s.NumUnit = nil, nil
			s.Value[r.IntN(4)] = r.Int64N(3)
		}
	case 8:
		g.period("space", "bytes", 512<<10)
		g.types("inuse_objects", "count", "inuse_space", "bytes")
		g.samples(r, func() []int64 { n := r.Int64N(9); return []int64{n, n * 1000} })
	case 9:
		g.types("alloc_objects", "count", "alloc_space", "bytes")
		g.samples(r, func() []int64 { n := r.Int64N(9); return []int64{n, n*1000 - 2000} })
	}
	return g.p
}

const randomKinds = 10

type graph struct{ p *pprof.Profile }

func (g graph) period(typ, unit string, period int64) {
	g.p.PeriodType, g.p.Period = &pprof.ValueType{Type: typ, Unit: unit}, period
}

func (g graph) types(names ...string) {
	for i := 0; i < len(names); i += 2 {
		g.p.SampleType = append(g.p.SampleType, &pprof.ValueType{Type: names[i], Unit: names[i+1]})
	}
}

func randomGraph(r *rand.Rand) graph {
	p := &pprof.Profile{Mapping: []*pprof.Mapping{{ID: 1, Start: 0x1000, Limit: 0x9000, File: "/bin/app"}}}
	for i, name := range randomNames {
		p.Function = append(p.Function, &pprof.Function{ID: uint64(i + 1), Name: name, SystemName: name, Filename: fmt.Sprintf("f%d.go", i%5)})
	}
	for i := range 60 {
		loc := &pprof.Location{ID: uint64(i + 1), Address: uint64(0x1000 + i), Mapping: p.Mapping[0]}
		for n := r.IntN(4); n > 0; n-- { // 0: not symbolised
			loc.Line = append(loc.Line, pprof.Line{Function: p.Function[r.IntN(len(p.Function))], Line: r.Int64N(9)})
		}
		p.Location = append(p.Location, loc)
	}
	return graph{p}
}

// samples adds samples whose stacks share their roots with others.
func (g graph) samples(r *rand.Rand, values func() []int64) {
	var stack []*pprof.Location // root first
	for range r.IntN(80) {
		stack = stack[:r.IntN(len(stack)+1)]
		for n := r.IntN(6); n > 0; n-- {
			stack = append(stack, g.p.Location[r.IntN(len(g.p.Location))])
		}
		s := &pprof.Sample{Value: values()}
		for i := len(stack) - 1; i >= 0; i-- {
			s.Location = append(s.Location, stack[i])
		}
		randomLabels(r, s)
		g.p.Sample = append(g.p.Sample, s)
	}
}

func randomLabels(r *rand.Rand, s *pprof.Sample) {
	s.Label, s.NumLabel, s.NumUnit = map[string][]string{}, map[string][]int64{}, map[string][]string{}
	if r.IntN(3) == 0 {
		s.Label["pool"] = append(s.Label["pool"], fmt.Sprint("pool ", r.IntN(3)))
	}
	if r.IntN(9) == 0 {
		s.Label["pool"] = append(s.Label["pool"], fmt.Sprint("pool ", r.IntN(3)))
	}
	if r.IntN(3) == 0 {
		s.Label["thread"] = []string{fmt.Sprintf("[read-%d tid=%d]", r.IntN(3), r.IntN(9))}
	}
	if r.IntN(3) == 0 {
		s.NumLabel["tid"], s.NumUnit["tid"] = []int64{1 + r.Int64N(9)}, []string{""}
	}
}

// heap adds samples as the Go runtime scales them.
func (g graph) heap(r *rand.Rand, period int64) {
	g.period("space", "bytes", period)
	g.types("alloc_objects", "count", "alloc_space", "bytes", "inuse_objects", "count", "inuse_space", "bytes")
	sizes := []int64{8, 48, 1024, 32768, 1 << 20, 8 << 20}
	g.samples(r, func() []int64 { return make([]int64, 4) })
	for _, s := range g.p.Sample {
		size, allocs := sizes[r.IntN(len(sizes))], r.Int64N(4)
		if allocs == 0 {
			continue
		}
		frees := r.Int64N(allocs + 1)
		s.Value[0], s.Value[1] = profiletest.ScaleHeap(allocs, allocs*size, period)
		s.Value[2], s.Value[3] = profiletest.ScaleHeap(allocs-frees, (allocs-frees)*size, period)
		s.NumLabel["bytes"], s.NumUnit["bytes"] = []int64{size}, []string{""}
	}
}
