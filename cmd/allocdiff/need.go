package main

import (
	"math"
	"strings"

	"github.com/allocdiff/allocdiff/profile"
)

// Nobody records more runs a side than this, or samples more often than that.
const (
	mostRuns  = 1000
	leastRate = 512 // bytes between samples
)

// needText says of an unclear total what it may still be, and what it would take
// to tell.
func needText(r *profile.Report, m *profile.MetricReport) string {
	text := printable(m.Metric.Noun()) + ": "
	if ci := intervalText(&m.Total, printOptions{confidence: true}); ci != "" {
		text += "the change lies within " + ci + "; "
	}
	n := m.Total.Need
	runs, rate := recorded(r, m.Kind)
	var ways []string
	if n.Runs > runs && n.Runs <= mostRuns {
		ways = append(ways, profile.Count(float64(n.Runs))+" runs a side")
	}
	if n.Rate >= leastRate && n.Rate < rate {
		ways = append(ways, "a sampling rate of "+profile.FormatRate(profile.AllocSpace, wholeRate(n.Rate)))
	}
	switch {
	case len(ways) > 0:
		return text + "to see the change looked for (--detect): " + strings.Join(ways, ", or ")
	case 0 < n.Runs && n.Runs <= runs:
		return text + "the change looked for (--detect) would most likely have been seen"
	}
	return text + "no reasonable number of runs would show the change looked for (--detect)"
}

// wholeRate rounds a sampling period in bytes down to whole KiB, or to the least
// one: what is needed is no figure to be exact about.
func wholeRate(period float64) float64 {
	const kib = 1024
	if period < kib {
		return leastRate
	}
	return math.Floor(period/kib) * kib
}

// recorded tells how much of a kind of profile there is: the runs of the side
// with fewer, and the longest sampling period.
func recorded(r *profile.Report, kind profile.Kind) (runs int, period float64) {
	runs = math.MaxInt
	for _, s := range []*profile.SideInfo{&r.Before, &r.After} {
		n := 0
		for i := range s.Inputs {
			if in := &s.Inputs[i]; in.Kind == kind {
				n++
				period = max(period, float64(in.Period))
			}
		}
		if s.Merged > 0 {
			n = min(n, 1)
		}
		runs = min(runs, n)
	}
	return runs, period
}
