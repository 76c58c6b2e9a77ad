package profile

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

type valueOf struct {
	Value string
	Total int64
}

type rowOracle struct {
	Func                 string
	Value                int64
	Before, After, Delta int64
}

type topOracle struct{ Flat, Cum []rowOracle }

type fileOracle struct {
	Accept, MayAccept bool
	Must              string
	SampleTypes       []struct {
		Type, Unit string
		Total      int64
	}
	TopBy struct{ Type, Unit string }
	Top   topOracle
	Pools []valueOf
}

type pairOracle struct {
	Name, Before, After string
	Comparable          bool
	Types               []struct {
		Type, Unit           string
		Before, After, Delta int64
		Changed              topOracle
		Pools                []struct {
			Value                string
			Before, After, Delta int64
		}
	}
}

func readOracle(t *testing.T, dir string) (files map[string]fileOracle, pairs []pairOracle) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "oracle.json"))
	if err != nil {
		t.Fatal(err)
	}
	var o struct {
		Files map[string]fileOracle
		Pairs []pairOracle
	}
	if err := json.Unmarshal(data, &o); err != nil {
		t.Fatal(err)
	}
	return o.Files, o.Pairs
}

func corpusSide(t *testing.T, dir, name string) Source {
	t.Helper()
	s, err := (&Finder{}).Source(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Totals, the largest rows and the pools of each file are the oracle's.
func TestCorpusTops(t *testing.T) {
	dir := corpusFolder(t)
	files, _ := readOracle(t, dir)
	for name, want := range files {
		if !want.Accept || name == "legacy-alloc-equals-inuse-before.heap" {
			continue
		}
		s, err := Read(corpusSide(t, dir, name), &Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		c := s.Costs[0]
		for i, st := range want.SampleTypes {
			if got := c.totalOf(i).Value; got != st.Total {
				t.Errorf("%s: total of %s: got %d, want %d", name, st.Type, got, st.Total)
			}
		}
		got := gotSums(s, c)
		i := slices.Index(c.Metrics, Metric(want.TopBy))
		if i < 0 {
			continue // no samples, no top list
		}
		checkTop(t, name+": flat", got.flat, want.Top.Flat, i)
		checkTop(t, name+": cum", got.cum, want.Top.Cum, i)
		if want.Pools != nil {
			checkPools(t, name, s, want.Pools, i)
		}
	}
}

// checkTop compares the largest rows. The oracle has U+FFFD where a name is not
// UTF-8.
func checkTop(t *testing.T, what string, got map[string][]int64, want []rowOracle, i int) {
	t.Helper()
	for _, row := range want {
		if strings.ContainsRune(row.Func, '�') {
			row.Func = escaped(got, row.Func)
		}
		v := int64(0)
		if got[row.Func] != nil {
			v = got[row.Func][i]
		}
		if v != row.Value {
			t.Errorf("%s of %s: got %d, want %d", what, row.Func, v, row.Value)
		}
	}
}

// escaped finds the name that is escaped where pattern has U+FFFD.
func escaped(rows map[string][]int64, pattern string) string {
	head, _, _ := strings.Cut(pattern, "�")
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		if strings.HasPrefix(name, head+`\x`) {
			return name
		}
	}
	return pattern
}

// checkPools compares the pools of a file with thread labels. What the oracle
// leaves without a label may have a name by its root frames here.
func checkPools(t *testing.T, name string, s *Side, want []valueOf, i int) {
	t.Helper()
	got := poolSums(s)
	sum := int64(0)
	for _, p := range want {
		sum += p.Total
		if p.Value == "(no label)" || p.Total == 0 {
			continue
		}
		if strings.ContainsRune(p.Value, '�') {
			p.Value = escaped(got, p.Value)
		}
		if got[p.Value] == nil || got[p.Value][i] != p.Total {
			t.Errorf("%s: pool %s: got %d, want %d", name, p.Value, got[p.Value], p.Total)
		}
	}
	for _, v := range got {
		sum -= v[i]
	}
	if sum != 0 {
		t.Errorf("%s: pools differ from the oracle's by %d in all", name, sum)
	}
}

// The differences of pairs are the oracle's, for the total, the functions that
// changed most and the pools.
func TestCorpusPairs(t *testing.T) {
	dir := corpusFolder(t)
	_, pairs := readOracle(t, dir)
	for _, pair := range pairs {
		b, a, err := Sides(corpusSide(t, dir, pair.Before), corpusSide(t, dir, pair.After), &Options{})
		if err != nil {
			t.Errorf("%s: %v", pair.Name, err)
			continue
		}
		d, err := Compare(b, a)
		if (err == nil) != pair.Comparable {
			t.Errorf("%s: Compare gives error %v, want comparable %t", pair.Name, err, pair.Comparable)
		}
		if err != nil {
			continue
		}
		r := NewReport(d, ReportOptions{All: true})
		checkFinite(t, pair.Name, r)
		for _, want := range pair.Types {
			i := slices.IndexFunc(r.Metrics, func(m MetricReport) bool { return m.Metric == Metric{want.Type, want.Unit} })
			if i < 0 {
				t.Errorf("%s: no %s in the report", pair.Name, want.Type)
				continue
			}
			m := &r.Metrics[i]
			what := pair.Name + ": " + want.Type
			checkRow(t, what+" total", &m.Total, want.Before, want.After)
			checkChanged(t, what+" flat", &m.Flat, want.Changed.Flat)
			checkChanged(t, what+" cum", &m.Cum, want.Changed.Cum)
			for _, p := range want.Pools {
				if p.Value != "(no label)" {
					checkChanged(t, what+" pool", &m.Pools, []rowOracle{{Func: p.Value, Before: p.Before, After: p.After}})
				}
			}
		}
	}
}

func checkChanged(t *testing.T, what string, table *Table, want []rowOracle) {
	t.Helper()
	for _, w := range want {
		i := slices.IndexFunc(table.Rows, func(r Row) bool { return r.Name == w.Func })
		row := Row{Name: w.Func} // one that vanished may stand under its new name
		if i < 0 {
			i = slices.IndexFunc(table.Rows, func(r Row) bool { return r.Note == "was "+w.Func })
		}
		if i >= 0 {
			row = table.Rows[i]
		}
		if row.Note != "" && row.Name != w.Func {
			w.After = int64(row.After.Value)
		} else if strings.HasPrefix(row.Note, "was ") {
			w.Before = int64(row.Before.Value)
		}
		checkRow(t, what+" of "+w.Func, &row, w.Before, w.After)
	}
}

func checkRow(t *testing.T, what string, r *Row, before, after int64) {
	t.Helper()
	if r.Before.Value != float64(before) || r.After.Value != float64(after) || r.Delta != float64(after-before) {
		t.Errorf("%s: got %v, %v, delta %v, want %d, %d", what, r.Before.Value, r.After.Value, r.Delta, before, after)
	}
}

// refusals are words of the errors for the files that have to be refused.
var refusals = map[string]string{
	"cpp-heap-legacy.heap.expected.txt":  "text, not a profile",
	"go-heap-legacy.heap.expected.txt":   "text, not a profile",
	"java-heap-legacy.heap.expected.txt": "text, not a profile",
	"jfr-recording.jfr.gz":               "JFR recording, not a pprof profile; convert it with: jfrconv -o pprof",
	"elf-executable.bin":                 "ELF executable, not a profile",
	"git-lfs-pointer.pb.gz":              "Git LFS pointer",
	"html-login-page.pprof":              "HTML",
	"chrome-profile.cpuprofile":          "JSON, not a pprof",
	"collapsed-stacks.txt":               "folded (collapsed) stacks",
	"go-fuzz-corpus.txt":                 "text, not a profile",
	"zero-byte.pb.gz":                    "empty file",
	"ten-byte-gzip-header.pb.gz":         "file ends inside its gzip stream after 10 bytes",
	"truncated-gzip.pb.gz":               "file ends inside its gzip stream after",
	"two-profiles-in-one-file.pb.gz":     "2 profiles concatenated in one file",
	"legacy-fuzz-sample-zero.txt":        "second value must be non-zero",
	"location-id-zero.pb":                "location with reserved id 0",
	"fuzz-bytes-1.bin":                   "profile",
	"fuzz-bytes-2.bin":                   "profile",
	"fuzz-bytes-3.bin":                   "profile",
	"fuzz-bytes-4.bin":                   "profile",
}

// What is no profile, or a broken one, is refused by name; what may be read is
// read or refused, and never misread.
func TestCorpusRefusals(t *testing.T) {
	dir := corpusFolder(t)
	files, _ := readOracle(t, dir)
	for name, file := range files {
		if file.Accept {
			continue
		}
		_, err := Read(corpusSide(t, dir, name), &Options{})
		words, ok := refusals[name]
		switch {
		case file.MayAccept && err == nil:
		case err == nil:
			t.Errorf("%s: read, want a refusal: %s", name, file.Must)
		case !ok && !file.MayAccept:
			t.Errorf("%s: no words known for it; got %v, must: %s", name, err, file.Must)
		case !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), words):
			t.Errorf("%s: got %v, want its name and %q", name, err, words)
		}
	}
}
