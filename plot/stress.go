package plot

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/allocdiff/allocdiff/profile"
)

// stress draws the benchmark's own figures in two columns of rows. Nobody judged
// them for noise, so they carry no colour.
func (p *page) stress() {
	rest := p.report.Stress
	if len(rest) == 0 {
		return
	}
	remark := "as the benchmark reported them, not judged for noise"
	if len(rest) > stressRows {
		remark += fmt.Sprintf("; %d more in the text report", len(rest)-stressRows)
		rest = rest[:stressRows]
	}
	p.heading("Throughput and latency", remark)
	const gap = 2 * panelGap
	each := (len(rest) + 1) / 2
	w := (p.right() - p.left() - gap) / 2
	top, bottom := p.y, p.y
	for left := p.left(); len(rest) > 0; left += w + gap {
		n := min(each, len(rest))
		p.y = top
		p.measures(rest[:n], left, left+w)
		bottom = max(bottom, p.y)
		rest = rest[n:]
	}
	p.y = bottom + panelGap
}

// measures draws rows between left and right.
func (p *page) measures(list []profile.Measure, left, right float64) {
	before, after := field{head: "Before"}, field{head: "After"}
	pct := field{head: "Δ %"}
	for _, m := range list {
		decimals := decimalsOf(m.Before, m.After)
		before.cells = append(before.cells, cell{measureText(m.Before, decimals, m.Unit), bodyLetter, p.ink})
		after.cells = append(after.cells, cell{measureText(m.After, decimals, m.Unit), bodyLetter, p.ink})
		r := profile.Row{Before: profile.Amount{Value: m.Before}, After: profile.Amount{Value: m.After}, Delta: finite(m.After - m.Before)}
		if m.Before != 0 {
			v := finite(100 * (m.After/m.Before - 1))
			r.Percent = &v
		}
		pct.cells = append(pct.cells, cell{percent(&r), bodyLetter, p.ink})
	}
	fields, edge := p.place([]field{before, after, pct}, left, right, 0)
	base := p.y + 16
	p.heads(fields, base)
	p.y += 24
	for i, m := range list {
		if i%2 == 0 {
			p.rect(left-12, p.y, right-left+24, barRow, p.panel)
		}
		p.text(left, p.y+18, p.fit(bodyLetter, clean(m.Name), max(edge-left, 0)), bodyLetter, p.ink)
		p.cells(fields, i, p.y+18)
		p.y += barRow
	}
}

// decimalsOf leaves three to four significant digits, none behind the point of
// whole numbers.
func decimalsOf(before, after float64) int {
	switch v := max(math.Abs(before), math.Abs(after)); {
	case v >= 1000 || before == math.Trunc(before) && after == math.Trunc(after):
		return 0
	case v >= 100:
		return 1
	case v >= 1:
		return 2
	case v >= 0.1:
		return 3
	}
	return 4
}

// measureText formats a figure with its unit.
func measureText(v float64, decimals int, unit string) string {
	var t string
	if unit == "B" {
		c := columnOf(profile.AllocSpace, profile.PerRun, v)
		return c.with(c.amount(v))
	}
	if decimals == 0 {
		t = profile.Count(finite(v))
	} else {
		t = strconv.FormatFloat(v, 'f', decimals, 64)
	}
	t = narrow(t, v)
	if unit != "" {
		t += " " + strings.TrimSpace(unit)
	}
	return t
}
