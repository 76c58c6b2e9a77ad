package plot

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/allocdiff/allocdiff/profile"
)

// drawn is a page with one panel.
func drawn(r *profile.Report, width float64, draw func(*page)) *page {
	p := &page{measurer: newMeasurer(), palette: palettes[Light], report: r, width: width}
	draw(p)
	return p
}

// texts are what stands on a page.
func (p *page) texts() []string {
	var all []string
	for _, m := range p.marks {
		if m.text != "" {
			all = append(all, m.text)
		}
	}
	return all
}

func TestMeasureChange(t *testing.T) {
	for _, c := range []struct {
		before, after float64
		p             *float64
		want          string
	}{
		{100, 50, nil, "−50.0%"},
		{100, 50, new(0.01), "−50.0%"},
		{100, 50, new(0.05), "~"},
		{0, 50, new(0.01), "–"},
		{50, 0, nil, "–"},
		{50, 0, new(0.5), "~"},
		{0, 0, new(1.0), "0.0%"},
		{0, 0, nil, "0.0%"},
		{1, 13.2, new(0.01), "x13.2"},
	} {
		m := profile.Measure{Before: c.before, After: c.after, P: c.p}
		if got := measureChange(&m); got != c.want {
			t.Errorf("change of %v to %v at p %v is %q, want %q", c.before, c.after, m.Row().P, got, c.want)
		}
	}
}

// Figures that say nothing make room for those that do.
func TestTelling(t *testing.T) {
	name := func(i int) string { return fmt.Sprint("m", i) }
	list := []profile.Measure{
		{Name: name(0), Unit: "op/s", Before: 3, After: 3},             // alike
		{Name: name(1), Unit: "ms", Before: 1, After: 2, P: new(0.5)},  // within scatter
		{Name: name(2), Unit: "op/s", Before: 1, After: 2, P: new(0.)}, // real
		{Name: name(3), Before: 0, After: 0},                           // alike
		{Name: name(4), Unit: "ms", Before: 5, After: 6, P: new(0.9)},  // within scatter, no rate
		{Name: name(5), Unit: "B", Before: 5000.1, After: 5000.2},      // reads alike
		{Name: name(6), Before: 5, After: 7},                           // not judged
		{Name: name(7), Unit: "row/s", Before: 8, After: 16.001},       // repeats 2
		{Name: name(8), Unit: "row/s", Before: 8, After: 16.1},         // does not
	}
	for n, want := range [][]int{
		{},
		{2},
		{2, 6},
		{2, 6, 8},
		{1, 2, 6, 8},
		{1, 2, 4, 6, 8},
		{0, 1, 2, 4, 6, 8},
		{0, 1, 2, 3, 4, 6, 8},
		{0, 1, 2, 3, 4, 5, 6, 8},
		{0, 1, 2, 3, 4, 5, 6, 7, 8},
	} {
		var names []string
		for _, i := range want {
			names = append(names, name(i))
		}
		var got []string
		for _, m := range telling(list, n) {
			got = append(got, m.Name)
		}
		if !slices.Equal(got, names) {
			t.Errorf("the %d that tell most are %v, want %v", n, got, names)
		}
	}
}

// Names of figures are whole even on the narrowest page.
func TestMeasureNames(t *testing.T) {
	r := ticket()
	r.Stress = nil
	for _, name := range []string{"Row rate", "Latency 99.9th percentile", "Total operation time", "Collector processor time"} {
		r.Stress = append(r.Stress, profile.Measure{Name: name, Unit: "row/s", Before: 841_070, After: 1_990_092})
	}
	got := drawn(r, minWidth, (*page).stress).texts()
	for _, m := range r.Stress {
		if !slices.Contains(got, m.Name) {
			t.Errorf("%q is not on the page: %q", m.Name, got)
		}
	}
}

