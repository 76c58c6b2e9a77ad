package noise

import "iter"

// RunNoise returns tau^2, the squared coefficient of variation between runs
// that is common to the given rows, for [Method.Tau2]. Give it the functions
// by flat value; the result serves pools, cumulative values and totals too. It
// is 0 where no side has two runs, and where the runs scatter no more than
// sampling explains.
//
// It solves sum of nu_j*phi_j/(1+tau^2*n_j) = sum of nu_j over rows with an
// average of n_j >= 1 effective events a run (Paule and Mandel).
func RunNoise(rows iter.Seq2[Side, Side]) float64 {
	type term struct{ weight, mean, scatter float64 }
	var terms []term
	var freedom, upper float64
	for before, after := range rows {
		t := Test{Before: before, After: after}
		nu, sum := t.scatter()
		if nu == 0 || before.Unknown || after.Unknown {
			continue
		}
		w := eventWeight(before, after)
		mean := (before.Value + after.Value) / (before.runs() + after.runs())
		if mean < w {
			continue
		}
		terms = append(terms, term{w, mean, sum})
		freedom += nu
		upper += sum / mean
	}
	if freedom == 0 || upper == 0 {
		return 0
	}
	excess := func(tau2 float64) float64 {
		var s float64
		for _, t := range terms {
			if v := t.weight + tau2*t.mean; v > 0 {
				s += t.scatter / v
			} else if t.scatter > 0 {
				return freedom // any exact row that scatters
			}
		}
		return s - freedom
	}
	// At upper/freedom the excess is not positive, for every term is at most
	// its share of upper there.
	return root(func(x float64) float64 { return -excess(x) }, 0, upper/freedom)
}
