package main

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/allocdiff/allocdiff/profile"
)

// Names are cut to these many characters.
const (
	nameWidth = 60
	poolWidth = 46
)

// view is a table of rows on its way to a grid.
type view struct {
	metric profile.Metric
	head   string // what a row is
	heads  string // and several of them
	table  profile.Table
	total  *profile.Row // printed as the last row; may be nil
	share  bool         // show the share of the total
	code   bool         // names come from a profile
	width  int          // of names; 0 means nameWidth
	path   bool         // names are of files: they are cut, never shortened
}

// grid makes the columns of the tickets' table for both sides. Amounts share
// one scale and differences another, so that a column can be read downwards.
func (v *view) grid(o printOptions) grid {
	rows := v.rows()
	names := v.names()
	var threads, shares [2][]string
	var amount, delta float64
	for i := range rows {
		r := &rows[i]
		if i < len(v.table.Rows) || len(v.table.Rows) == 0 {
			amount = max(amount, math.Abs(r.Before.Value), math.Abs(r.After.Value))
			delta = max(delta, math.Abs(r.Delta))
		}
		for s, a := range []profile.Amount{r.Before, r.After} {
			threads[s] = append(threads[s], threadsText(a))
			share := ""
			if v.share {
				share = fmt.Sprintf("%.1f%%", 100*a.Share)
			}
			shares[s] = append(shares[s], share)
		}
	}
	amounts, deltas := scaleOf(v.metric.Unit, amount), scaleOf(v.metric.Unit, delta)
	thread, count, share := pairs(threads[0], threads[1]), countPairs(rows), pairs(shares[0], shares[1])
	g := grid{columns: []column{
		{head: v.head, left: true, code: v.code},
		{head: "Threads"},
		{head: "Before"},
		{head: "After"},
		{head: "Delta"},
		{head: "Change"},
		{head: "Interval"},
		{head: "Count"},
		{head: "% of total"},
		{head: "Note", left: true},
	}}
	for i := range rows {
		r := &rows[i]
		g.rows = append(g.rows, line{
			cells: []string{
				names[i], thread[i], amounts.Format(r.Before.Value), amounts.Format(r.After.Value), deltas.Signed(r.Delta), changeText(r),
				intervalText(r, o), count[i], share[i], noteText(r, o.confidence),
			},
			sum:   i >= len(v.table.Rows),
			total: v.total != nil && i == len(rows)-1,
		})
	}
	g.compact()
	return g
}

// rows are those of the table, then Other, then the total.
func (v *view) rows() []profile.Row {
	rows := append([]profile.Row(nil), v.table.Rows...)
	if v.table.Other != nil {
		rows = append(rows, *v.table.Other)
	}
	if v.total != nil {
		rows = append(rows, *v.total)
	}
	return rows
}

// names are the printed names of rows.
func (v *view) names() []string {
	names := make([]string, len(v.table.Rows))
	for i := range v.table.Rows {
		names[i] = printable(v.table.Rows[i].Name)
	}
	width := v.width
	if width == 0 {
		width = nameWidth
	}
	if !v.path {
		names = profile.Short(names, width)
	}
	for i, r := range v.table.Rows {
		names[i] = middle(names[i], width)
		if r.Note != "" {
			names[i] += " (" + printable(r.Note) + ")"
		}
	}
	if v.table.Other != nil {
		rest := counted(float64(v.table.Count-len(v.table.Rows)), v.head, v.heads)
		names = append(names, "Other ("+strings.ToLower(rest)+")")
	}
	if v.total != nil {
		names = append(names, "Total")
	}
	return names
}

// counted is a count and its noun: "1 pool", "1,200 pools".
func counted(n float64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return profile.Count(n) + " " + many
}

// scaleOf is the scale of a column that holds these values. Unlike in charts,
// counts are written out: there is room.
func scaleOf(unit string, values ...float64) profile.Scale {
	var largest float64
	for _, v := range values {
		largest = max(largest, math.Abs(v))
	}
	s := profile.ScaleOf(unit, largest)
	if s.Suffix == "k" || s.Suffix == "M" {
		return profile.Scale{}
	}
	return s
}

// changeText is the change of a row in percent, or "~" where it may be noise.
func changeText(r *profile.Row) string {
	switch r.Verdict {
	case profile.Same, profile.Unclear, profile.Few:
		return "~"
	}
	return r.PercentText()
}

// noteText is what stands beside the change of a row: why it was not judged,
// or, when asked for, the false discovery rate at which it is real.
func noteText(r *profile.Row, q bool) string {
	switch {
	case r.Verdict == profile.Few:
		return "few"
	case r.Verdict == profile.Unknown, r.Verdict == "":
		return "?"
	case q && r.Q != nil:
		return pText("q", *r.Q)
	}
	return ""
}

func pText(name string, p float64) string {
	if p < 0.0005 {
		return name + "<0.001"
	}
	return name + "=" + strconv.FormatFloat(p, 'f', 3, 64)
}

// testText is the outcome of the tests of a total.
func testText(r *profile.Row) string {
	if r.P == nil {
		return ""
	}
	t := pText("p", *r.P)
	if c := r.Check; c != nil {
		t += fmt.Sprintf(", Mann-Whitney %s n=%d", pText("p", c.P), c.N)
	}
	return t
}

// intervalText is the interval of the ratio as a change in percent.
func intervalText(r *profile.Row, o printOptions) string {
	ci := r.RatioCI
	if !o.confidence || ci == nil {
		return ""
	}
	lo := profile.FormatPercent(100 * (ci.Lo - 1))
	if ci.Unbounded {
		return "[" + lo + ", ∞)"
	}
	return "[" + lo + ", " + profile.FormatPercent(100*(ci.Hi-1)) + "]"
}

// countPairs are the sampled events behind both sides of rows. Nothing is known
// to rest on no event, unless no row knows its events.
func countPairs(rows []profile.Row) []string {
	before, after := make([]string, len(rows)), make([]string, len(rows))
	some := false
	text := func(a profile.Amount) string {
		some = some || a.N > 0
		if a.N == 0 && a.Value != 0 {
			return unknown
		}
		return profile.Count(a.N)
	}
	for i := range rows {
		before[i], after[i] = text(rows[i].Before), text(rows[i].After)
	}
	if !some {
		return make([]string, len(rows))
	}
	return pairs(before, after)
}

func threadsText(a profile.Amount) string {
	if a.Threads == 0 {
		return unknown
	}
	return profile.Count(float64(a.Threads))
}

// measureText formats both values of a measure alike, with as many decimals,
// up to three, as they need.
func measureText(m *profile.Measure) (before, after string) {
	switch m.Unit {
	case "B", "bytes":
		s := profile.ScaleOf("bytes", max(math.Abs(m.Before), math.Abs(m.After)))
		return s.Format(m.Before), s.Format(m.After)
	}
	s := profile.Scale{Suffix: printable(m.Unit)}
	for s.Decimals < 3 && (!whole(m.Before, s.Decimals) || !whole(m.After, s.Decimals)) {
		s.Decimals++
	}
	return s.Format(m.Before), s.Format(m.After)
}

func whole(v float64, decimals int) bool {
	v *= math.Pow10(decimals)
	return math.Abs(v-math.Round(v)) < 1e-6*max(1, math.Abs(v)*1e-6)
}

var minus = regexp.MustCompile(`(^|[\s(\[<>])[-−]([<\d])`)

// sentence is a sentence of the report for text: printable, with ASCII minus
// signs before numbers.
func sentence(s string) string { return minus.ReplaceAllString(printable(s), "$1-$2") }
