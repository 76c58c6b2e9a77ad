package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/allocdiff/allocdiff/profile"
)

// printOptions says how much of a report the text formats show.
type printOptions struct {
	rows       int      // rows a table; 0 means 15, and all is math.MaxInt
	confidence bool     // print the intervals
	images     []string // for Markdown: the PNG files beside it, the light one, then the dark one; may be empty
}

// Rows a table when the caller names none, and in the tables of lesser metrics
// unless more than usual were asked for.
const (
	defaultRows = 15
	lesserRows  = 5
)

// section is one table of the printed report under its heading.
type section struct {
	heading string
	grid    grid
	lines   []string // below the table
	detail  bool     // folded away in Markdown
}

// sections lists the tables that text and Markdown show, in order.
func sections(r *profile.Report, o printOptions) []section {
	if o.rows <= 0 {
		o.rows = defaultRows
	}
	list := []section{totals(r, o)}
	for i := range r.Metrics {
		m := &r.Metrics[i]
		o := o
		if i > 0 {
			if !worthTables(r, m) {
				continue
			}
			if o.rows <= defaultRows {
				o.rows = min(o.rows, lesserRows)
			}
		}
		tables := poolsAndFunctions(m, o)
		if i == 0 {
			tables = append(tables, classesAndSizes(m, o)...)
		}
		for j := range tables {
			tables[j].detail = tables[j].detail || i > 0
			tables[j].heading += perWords(m.Per)
		}
		list = append(list, tables...)
	}
	if len(r.Stress) > 0 {
		list = append(list, stress(r))
	}
	if len(r.Gates) > 0 {
		list = append(list, gates(r))
	}
	return list
}

// worthTables reports whether a metric after the main one gets its own tables:
// something in it moved, and it is not the mere count beside an amount, which
// the totals tell enough of.
func worthTables(r *profile.Report, m *profile.MetricReport) bool {
	if m.Metric.Unit == "count" {
		for i := range r.Metrics {
			if n := &r.Metrics[i]; n.Kind == m.Kind && n.Metric.Unit != "count" {
				return false
			}
		}
	}
	return m.Total.Delta != 0 || moved(&m.Pools) || moved(m.Functions())
}

func moved(t *profile.Table) bool {
	for i := range t.Rows {
		if t.Rows[i].Delta != 0 {
			return true
		}
	}
	return false
}

// poolsAndFunctions makes the tables that people look for first. Functions are
// left out when none of them moved.
func poolsAndFunctions(m *profile.MetricReport, o printOptions) []section {
	noun := printable(m.Metric.Noun())
	var list []section
	if len(m.Pools.Rows) > 0 {
		v := view{
			metric: m.Metric, head: "Pool", heads: "Pools", table: m.Pools.Top(o.rows), total: &m.Total,
			share: true, code: true, width: poolWidth,
		}
		list = append(list, section{heading: "Thread pools: " + noun + cutWords(&v.table), grid: v.grid(o)})
	}
	if f := m.Functions(); moved(f) {
		v := view{metric: m.Metric, table: f.Top(o.rows), code: true, path: m.By == "file"}
		v.head, v.heads = functionWords(m.By)
		if m.Focus == "cum" {
			v.table.Other = nil // cum rows overlap, so their sum means nothing
		}
		list = append(list, section{
			heading: fmt.Sprintf("%s (%s): %s%s", v.heads, printable(m.Focus), noun, cutWords(&v.table)),
			grid:    v.grid(o),
		})
	}
	return list
}

// functionWords are what the rows of a table of functions are called, one and
// several.
func functionWords(by string) (one, many string) {
	switch by {
	case "package":
		return "Package", "Packages"
	case "file":
		return "File", "Files"
	case "line":
		return "Line", "Lines"
	}
	return "Function", "Functions"
}

// classesAndSizes makes the tables that tell what was allocated, as far as
// something in them moved.
func classesAndSizes(m *profile.MetricReport, o printOptions) []section {
	noun := printable(m.Metric.Noun())
	var list []section
	if moved(&m.Types) {
		v := view{metric: m.Metric, head: "Class", heads: "Classes", table: m.Types.Top(o.rows), code: true}
		list = append(list, section{heading: "Allocated classes: " + noun + cutWords(&v.table), grid: v.grid(o), detail: true})
	}
	if moved(&m.Sizes) {
		v := view{metric: m.Metric, head: "Size", heads: "Sizes", table: m.Sizes}
		list = append(list, section{heading: "Object sizes: " + noun, grid: v.grid(o), detail: true})
	}
	return list
}

// cutWords says how much of a table is shown, when that is not all of it.
func cutWords(t *profile.Table) string {
	if t.Count <= len(t.Rows) {
		return ""
	}
	return fmt.Sprintf(", top %d of %s by size of change, %.0f%% of all movement",
		len(t.Rows), profile.Count(float64(t.Count)), math.Floor(100*t.Moved+1e-9))
}

