package profile

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"

	"github.com/allocdiff/allocdiff/profile/profiletest"
)

// sideOf is a side of files that are in memory, named by their position.
func sideOf(label string, files ...[]byte) Source {
	s := Source{Label: label}
	for i, data := range files {
		s.Inputs = append(s.Inputs, Input{
			Name: fmt.Sprintf("%s/%02d.pb.gz", label, i),
			open: func() (io.ReadSeekCloser, error) { return bytesReader(data), nil },
		})
	}
	return s
}

// texts encodes folded texts.
func texts(folded ...string) [][]byte {
	var files [][]byte
	for _, text := range folded {
		files = append(files, profiletest.Bytes(text))
	}
	return files
}

func diffOf(t testing.TB, before, after Source, o Options) *Diff {
	t.Helper()
	b, a, err := Sides(before, after, &o)
	if err != nil {
		t.Fatalf("Sides: %v", err)
	}
	d, err := Compare(b, a)
	if err != nil {
		t.Fatalf("Compare: %v", err)
	}
	return d
}

// reportOf compares two profiles, given as folded text, in full.
func reportOf(t testing.TB, before, after string, o Options) *Report {
	t.Helper()
	d := diffOf(t, sideOf("before", texts(before)...), sideOf("after", texts(after)...), o)
	return NewReport(d, ReportOptions{All: true})
}

func readSide(t testing.TB, o Options, files ...[]byte) *Side {
	t.Helper()
	s, err := Read(sideOf("side", files...), &o)
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	return s
}

// sums are the values of a profile added up by function name, one for each
// sample type.
type sums struct {
	total     []int64
	flat, cum map[string][]int64
}

func addTo(m map[string][]int64, key string, values []int64) {
	if m[key] == nil {
		m[key] = make([]int64, len(values))
	}
	for i, v := range values {
		m[key][i] += v
	}
}

// wantSums adds up a profile as google/pprof holds it, one sample at a time.
func wantSums(p *pprof.Profile) sums {
	s := sums{make([]int64, len(p.SampleType)), map[string][]int64{}, map[string][]int64{}}
	for _, x := range p.Sample {
		seen := map[string]bool{}
		leaf := noStackName
		for i, loc := range x.Location {
			for j, name := range namesOf(loc) {
				if i+j == 0 {
					leaf = name
				}
				seen[name] = true
			}
		}
		seen[leaf] = true
		addTo(s.flat, leaf, x.Value)
		for name := range seen {
			addTo(s.cum, name, x.Value)
		}
		for i, v := range x.Value {
			s.total[i] += v
		}
	}
	dropZeros(s.flat)
	dropZeros(s.cum)
	return s
}

// namesOf are the names of a location's frames, the innermost first.
func namesOf(loc *pprof.Location) []string {
	if len(loc.Line) == 0 {
		name := fmt.Sprintf("0x%x", loc.Address)
		if loc.Mapping != nil && loc.Mapping.File != "" {
			name = path.Base(loc.Mapping.File) + "+" + name
		}
		return []string{clean(name)}
	}
	var names []string
	for _, line := range loc.Line {
		name := "(no name)"
		if f := line.Function; f != nil && f.Name != "" {
			name = f.Name
		} else if f != nil && f.SystemName != "" {
			name = f.SystemName
		}
		names = append(names, clean(name))
	}
	return names
}

func dropZeros(m map[string][]int64) {
	maps.DeleteFunc(m, func(_ string, v []int64) bool { return !slices.ContainsFunc(v, func(x int64) bool { return x != 0 }) })
}

// gotSums reads the same from our costs.
func gotSums(s *Side, c *Costs) sums {
	names := s.names.snapshot()
	list := func(v *view) map[string][]int64 {
		m := map[string][]int64{}
		for i, k := range v.keys {
			addTo(m, names[k.name].text, valuesOf(v.at(i)))
		}
		dropZeros(m)
		return m
	}
	return sums{valuesOf(c.total.at(0)), list(&c.flat), list(&c.cum)}
}

func valuesOf(es []Estimate) []int64 {
	values := make([]int64, len(es))
	for i := range es {
		values[i] = es[i].Value
	}
	return values
}

// checkSums compares every row of both.
func checkSums(t *testing.T, what string, got, want sums) {
	t.Helper()
	if !slices.Equal(got.total, want.total) {
		t.Errorf("%s: total: got %d, want %d", what, got.total, want.total)
	}
	for view, m := range map[string][2]map[string][]int64{"flat": {got.flat, want.flat}, "cum": {got.cum, want.cum}} {
		if diff := rowsDiffer(m[0], m[1]); diff != "" {
			t.Errorf("%s: %s: %s", what, view, diff)
		}
	}
}

// rowsDiffer says in which rows two tables differ, "" for none.
func rowsDiffer(got, want map[string][]int64) string {
	var lines []string
	all := maps.Clone(got)
	maps.Copy(all, want)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !slices.Equal(got[name], want[name]) {
			lines = append(lines, fmt.Sprintf("%q: got %d, want %d", name, got[name], want[name]))
		}
	}
	if n := len(lines); n > 5 {
		lines = append(lines[:5], fmt.Sprintf("and %d more rows", n-5))
	}
	return strings.Join(lines, "; ")
}

// checkConserved checks that every way of cutting up the costs adds up to the
// total.
func checkConserved(t *testing.T, what string, c *Costs) {
	t.Helper()
	tables := map[string][][]Estimate{}
	for name, v := range map[string]*view{"pools": &c.pools, "sizes": &c.sizes, "flat": &c.flat, "owner": &c.owner, "pool x function": &c.byPool} {
		for i := range v.keys {
			tables[name] = append(tables[name], v.at(i))
		}
	}
	want := valuesOf(c.total.at(0))
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		got := make([]int64, len(want))
		for _, es := range tables[name] {
			for i, v := range valuesOf(es) {
				got[i] += v
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %s add up to %d, want %d", what, name, got, want)
		}
	}
}

// tableText is "name value, name value", in the order of the names.
func tableText(m map[string][]int64) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, name+" "+strings.Trim(fmt.Sprint(m[name]), "[]"))
	}
	return strings.Join(parts, ", ")
}

// generated reads a generated profile.
func generated(t testing.TB, c profiletest.Config) (*Side, profiletest.Truth) {
	t.Helper()
	var b bytes.Buffer
	truth, err := profiletest.Generate(c, &b)
	if err != nil {
		t.Fatal(err)
	}
	return readSide(t, Options{}, b.Bytes()), truth
}
