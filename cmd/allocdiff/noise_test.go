package main

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/allocdiff/allocdiff/profile"
	"github.com/allocdiff/allocdiff/profile/profiletest"
)

// noiseReport is a report of four heap profiles with three functions, one of
// which was hardly sampled, and of one CPU profile.
func noiseReport(t *testing.T) *profile.NoiseReport {
	t.Helper()
	var files []string
	for _, counts := range [][2]int64{{700, 300}, {705, 296}, {698, 304}, {702, 305}} {
		files = append(files, writeProfile(t, profiletest.Encode(profiletest.Heap(512<<10,
			profiletest.HeapRow{Stack: "pool.reads;store.read", Size: 64, Allocs: counts[0], Frees: counts[0]},
			profiletest.HeapRow{Stack: "pool.writes;store.write", Size: 64, Allocs: counts[1], Frees: counts[1]},
			profiletest.HeapRow{Stack: "main.main;main.(*T).rare", Size: 4096, Allocs: counts[0] % 2, Frees: counts[0] % 2},
		))))
	}
	files = append(files, profiletest.File(t, "# period cpu/nanoseconds 10000000\nsamples/count cpu/nanoseconds\npool.reads;store.read 40 400000000\n"))
	var f profile.Finder
	source, err := f.Source(files...)
	if err != nil {
		t.Fatal(err)
	}
	side, err := profile.Read(source, &profile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := profile.NewNoiseReport(side, profile.ReportOptions{Title: "Noise floor: test"})
	if err != nil {
		t.Fatal(err)
	}
	if r.Split, err = profile.CheckSplit(source, side); err != nil {
		t.Fatal(err)
	}
	return r
}

func writeProfile(t *testing.T, data []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "heap.pb.gz")
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func noiseText(t *testing.T, r *profile.NoiseReport, rows int) string {
	t.Helper()
	var b bytes.Buffer
	if err := printNoiseText(&b, r, rows); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The tables line up: in each one every heading ends or begins where its column
// does, and no line ends in a space.
func TestNoiseText(t *testing.T) {
	got := noiseText(t, noiseReport(t), 2)
	for _, want := range []string{
		"Noise floor: test\nTwo sides of 4 runs like these would show",
		"\nMetric           Runs      Value  Events/run  Sampling  Scatter  Seen down  Seen up  To see -9%  To see -2%\n",
		"\nAgainst one more run like it, this one would show a change in CPU time",
		"\nFunctions (owner): allocated bytes, the 2 largest of 3\n",
		"\nA/A check\nOdd against even runs (2 and 2 profiles): none of ",
		"\nSampling: coefficient of variation of a run by sampling alone;",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if all := noiseText(t, noiseReport(t), 0); !strings.Contains(all, "\nmain.(*T).rare ") || !strings.Contains(all, "  few: +") || !strings.Contains(all, "; few: too few events to be judged\n") {
		t.Errorf("all rows: the one that was hardly sampled is missing, or not marked, in\n%s", all)
	}
	for l := range strings.SplitSeq(got, "\n") {
		if strings.TrimRight(l, " ") != l {
			t.Errorf("line %q ends in a space", l)
		}
	}
}

func TestNoiseTextIsPrintable(t *testing.T) {
	r := noiseReport(t)
	r.Title += "\x1b[31m\u202e"
	r.Metrics[0].Pools.Rows[0].Name = "a\nb\x1b]0;x\a"
	r.Metrics[0].Functions.Rows[0].Name = "f\u202eg"
	r.Warnings = []string{"doubt\x00"}
	r.Split.Flagged = []profile.SplitRow{{Metric: profile.Metric{Type: "x\x1b", Unit: "bytes"}, Table: "pools", Name: "n\tm"}}
	for _, c := range noiseText(t, r, 0) {
		if c != '\n' && printable(string(c)) != string(c) {
			t.Errorf("the text holds %q", c)
		}
	}
}

// The JSON reads back as the same report, but for the rounding.
func TestNoiseJSON(t *testing.T) {
	r := noiseReport(t)
	var first, second bytes.Buffer
	if err := printNoiseJSON(&first, r); err != nil {
		t.Fatal(err)
	}
	var back profile.NoiseReport
	d := json.NewDecoder(bytes.NewReader(first.Bytes()))
	d.DisallowUnknownFields()
	if err := d.Decode(&back); err != nil {
		t.Fatal(err)
	}
	if err := printNoiseJSON(&second, &back); err != nil {
		t.Fatal(err)
	}
	if first.String() != second.String() {
		t.Errorf("read back and printed again: %s", firstDifference(second.String(), first.String()))
	}
	if strings.Contains(first.String(), "null") {
		t.Errorf("a list or number is null in\n%s", first.String())
	}
	*r.Metrics[0].Total.Down = math.NaN()
	var b bytes.Buffer
	if err := printNoiseJSON(&b, r); err == nil || !strings.Contains(err.Error(), "metrics[0].total.down ") || b.Len() > 0 {
		t.Errorf("NaN: got error %v and %d bytes, want one that names the field and none", err, b.Len())
	}
}

// Each type of the report has its block in noise-schema.txt, with its fields in
// order; SideInfo and what it holds are in schema.txt.
func TestNoiseSchemaText(t *testing.T) {
	blocks := map[string][]string{}
	for block := range strings.SplitSeq(noiseSchemaText, "\n\n") {
		if head, fields, ok := strings.Cut(block, "\n  "); ok {
			blocks[head] = strings.Split(strings.TrimSpace(fields), "\n  ")
		}
	}
	for _, typ := range []reflect.Type{
		reflect.TypeFor[profile.NoiseReport](), reflect.TypeFor[profile.NoiseMetric](), reflect.TypeFor[profile.NoiseTable](),
		reflect.TypeFor[profile.NoiseRow](), reflect.TypeFor[profile.NoiseReach](), reflect.TypeFor[profile.SplitCheck](), reflect.TypeFor[profile.SplitRow](),
	} {
		var want, got []string
		for field := range typ.Fields() {
			tag, option, _ := strings.Cut(field.Tag.Get("json"), ",")
			if strings.HasPrefix(option, "omit") {
				tag += "?"
			}
			want = append(want, tag+" "+jsonType(field.Type))
		}
		for _, l := range blocks[typ.Name()] {
			words := strings.Fields(l)
			if len(words) < 3 {
				t.Errorf("%s: line %q has no meaning", typ.Name(), l)
				continue
			}
			got = append(got, words[0]+" "+words[1])
		}
		if !slices.Equal(got, want) {
			t.Errorf("noise-schema.txt says %s is\n  %s\nbut it is\n  %s", typ.Name(), strings.Join(got, "\n  "), strings.Join(want, "\n  "))
		}
	}
}

// The same runs give the same bytes in every format.
func TestNoiseTwice(t *testing.T) {
	r := noiseReport(t)
	c := &config{rows: 15}
	for _, format := range []string{".txt", ".json", ".png", ".svg"} {
		var first, second bytes.Buffer
		for _, w := range []io.Writer{&first, &second} {
			if err := c.printNoise(w, r, format); err != nil {
				t.Fatalf("%s: %v", format, err)
			}
		}
		if first.Len() == 0 || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%s: got %d and %d bytes, which differ or are none", format, first.Len(), second.Len())
		}
	}
}
