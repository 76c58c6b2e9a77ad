package plot

import (
	"math"

	"github.com/allocdiff/allocdiff/profile"
)

// sizes draws the change per class of object size: it shows why bytes moved,
// such as buffers that no longer double.
func (p *page) sizes(m *profile.MetricReport) {
	rows := m.Sizes.Rows
	if len(rows) == 0 {
		return
	}
	rows = widest(rows, sizeColumns)
	d := columnOf(m.Metric, p.report.Per, largest(rows, deltas))
	p.heading("Object sizes: change in "+m.Metric.Noun()+" per size class", d.unit, p.barKeys(rows)...)

	slot := (p.right() - p.left()) / float64(len(rows))
	gap := min(18, slot/4)
	base := p.y + 16
	label := smallLetter.lineHeight() + 2
	a := newAxis(0, sizeBars, rows, deltas) // downwards: more is up
	top := p.y + 24
	if a.hi > 0 {
		top += label // for the value of the tallest bar
	}
	zero := top + math.Round(sizeBars*a.hi/(a.hi-a.lo))
	for i := range rows {
		r := &rows[i]
		x := p.left() + float64(i)*slot
		p.textCentre(x+slot/2, base, p.fit(columnLetter, clean(r.Name), slot-8), columnLetter, p.muted)
		end := top + sizeBars - a.at(r.Delta)
		if r.Delta != 0 {
			h := math.Round(end - zero)
			if h == 0 {
				h = -math.Copysign(1, r.Delta)
			}
			p.rect(x+gap/2, zero, slot-gap, h, p.barColor(r))
		}
		y := max(end, zero) + label
		if r.Delta > 0 {
			y = min(end, zero) - 6
		}
		p.textCentre(x+slot/2, y, d.delta(r.Delta), deltaLetter, p.deltaColor(r))
	}
	p.rect(p.left(), zero, p.right()-p.left(), 1, p.muted)
	p.y = top + sizeBars + panelGap
	if a.lo < 0 {
		p.y += label
	}
}

// widest keeps at most n classes: neighbours at the end that moved less are
// summed, again and again.
func widest(rows []profile.Row, n int) []profile.Row {
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
		r.Name = "≤ " + rows[lo].Name
		out[0] = *r
	}
	if hi < len(rows) {
		r := sum(rows[hi-1:], nil)
		r.Name = "≥ " + rows[hi-1].Name
		out[len(out)-1] = *r
	}
	return out
}
