package profile

import (
	"github.com/allocdiff/allocdiff/profile/internal/noise"
)

// eventModel says how the sampled events behind one metric are known. The Go
// heap profiler weighs each event by its object's size, so its events are found
// sample by sample; everywhere else all events weigh the same, and sums tell
// their number.
type eventModel struct {
	complete bool    // a heap profile of every allocation
	heap     bool    // events come from heapModel
	sized    bool    // an event weighs as much as its object, and the interval on average
	interval float64 // value of one event; 0: not known from the header
	quantum  int64   // greatest common divisor of all values
	inferred bool    // the interval is the quantum, nothing in the file says it
	unknown  bool    // no noise model
	misfits  int64   // heap rows whose values the Go runtime cannot have written
}

// observe sees one value.
func (e *eventModel) observe(value int64) {
	if value < 0 {
		e.unknown = true // a difference of two profiles: its noise is that of both
	}
	if !e.heap && (e.quantum == 0 || value%e.quantum != 0) {
		e.quantum = noise.Quantum(e.quantum, value)
	}
}

// leastInferred is the smallest common divisor of all values that is taken for
// the value of one event. Smaller ones come from the alignment of objects, or
// by chance from a few values.
const leastInferred = 1000

// settle decides the interval once all values have been seen.
func (e *eventModel) settle() {
	if e.heap || e.quantum == 0 {
		return
	}
	// A period that does not divide the values is not what they were made of,
	// unless events are as large as the objects behind them.
	if e.interval > 0 && (e.sized || e.quantum%max(int64(e.interval), 1) == 0) {
		return
	}
	e.interval, e.inferred = float64(e.quantum), true
	if e.quantum < leastInferred {
		e.interval, e.inferred, e.unknown = 0, false, true
	}
}

// fill derives the events behind a sum of equal events.
func (e *eventModel) fill(s *Estimate) {
	if e.heap || e.unknown || e.interval <= 0 || s.Value <= 0 {
		return
	}
	v := float64(s.Value)
	s.Variance = v * e.interval
	s.N = v / e.interval
	s.Weight = float32(e.interval)
}

// join makes e true of its own runs and another one.
func (e *eventModel) join(o eventModel) {
	e.complete = o.complete && (e.complete || !e.heap)
	e.heap = e.heap || o.heap
	e.interval = max(e.interval, o.interval)
	e.inferred = e.inferred || o.inferred
	e.unknown = e.unknown || o.unknown
	e.misfits += o.misfits
}

// eventModels tells from a profile's header how the events of each metric can
// be recovered.
func eventModels(p *Profile) []eventModel {
	models := make([]eventModel, len(p.Metrics))
	for i, m := range p.Metrics {
		e := &models[i]
		switch space, heap := heapSpace[m]; {
		case heap && p.heapRate() > 0 && p.metric(space) >= 0:
			e.heap, e.complete = true, p.heapRate() == 1
			e.unknown = p.Delta && space == InuseSpace
			if m == space {
				e.interval = float64(p.heapRate())
			}
		case p.PeriodType.Type == "contentions":
			e.unknown = true // the Go runtime scales what it sampled and does not write by how much
		case m.Unit == p.PeriodType.Unit && m.Type == p.PeriodType.Type && p.Period > 0:
			e.interval, e.sized = float64(p.Period), m.Unit == "bytes"
		case m == CPUSamples, m == Metric{"cpu", "count"}, m == Metric{"allocations", "count"}, m == Metric{"sample", "count"}:
			e.interval = 1
		}
		e.unknown = e.unknown || p.Difference
	}
	return models
}

// heapSpace tells for each metric of a Go heap profile which one its sampled
// events are recovered from.
var heapSpace = map[Metric]Metric{
	AllocSpace: AllocSpace, AllocObjects: AllocSpace,
	InuseSpace: InuseSpace, InuseObjects: InuseSpace,
}

// heapModel recovers the sampled events of the rows of one Go heap profile.
type heapModel struct {
	period                                             int64
	allocSpace, allocObjects, inuseSpace, inuseObjects int // index of the metric; -1: absent
	scales                                             map[int64]heapScale
	last                                               heapScale
}

type heapScale struct {
	size           int64
	space, objects noise.Scale
}

func newHeapModel(p *Profile) *heapModel {
	h := &heapModel{
		period:       p.heapRate(),
		allocSpace:   p.metric(AllocSpace),
		allocObjects: p.metric(AllocObjects),
		inuseSpace:   p.metric(InuseSpace),
		inuseObjects: p.metric(InuseObjects),
		scales:       make(map[int64]heapScale),
	}
	h.last = h.scale(0)
	return h
}

func (h *heapModel) scale(size int64) heapScale {
	s, ok := h.scales[size]
	if !ok {
		s.size = size
		s.space, s.objects = noise.Heap(size, h.period)
		h.scales[size] = s
	}
	return s
}

// estimate fills in the events behind one row's values, which are in es
// already, and notes in the models of the metrics what the row does not tell.
func (h *heapModel) estimate(size int64, es []Estimate, models []eventModel) {
	if size != h.last.size {
		h.last = h.scale(size)
	}
	h.pair(es, models, h.allocSpace, h.allocObjects)
	h.pair(es, models, h.inuseSpace, h.inuseObjects)
}

func (h *heapModel) pair(es []Estimate, models []eventModel, space, objects int) {
	if space < 0 {
		return
	}
	e, fits := h.last.space.Estimate(es[space].Value)
	set(&es[space], e)
	if objects >= 0 && es[objects].Value != 0 {
		o, _ := h.last.objects.Estimate(es[space].Value)
		set(&es[objects], o)
		switch {
		case h.period == 1: // all objects were recorded, also those without a size
			es[objects].N = float64(es[objects].Value)
		case o.Unknown:
			models[objects].unknown = true
		case es[space].Value == 0:
			fits = false
			models[objects].unknown = true
		}
	}
	if !fits && es[space].Value >= 0 {
		models[space].misfits++
	}
}

func set(to *Estimate, e noise.Estimate) {
	to.Variance, to.N = e.Variance, e.Events
	to.Miss, to.Weight = float32(e.Miss), float32(e.Weight)
}
