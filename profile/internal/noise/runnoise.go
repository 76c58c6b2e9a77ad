package noise

import (
	"cmp"
	"iter"
	"slices"
)

// RunNoise returns tau^2, the squared coefficient of variation between runs
// that is common to the given rows, for [Method.Tau2]. Give it the functions
// by flat value; the result serves pools, cumulative values and totals too. It
// is 0 where no side has two runs, and where the runs scatter no more than
// sampling explains.
//
// Each row with an average of n_j >= 1 effective events a run makes its own
// estimate, (phi_j/m - 1)/n_j, where m is the median of a chi-squared over its
// degrees of freedom; tau^2 is their median, weighted by how sharp they are. It
// is the equation of Paule and Mandel, sum of nu_j*phi_j/(1+tau^2*n_j) = sum of
// nu_j, with the median in place of the sum. The sum lets one function whose
// ten events fell into one run hide a change of 20 % in all others; rows that
// scatter more than the rest are widened by their own phi_j all the same.
func RunNoise(rows iter.Seq2[Side, Side]) float64 {
	var c common
	for before, after := range rows {
		nu, sum := Test{Before: before, After: after}.scatter()
		if nu > 0 && !before.Unknown && !after.Unknown {
			mean := (before.Value + after.Value) / (before.runs() + after.runs())
			c.add(nu, sum, mean, eventWeight(before, after))
		}
	}
	return c.tau2()
}

// RunNoiseOf is [RunNoise] where there is one side only.
func RunNoiseOf(rows iter.Seq[Side]) float64 {
	var c common
	for s := range rows {
		if nu, sum := s.scatter(); nu > 0 && !s.Unknown {
			c.add(nu, sum, s.Value/s.runs(), s.guarded()/s.Value)
		}
	}
	return c.tau2()
}

// common collects what each row tells of the run noise they have in common.
type common struct {
	rows   []estimate
	weight float64 // of all rows
}

// estimate is what one row makes of tau^2.
type estimate struct{ tau2, weight float64 }

// informative is the number of events a run from which on more events make a
// row's estimate of a run noise of 3 % hardly sharper.
const informative = 1000

// add adds a row: the degrees of freedom and the sum of squares between its
// runs, its mean value a run, and the value of one effective event.
func (c *common) add(nu, scatter, mean, event float64) {
	if mean < event {
		return
	}
	e := estimate{weight: nu / (1 + informative*event/mean)}
	e.tau2 = (scatter/nu/chiMedian(nu) - event) / mean
	c.rows = append(c.rows, e)
	c.weight += e.weight
}

func (c *common) tau2() float64 {
	slices.SortFunc(c.rows, func(a, b estimate) int {
		return cmp.Or(cmp.Compare(a.tau2, b.tau2), cmp.Compare(a.weight, b.weight))
	})
	below := 0.0
	for _, e := range c.rows {
		if below += e.weight; below >= c.weight/2 {
			return max(0, e.tau2)
		}
	}
	return 0
}

// chiMedian returns the median of a chi-squared with nu degrees of freedom,
// divided by nu (Wilson and Hilferty 1931).
func chiMedian(nu float64) float64 {
	x := 1 - 2/(9*nu)
	return x * x * x
}