func TestProvenance(t *testing.T) {
	in := func(name string, kind profile.Kind, seconds float64, build string) profile.InputInfo {
		return profile.InputInfo{
			Name: "runs/" + name, SHA256: "0123456789abcdef", Kind: kind, Time: 1_795_000_000e9,
			Duration: int64(seconds * 1e9), BuildID: build, Samples: 500,
		}
	}
	for _, c := range []struct {
		about  string
		inputs []profile.InputInfo
		want   string
	}{
		{"one", []profile.InputInfo{in("a", profile.Heap, 18, "b1")}, "runs|a|sha256 0123…ef|2026-11-18T11:06Z|18.0 s|build b1|500 stacks"},
		{"alike", []profile.InputInfo{in("a", profile.Heap, 18, "b1"), in("b", profile.Heap, 18.01, "b1")}, "runs|2 heap profiles: a … b|first 2026-11-18T11:06Z|18.0 s each|build b1|1,000 stacks"},
		{"unlike", []profile.InputInfo{in("a", profile.Time, 18, "b1"), in("b", profile.Time, 21, "b2"), in("c", profile.Time, 0, "")}, "runs|3 CPU profiles: a … c|first 2026-11-18T11:06Z|mean 19.5 s|2 builds|1,500 stacks"},
		{"other", []profile.InputInfo{in("a", profile.Other, 0, ""), in("b", profile.Other, 0, "")}, "runs|2 profiles: a … b|first 2026-11-18T11:06Z|1,000 stacks"},
	} {
		lines := provenance(&profile.SideInfo{Label: "runs", Inputs: c.inputs})
		if len(lines) != 1 {
			t.Fatalf("%s: %d lines, want 1", c.about, len(lines))
		}
		if got := strings.Join(lines[0], "|"); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.about, got, c.want)
		}
	}
}

// A live heap that really changed is among the tiles in place of the mean size.
func TestLiveTile(t *testing.T) {
	labels := func(r *profile.Report) string {
		var all []string
		p := &page{measurer: newMeasurer(), palette: palettes[Light], report: r}
		for _, f := range p.figures() {
			all = append(all, f.label)
		}
		return strings.Join(all, ", ")
	}
	r := ticket()
	const common = "Allocated bytes, Allocated objects, CPU time, "
	if got, want := labels(r), common+"Mean object size"; got != want {
		t.Errorf("live bytes within noise: tiles are %s, want %s", got, want)
	}
	r.Metrics[2].Total.Verdict = profile.Up
	if got, want := labels(r), common+"Live bytes"; got != want {
		t.Errorf("live bytes up: tiles are %s, want %s", got, want)
	}
	r.Metrics[0], r.Metrics[2] = r.Metrics[2], r.Metrics[0]
	if got, want := labels(r), "Live bytes, Allocated bytes, Allocated objects, CPU time"; got != want {
		t.Errorf("live bytes first: tiles are %s, want %s", got, want)
	}
}

func TestIntervalText(t *testing.T) {
	ratio, delta := &profile.Interval{Lo: 0.8, Hi: 0.9}, &profile.Interval{Lo: -30, Hi: 10}
	for _, c := range []struct {
		before       float64
		ratio, delta *profile.Interval
		want         string
	}{
		{200, ratio, delta, "confidence interval −20.0% … −10.0%"},
		{200, nil, delta, "confidence interval −15.0% … +5.0%"},
		{0, nil, delta, ""},
		{200, &profile.Interval{Lo: 0.8, Unbounded: true}, delta, ""},
		{200, nil, nil, ""},
	} {
		r := profile.Row{RatioCI: c.ratio, DeltaCI: c.delta}
		r.Before.Value = c.before
		if got := intervalText(&r); got != c.want {
			t.Errorf("interval of %v, ratio %v, difference %v is %q, want %q", c.before, c.ratio, c.delta, got, c.want)
		}
	}
}

// CPU functions are shown beside another main metric when one really changed.
func TestCPUFunctions(t *testing.T) {
	const heading = "Functions: change in CPU time"
	for _, c := range []struct {
		verdict profile.Verdict
		want    bool
	}{{profile.Down, true}, {profile.Unclear, false}, {profile.Unknown, false}} {
		r := ticket()
		cpu := &r.Metrics[3]
		f := row("runtime.mallocgc", 61e9, 50e9, 0.02)
		f.Verdict = c.verdict
		cpu.Flat = table(900, cpu.Total, f)
		p := drawn(r, defaultWidth, func(p *page) { p.cpu(cpu) })
		if got := slices.Contains(p.texts(), heading); got != c.want {
			t.Errorf("a function that is %q: heading drawn is %v, want %v", c.verdict, got, c.want)
		}
	}
}

// Headings say what rows are.
func TestRowNoun(t *testing.T) {
	for by, want := range map[string][2]string{
		"":         {"Functions: change in allocated bytes", "Function"},
		"function": {"Functions: change in allocated bytes", "Function"},
		"package":  {"Packages: change in allocated bytes", "Package"},
	} {
		r := ticket()
		r.Metrics[0].By = by
		got := drawn(r, defaultWidth, func(p *page) { p.functions(&r.Metrics[0], functionRows) }).texts()
		for _, w := range want {
			if !slices.Contains(got, w) {
				t.Errorf("rows by %q: no text %q among %q", by, w, got)
			}
		}
	}
}
