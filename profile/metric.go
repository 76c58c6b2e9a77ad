package profile

import "strings"

// Metric is a sample type of a profile, such as {alloc_space, bytes}. Metrics
// are found by both names, never by index: the same type name can come with
// another unit from another producer, and the two cannot be compared.
type Metric struct {
	Type string `json:"type"` // as the profile names it: alloc_space, inuse_objects, cpu, samples, ...
	Unit string `json:"unit"` // as the profile names it: bytes, count, nanoseconds, ...
}

// String returns "type/unit", the field's usual spelling.
func (m Metric) String() string { return m.Type + "/" + m.Unit }

// The sample types that the Go runtime writes.
var (
	AllocSpace   = Metric{"alloc_space", "bytes"}
	AllocObjects = Metric{"alloc_objects", "count"}
	InuseSpace   = Metric{"inuse_space", "bytes"}
	InuseObjects = Metric{"inuse_objects", "count"}
	CPU          = Metric{"cpu", "nanoseconds"}
	CPUSamples   = Metric{"samples", "count"}
)

// live reports whether the metric tells what was in use when the profile was
// taken, and not what happened until then.
func (m Metric) live() bool {
	switch m {
	case InuseSpace, InuseObjects, Metric{"space", "bytes"}, Metric{"objects", "count"}:
		return true
	}
	return false
}

// Kind says what a profile measured. Only profiles of one kind are compared.
type Kind string

// The kinds of profile.
const (
	Heap  Kind = "heap"  // allocated or live memory
	Time  Kind = "cpu"   // on-CPU time
	Other Kind = "other" // contention, wall clock, native memory, ...
)

// kindOf tells the kind of a profile from its sample types.
func kindOf(metrics []Metric) Kind {
	for _, m := range metrics {
		switch m.Type {
		case "alloc_space", "alloc_objects", "inuse_space", "inuse_objects", "allocations", "space", "objects":
			return Heap
		case "cpu":
			return Time
		}
	}
	if len(metrics) == 1 && metrics[0] == CPUSamples {
		return Time
	}
	return Other
}

// Noun is what an amount of the metric is called in a sentence: "allocated
// bytes", "CPU time". An unknown metric is called by its sample type.
func (m Metric) Noun() string {
	switch m {
	case AllocSpace, Metric{"allocations", "bytes"}:
		return "allocated bytes"
	case AllocObjects:
		return "allocated objects"
	case InuseSpace, Metric{"space", "bytes"}:
		return "live bytes"
	case InuseObjects, Metric{"objects", "count"}:
		return "live objects"
	case CPU:
		return "CPU time"
	case CPUSamples, Metric{"cpu", "count"}:
		return "CPU samples"
	}
	return m.Type
}

func metricList(metrics []Metric) string {
	var s strings.Builder
	for i, m := range metrics {
		if i > 0 {
			s.WriteString(", ")
		}
		s.WriteString(m.String())
	}
	return s.String()
}