// perWords follows the noun of a heading; nothing for a plain run.
func perWords(per profile.Per) string {
	if words := per.Words(); words != "" {
		return ", " + words
	}
	return ""
}

// totals is the table of the totals of all metrics, but for the samples behind
// CPU time, which have their column; below it, what it would take to tell of those
// that are unclear.
func totals(r *profile.Report, o printOptions) section {
	s := section{heading: "Totals"}
	s.grid.columns = []column{
		{head: "Metric", left: true},
		{head: "Before"},
		{head: "After"},
		{head: "Delta"},
		{head: "Change"},
		{head: "Interval"},
		{head: "Count"},
		{head: "Note", left: true},
	}
	var metrics []*profile.MetricReport
	var rows []profile.Row
	for i := range r.Metrics {
		m := &r.Metrics[i]
		if m.Metric == profile.CPUSamples && has(r, profile.CPU) {
			continue
		}
		metrics, rows = append(metrics, m), append(rows, m.Total)
	}
	counts := countPairs(rows)
	for i, m := range metrics {
		t := &m.Total
		per := m.Per.Suffix()
		amounts := scaleOf(m.Metric.Unit, t.Before.Value, t.After.Value)
		note := noteText(t, false)
		if note == "" {
			note = testText(t)
		}
		s.grid.rows = append(s.grid.rows, line{cells: []string{
			printable(m.Metric.Noun()), amounts.Format(t.Before.Value) + per, amounts.Format(t.After.Value) + per,
			scaleOf(m.Metric.Unit, t.Delta).Signed(t.Delta) + per, changeText(t), intervalText(t, o), counts[i], note,
		}})
		if t.Need != nil && !r.Identical && (i == 0 || worthTables(r, m)) {
			s.lines = append(s.lines, needText(r, m))
		}
	}
	s.grid.compact()
	return s
}

func has(r *profile.Report, metric profile.Metric) bool {
	return slices.ContainsFunc(r.Metrics, func(m profile.MetricReport) bool { return m.Metric == metric })
}

// stress is the table of what the benchmark itself measured.
func stress(r *profile.Report) section {
	s := section{heading: "Throughput and latency, as the benchmark printed them, mean of its runs"}
	s.grid.columns = []column{{head: "Measure", left: true}, {head: "Before"}, {head: "After"}, {head: "Change"}}
	for i := range r.Stress {
		m := &r.Stress[i]
		row := m.Row()
		before, after := measureText(m)
		change := changeText(&row)
		if change == "new" || change == "gone" {
			change = unknown // a figure can be 0 without anything having come or gone
		}
		s.grid.rows = append(s.grid.rows, line{cells: []string{printable(m.Name), before, after, change}})
	}
	return s
}

func gates(r *profile.Report) section {
	s := section{heading: "Gates"}
	s.grid.columns = []column{{head: "Gate", left: true, code: true}, {head: "Outcome", left: true}, {head: "Reason", left: true}}
	for _, g := range r.Gates {
		s.grid.rows = append(s.grid.rows, line{cells: []string{printable(g.Gate), printable(g.Outcome), sentence(g.Reason)}})
	}
	return s
}

// legend explains the marks and columns that the sections really use.
func legend(list []section) string {
	marks := []struct{ mark, means string }{
		{"~", "within noise"},
		{"few", "too few sampled events to judge"},
		{"?", "not judged: a sum of rows, or a profile without a noise model"},
		{"Count", "sampled events behind the amounts"},
		{"p", "how often sides that are alike would differ so much"},
		{"Mann-Whitney", "a second test, on the values of n runs a side"},
		{"q", "p, corrected for the number of rows"},
	}
	var said []string
	for _, m := range marks {
		if uses(list, m.mark) {
			said = append(said, m.mark+": "+m.means)
		}
	}
	return strings.Join(said, "; ")
}

// uses reports whether a mark is the heading of a column, or stands in a cell
// that is not a name.
func uses(list []section, mark string) bool {
	for i := range list {
		g := &list[i].grid
		for c, col := range g.columns {
			if col.head == mark {
				return true
			}
			for _, row := range g.rows {
				if !col.code && marked(row.cells[c], mark) {
					return true
				}
			}
		}
	}
	return false
}

// marked reports whether a cell is a mark or holds a value under its name.
func marked(cell, mark string) bool {
	for part := range strings.SplitSeq(cell, ", ") {
		rest, ok := strings.CutPrefix(part, mark)
		if ok && (rest == "" || strings.ContainsAny(rest[:1], "=< ")) {
			return true
		}
	}
	return false
}
