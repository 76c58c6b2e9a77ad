package noise

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// A Range is a value with its confidence interval.
type Range struct {
	// Value is the estimate, Lo and Hi the ends of its interval.
	Value, Lo, Hi float64

	// Open says that there is no upper end: Hi and Value mean nothing. It
	// happens to ratios of rows without any event before.
	Open bool
}

// Delta returns the difference of the rates, after minus before. ok is false
// if nothing is known about its noise; Value is good even then.
func (m Method) Delta(t Test) (r Range, ok bool) {
	d := t.After.Rate() - t.Before.Rate()
	r = Range{Value: d, Lo: d, Hi: d}
	switch t.Basis {
	case Unknown:
		return r, false
	case Exact:
		return r, true
	case Scatter:
		se, df := t.standardError()
		h := se * student(df).Quantile(1-m.alpha()/2)
		return Range{Value: d, Lo: d - h, Hi: d + h}, true
	}
	b, _ := m.Before(t)
	a, _ := m.After(t)
	r.Lo = d - math.Hypot(a.Value-a.Lo, b.Hi-b.Value)
	r.Hi = d + math.Hypot(a.Hi-a.Value, b.Value-b.Lo)
	return r, true
}

// Before returns the rate of the before side; ok as for [Method.Delta].
func (m Method) Before(t Test) (r Range, ok bool) { return m.side(t, t.Before, t.NBefore) }

// After returns the rate of the after side; ok as for [Method.Delta].
func (m Method) After(t Test) (r Range, ok bool) { return m.side(t, t.After, t.NAfter) }

func (m Method) side(t Test, s Side, n float64) (r Range, ok bool) {
	x := s.Rate()
	r = Range{Value: x, Lo: x, Hi: x}
	switch t.Basis {
	case Unknown:
		return r, false
	case Exact:
		return r, true
	case Scatter:
		h := math.Sqrt(s.meanVariance()) * student(s.runs()-1).Quantile(1-m.alpha()/2)
		return Range{Value: x, Lo: max(0, x-h), Hi: x + h}, true
	}
	half := m.level(t) / 2
	unit := t.Weight * t.Phi / s.ops()
	if n = t.count(n); n == 0 {
		// Whatever the sizes of the objects, P(no event) = exp(-X/Period).
		r.Lo, r.Hi = 0, -math.Log(half)*max(unit, s.Period/s.ops())
		return r, true
	}
	// The point itself belongs to the interval, also at less than one event.
	r.Lo = min(x, poissonMean(n, half)*unit)
	r.Hi = max(x, poissonMean(n, 1-half)*unit)
	return r, true
}

// Ratio returns the ratio of the rates, after by before. ok is false if it
// has no meaning or nothing is known about its noise: no value on either side,
// an exact zero before, or a basis without a noise model.
func (m Method) Ratio(t Test) (r Range, ok bool) {
	b, a := t.Before.Rate(), t.After.Rate()
	if b > 0 {
		r.Value = a / b
	}
	r.Lo, r.Hi = r.Value, r.Value
	switch {
	case t.Basis == Unknown || !(a+b > 0):
		return r, false
	case t.Basis == Scatter:
		return m.scatterRatio(t)
	case t.Basis == Exact:
		return r, b > 0
	}
	half := m.level(t) / 2
	nb, na := t.counts()
	tb, ta := t.Before.ops(), t.After.ops()
	r.Lo = lowestOdds(na, nb, half) * (tb / ta)
	// The upper end is the lower end of the inverse ratio.
	r.Hi = 1 / (lowestOdds(nb, na, half) * (ta / tb))
	if math.IsInf(r.Hi, 0) {
		r.Open, r.Value, r.Hi = true, 0, 0
	}
	return r, true
}

// scatterRatio returns the ratio of two mean rates of which only the scatter is
// known, by the delta method on its logarithm. ok is false if a side is zero.
func (m Method) scatterRatio(t Test) (r Range, ok bool) {
	b, a := t.Before.Rate(), t.After.Rate()
	if !(a > 0 && b > 0) {
		return r, false
	}
	vb, va := t.Before.meanVariance()/b/b, t.After.meanVariance()/a/a
	h := math.Sqrt(vb+va) * student(t.freedom(vb, va)).Quantile(1-m.alpha()/2)
	return Range{Value: a / b, Lo: a / b * math.Exp(-h), Hi: a / b * math.Exp(h)}, true
}

// level returns the two-sided error level which the conditional test must
// have for intervals of the method's confidence: with a t distribution it is
// smaller.
func (m Method) level(t Test) float64 {
	if t.DF == 0 {
		return m.alpha()
	}
	z := student(t.DF).Quantile(1 - m.alpha()/2)
	return 2 * distuv.UnitNormal.CDF(-z)
}

// tail returns the chance of at least as many events after as were seen, in
// its mid-p form, were the ratio of the rates rho. It increases with rho.
func (t Test) tail(rho float64) float64 {
	nb, na := t.counts()
	return binomialTail(na, nb, rho*(t.After.ops()/t.Before.ops()))
}

// lowestOdds returns the odds at which binomialTail(k, j, odds) is only a,
// which must be less than a half; 0 if there are none.
func lowestOdds(k, j, a float64) float64 {
	if k == 0 {
		return 0
	}
	// In log odds the tail is close to a normal curve of this centre and
	// width, so the bracket is found at once.
	hi := math.Log((k + 0.5) / (j + 0.5))
	width := math.Sqrt(1/(k+0.5) + 1/(j+0.5))
	f := func(y float64) float64 { return binomialTail(k, j, math.Exp(y)) - a }
	for f(hi) < 0 {
		hi += width
	}
	lo := hi - 2*width
	const least = -700 // beyond it the odds are no number
	for f(lo) > 0 {
		if lo -= 2 * width; lo < least {
			return 0
		}
	}
	return math.Exp(root(f, lo, hi))
}
