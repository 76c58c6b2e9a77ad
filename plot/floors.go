package plot

import (
	"fmt"
	"math"
	"strconv"

	"github.com/allocdiff/allocdiff/profile"
)

// Rows of the metrics behind the main one.
const (
	lesserPools     = 3
	lesserFunctions = 5
)

const totalsHead = "Metric"

// minFloors is the narrowest chart of intervals before columns are dropped.
const minFloors = 240

// reachWidth is the room of "few: +6,029 runs or 1,234 times as long".
const reachWidth = 240

// floorPanel is a table with a chart of intervals.
type floorPanel struct {
	title, remark string
	head          string // of the names
	rows          []floorRow
}

// floorRow is a row with the metric that it is of.
type floorRow struct {
	name string
	code bool // the name is a function's
	*profile.NoiseRow
	metric *profile.NoiseMetric
	unit   column
}

// floors draws, for totals, pools and functions, which changes are too small to
// be seen: bars around zero on one axis for the whole page.
func (p *page) floors(r *profile.NoiseReport) {
	panels := p.floorPanels(r)
	var all []floorRow
	nameW := 0.0
	for i := range panels {
		nameW = max(nameW, p.floorNames(&panels[i]))
		all = append(all, panels[i].rows...)
	}
	left := p.left() + nameW + columnGap
	fields, edge := p.place(p.floorFields(r, all), left, p.right(), minFloors)
	a := floorAxis(left, edge, r.Falls, all)
	at := 0
	for i := range panels {
		var keys []key
		if i == 0 {
			keys = p.floorKeys(r, all)
		}
		p.heading(panels[i].title, panels[i].remark, keys...)
		p.floorPanel(&panels[i], a, r.Falls, fields, at)
		at += len(panels[i].rows)
		p.y += panelGap
	}
}

// floorPanel draws one panel, whose rows begin with row at of the fields.
func (p *page) floorPanel(panel *floorPanel, a axis, falls []float64, fields []field, at int) {
	base := p.y + 16
	p.text(p.left(), base, panel.head, columnLetter, p.muted)
	p.heads(fields, base)
	top := p.y + 24
	bottom := top + float64(len(panel.rows))*barRow
	p.scale(a, column{Scale: profile.Scale{Factor: 0.01}, unit: "%"}, base, top, bottom)
	for i := range panel.rows {
		row := &panel.rows[i]
		y := top + float64(i)*barRow
		l := bodyLetter
		if row.code {
			l = codeLetter
		}
		p.text(p.left(), y+barBase, row.name, l, p.ink)
		p.floor(a, row, y+barRow/2)
		p.cells(fields, at+i, y+barBase)
	}
	for _, fall := range falls {
		if a.holds(fall) {
			p.rect(a.at(fall), top, 1, bottom-top, p.less)
		}
	}
	p.rect(a.zero(), top, 1, bottom-top, p.muted)
	p.y = bottom
}

// floor draws the changes of a row that would not be seen, and the scatter of
// its runs on them.
func (p *page) floor(a axis, r *floorRow, y float64) {
	if r.Down != nil && r.Up != nil {
		lo, hi := a.at(min(*r.Down, 0)), a.at(max(*r.Up, 0))
		p.rect(lo, y-barSize/2, hi-lo, barSize, p.floorColor(r))
	}
	if cv := r.wobble(); cv > 0 {
		p.whisker(a, &profile.Row{DeltaCI: &profile.Interval{Lo: -cv, Hi: cv}}, y)
	}
}

// wobble is the scatter between runs, or with one run that of sampling.
func (r *floorRow) wobble() float64 {
	switch {
	case r.Scatter != nil:
		return finite(*r.Scatter)
	case r.Sampling != nil:
		return finite(*r.Sampling)
	}
	return 0
}

// seen reports whether the first fall that is planned for would be seen.
func (r *floorRow) seen() bool { return len(r.Reach) > 0 && r.Reach[0].Seen }

func (p *page) floorPanels(r *profile.NoiseReport) []floorPanel {
	totals := floorPanel{title: "Totals", head: totalsHead, remark: "bar = changes that would not be seen; line = scatter between runs, of sampling with one"}
	var panels []floorPanel
	for i := range r.Metrics {
		m := &r.Metrics[i]
		unit := func(rows []profile.NoiseRow) column {
			most := 0.0
			for j := range rows {
				most = max(most, math.Abs(finite(rows[j].Value)))
			}
			return columnOf(m.Metric, m.Per, most)
		}
		totals.rows = append(totals.rows, floorRow{
			name: capital(quantity(m.Metric, m.Per)) + ", " + runsText(m.Runs), NoiseRow: &m.Total, metric: m,
			unit: unit([]profile.NoiseRow{m.Total}),
		})
		pools, functions := poolRows, functionRows
		if i > 0 {
			pools, functions = lesserPools, lesserFunctions
		}
		about, row := quantity(m.Metric, m.Per), capital(rowNoun(m.By))
		for _, t := range []struct {
			title, head string
			code        bool
			table       *profile.NoiseTable
			n           int
		}{
			{"Thread pools: " + about, "Pool", false, &m.Pools, pools},
			{row + "s: " + about, row, true, &m.Functions, functions},
		} {
			rows := t.table.Rows[:min(len(t.table.Rows), t.n)]
			if len(rows) == 0 {
				continue
			}
			panel := floorPanel{title: t.title, head: t.head, remark: "the largest first"}
			if t.table.Count > len(rows) {
				panel.remark = fmt.Sprintf("the %d largest of %s", len(rows), profile.Count(float64(t.table.Count)))
			}
			for j := range rows {
				panel.rows = append(panel.rows, floorRow{name: rows[j].Name, code: t.code, NoiseRow: &rows[j], metric: m, unit: unit(rows)})
			}
			panels = append(panels, panel)
		}
	}
	return append([]floorPanel{totals}, panels...)
}

// floorNames fits the names of a panel, in place, and returns the width of
// their column.
func (p *page) floorNames(panel *floorPanel) float64 {
	names := make([]string, len(panel.rows))
	l, chars := bodyLetter, poolChars
	for i := range panel.rows {
		names[i] = panel.rows[i].name
		if panel.rows[i].code {
			l, chars = codeLetter, nameChars
		}
	}
	room := int(nameShare * p.width / p.measure(codeLetter, "M"))
	if panel.head != totalsHead {
		names = profile.Short(names, min(chars, room))
	}
	w := p.nameWidth(panel.head, names, l, nameShare)
	for i := range panel.rows {
		panel.rows[i].name = names[i]
	}
	return w
}

// floorAxis holds the largest changes of rows, as far as the falls that are
// planned for can still be told apart on it.
func floorAxis(left, right float64, falls []float64, rows []floorRow) axis {
	fall := 0.09
	if len(falls) > 0 && falls[0] < 0 {
		fall = -finite(falls[0])
	}
	most := 0.0
	for i := range rows {
		if r := &rows[i]; r.Down != nil && r.Up != nil {
			most = max(most, -finite(*r.Down), finite(*r.Up))
		}
	}
	most = 1.05 * min(max(most, 1.3*fall), 3*fall)
	return axis{left: left, right: right, unit: 1, lo: -min(most, 1.05), hi: most}
}

func runsText(n int) string {
	if n == 1 {
		return "1 run"
	}
	return strconv.Itoa(n) + " runs"
}
