package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"

	"github.com/allocdiff/allocdiff/profile/profiletest"
)

// deltas are after - before by table ("flat", "cum") and function, of one sample
// type. What did not change is not in them.
type deltas map[string]map[string]int64

func newDeltas() deltas { return deltas{"flat": {}, "cum": {}} }

func (d deltas) add(table, name string, v int64) {
	if d[table][name] += v; d[table][name] == 0 {
		delete(d[table], name)
	}
}

// ourDeltas reads the tables flat and cum of a CSV report, by sample type. A row
// of a function that was renamed counts for both names.
func ourDeltas(in io.Reader) (map[string]deltas, error) {
	r := csv.NewReader(in)
	r.ReuseRecord = true
	head, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("first line: %w", err)
	}
	column := map[string]int{}
	for i, name := range head {
		column[name] = i
	}
	all := map[string]deltas{}
	for {
		line, err := r.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		cell := func(name string) string { return line[column[name]] }
		table := cell("table")
		if table != "flat" && table != "cum" {
			continue
		}
		var v [3]int64
		for i, name := range []string{"before", "after", "delta"} {
			if v[i], err = strconv.ParseInt(cell(name), 10, 64); err != nil {
				return nil, fmt.Errorf("%s of %s: %w", name, cell("name"), err)
			}
		}
		if v[2] != v[1]-v[0] {
			return nil, fmt.Errorf("%s: delta %d is not %d - %d", cell("name"), v[2], v[1], v[0])
		}
		metric := strings.Clone(cell("metric"))
		if all[metric] == nil {
			all[metric] = newDeltas()
		}
		name := strings.Clone(cell("name"))
		was, renamed := strings.CutPrefix(strings.Clone(cell("note")), "was ")
		if !renamed {
			was = name
		}
		all[metric].add(table, name, v[1])
		all[metric].add(table, was, -v[0])
	}
}

// peerDeltas reads what pprof -topproto writes: a profile with a sample for each
// function, whose values are cum and flat.
func peerDeltas(data []byte) (deltas, error) {
	p, err := pprof.ParseData(data)
	if err != nil {
		return nil, err
	}
	d := newDeltas()
	for _, s := range p.Sample {
		name := s.Location[0].Line[0].Function.Name
		d.add("cum", name, s.Value[0])
		d.add("flat", name, s.Value[1])
	}
	return d, nil
}

// libraryDeltas adds up the samples of both sides as google/pprof reads them, by
// sample type. All frames have to have names.
func libraryDeltas(before, after *pprof.Profile) map[string]deltas {
	all := map[string]deltas{}
	for _, st := range after.SampleType {
		all[st.Type] = newDeltas()
	}
	for sign, p := range map[int64]*pprof.Profile{-1: before, 1: after} {
		for _, s := range p.Sample {
			var stack []string // leaf first
			for _, loc := range s.Location {
				for _, line := range loc.Line {
					stack = append(stack, line.Function.Name)
				}
			}
			leaf := stack[0]
			slices.Sort(stack)
			stack = slices.Compact(stack)
			for i, st := range p.SampleType {
				if s.Value[i] == 0 {
					continue
				}
				all[st.Type].add("flat", leaf, sign*s.Value[i])
				for _, name := range stack {
					all[st.Type].add("cum", name, sign*s.Value[i])
				}
			}
		}
	}
	return all
}

// differ says which rows are not the same, "" for none, and how many there are.
func differ(got, want deltas) (diff string, rows int) {
	var lines []string
	for _, table := range []string{"flat", "cum"} {
		names := maps.Clone(got[table])
		maps.Copy(names, want[table])
		rows += len(names)
		for _, name := range slices.Sorted(maps.Keys(names)) {
			if g, w := got[table][name], want[table][name]; g != w {
				lines = append(lines, fmt.Sprintf("%s of %s: got %d, want %d", table, name, g, w))
			}
		}
	}
	if n := len(lines); n > 5 {
		lines = append(lines[:5], fmt.Sprintf("and %d more rows", n-5))
	}
	return strings.Join(lines, "\n"), rows
}

// checkPair compares every row of two profiles with google/pprof's samples.
func checkPair(t *testing.T, before, after string) {
	t.Helper()
	var p [2]*pprof.Profile
	for i, name := range []string{before, after} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if p[i], err = pprof.ParseData(data); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	var stdout, stderr bytes.Buffer
	if status := run(nil, &stdout, &stderr, []string{"-f", "csv", "--per", "total", before, after}); status != exitDone {
		t.Fatalf("%s, %s: got status %d: %s", before, after, status, &stderr)
	}
	got, err := ourDeltas(&stdout)
	if err != nil {
		t.Fatalf("%s, %s: %v", before, after, err)
	}
	for metric, want := range libraryDeltas(p[0], p[1]) {
		diff, rows := differ(got[metric], want)
		if diff != "" {
			t.Errorf("%s, %s, %s:\n%s", before, after, metric, diff)
		}
		if rows == 0 {
			t.Errorf("%s, %s, %s: no rows", before, after, metric)
		}
	}
}

// Every row of flat and cum that the command writes is google/pprof's.
func TestRowsArePprofs(t *testing.T) {
	dir := t.TempDir()
	small := tiers[0]
	for _, layout := range []profiletest.Layout{profiletest.Runtime, profiletest.Written} {
		before, after := small.pair(t, dir, layout)
		checkPair(t, before, after)
	}
	recorded, err := filepath.Glob("../../examples/*/before/*-1.pb.gz")
	if err != nil || len(recorded) == 0 {
		t.Fatalf("got %d recorded profiles and error %v, want some", len(recorded), err)
	}
	for _, before := range recorded {
		side, name := filepath.Split(before)
		checkPair(t, before, filepath.Join(side, "..", "after", name))
	}
}

// A row that differs is seen, and both names of a renamed function are.
func TestDiffer(t *testing.T) {
	const head = "metric,table,name,note,before,after,delta\n"
	for _, c := range []struct{ lines, want string }{
		{"m,flat,f,,1,3,2\nm,cum,f,,1,3,2\n", ""},
		{"m,flat,f,,1,3,2\nm,cum,f,,1,4,3\n", "cum of f: got 3, want 2"},
		{"m,flat,f,,1,3,2\nm,cum,f,,1,3,2\nm,cum,g,,5,5,0\n", ""},
		{"m,flat,f,,1,3,2\n", "cum of f: got 0, want 2"},
		{"m,flat,f,was g,1,3,2\nm,cum,f,,1,3,2\n", "flat of f: got 3, want 2\nflat of g: got -1, want 0"},
	} {
		got, err := ourDeltas(strings.NewReader(head + c.lines))
		if err != nil {
			t.Fatalf("%q: %v", c.lines, err)
		}
		if diff, _ := differ(got["m"], deltas{"flat": {"f": 2}, "cum": {"f": 2}}); diff != c.want {
			t.Errorf("%q: got %q, want %q", c.lines, diff, c.want)
		}
	}
	if _, err := ourDeltas(strings.NewReader(head + "m,cum,f,,1,3,3\n")); err == nil {
		t.Error("a delta that is not after - before: got no error")
	}
}
