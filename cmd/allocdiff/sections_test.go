package main

import (
	"reflect"
	"strings"
	"testing"

	"github.com/allocdiff/allocdiff/profile"
)

func TestSectionsShown(t *testing.T) {
	headings := func(change func(*profile.Report)) string {
		r := server()
		change(r)
		var all []string
		for _, s := range sections(r, printOptions{}) {
			all = append(all, s.heading)
		}
		return strings.Join(all, "\n")
	}
	for _, c := range []struct {
		name, heading string
		want          bool
		change        func(*profile.Report)
	}{
		{"live heap that did not move", "live bytes", false, func(*profile.Report) {}},
		{"live heap that moved", "Functions (owner): live bytes", true, func(r *profile.Report) {
			r.Metrics[3].Owner.Rows[0].Delta = 1
		}},
		{"counts beside amounts", "allocated objects", false, func(*profile.Report) {}},
		{"counts alone", "Functions (owner): allocated objects", true, func(r *profile.Report) { r.Metrics = r.Metrics[1:3] }},
		{"counts of another kind", "CPU samples", true, func(r *profile.Report) {
			r.Metrics[2].Metric = profile.CPUSamples
		}},
		{"pools of a report without change", "Thread pools: live bytes", true, func(r *profile.Report) {
			r.Metrics = r.Metrics[3:]
			r.Metrics[0].Pools = r.Metrics[0].Owner
		}},
		{"functions of a report without change", "Functions", false, func(r *profile.Report) { r.Metrics = r.Metrics[3:] }},
		{"tables of one row too many", "Functions (cum): CPU time\n", true, func(*profile.Report) {}},
		{"cut tables", "Functions (cum): CPU time, top 5 of 7 by size of change, 92% of all movement", true, func(r *profile.Report) {
			t := &r.Metrics[2].Cum
			t.Rows, t.Count = append(t.Rows, rowOf("g", 0, 1e9, 0, 100, profile.Few)), 7
		}},
		{"packages", "Packages (owner): allocated bytes, top 5 of 1,204", true, func(r *profile.Report) { r.Metrics[0].By = "package" }},
		{"files", "Files (cum): CPU time", true, func(r *profile.Report) { r.Metrics[2].By = "file" }},
		{"lines", "Lines (owner): allocated bytes", true, func(r *profile.Report) { r.Metrics[0].By = "line" }},
		{"per operation", "Thread pools: allocated bytes, per operation", true, func(r *profile.Report) { r.Metrics[0].Per = profile.PerOp }},
		{"per second", "Thread pools: CPU time, per second", true, func(r *profile.Report) { r.Metrics[2].Per = profile.PerSecond }},
		{"sizes of lesser metrics", "Object sizes: live bytes", false, func(r *profile.Report) {
			r.Metrics[3].Owner.Rows[0].Delta = 1
			r.Metrics[3].Sizes = r.Metrics[0].Sizes
		}},
		{"allocated classes", "Allocated classes: allocated bytes", true, func(r *profile.Report) {
			r.Metrics[0].Types = r.Metrics[0].Sizes
		}},
	} {
		if got := headings(c.change); strings.Contains(got, c.heading) != c.want {
			t.Errorf("%s: %q shown is %v, want %v, in:\n%s", c.name, c.heading, !c.want, c.want, got)
		}
	}
}

// Cum rows overlap, so a sum of those cut would be a number that means nothing.
func TestCumHasNoOther(t *testing.T) {
	r := server()
	r.Metrics[0].Focus = "cum"
	r.Metrics[0].Cum = r.Metrics[0].Owner
	if got := text(t, r, printOptions{rows: 2}); strings.Contains(got, "functions)") {
		t.Errorf("a cum table has an Other row:\n%s", got)
	}
}

