package plot

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/allocdiff/allocdiff/profile"
)

// stress draws the benchmark's own figures in two columns of rows, or in one
// where two would cut names. More of a figure may be good or bad: no colours.
func (p *page) stress() {
	list := p.report.Stress
	if len(list) == 0 {
		return
	}
	remark := "as the benchmark reported them, mean of its runs"
	if slices.ContainsFunc(list, func(m profile.Measure) bool { return m.P != nil }) {
		remark += "; ~ within their scatter"
	} else {
		remark += "; too few runs to judge"
	}
	if more := len(list) - stressRows; more > 0 {
		remark += fmt.Sprintf("; %d more in the text report", more)
		list = telling(list, stressRows)
	}
	p.heading("Throughput and latency", remark)
	half := (len(list) + 1) / 2
	gap := float64(stressGap)
	room := p.right() - p.left() - gap
	first, second := p.measuresWidth(list[:half]), p.measuresWidth(list[half:])
	if half == len(list) || first+second > room {
		p.measures(list, p.left(), p.right())
		p.y += panelGap
		return
	}
	w := min(max(room/2, first), room-second)
	top := p.y
	p.measures(list[:half], p.left(), p.left()+w)
	bottom := p.y
	p.y = top
	p.measures(list[half:], p.left()+w+gap, p.right())
	p.y = bottom + panelGap
}

// telling are n figures of a longer list: those that repeat an earlier one are
// left out first, then those that read alike on both sides, then those within
// their scatter, each from the end.
func telling(list []profile.Measure, n int) []profile.Measure {
	list = slices.Clone(list)
	for _, dull := range []func([]profile.Measure, *profile.Measure) bool{repeats, alike, scattered} {
		for i := len(list) - 1; i >= 0 && len(list) > n; i-- {
			if dull(list[:i], &list[i]) {
				list = slices.Delete(list, i, i+1)
			}
		}
	}
	return list[:min(len(list), n)]
}

// repeats reports whether m is a rate that changed as an earlier one did: rows
// with operations.
func repeats(earlier []profile.Measure, m *profile.Measure) bool {
	rate := func(m *profile.Measure) bool { return strings.HasSuffix(m.Unit, "/s") }
	return rate(m) && slices.ContainsFunc(earlier, func(e profile.Measure) bool {
		const near = 0.001
		x, y := e.After*m.Before, m.After*e.Before
		return rate(&e) && x != 0 && math.Abs(x-y) <= near*math.Abs(x)
	})
}

// alike reports whether both sides of m read the same.
func alike(_ []profile.Measure, m *profile.Measure) bool {
	before, after := measureTexts(m)
	return before == after
}

func scattered(_ []profile.Measure, m *profile.Measure) bool {
	return m.Row().Verdict == profile.Unclear
}

// measuresWidth is the room that rows need.
func (p *page) measuresWidth(list []profile.Measure) float64 {
	names := 0.0
	for i := range list {
		names = max(names, p.textWidth(bodyLetter, list[i].Name))
	}
	_, edge := p.place(p.measureFields(list), 0, 0, 0)
	return math.Ceil(names - edge)
}

// measures draws rows between left and right.
func (p *page) measures(list []profile.Measure, left, right float64) {
	fields, edge := p.place(p.measureFields(list), left, right, 0)
	base := p.y + 16
	p.heads(fields, base)
	p.y += 24
	for i, m := range list {
		if i%2 == 0 {
			p.rect(left-12, p.y, right-left+24, barRow, p.panel)
		}
		p.text(left, p.y+barBase, p.fit(bodyLetter, clean(m.Name), max(edge-left, 0)), bodyLetter, p.ink)
		p.cells(fields, i, p.y+barBase)
		p.y += barRow
	}
}

func (p *page) measureFields(list []profile.Measure) []field {
	before, after, pct := field{head: "Before"}, field{head: "After"}, field{head: "Δ %"}
	for i := range list {
		b, a := measureTexts(&list[i])
		before.cells = append(before.cells, cell{b, bodyLetter, p.ink})
		after.cells = append(after.cells, cell{a, bodyLetter, p.ink})
		change, color := measureChange(&list[i]), p.ink
		if change == "~" {
			color = p.muted
		}
		pct.cells = append(pct.cells, cell{change, bodyLetter, color})
	}
	return []field{before, after, pct}
}

// measureChange is the change of a figure in percent. A benchmark rounds: its 0
// is neither new nor gone.
func measureChange(m *profile.Measure) string {
	r := m.Row()
	if r.Verdict != profile.Unclear && (m.Before == 0) != (m.After == 0) {
		return "–"
	}
	if r.Percent != nil {
		pct := finite(*r.Percent)
		r.Percent = &pct
	}
	return percent(&r)
}

// measureTexts formats both sides alike.
func measureTexts(m *profile.Measure) (before, after string) {
	decimals := decimalsOf(m.Before, m.After)
	return measureText(m.Before, decimals, m.Unit), measureText(m.After, decimals, m.Unit)
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
	if decimals == 0 || v == 0 {
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
