package stress

import (
	"math"
	"runtime/metrics"
)

// GC is what the collector did during a run. Go's pauses are two short stops
// per cycle and the work is done beside the program, so neither time compares
// with a JVM's "gc time". The number of cycles depends on the live heap as well
// as on what is allocated: never judge by it alone.
type GC struct {
	// Cycles is the number of collections completed.
	Cycles int64 `json:"cycles"`
	// FreedBytes is the memory reclaimed, which is what stress calls gc memory.
	FreedBytes int64 `json:"freed_bytes"`
	// AllocBytes is the memory allocated: it does not depend on when the last
	// cycle ended.
	AllocBytes int64 `json:"alloc_bytes"`
	// AllocObjects is the number of objects allocated.
	AllocObjects int64 `json:"alloc_objects"`
	// Pauses is the number of stop-the-world pauses, PauseNs their sum,
	// PauseMaxNs the longest and PauseStdNs their standard deviation, all to
	// the resolution of the runtime's histogram.
	Pauses     int64   `json:"pauses"`
	PauseNs    float64 `json:"pause_ns"`
	PauseMaxNs float64 `json:"pause_max_ns"`
	PauseStdNs float64 `json:"pause_std_ns"`
	// CPUNs is the processor time of the collector. On a loaded machine it
	// includes time in which it was not scheduled.
	CPUNs float64 `json:"cpu_ns"`
}

// gcMetrics are read in this order by readGC.
var gcMetrics = []string{
	"/gc/cycles/total:gc-cycles",
	"/gc/heap/frees:bytes",
	"/gc/heap/allocs:bytes",
	"/gc/heap/allocs:objects",
	"/cpu/classes/gc/total:cpu-seconds",
	"/sched/pauses/total/gc:seconds",
}

// gcReading is the runtime's counters at one moment.
type gcReading struct {
	cycles, freed, bytes, objects uint64
	cpu                           float64
	pauses                        metrics.Float64Histogram
}

func readGC() gcReading {
	s := make([]metrics.Sample, len(gcMetrics))
	for i := range s {
		s[i].Name = gcMetrics[i]
	}
	metrics.Read(s)
	return gcReading{
		cycles:  s[0].Value.Uint64(),
		freed:   s[1].Value.Uint64(),
		bytes:   s[2].Value.Uint64(),
		objects: s[3].Value.Uint64(),
		cpu:     s[4].Value.Float64(),
		pauses:  *s[5].Value.Float64Histogram(),
	}
}

// since returns what happened between from and r.
func (r gcReading) since(from gcReading) GC {
	g := GC{
		Cycles:       int64(r.cycles - from.cycles),
		FreedBytes:   int64(r.freed - from.freed),
		AllocBytes:   int64(r.bytes - from.bytes),
		AllocObjects: int64(r.objects - from.objects),
		CPUNs:        (r.cpu - from.cpu) * 1e9,
	}
	var sum, squares float64
	for i, n := range r.pauses.Counts {
		n -= from.pauses.Counts[i]
		if n == 0 {
			continue
		}
		ns := bucketMiddle(r.pauses.Buckets[i], r.pauses.Buckets[i+1]) * 1e9
		g.Pauses += int64(n)
		sum += float64(n) * ns
		squares += float64(n) * ns * ns
		g.PauseMaxNs = ns
	}
	g.PauseNs = sum
	if g.Pauses > 0 {
		mean := sum / float64(g.Pauses)
		g.PauseStdNs = math.Sqrt(max(0, squares/float64(g.Pauses)-mean*mean))
	}
	return g
}

// bucketMiddle stands for the values of a bucket, whose ends may be infinite.
func bucketMiddle(lo, hi float64) float64 {
	switch {
	case math.IsInf(lo, -1):
		return hi
	case math.IsInf(hi, 1):
		return lo
	}
	return (lo + hi) / 2
}
