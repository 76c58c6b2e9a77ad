package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/allocdiff/allocdiff/profile"
)

// printNoiseText writes a noise report for a terminal: the advice and the
// doubts first, then the tables with so many rows (0: all), whose functions are
// what by says, then how to read them.
func printNoiseText(w io.Writer, r *profile.NoiseReport, rows int) error {
	var b strings.Builder
	b.WriteString(sentence(r.Title) + "\n")
	b.WriteString(sentence(r.Advice) + "\n\n")
	g := grid{columns: make([]column, 5), rows: []line{{cells: sideCells(&r.Side)}}}
	g.compact()
	g.text(&b)
	for _, warning := range r.Warnings {
		b.WriteString("warning: " + sentence(warning) + "\n")
	}
	list := noiseSections(r, rows)
	for _, s := range list {
		b.WriteString("\n" + s.heading + "\n")
		s.grid.text(&b)
		for _, l := range s.lines {
			b.WriteString(sentence(l) + "\n")
		}
	}
	b.WriteString("\n" + noiseLegend(list) + "\n")
	for _, n := range r.Notes {
		b.WriteString(sentence(n) + "\n")
	}
	if r.Version != "" {
		b.WriteString(sentence("made by allocdiff "+r.Version) + "\n")
	}
	if r.Command != "" {
		b.WriteString(sentence("command: "+r.Command) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// noiseSections lists the tables: totals, then pools and functions of each
// metric, then what odd and even runs differ in.
func noiseSections(r *profile.NoiseReport, rows int) []section {
	list := []section{noiseTotals(r)}
	for i := range r.Metrics {
		m := &r.Metrics[i]
		n := rows
		if i > 0 && n > 0 && n <= defaultRows {
			n = min(n, lesserRows)
		}
		noun := printable(m.Metric.Noun()) + perWords(m.Per)
		if t := topRows(&m.Pools, n); t.Count > 0 {
			list = append(list, section{
				heading: "Thread pools: " + noun + largestWords(&t),
				grid:    noiseGrid("Pool", noiseNames(t.Rows, poolWidth), t.Rows, m, r.Falls),
			})
		}
		if t := topRows(&m.Functions, n); t.Count > 0 {
			one, many := functionWords(m.By)
			list = append(list, section{
				heading: fmt.Sprintf("%s (%s): %s%s", many, printable(m.Focus), noun, largestWords(&t)),
				grid:    noiseGrid(one, noiseNames(t.Rows, nameWidth), t.Rows, m, r.Falls),
			})
		}
	}
	if r.Split != nil {
		list = append(list, splitSection(r.Split))
	}
	for i := range list {
		list[i].grid.compact()
	}
	return list
}

// topRows is a table cut to n rows; 0 cuts nothing.
func topRows(t *profile.NoiseTable, n int) profile.NoiseTable {
	top := *t
	if n > 0 && len(top.Rows) > n {
		top.Rows = top.Rows[:n]
	}
	return top
}

func largestWords(t *profile.NoiseTable) string {
	if t.Count <= len(t.Rows) {
		return ""
	}
	return fmt.Sprintf(", the %d largest of %s", len(t.Rows), profile.Count(float64(t.Count)))
}

// noiseTotals is the table of all totals; below it, the advice on the lesser
// ones.
func noiseTotals(r *profile.NoiseReport) section {
	s := section{heading: "Totals"}
	for i := range r.Metrics {
		m := &r.Metrics[i]
		g := noiseGrid("Metric", []string{printable(m.Metric.Noun()) + perWords(m.Per)}, []profile.NoiseRow{m.Total}, m, r.Falls)
		g.rows[0].cells[1] = profile.Count(float64(m.Runs))
		g.rows[0].cells[3] = "" // its share is all
		s.grid.columns = g.columns
		s.grid.rows = append(s.grid.rows, g.rows...)
		if i > 0 {
			s.lines = append(s.lines, m.Advice)
		}
	}
	return s
}

// noiseGrid is a table of rows of one metric, with the same columns for all
// metrics. The runs are left for the table of totals to fill in.
func noiseGrid(head string, names []string, rows []profile.NoiseRow, m *profile.NoiseMetric, falls []float64) grid {
	g := grid{columns: []column{
		{head: head, left: true, code: true},
		{head: "Runs"},
		{head: "Value"},
		{head: "Share"},
		{head: "Events/run"},
		{head: "Sampling"},
		{head: "Scatter"},
		{head: "Seen down"},
		{head: "Seen up"},
	}}
	for _, fall := range falls {
		g.columns = append(g.columns, column{head: "To see " + profile.FormatFall(fall), left: true})
	}
	var values []float64
	for i := range rows {
		values = append(values, rows[i].Value)
	}
	amounts := scaleOf(m.Metric.Unit, values...)
	for i := range rows {
		r := &rows[i]
		events := unknown
		if r.N > 0 {
			events = profile.Count(r.N)
		}
		cells := []string{
			names[i], "", amounts.Format(r.Value), fmt.Sprintf("%.1f%%", 100*r.Share), events,
			cvText(r.Sampling), cvText(r.Scatter), smallestText(r.Down), smallestText(r.Up),
		}
		for j := range falls {
			cells = append(cells, reachText(r, j, m.Runs))
		}
		g.rows = append(g.rows, line{cells: cells})
	}
	return g
}

// reachText is what would let the fall of this index be seen.
func reachText(r *profile.NoiseRow, fall, runs int) string {
	switch {
	case fall >= len(r.Reach):
		return unknown
	case r.Few:
		return "few: " + r.Reach[fall].Short(runs)
	}
	return r.Reach[fall].Short(runs)
}

// smallestText is the smallest change that would be seen.
func smallestText(v *float64) string {
	if v == nil {
		return unknown
	}
	return profile.FormatSmallest(*v)
}

// cvText is a coefficient of variation in percent, with two significant digits
// below 10.
func cvText(cv *float64) string {
	switch {
	case cv == nil:
		return unknown
	case *cv == 0:
		return "0%"
	case *cv < 0.00005:
		return "<0.01%"
	case *cv < 0.00995:
		return fmt.Sprintf("%.2f%%", 100**cv)
	}
	return fmt.Sprintf("%.1f%%", 100**cv)
}

func noiseNames(rows []profile.NoiseRow, width int) []string {
	names := make([]string, len(rows))
	for i := range rows {
		names[i] = printable(rows[i].Name)
	}
	names = profile.Short(names, width)
	for i := range rows {
		if rows[i].Note != "" {
			names[i] += " (" + printable(rows[i].Note) + ")"
		}
	}
	return names
}

// splitSection is the outcome of comparing odd with even runs.
func splitSection(c *profile.SplitCheck) section {
	s := section{heading: "A/A check", lines: []string{c.Sentence()}}
	if len(c.Flagged) == 0 {
		return s
	}
	s.grid.columns = []column{{head: "Metric", left: true}, {head: "Table", left: true}, {head: "Row", left: true, code: true}, {head: "Change"}, {head: "Note", left: true}}
	for i := range c.Flagged {
		f := &c.Flagged[i]
		change := "new"
		if f.Percent != nil {
			change = profile.FormatPercent(*f.Percent)
		}
		s.grid.rows = append(s.grid.rows, line{cells: []string{
			printable(f.Metric.Noun()), f.Table, middle(printable(f.Name), nameWidth), change, pText("q", f.Q),
		}})
	}
	return s
}

// noiseLegend explains the columns.
func noiseLegend(list []section) string {
	text := "Sampling: coefficient of variation of a run by sampling alone; Scatter: as seen between runs; " +
		"Seen down, Seen up: the smallest changes that a comparison of two such sides would see"
	for _, s := range list[1:] {
		for _, row := range s.grid.rows {
			for _, cell := range row.cells[1:] {
				if strings.HasPrefix(cell, "few") {
					return text + "; few: too few events to be judged"
				}
			}
		}
	}
	return text
}
