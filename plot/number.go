package plot

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/allocdiff/allocdiff/profile"
)

// column is the unit of a column of amounts: one for all its rows.
type column struct {
	profile.Scale
	unit string // with the divisor: "KiB/op", "k allocs/op", "s"
}

// columnOf picks the unit in which largest reads well.
func columnOf(m profile.Metric, per profile.Per, largest float64) column {
	c := column{Scale: profile.ScaleOf(m.Unit, finite(largest))}
	switch m.Unit {
	case "bytes", "nanoseconds":
		c.unit = c.Suffix
	default:
		c.unit = things(m)
		if c.Suffix != "" {
			c.unit = c.Suffix + " " + c.unit
		}
	}
	c.unit += per.Suffix()
	return c
}

// column is columnOf for a table of m: units that a profile makes up are cut.
func (p *page) column(m *profile.MetricReport, largest float64) column {
	c := columnOf(m.Metric, m.Per, largest)
	c.unit = p.fit(columnLetter, clean(c.unit), unitWidth)
	return c
}

// things names what a count counts.
func things(m profile.Metric) string {
	switch m {
	case profile.AllocObjects:
		return "allocs"
	case profile.InuseObjects:
		return "objects"
	case profile.Metric{Type: "cpu", Unit: "count"}:
		return "samples"
	}
	if m.Unit != "count" && m.Unit != "" {
		return m.Unit
	}
	return m.Type
}

// quantity is what a heading calls a metric and its divisor.
func quantity(m profile.Metric, per profile.Per) string {
	return strings.TrimSuffix(m.Noun()+" "+per.Words(), " ")
}

func (c column) amount(v float64) string { return narrow(c.Number(finite(v)), v) }
func (c column) delta(v float64) string  { return narrow(c.SignedNumber(finite(v)), v) }

// with adds the unit to a formatted number.
func (c column) with(t string) string {
	if c.unit == "" || t == "" {
		return t
	}
	if c.unit[0] == '/' {
		return t + c.unit
	}
	return t + " " + c.unit
}

// narrow falls back on an exponent where a number would need more room than
// any sane one, and sets the typographic minus.
func narrow(t string, v float64) string {
	const most = 14
	if utf8.RuneCountInString(t) > most {
		t = strconv.FormatFloat(v, 'g', 3, 64)
	}
	return profile.Typographic(t)
}

// finite guards the arithmetic of pixels against overflow.
func finite(v float64) float64 {
	switch {
	case math.IsNaN(v):
		return 0
	case v > math.MaxFloat64/1e6:
		return math.MaxFloat64 / 1e6
	case v < -math.MaxFloat64/1e6:
		return -math.MaxFloat64 / 1e6
	}
	return v
}

// events formats a number of sampled events for a narrow column: "349k".
func events(n float64) string {
	switch n = finite(n); {
	case n >= 1e13:
		return strconv.FormatFloat(n, 'g', 3, 64)
	case n >= 1e10:
		return profile.Count(n/1e9) + "G"
	case n >= 1e7:
		return profile.Count(n/1e6) + "M"
	case n >= 1e4:
		return profile.Count(n/1e3) + "k"
	}
	return profile.Count(n)
}

// arrow joins the two sides of a cell.
func arrow(before, after string) string { return before + " → " + after }
