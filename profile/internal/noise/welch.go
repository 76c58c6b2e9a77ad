package noise

import "math"

// minScatterRuns is the least number of runs a side for Welch's test.
const minScatterRuns = 3

// welch compares the mean rates of the runs by Welch's t test. It equals
// benchmath.AssumeNormal on the rates of the runs (if all have equal ops), but
// needs their moments only.
func (t Test) welch() Test {
	return t.welchFrom(minScatterRuns)
}

// CompareRuns compares the mean rates of the runs alone, by Welch's t test. It is
// the test for CPU totals: a timer samples so evenly that they scatter less than
// any count would. Below 2 runs a side its basis is Unknown.
func (m Method) CompareRuns(before, after Side) Test {
	t := Test{Before: before, After: after, Phi: 1, P: 1, Q: 1}
	return t.welchFrom(2)
}

func (t Test) welchFrom(runs int) Test {
	if min(t.Before.Runs, t.After.Runs) < runs {
		return t
	}
	se, df := t.standardError()
	if se <= rounding*max(t.Before.Rate(), t.After.Rate()) {
		return t.exact()
	}
	t.Basis, t.DF = Scatter, df
	z := math.Abs(t.After.Rate()-t.Before.Rate()) / se
	t.P = min(1, 2*student(df).CDF(-z))
	return t
}

// standardError returns that of the difference of the rates, from the scatter
// between runs, with its degrees of freedom.
func (t Test) standardError() (se, df float64) {
	b, a := t.Before.meanVariance(), t.After.meanVariance()
	if b+a == 0 {
		return 0, 0
	}
	return math.Sqrt(b + a), t.freedom(b, a)
}

// freedom returns the degrees of freedom of the sum of the sides' variances b
// and a, not both 0 (Welch and Satterthwaite).
func (t Test) freedom(b, a float64) float64 {
	sb, sa := b/(b+a), a/(b+a) // shares, for the squares could overflow
	return 1 / (sb*sb/(t.Before.runs()-1) + sa*sa/(t.After.runs()-1))
}

// meanVariance returns the variance of the rate as the mean over the runs.
func (s Side) meanVariance() float64 {
	nu, sum := s.scatter()
	if nu == 0 {
		return 0
	}
	// sum is (1/rate) * sum of T_i*(rate_i-rate)^2.
	return s.Rate() * sum / nu / s.ops()
}
