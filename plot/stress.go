package plot

import (
	"math"
	"strconv"
	"strings"

	"github.com/allocdiff/allocdiff/profile"
)

// stress draws the benchmark's own figures in two columns of rows. Nobody
// judged them for noise, so they carry no colour.
func (p *page) stress() {
	all := p.report.Stress
	if len(all) == 0 {
		return
	}
	p.heading("Throughput and latency", "as the benchmark reported them; single figures, not judged for noise")
	half := (len(all) + 1) / 2
	middle := math.Round((p.left() + p.right()) / 2)
	top := p.y
	p.measures(all[:half], p.left(), middle-panelGap)
	bottom := p.y
	if half < len(all) {
		p.y = top
		p.measures(all[half:], middle+panelGap, p.right())
	}
	p.y = bottom + panelGap
}

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
			p.rect(left-12, p.y, right-left+24, rowHeight, p.panel)
		}
		p.text(left, p.y+19, p.fit(bodyLetter, clean(m.Name), max(edge-left, 0)), bodyLetter, p.ink)
		p.cells(fields, i, p.y+19)
		p.y += rowHeight
	}
}

// decimalsOf leaves about four significant digits, none behind the point of
// whole numbers.
func decimalsOf(before, after float64) int {
	switch v := max(math.Abs(before), math.Abs(after)); {
	case v >= 1000 || before == math.Trunc(before) && after == math.Trunc(after):
		return 0
	case v >= 100:
		return 1
	case v >= 1:
		return 2
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
