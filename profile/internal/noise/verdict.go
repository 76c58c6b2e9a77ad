package noise

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// A Verdict is the word for one row.
type Verdict string

// The verdicts. Up, Down, New and Gone are changes beyond noise; whether they
// may be called real is for [Test.Real] to say.
const (
	Up          Verdict = "up"      // more than before
	Down        Verdict = "down"    // less than before
	New         Verdict = "new"     // no event before
	Gone        Verdict = "gone"    // no event after
	Same        Verdict = "same"    // no change larger than the tolerance
	Unclear     Verdict = "unclear" // neither a change nor its absence is shown
	TooFew      Verdict = "few"     // too few events to say anything
	Unjudgeable Verdict = "unknown" // no noise model
)

// Verdict returns the word for a row whose Q is set.
func (m Method) Verdict(t Test) Verdict {
	switch {
	case t.Basis == Unknown:
		return Unjudgeable
	case t.Few():
		return TooFew
	case t.Q <= m.FDR && m.matters(t):
		return t.direction()
	case m.same(t):
		return Same
	}
	return Unclear
}

func (t Test) direction() Verdict {
	b, a := t.Before.Rate(), t.After.Rate()
	switch {
	case b == 0:
		return New
	case a == 0:
		return Gone
	case a > b:
		return Up
	}
	return Down
}

// matters reports whether a difference is large enough to be reported.
func (m Method) matters(t Test) bool {
	b, a := t.Before.Rate(), t.After.Rate()
	d := math.Abs(a - b)
	if d == 0 || d < m.MinEffect {
		return false
	}
	if t.Basis != Exact {
		return true
	}
	perRun := max(t.Before.ops()/t.Before.runs(), t.After.ops()/t.After.runs())
	return d >= m.ExactShare*max(a, b) && d*perRun >= m.ExactEffect
}

// same reports whether the interval of the ratio lies within the tolerance.
// It asks the test at both ends of the tolerance instead of finding the ends
// of the interval, because it is asked of every row.
func (m Method) same(t Test) bool {
	b, a := t.Before.Rate(), t.After.Rate()
	tol := m.Tolerance
	switch t.Basis {
	case Exact:
		return math.Abs(a-b) <= tol*b
	case Scatter:
		r, _ := m.Delta(t)
		return max(-r.Lo, r.Hi) <= tol*b
	}
	if !(a > 0 && b > 0 && tol > 0 && tol < 1) {
		return false
	}
	nb, na := t.counts()
	z := -distuv.UnitNormal.Quantile(m.alpha() / 2)
	if math.Abs(math.Log(a/b))+0.8*z*math.Sqrt(1/nb+1/na) > -math.Log1p(-tol) {
		return false // most rows: the interval is far too wide
	}
	below, above := t.tail(1-tol), 1-t.tail(1+tol)
	return t.widen(2*max(below, above)) <= m.alpha()
}
