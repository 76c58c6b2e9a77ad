package profiletest

import (
	"fmt"
	"math"

	pprof "github.com/google/pprof/profile"
)

// HeapRow is one bucket of a Go heap profile: all objects of one size that
// were allocated at one stack.
type HeapRow struct {
	Stack  string // frames from the root to the leaf, in the syntax of the package comment
	Labels string // optional, such as "pool=read"; the Go runtime writes none
	Size   int64  // bytes of one object
	Allocs int64  // objects that the profiler sampled, before scaling
	Frees  int64  // of those, the objects that were freed again
}

// Heap builds a Go heap profile that samples one object per period bytes, with
// the values and the numeric label "bytes" that runtime/pprof would write for
// the rows: alloc_objects, alloc_space, inuse_objects, inuse_space. A period
// of 0 or 1 means that every object was sampled. It panics on a malformed
// stack or label.
func Heap(period int64, rows ...HeapRow) *pprof.Profile {
	b := newBuilder(&pprof.Profile{
		PeriodType: &pprof.ValueType{Type: "space", Unit: "bytes"},
		Period:     period,
		SampleType: []*pprof.ValueType{
			{Type: "alloc_objects", Unit: "count"},
			{Type: "alloc_space", Unit: "bytes"},
			{Type: "inuse_objects", Unit: "count"},
			{Type: "inuse_space", Unit: "bytes"},
		},
	})
	for _, r := range rows {
		labels := r.Labels
		if r.Size != 0 && r.Allocs != 0 {
			if labels != "" {
				labels += ";"
			}
			labels += fmt.Sprintf("bytes:=%d", r.Size)
		}
		v := make([]int64, 4)
		v[0], v[1] = ScaleHeap(r.Allocs, r.Allocs*r.Size, period)
		v[2], v[3] = ScaleHeap(r.Allocs-r.Frees, (r.Allocs-r.Frees)*r.Size, period)
		if err := b.sample(r.Stack, labels, v); err != nil {
			panic(fmt.Sprintf("profiletest.Heap: %v in %+v", err, r))
		}
	}
	return b.p
}

// ScaleHeap estimates the objects and bytes that were allocated from the
// sampled count and bytes, as runtime/pprof does: an object of size S is
// sampled with probability 1-exp(-S/period), so both are divided by that.
// The results are truncated to integers. A period of 1 or less changes
// nothing; a count or size of 0 gives 0.
func ScaleHeap(count, size, period int64) (objects, space int64) {
	if count == 0 || size == 0 {
		return 0, 0
	}
	if period <= 1 {
		return count, size
	}
	mean := float64(size) / float64(count)
	scale := 1 / (1 - math.Exp(-mean/float64(period)))
	return int64(float64(count) * scale), int64(float64(size) * scale)
}
