package main

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/allocdiff/allocdiff/profile"
)

var updatePrint = flag.Bool("update-print", false, "rewrite the files of testdata/print")

// printers are all formats with the name of the golden file of server().
var printers = map[string]func(io.Writer, *profile.Report) error{
	"server.txt": func(w io.Writer, r *profile.Report) error { return printText(w, r, printOptions{}) },
	"server-confidence.txt": func(w io.Writer, r *profile.Report) error {
		return printText(w, r, printOptions{rows: 2, confidence: true})
	},
	"server.md": func(w io.Writer, r *profile.Report) error {
		return printMarkdown(w, r, printOptions{images: []string{"report.png", "report-dark.png"}})
	},
	"server.json": printJSON,
	"server.csv":  printCSV,
}

func printed(t *testing.T, print func(io.Writer, *profile.Report) error, r *profile.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := print(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func text(t *testing.T, r *profile.Report, o printOptions) string {
	t.Helper()
	return printed(t, func(w io.Writer, r *profile.Report) error { return printText(w, r, o) }, r)
}

func TestPrintGolden(t *testing.T) {
	for name, print := range printers {
		got := printed(t, print, server())
		file := filepath.Join("testdata", "print", name)
		if *updatePrint {
			if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s differs; run with -update-print and look at the change. Got:\n%s", file, firstDifference(got, string(want)))
		}
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "line " + profile.Count(float64(i+1)) + ":\n" + g[i] + "\nwant:\n" + w[i]
		}
	}
	return "another number of lines"
}

// The printers must neither change the report nor depend on what ran before.
func TestPrintTwice(t *testing.T) {
	for name, print := range printers {
		r := server()
		first, second := printed(t, print, r), printed(t, print, r)
		if first != second {
			t.Errorf("%s: two runs differ: %s", name, firstDifference(second, first))
		}
		if !reflect.DeepEqual(r, server()) {
			t.Errorf("%s changed its report", name)
		}
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestPrintWriteError(t *testing.T) {
	for name, print := range printers {
		if err := print(brokenWriter{}, server()); err == nil {
			t.Errorf("%s: no error from a writer that failed", name)
		}
	}
}

// A report with nothing but what must be there.
func TestPrintEmpty(t *testing.T) {
	r := &profile.Report{Schema: 1, Metrics: []profile.MetricReport{{Metric: profile.AllocSpace, Focus: "owner"}}}
	got := text(t, r, printOptions{})
	for _, heading := range []string{"Thread pools", "Functions", "Object sizes", "Throughput", "Gates", "NaN"} {
		if strings.Contains(got, heading) {
			t.Errorf("text of an empty report has %q:\n%s", heading, got)
		}
	}
	for name, print := range printers {
		if got := printed(t, print, r); strings.Contains(got, "null") {
			t.Errorf("%s of an empty report has null:\n%s", name, got)
		}
	}
}

func TestWarningsComeFirst(t *testing.T) {
	r := server()
	r.Warnings = []string{"periods differ", "line one\nline two"}
	got := text(t, r, printOptions{})
	first := strings.Index(got, "warning: periods differ\n")
	if first < 0 || first > strings.Index(got, "Totals") {
		t.Errorf("warning at %d, totals at %d of:\n%s", first, strings.Index(got, "Totals"), got)
	}
	if !strings.Contains(got, `warning: line one\nline two`+"\n") {
		t.Errorf("a warning of two lines is not one line:\n%s", got)
	}
}

func TestTextColumnsAlign(t *testing.T) {
	r := server()
	r.Metrics[0].Pools.Rows[1].Name = "línea-ü-日"
	got := text(t, r, printOptions{})
	lines := strings.Split(got, "\n")
	column := -1
	for i, l := range lines {
		if !strings.HasPrefix(l, "Thread pools: allocated bytes") {
			continue
		}
		for _, row := range lines[i+2 : i+6] {
			// The last digit of the first amount, counted in characters.
			at := len([]rune(row[:strings.Index(row, " GiB")]))
			if column >= 0 && at != column {
				t.Errorf("amount ends in column %d, want %d: %q", at, column, row)
			}
			column = at
		}
	}
	if column < 0 {
		t.Fatalf("no pool table in:\n%s", got)
	}
	for _, l := range lines {
		if strings.TrimRight(l, " ") != l {
			t.Errorf("space at the end of %q", l)
		}
	}
}

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
		{"cut tables", "Functions (cum): CPU time, top 5 of 6 by size of change, 96% of all movement", true, func(*profile.Report) {}},
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
	r.After.Inputs[0].Period = 0
	want := []string{
		"before  trunk        2 heap + 2 CPU profiles, summed  1 per 512 KiB, 100 Hz  412,028 samples",
		`after   evil\x1b[2J  1 heap profile                                           96,975 samples  1,000,000 ops`,
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
	} {
		if got := legend(c.list); got != c.want {
			t.Errorf("legend of %v = %q, want %q", c.list[0].grid.rows, got, c.want)
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
		if got := strings.Contains(text(t, r, printOptions{}), "telling takes"); got == identical {
			t.Errorf("identical is %v: need said is %v", identical, got)
		}
	}
}
