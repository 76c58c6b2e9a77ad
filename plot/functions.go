package plot

import (
	"cmp"
	"fmt"
	"math"

	"github.com/allocdiff/allocdiff/profile"
)

// functions draws the functions that moved most: bars left and right of zero,
// with the confidence interval of the difference on them.
func (p *page) functions(m *profile.MetricReport, n int) {
	t := m.Functions()
	p.bars(m, fold(t, n, rowNoun(m.By), visible(t.Rows)), capital(rowNoun(m.By))+"s: change in "+quantity(m.Metric, m.Per))
}

// rowNoun is what a row of the functions' tables is: a function, unless the
// report says otherwise.
func rowNoun(by string) string { return cmp.Or(by, "function") }

// live draws what is still reachable, when that moved.
func (p *page) live() {
	if len(p.report.Metrics) == 0 || p.report.Metrics[0].Metric == profile.InuseSpace {
		return
	}
	m := p.metric(profile.InuseSpace)
	if m == nil {
		return
	}
	t := m.Functions()
	if !anyRow(t.Rows, moves) {
		return
	}
	moved := func(i int) bool { return moves(&t.Rows[i]) }
	p.bars(m, fold(t, liveRows, rowNoun(m.By), moved), "Live heap: change in "+m.Metric.Noun())
}

// bars draws rows of a table of functions.
func (p *page) bars(m *profile.MetricReport, s shown, title string) {
	rows := s.rows
	if len(rows) == 0 {
		return
	}
	if s.other != nil && m.Focus != "cum" { // cum rows overlap: they do not add up
		rows = append(rows[:len(rows):len(rows)], *s.other)
	}
	p.heading(title, p.rowsRemark(m, s), p.barKeys(rows, withinNoise+", allowing for the row count")...)
	p.barTable(m, rows)
	p.y += panelGap
}

func (p *page) rowsRemark(m *profile.MetricReport, s shown) string {
	what := map[string]string{
		"cum":  "with callees, overlapping",
		"flat": "allocating " + rowNoun(m.By),
	}[m.Focus]
	if m.Focus == "flat" && m.Kind != profile.Heap {
		what = "self"
	}
	if what == "" {
		what = "by owner"
		if m == &p.report.Metrics[0] { // said once
			what += ": first frame outside runtime and libraries"
		}
	}
	remark := fmt.Sprintf("%s; %d of %s by |Δ|", what, len(s.rows), profile.Count(float64(s.count)))
	if s.count <= len(s.rows) {
		remark = what + "; sorted by |Δ|"
	}
	if !anyRow(s.rows, moves) {
		remark = "largest movements, none above noise; " + remark
	}
	if m.Focus != "cum" && s.moved < 0.995 {
		remark += fmt.Sprintf(", %.0f %% of all movement", 100*s.moved)
	}
	for i := range s.rows {
		if s.rows[i].DeltaCI != nil {
			return remark + "; line = confidence interval"
		}
	}
	return remark
}

func (p *page) barTable(m *profile.MetricReport, rows []profile.Row) {
	names := make([]string, len(rows))
	for i := range rows {
		names[i] = rows[i].Name
	}
	room := int(codeShare * p.width / p.measure(codeLetter, "M"))
	names = profile.Short(names, min(nameChars, room))
	head := capital(rowNoun(m.By))
	nameW := p.nameWidth(head, names, codeLetter, codeShare)
	fields, edge := p.place(p.barFields(m, rows), p.left()+nameW+columnGap, p.right(), minChart)
	a := newAxis(p.left()+nameW+columnGap, edge, rows, deltas).reach(rows).pad(0.02)

	base := p.y + 16
	p.heads(fields, base)
	p.text(p.left(), base, head, columnLetter, p.muted)
	top := p.y + 24
	bottom := top + float64(len(rows))*barRow
	p.scale(a, p.column(m, a.unit), base, top, bottom)
	for i := range rows {
		y := top + float64(i)*barRow
		p.text(p.left(), y+barBase, names[i], codeLetter, p.ink)
		p.changeBar(a, &rows[i], y+barRow/2)
		p.whisker(a, &rows[i], y+barRow/2)
		p.cells(fields, i, y+barBase)
	}
	p.rect(a.zero(), top, 1, bottom-top, p.muted)
	p.y = bottom
}

// barFields fills the columns behind the bars.
func (p *page) barFields(m *profile.MetricReport, rows []profile.Row) []field {
	c := p.column(m, largest(rows, amounts))
	d := p.column(m, largest(rows, deltas))
	delta := field{head: "Δ " + d.unit}
	pct := field{head: "Δ %"}
	sides := field{head: "Before → after " + c.unit, rank: 1}
	for i := range rows {
		r := &rows[i]
		color := p.deltaColor(r)
		delta.cells = append(delta.cells, cell{d.delta(r.Delta), deltaLetter, color})
		pct.cells = append(pct.cells, cell{percent(r), bodyLetter, color})
		sides.cells = append(sides.cells, cell{arrow(c.amount(r.Before.Value), c.amount(r.After.Value)), bodyLetter, p.ink})
	}
	return []field{delta, pct, sides}
}

// scale draws the ticks of an axis, their labels on the baseline y as far as
// there is room, zero first and with the unit, and the grid from top to bottom.
func (p *page) scale(a axis, c column, y, top, bottom float64) {
	const gap = 12
	zero := c.with("0")
	w := p.textWidth(smallLetter, zero)
	left := min(max(a.zero()-w/2, a.left), a.right-w)
	right := p.text(left, y, zero, smallLetter, p.muted)
	values, texts := a.ticks(c, minTick)
	free := a.left
	for i, v := range values {
		x := math.Round(a.at(v))
		p.rect(x, top, 1, bottom-top, p.grid)
		w := p.textWidth(smallLetter, texts[i])
		at := min(x-w/2, a.right-w)
		if at >= free && (at+w+gap <= left || at >= right+gap) {
			free = p.text(at, y, texts[i], smallLetter, p.muted) + gap
		}
	}
}

// whisker draws the confidence interval of r's difference as a line; an end
// beyond the axis has no cap.
func (p *page) whisker(a axis, r *profile.Row, y float64) {
	ci := r.DeltaCI
	if ci == nil || ci.Lo > ci.Hi && !ci.Unbounded {
		return
	}
	hi := ci.Hi
	if ci.Unbounded {
		hi = math.Inf(1)
	}
	x0, x1 := a.at(ci.Lo), a.at(hi)
	p.rect(x0, y, x1-x0, 1, p.whiskerInk)
	if a.holds(ci.Lo) {
		p.rect(x0, y-whiskerCap/2, 1, whiskerCap, p.whiskerInk)
	}
	if !ci.Unbounded && a.holds(hi) {
		p.rect(x1, y-whiskerCap/2, 1, whiskerCap, p.whiskerInk)
	}
}
