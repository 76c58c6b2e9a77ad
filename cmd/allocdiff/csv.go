package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"reflect"
	"strconv"

	"github.com/allocdiff/allocdiff/profile"
)

var csvHeader = []string{
	"metric", "unit", "per", "table", "pool", "name", "note",
	"before", "after", "delta", "percent", "delta_lo", "delta_hi", "ratio", "ratio_lo", "ratio_hi",
	"n_before", "n_after", "share_before", "share_after", "threads_before", "threads_after",
	"phi", "p", "q", "verdict", "need_samples", "need_bytes", "need_rate", "need_runs", "check_p", "check_n",
}

// csvTotal is the name of the row of a total.
const csvTotal = "(total)"

// printCSV writes every row of every table, in base units, one line each, after
// a header line. Quoting is that of RFC 4180, lines end in LF. Table is one of
// total, pools, owner, flat, cum, poolFunctions, sizes, types and stress (whose
// lines have no metric); name is (total) for a total and (other) for the rows
// that a table does not hold. A cell is empty where nothing is known, and
// for the upper end of an interval that has none. Numbers are as in JSON.
//
// Names are verbatim, so that they join with those of other tools. They come
// from profiles: a spreadsheet should import these columns as text, as it may
// take a name that starts with =, +, - or @ for a formula.
func printCSV(w io.Writer, r *profile.Report) error {
	v, err := tidy(reflect.ValueOf(*r), "")
	if err != nil {
		return fmt.Errorf("writing CSV: %w", err)
	}
	tidied := v.Interface().(profile.Report)
	r = &tidied
	c := csv.NewWriter(w)
	lines := [][]string{csvHeader}
	for i := range r.Metrics {
		lines = append(lines, csvMetric(&r.Metrics[i])...)
	}
	for i := range r.Stress {
		row := r.Stress[i].Row()
		lines = append(lines, csvRow([]string{"", r.Stress[i].Unit, "", "stress"}, row.Name, &row, false))
	}
	if err := c.WriteAll(lines); err != nil {
		return fmt.Errorf("writing CSV: %w", err)
	}
	return nil
}

// csvMetric makes the lines of all tables of a metric.
func csvMetric(m *profile.MetricReport) [][]string {
	key := func(table string) []string { return []string{m.Metric.Type, m.Metric.Unit, string(m.Per), table} }
	lines := [][]string{csvRow(key("total"), csvTotal, &m.Total, true)}
	for _, t := range []struct {
		name  string
		table *profile.Table
	}{
		{"pools", &m.Pools},
		{"owner", &m.Owner},
		{"flat", &m.Flat},
		{"cum", &m.Cum},
		{"poolFunctions", &m.ByPool},
		{"sizes", &m.Sizes},
		{"types", &m.Types},
	} {
		for i := range t.table.Rows {
			lines = append(lines, csvRow(key(t.name), t.table.Rows[i].Name, &t.table.Rows[i], true))
		}
		if t.table.Other != nil {
			lines = append(lines, csvRow(key(t.name), profile.OtherName, t.table.Other, true))
		}
	}
	return lines
}

// csvRow makes one line. Sampled says whether the row comes from a profile and
// so has events and shares.
func csvRow(key []string, name string, r *profile.Row, sampled bool) []string {
	line := append(key, r.Pool, name, r.Note, number(r.Before.Value), number(r.After.Value), number(r.Delta), optional(r.Percent))
	line = append(line, interval(r.DeltaCI)...)
	ratio := ""
	if r.Before.Value != 0 {
		ratio = number(r.After.Value / r.Before.Value)
	}
	line = append(line, ratio)
	line = append(line, interval(r.RatioCI)...)
	line = append(line, events(r.Before, sampled), events(r.After, sampled))
	if sampled {
		line = append(line, number(r.Before.Share), number(r.After.Share))
	} else {
		line = append(line, "", "")
	}
	line = append(line, known(float64(r.Before.Threads)), known(float64(r.After.Threads)),
		known(r.Phi), optional(r.P), optional(r.Q), string(r.Verdict))
	if n := r.Need; n != nil {
		line = append(line, number(n.Samples), known(n.Bytes), known(n.Rate), known(float64(n.Runs)))
	} else {
		line = append(line, "", "", "", "")
	}
	if r.Check == nil {
		return append(line, "", "")
	}
	return append(line, number(r.Check.P), strconv.Itoa(r.Check.N))
}

// number writes v as JSON has it, but never with an exponent.
func number(v float64) string {
	v, err := tidyFloat(v, "")
	if err != nil {
		return ""
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// known is number for what is unknown when 0.
func known(v float64) string {
	if v == 0 {
		return ""
	}
	return number(v)
}

func optional(v *float64) string {
	if v == nil {
		return ""
	}
	return number(*v)
}

func interval(ci *profile.Interval) []string {
	switch {
	case ci == nil:
		return []string{"", ""}
	case ci.Unbounded:
		return []string{number(ci.Lo), ""}
	}
	return []string{number(ci.Lo), number(ci.Hi)}
}

func events(a profile.Amount, sampled bool) string {
	if !sampled || a.N == 0 && a.Value != 0 {
		return ""
	}
	return number(a.N)
}
