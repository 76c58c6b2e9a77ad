package plot

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/allocdiff/allocdiff/profile"
)

// footer says where the numbers come from and how to read them.
func (p *page) footer() {
	r := p.report
	p.rule(p.y)
	y := p.y + 22
	for _, side := range []struct {
		name string
		info *profile.SideInfo
	}{{"before", &r.Before}, {"after ", &r.After}} {
		for _, line := range provenance(side.info) {
			y = p.footLine(y, side.name+"  ", line)
		}
	}
	if r.Noise != "" {
		y = p.footLine(y, "noise   ", []string{r.Noise})
	}
	for _, note := range r.Notes {
		y = p.footLine(y, "note    ", []string{note})
	}
	y = p.footLine(y, "made by ", []string{strings.TrimSpace("allocdiff " + r.Version), r.Command})
	p.y = y + 8
}

// footLine draws parts side by side with lead before them, wrapped between the
// parts, and within a part that is wider than the page. It returns the next
// baseline.
func (p *page) footLine(y float64, lead string, parts []string) float64 {
	const gap = 24
	left := p.left() + p.measure(footLetter, lead)
	p.text(p.left(), y, strings.TrimSpace(lead), footLetter, p.muted)
	x := left
	for _, part := range parts {
		for i, line := range p.wrap(footLetter, clean(part), p.right()-left) {
			if x > left && (i > 0 || x+p.measure(footLetter, line) > p.right()) {
				x = left
				y += footLetter.lineHeight()
			}
			x = p.text(x, y, line, footLetter, p.muted) + gap
		}
	}
	return y + footLetter.lineHeight()
}

// provenance describes the inputs of a side, a line for each kind of profile.
func provenance(s *profile.SideInfo) [][]string {
	var lines [][]string
	for _, kind := range []profile.Kind{profile.Heap, profile.Time, profile.Other} {
		var list []*profile.InputInfo
		for i := range s.Inputs {
			if s.Inputs[i].Kind == kind {
				list = append(list, &s.Inputs[i])
			}
		}
		if len(list) > 0 {
			lines = append(lines, inputs(s.Label, list))
		}
	}
	if lines == nil && s.Label != "" {
		lines = append(lines, []string{s.Label})
	}
	return lines
}

// inputs describes profiles of one kind.
func inputs(label string, list []*profile.InputInfo) []string {
	first := list[0]
	inside := func(name string) string { return strings.TrimPrefix(name, strings.TrimSuffix(label, "/")+"/") }
	name, hash, at := inside(first.Name), "sha256 "+abbreviate(first.SHA256, 4, 2), ""
	if first.Time > 0 {
		at = time.Unix(0, first.Time).UTC().Format("2006-01-02T15:04Z")
	}
	if n := len(list); n > 1 {
		name = fmt.Sprintf("%s: %s … %s", plural(n, kindWord(first.Kind)+"profile"), name, inside(list[n-1].Name))
		hash = ""
		if at != "" {
			at = "first " + at
		}
	}
	if label == name {
		label = ""
	}
	builds := each(list, func(in *profile.InputInfo) string { return in.BuildID })
	build := ""
	switch {
	case len(builds) == 1:
		build = "build " + abbreviate(builds[0], 4, 4)
	case len(builds) > 1:
		build = plural(len(builds), "build")
	}
	var samples int64
	for _, in := range list {
		samples += in.Samples
	}
	rates := strings.Join(each(list, rateOf), ", ")
	parts := []string{label, name, hash, at, durationWords(list), build, rates, plural(int(samples), "stack")}
	return slices.DeleteFunc(parts, func(s string) bool { return s == "" })
}

// kindWord is what people call profiles of a kind, with a space behind it.
func kindWord(k profile.Kind) string {
	switch k {
	case profile.Heap:
		return "heap "
	case profile.Time:
		return "CPU "
	}
	return ""
}

// each lists what text says of the inputs, once and in their order.
func each(list []*profile.InputInfo, text func(*profile.InputInfo) string) []string {
	var all []string
	for _, in := range list {
		if t := text(in); t != "" && !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	return all
}

// durationWords is how long the profiles took, as far as they say: "18.0 s",
// of several "18.0 s each" or "mean 19.3 s".
func durationWords(list []*profile.InputInfo) string {
	seconds := func(nanos float64) string { return fmt.Sprintf("%.1f s", nanos/1e9) }
	var sum, n float64
	all := each(list, func(in *profile.InputInfo) string {
		if in.Duration <= 0 {
			return ""
		}
		sum += float64(in.Duration)
		n++
		return seconds(float64(in.Duration))
	})
	switch {
	case n == 0:
		return ""
	case n == 1:
		return all[0]
	case len(all) == 1:
		return all[0] + " each"
	}
	return "mean " + seconds(sum/n)
}

// abbreviate keeps the first and the last characters of a hash.
func abbreviate(s string, first, last int) string {
	if len(s) <= first+last+1 {
		return s
	}
	return s[:first] + "…" + s[len(s)-last:]
}

// rateOf says how often the profile sampled; "" when that is unknown.
func rateOf(in *profile.InputInfo) string {
	return clean(profile.FormatRate(in.PeriodType, float64(in.Period)))
}
