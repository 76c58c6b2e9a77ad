package plot

import (
	"math"
	"slices"
	"strings"

	"github.com/allocdiff/allocdiff/profile"
)

// noSize is the class of samples that do not tell their size.
const noSize = "no size"

// sizes draws the change per class of object size: it shows why bytes moved,
// such as buffers that no longer double.
func (p *page) sizes(m *profile.MetricReport) {
	if largest(m.Sizes.Rows, deltas) == 0 || len(m.Sizes.Rows) == 1 && m.Sizes.Rows[0].Name == noSize {
		return
	}
	rows, d := p.sizeClasses(m)
	p.heading("Object sizes: change in "+m.Metric.Noun()+" per size class", d.unit, p.barKeys(rows, withinNoise)...)

	slot := p.sizeSlot(len(rows))
	gap := min(18, slot/4)
	base := p.y + 16
	label := smallLetter.lineHeight() + 2
	a := newAxis(0, sizeBars, rows, deltas) // downwards: more is up
	top := p.y + 24
	if a.hi > 0 {
		top += label + sizeGap // for the value of the tallest bar
	}
	zero := top + math.Round(sizeBars*a.hi/(a.hi-a.lo))
	for i := range rows {
		r := &rows[i]
		x := p.left() + float64(i)*slot
		p.textCentre(x+slot/2, base, p.fit(columnLetter, clean(r.Name), slot-8), columnLetter, p.muted)
		end := top + sizeBars - a.at(r.Delta)
		if r.Delta != 0 {
			if math.Abs(end-zero) < 2 {
				end = zero - math.Copysign(2, r.Delta)
			}
			p.rect(x+gap/2, zero, slot-gap, end-zero, p.barColor(r))
		}
		y := max(end, zero) + label
		if r.Delta > 0 {
			y = min(end, zero) - 6
		}
		p.textCentre(x+slot/2, y, d.delta(r.Delta), deltaLetter, p.deltaColor(r))
	}
	p.rect(p.left(), zero, slot*float64(len(rows)), 1, p.muted)
	p.y = top + sizeBars + panelGap
	if a.lo < 0 {
		p.y += label
	}
}

// sizeSlot is the room of each of n classes.
func (p *page) sizeSlot(n int) float64 {
	return min((p.right()-p.left())/float64(n), widestSize)
}

// sizeClasses are as many classes as can stand side by side with their names
// and values, and the unit of these.
func (p *page) sizeClasses(m *profile.MetricReport) ([]profile.Row, column) {
	for n := sizeColumns; ; n-- {
		rows := widest(m.Sizes.Rows, n)
		d := p.column(m, largest(rows, deltas))
		most := 0.0
		for i := range rows {
			most = max(most, p.measure(deltaLetter, d.delta(rows[i].Delta)),
				min(p.textWidth(columnLetter, rows[i].Name), sizeName))
		}
		if most+8 <= p.sizeSlot(len(rows)) || n == 2 {
			return rows, d
		}
	}
}

// widest keeps at most n classes: neighbours at the end that moved less are
// summed, again and again.
func widest(rows []profile.Row, n int) []profile.Row {
	if len(rows) > n && n > 2 && rows[0].Name == noSize { // no neighbour of the small ones
		return append(slices.Clone(rows[:1]), widest(rows[1:], n-1)...)
	}
	lo, hi := 0, len(rows)
	for hi-lo > n {
		if movement(rows[:lo+2]) <= movement(rows[hi-2:]) {
			lo++
		} else {
			hi--
		}
	}
	out := append([]profile.Row(nil), rows[lo:hi]...)
	if lo > 0 {
		r := sum(rows[:lo+1], nil)
		r.Name = "≤ " + bound(rows[lo].Name)
		out[0] = *r
	}
	if hi < len(rows) {
		r := sum(rows[hi-1:], nil)
		r.Name = "> " + bound(rows[hi-2].Name)
		out[len(out)-1] = *r
	}
	return out
}

// bound is the size that a class goes up to.
func bound(name string) string { return strings.TrimPrefix(name, "≤ ") }
