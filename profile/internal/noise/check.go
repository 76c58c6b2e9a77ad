package noise

import (
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

// CompareNormal compares the values of single runs by Welch's t test. It is
// the test for CPU totals: a timer samples so evenly that they scatter less
// than any count would. ok is false below 2 runs a side.
func CompareNormal(before, after []float64) (c benchmath.Comparison, ok bool) {
	if min(len(before), len(after)) < 2 {
		return c, false
	}
	return compare(benchmath.AssumeNormal, before, after), true
}

func compare(a benchmath.Assumption, before, after []float64) benchmath.Comparison {
	thresholds := benchmath.DefaultThresholds
	sample := func(values []float64) *benchmath.Sample {
		// NewSample sorts its argument in place.
		return benchmath.NewSample(slices.Clone(values), &thresholds)
	}
	return a.Compare(sample(before), sample(after))
}
