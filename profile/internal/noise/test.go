package noise

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// A Basis says what the noise of a [Test] was judged by.
type Basis uint8

const (
	// Unknown: there is no noise model and there are too few runs.
	Unknown Basis = iota
	// Exact: every event was recorded and nothing scatters.
	Exact
	// Sampling: one run a side; sampling noise and an assumed run noise.
	Sampling
	// Replicates: sampling noise and the scatter seen between runs.
	Replicates
	// Scatter: the scatter between runs alone (Welch's t test), for values of
	// unknown sampling rate with at least three runs a side.
	Scatter
)

// A Test is the comparison of one row of the report.
type Test struct {
	// Before and After are the sides as given.
	Before, After Side

	// Basis says what the noise was judged by.
	Basis Basis

	// Weight is the value of one effective event: a sum of unlike events
	// wobbles like Value/Weight events of this weight each. About the sampling
	// period. 0 if Exact.
	Weight float64

	// Phi is the factor by which the variance exceeds that of sampling, >= 1.
	Phi float64

	// NBefore and NAfter are the effective events, Value/Weight; the recorded
	// events if Exact; 0 if the basis is Unknown or Scatter.
	NBefore, NAfter float64

	// DF is the degrees of freedom of the t distribution, 0 for the normal.
	DF float64

	// P is the two-sided p value that the two rates are equal.
	P float64

	// Q is P adjusted for the number of rows compared, see [FalseDiscovery]. Until
	// then it is 1.
	Q float64

	// full says that every event was recorded, so that all noise is that
	// between runs.
	full bool
}

const (
	// exactly is the weight of an effective event, as a share of the row,
	// below which sampling noise is nothing.
	exactly = 1e-9

	// rounding is the relative difference of two sums of equal values in
	// different order.
	rounding = 1e-14

	// priorDF is the weight of the pooled run noise against that of the row.
	priorDF = 4
)

// Compare tests whether a row has the same rate on both sides.
//
// W = (V_B/T_B^2 + V_A/T_A^2) / (X_B/T_B^2 + X_A/T_A^2) is the value of an
// effective event, N = X/(W*phi); given N_B+N_A, N_A is binomial with
// probability T_A/(T_A+T_B) if the rates are equal.
func (m Method) Compare(before, after Side) Test {
	t := Test{Before: before, After: after, Phi: 1, P: 1, Q: 1}
	if before.Unknown || after.Unknown {
		return t.welch()
	}
	x := before.Value + after.Value
	if !(x > 0) {
		t.Basis = Sampling
		t.Weight = max(before.Period, after.Period)
		return t
	}
	w := eventWeight(before, after)
	inflated, df := w, 0.0
	nu, scatter := t.scatter()
	switch {
	case nu > 0:
		t.Basis = Replicates
		df = priorDF + nu
		pooled := w + m.Tau2*x/(before.runs()+after.runs())
		inflated = max(w, (priorDF*pooled+scatter)/df)
	case w > exactly*x || before.Sampled || after.Sampled:
		t.Basis = Sampling
		inflated = w + m.RunCV*m.RunCV*x/2
	}
	if inflated <= exactly*x {
		return t.exact()
	}
	if t.full = w <= exactly*x; t.full {
		w = inflated
	}
	t.Weight, t.Phi, t.DF = w, inflated/w, df
	t.NBefore, t.NAfter = before.Value/w, after.Value/w
	t.P = t.pvalue()
	return t
}

// eventWeight returns W. It divides by the squared ratio of the ops, not by
// their squares, which may overflow.
func eventWeight(before, after Side) float64 {
	tb, ta := before.ops(), after.ops()
	top := max(tb, ta)
	b, a := (top/tb)*(top/tb), (top/ta)*(top/ta)
	return (before.guarded()*b + after.guarded()*a) / (before.Value*b + after.Value*a)
}

// scatter returns the degrees of freedom and the sum of squares between the
// runs of both sides.
func (t Test) scatter() (nu, sum float64) {
	nb, sb := t.Before.scatter()
	na, sa := t.After.scatter()
	return nb + na, sb + sa
}

// exact is the verdict on values that do not scatter at all.
func (t Test) exact() Test {
	t.Basis = Exact
	t.NBefore, t.NAfter = t.Before.Events, t.After.Events
	b, a := t.Before.Rate(), t.After.Rate()
	if math.Abs(a-b) > rounding*max(a, b) {
		t.P = 0
	}
	return t
}

// counts returns the effective events of both sides after inflation.
func (t Test) counts() (before, after float64) {
	return t.count(t.NBefore), t.count(t.NAfter)
}

// count returns n effective events after inflation. So small a part of one
// that the beta and gamma functions lose it is none.
func (t Test) count(n float64) float64 {
	if n /= t.Phi; n > 1e-9 {
		return n
	}
	return 0
}

// pvalue returns the two-sided mid-p of the conditional test, seen through a
// t distribution where the variance itself was estimated.
func (t Test) pvalue() float64 {
	nb, na := t.counts()
	tb, ta := t.Before.ops(), t.After.ops()
	var tail float64
	if na*tb > nb*ta {
		tail = binomialTail(na, nb, ta/tb)
	} else {
		tail = binomialTail(nb, na, tb/ta)
	}
	// The other tail is the complement of this one.
	return t.widen(2 * min(tail, 1-tail))
}

// widen returns the p value of a t distribution at the distance from the
// middle where the normal has p.
func (t Test) widen(p float64) float64 {
	if t.DF == 0 || p >= 1 {
		return min(1, p)
	}
	const least = 1e-300 // keeps the quantile finite
	z := distuv.UnitNormal.Quantile(max(p, least) / 2)
	return min(1, 2*student(t.DF).CDF(z))
}

func student(df float64) distuv.StudentsT {
	return distuv.StudentsT{Sigma: 1, Nu: df}
}

// Real reports whether the test rests on repeated runs of both sides, so that
// a small Q means a real change, and not only one beyond sampling noise.
func (t Test) Real() bool {
	return t.Before.Runs >= 2 && t.After.Runs >= 2
}

// minEvents is the least sum of effective events that can say anything.
const minEvents = 6

// Few reports whether sampling left too few effective events (fewer than 6)
// to judge the row. Phi does not count here, so that this depends on nothing
// but the sum of both sides, on which the test conditions.
func (t Test) Few() bool {
	switch {
	case t.Basis != Sampling && t.Basis != Replicates:
		return false
	case t.full: // effective events are those of the scatter
		return (t.Before.Sampled || t.After.Sampled) && t.Before.Events+t.After.Events < minEvents
	}
	return t.NBefore+t.NAfter < minEvents
}
