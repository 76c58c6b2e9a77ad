package profile

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// wildScatter is the coefficient of variation of a total above which runs are
// hardly of the same work.
const wildScatter = 0.3

// doubts list what speaks against the profiles of s being runs of one build and
// work, most serious first.
func (r *NoiseReport) doubts(s *Side) []string {
	var w []string
	add := func(format string, args ...any) { w = append(w, fmt.Sprintf(format, args...)) }
	d := Diff{Before: s, After: &Side{}}
	d.sameFile(add)
	builds := slices.DeleteFunc(distinct(s.Profiles, func(p *Profile) string { return p.BuildID }), func(id string) bool { return id == "" })
	if len(builds) > 1 {
		add("these are profiles of %d builds (%s): their differences are not noise alone", len(builds), strings.Join(builds, ", "))
	}
	for _, kind := range []Kind{Heap, Time} {
		if list := s.of(kind); len(list) > 1 {
			s.unlike(kindName(kind), list, add)
		}
	}
	for i := range r.Metrics {
		if m := &r.Metrics[i]; m.Total.Scatter != nil && *m.Total.Scatter > wildScatter {
			add("the total of %s scatters by %.0f%% between the runs: are these runs of the same work?", m.Metric.Noun(), 100**m.Total.Scatter)
		}
	}
	s.doubts(add)
	return w
}

// unlike finds runs of one kind that were not taken alike.
func (s *Side) unlike(kind string, list []*Profile, add adder) {
	if periods := distinct(list, func(p *Profile) int64 { return p.Period }); len(periods) > 1 {
		add("%s profiles were sampled at different rates: %s", kind, rates(list))
	}
	if delta, snapshot := split(list); delta != "" && snapshot != "" {
		add("%s is a delta (taken over a time), %s is a snapshot since the start: they do not cover the same work", delta, snapshot)
	}
	if s.per != PerRun {
		return
	}
	switch least, most := span(list, func(p *Profile) float64 { return p.Ops }); {
	case least == most:
	case least == 0:
		add("not all %s profiles tell their number of operations: nothing is scaled (--ops N)", kind)
	default:
		add("%s profiles tell different numbers of operations, %s to %s, and are not scaled", kind, Count(least), Count(most))
	}
	if least, most := span(list, func(p *Profile) float64 { return float64(p.Duration) }); least > 0 && most > 1.05*least {
		sc := ScaleOf("nanoseconds", most)
		add("%s profiles cover different times, %s to %s, and are not scaled (--per second)", kind, sc.Format(least), sc.Format(most))
	}
}

// span is the least and the most of a value.
func span(list []*Profile, value func(*Profile) float64) (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, p := range list {
		least, most = min(least, value(p)), max(most, value(p))
	}
	return least, most
}

func kindName(k Kind) string {
	if k == Time {
		return "CPU"
	}
	return string(k)
}
