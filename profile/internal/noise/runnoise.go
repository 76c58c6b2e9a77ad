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

// common collects the rows that tell the run noise they have in common.
type common struct {
	terms          []term
	freedom, upper float64
}

type term struct{ weight, mean, scatter float64 }

// add adds a row: the degrees of freedom and the sum of squares between its
// runs, its mean value a run, and the value of one effective event.
func (c *common) add(nu, scatter, mean, weight float64) {
	if mean < weight {
		return
	}
	c.terms = append(c.terms, term{weight, mean, scatter})
	c.freedom += nu
	c.upper += scatter / mean
}

func (c *common) tau2() float64 {
	if c.freedom == 0 || c.upper == 0 {
		return 0
	}
	excess := func(tau2 float64) float64 {
		var s float64
		for _, t := range c.terms {
			if v := t.weight + tau2*t.mean; v > 0 {
				s += t.scatter / v
			} else if t.scatter > 0 {
				return c.freedom // any exact row that scatters
			}
		}
		return s - c.freedom
	}
	// At upper/freedom the excess is not positive, for every term is at most
	// its share of upper there.
	return root(func(x float64) float64 { return -excess(x) }, 0, c.upper/c.freedom)
}
