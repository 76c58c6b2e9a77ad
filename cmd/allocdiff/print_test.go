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
