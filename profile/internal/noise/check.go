package noise

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// CrossCheck compares the values of single runs, such as their totals, without
// the model of this package: by medians and the Mann-Whitney test, which
// assume nothing. ok is false below 6 runs a side, where that test says too
// little. Print it beside our own p value; it does not replace it.
func CrossCheck(before, after []float64) (c benchmath.Comparison, ok bool) {
	if min(len(before), len(after)) < 6 {
		return c, false
	}
	return compare(benchmath.AssumeNothing, before, after), true
}

// CompareRanks compares figures that a benchmark measured once a run, such as
// its throughput, by the Mann-Whitney test. ok is false below 4 runs a side,
// where no figures could give p < 0.05 (the least is 0.1 at 3 runs, 0.029 at 4).
func CompareRanks(before, after []float64) (p float64, ok bool) {
	if min(len(before), len(after)) < 4 {
		return 1, false
	}
	c := compare(benchmath.AssumeNothing, before, after)
	return c.P, !math.IsNaN(c.P)
}

func compare(a benchmath.Assumption, before, after []float64) benchmath.Comparison {
	thresholds := benchmath.DefaultThresholds
	sample := func(values []float64) *benchmath.Sample {
		// NewSample sorts its argument in place.
		return benchmath.NewSample(slices.Clone(values), &thresholds)
	}
	return a.Compare(sample(before), sample(after))
}