func TestSides(t *testing.T) {
	r := server()
	r.Before.Merged, r.Before.Ops = 4, 0
	r.After.Label = "evil\x1b[2J"
	r.After.Inputs = r.After.Inputs[:1]
	r.After.Inputs[0].Period, r.After.Inputs[0].Samples = 0, 1
	want := []string{
		"before  trunk        2 heap + 2 CPU profiles, summed  1 per 512 KiB, 100 Hz  412,028 stacks",
		`after   evil\x1b[2J  1 heap profile                                                 1 stack  1,000,000 ops`,
	}
	var b strings.Builder
	g := sides(r)
	g.text(&b)
	if got := strings.Split(strings.TrimSpace(b.String()), "\n"); !reflect.DeepEqual(got, want) {
		t.Errorf("sides:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Marks are looked for in cells of our own, not among the names.
func TestLegend(t *testing.T) {
	one := func(name string, v profile.Verdict) []section {
		w := view{head: "Function", table: tableOf(rowOf(name, 2, 1, 0, 0, v)), code: true}
		return []section{{grid: w.grid(printOptions{})}}
	}
	for _, c := range []struct {
		list []section
		want string
	}{
		{one("~", profile.Down), ""},
		{one("f", profile.Same), "~: within noise"},
		{one("f", profile.Few), "~: within noise; few: too few sampled events to judge"},
		{one("few", profile.Unknown), "?: not judged: a sum of rows, or a profile without a noise model"},
		{[]section{totals(&profile.Report{Metrics: []profile.MetricReport{{Total: profile.Row{Verdict: profile.Up, P: new(0.03)}}}}, printOptions{})}, "p: how often sides that are alike would differ so much"},
	} {
		if got := legend(c.list); got != c.want {
			t.Errorf("legend of %v = %q, want %q", c.list[0].grid.rows, got, c.want)
		}
	}
}

// The totals leave out the samples that CPU time is made of, and nothing else.
func TestTotalsShown(t *testing.T) {
	for _, c := range []struct {
		metrics []profile.Metric
		want    string
	}{
		{[]profile.Metric{profile.AllocSpace, profile.AllocObjects, profile.CPU, profile.CPUSamples}, "allocated bytes, allocated objects, CPU time"},
		{[]profile.Metric{profile.CPUSamples, profile.CPU}, "CPU time"},
		{[]profile.Metric{profile.CPUSamples}, "CPU samples"},
		{[]profile.Metric{{Type: "contentions", Unit: "count"}, {Type: "delay", Unit: "nanoseconds"}}, "contentions, delay"},
	} {
		r := &profile.Report{}
		for _, m := range c.metrics {
			r.Metrics = append(r.Metrics, profile.MetricReport{Metric: m, Total: rowOf("", 2, 1, 9, 9, profile.Down)})
		}
		var names []string
		for _, l := range totals(r, printOptions{}).grid.rows {
			names = append(names, l.cells[0])
		}
		if got := strings.Join(names, ", "); got != c.want {
			t.Errorf("totals of %v: got %s, want %s", c.metrics, got, c.want)
		}
	}
}

// A figure of a benchmark that is 0 on one side has neither come nor gone.
func TestStressChange(t *testing.T) {
	for _, c := range []struct {
		before, after float64
		p             *float64
		want          string
	}{
		{200, 190, nil, "-5.0%"},
		{0.14, 0, nil, "–"},
		{0, 0.14, new(0.01), "–"},
		{0, 0.14, new(0.4), "~"},
		{0, 0, nil, "0"},
	} {
		r := &profile.Report{Stress: []profile.Measure{{Name: "latency median", Unit: "ms", Before: c.before, After: c.after, P: c.p}}}
		if got := stress(r).grid.rows[0].cells[3]; got != c.want {
			t.Errorf("%v → %v: got %q, want %q", c.before, c.after, got, c.want)
		}
	}
}

func TestCutWords(t *testing.T) {
	for _, c := range []struct {
		table profile.Table
		want  string
	}{
		{profile.Table{Rows: make([]profile.Row, 2), Count: 2, Moved: 1}, ""},
		{profile.Table{Rows: make([]profile.Row, 2), Count: 1204, Moved: 0.29}, ", top 2 of 1,204 by size of change, 29% of all movement"},
		{profile.Table{Rows: make([]profile.Row, 2), Count: 3, Moved: 0.9999}, ", top 2 of 3 by size of change, 99% of all movement"},
	} {
		if got := cutWords(&c.table); got != c.want {
			t.Errorf("%d of %d rows, moved %v: %q, want %q", len(c.table.Rows), c.table.Count, c.table.Moved, got, c.want)
		}
	}
}

// What it would take to tell is of no use where it is known that nothing changed.
func TestNeedIsNotSaidOfIdenticalSides(t *testing.T) {
	for _, identical := range []bool{false, true} {
		r := server()
		r.Identical = identical
		if got := strings.Contains(text(t, r, printOptions{}), "--detect"); got == identical {
			t.Errorf("identical is %v: need said is %v", identical, got)
		}
	}
}
