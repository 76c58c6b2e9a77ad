package plot

import (
	"math"
	"strconv"

	"github.com/allocdiff/allocdiff/profile"
)

// axis maps amounts to pixels along a line that always holds zero. Amounts are
// divided by the largest first, so that nothing overflows.
type axis struct {
	left, right float64 // pixels
	unit        float64 // the amount that is 1 below; never 0
	lo, hi      float64 // ends in units: lo <= 0 <= hi, lo < hi
}

// newAxis makes an axis that holds what values finds in rows.
func newAxis(left, right float64, rows []profile.Row, values func(*profile.Row) []float64) axis {
	a := axis{left: left, right: right, unit: largest(rows, values)}
	if a.unit == 0 {
		a.unit = 1
	}
	for i := range rows {
		for _, v := range values(&rows[i]) {
			v = finite(v) / a.unit
			a.lo, a.hi = min(a.lo, v), max(a.hi, v)
		}
	}
	if a.lo == a.hi {
		a.lo, a.hi = -1, 1
	}
	return a
}

// reach widens the axis for confidence intervals, up to half as much again as
// the largest difference: a row that was hardly sampled must not flatten the
// others. Where nothing moved, the intervals alone make the axis.
func (a axis) reach(rows []profile.Row) axis {
	most := 1.5
	if largest(rows, deltas) == 0 {
		if a.unit = largest(rows, ends); a.unit == 0 {
			a.unit = 1
		}
		a.lo, a.hi, most = -0.1, 0.1, 1
	}
	for i := range rows {
		if ci := rows[i].DeltaCI; ci != nil {
			a.lo = min(a.lo, max(finite(ci.Lo)/a.unit, -most))
			a.hi = max(a.hi, min(finite(ci.Hi)/a.unit, most))
		}
	}
	return a
}

// pad widens the axis by a share of its span on both sides.
func (a axis) pad(share float64) axis {
	span := a.hi - a.lo
	a.lo -= span * share
	a.hi += span * share
	return a
}

// at is the pixel of v; what lies outside is put at the end.
func (a axis) at(v float64) float64 {
	u := min(max(finite(v)/a.unit, a.lo), a.hi)
	return a.left + (u-a.lo)/(a.hi-a.lo)*(a.right-a.left)
}

func (a axis) zero() float64 { return math.Round(a.at(0)) }

// holds reports whether v lies on the axis.
func (a axis) holds(v float64) bool {
	u := finite(v) / a.unit
	return a.lo <= u && u <= a.hi
}

// ticks are the amounts to mark, at steps of 1, 2 or 5 in the printed unit of
// c, no closer than gap pixels, zero among them.
func (a axis) ticks(c column, gap float64) (values []float64, texts []string) {
	factor := c.Factor
	if factor == 0 {
		factor = 1
	}
	perPixel := (a.hi - a.lo) / (a.right - a.left) * (a.unit / factor)
	step := nice(perPixel * gap)
	if step == 0 || math.IsInf(step, 0) {
		return nil, nil
	}
	decimals := max(0, -int(math.Floor(math.Log10(step)*1.0000001)))
	first, last := math.Ceil(a.lo*(a.unit/factor)/step), math.Floor(a.hi*(a.unit/factor)/step)
	for i := first; i <= last && len(values) < 20; i++ {
		t := "0"
		if i != 0 {
			t = narrow(strconv.FormatFloat(i*step, 'f', decimals, 64), i*step)
		}
		if i > 0 {
			t = "+" + t
		}
		values = append(values, i*step*factor)
		texts = append(texts, t)
	}
	return values, texts
}

// nice is the least of 1, 2 and 5 times a power of ten that is not below v.
func nice(v float64) float64 {
	if !(v > 0) {
		return 0
	}
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, f := range []float64{1, 2, 5} {
		if f*power >= v {
			return f * power
		}
	}
	return 10 * power
}

// largest is the greatest magnitude that values finds in rows.
func largest(rows []profile.Row, values func(*profile.Row) []float64) float64 {
	most := 0.0
	for i := range rows {
		for _, v := range values(&rows[i]) {
			most = max(most, math.Abs(finite(v)))
		}
	}
	return most
}

func amounts(r *profile.Row) []float64 {
	return []float64{max(r.Before.Value, 0), max(r.After.Value, 0)}
}

func ends(r *profile.Row) []float64 {
	if r.DeltaCI == nil {
		return nil
	}
	return []float64{r.DeltaCI.Lo, r.DeltaCI.Hi}
}

func deltas(r *profile.Row) []float64 { return []float64{r.Delta} }

// changeBar draws the bar of r's change around zero, centred at y.
func (p *page) changeBar(a axis, r *profile.Row, y float64) {
	if r.Delta == 0 {
		return
	}
	const least = 2 // pixels, to be seen beside the zero line
	zero, end := a.zero(), math.Round(a.at(r.Delta))
	if math.Abs(end-zero) < least {
		end = zero + math.Copysign(least, r.Delta)
	}
	p.rect(zero, y-barSize/2, end-zero, barSize, p.barColor(r))
}
