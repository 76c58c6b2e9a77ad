package profile

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	pprof "github.com/google/pprof/profile"

	"github.com/allocdiff/allocdiff/profile/profiletest"
)

const randomSeeds = 60

// Flat and cum of every function are those of google/pprof's samples, and every
// way to cut up a profile adds up to its total, whatever the rows are.
func TestConservation(t *testing.T) {
	for seed := range uint64(randomSeeds) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := randomProfile(r, int(seed))
		data := profiletest.Encode(p)
		for _, by := range []string{"function", "package", "file", "line"} {
			what := fmt.Sprintf("seed %d by %s", seed, by)
			s := readSide(t, Options{By: by}, data)
			if len(s.Costs) != 1 {
				t.Fatalf("%s: got %d costs, want 1", what, len(s.Costs))
			}
			checkConserved(t, what, s.Costs[0])
			got, want := gotSums(s, s.Costs[0]), wantSums(p)
			if by == "function" {
				checkSums(t, what, got, want)
			} else if !slices.Equal(got.total, want.total) {
				t.Errorf("%s: total: got %d, want %d", what, got.total, want.total)
			}
			if !negative(p) {
				checkCumWithinTotal(t, what, got)
			}
		}
	}
}

func negative(p *pprof.Profile) bool {
	return slices.ContainsFunc(p.Sample, func(s *pprof.Sample) bool { return slices.Min(s.Value) < 0 })
}

func checkCumWithinTotal(t *testing.T, what string, s sums) {
	t.Helper()
	for name, values := range s.cum {
		for i, v := range values {
			if v > s.total[i] {
				t.Errorf("%s: cum of %q: got %d, want at most %d", what, name, v, s.total[i])
			}
		}
	}
}

// A function that calls itself, also inlined, counts once for each sample.
func TestCumCountsRecursionOnce(t *testing.T) {
	s := readSide(t, Options{}, texts(`samples/count
main.main;main.a;main.b;main.a;main.b;main.a 7
main.main;main.a > main.a > main.b 5
main.a 2
`)...)
	got := gotSums(s, s.Costs[0])
	want := sums{
		total: []int64{14},
		flat:  map[string][]int64{"main.a": {9}, "main.b": {5}},
		cum:   map[string][]int64{"main.main": {12}, "main.a": {14}, "main.b": {12}},
	}
	checkSums(t, "recursion", got, want)
}

// The rows of a report and its row of the others add up to the total, however
// many rows are kept.
func TestReportConserves(t *testing.T) {
	for seed := range uint64(2 * randomKinds) {
		before, after := randomPair(seed, int(seed))
		d := diffOf(t, sideOf("before", before), sideOf("after", after), Options{})
		for _, rows := range []int{0, 1, 3, 10, 1000} {
			r := NewReport(d, ReportOptions{Rows: rows, All: true})
			for _, m := range r.Metrics {
				what := fmt.Sprintf("seed %d, %d rows, %s", seed, rows, m.Metric)
				for name, table := range map[string]*Table{"pools": &m.Pools, "flat": &m.Flat, "owner": &m.Owner, "pool x function": &m.ByPool, "sizes": &m.Sizes} {
					if name == "sizes" && len(table.Rows) == 0 {
						continue // no object sizes in either file
					}
					checkTable(t, what+", "+name, table, &m.Total)
				}
				for _, row := range m.Cum.Rows {
					if m.Total.Verdict != Unknown && (row.Before.Value > m.Total.Before.Value || row.After.Value > m.Total.After.Value) {
						t.Errorf("%s: cum of %q: got %v and %v, want at most %v and %v", what, row.Name,
							row.Before.Value, row.After.Value, m.Total.Before.Value, m.Total.After.Value)
					}
				}
			}
		}
	}
}

func checkTable(t *testing.T, what string, table *Table, total *Row) {
	t.Helper()
	var sum Row
	for i := range table.Rows {
		sum.add(&table.Rows[i])
	}
	kept := len(table.Rows)
	if table.Other != nil {
		sum.add(table.Other)
	}
	if table.Other == nil && kept != table.Count || kept > table.Count {
		t.Errorf("%s: got %d rows and other %v, want all of %d", what, kept, table.Other, table.Count)
	}
	if sum.Before.Value != total.Before.Value || sum.After.Value != total.After.Value || sum.Delta != total.Delta {
		t.Errorf("%s: rows add up to %v, %v, delta %v, want %v, %v, %v", what,
			sum.Before.Value, sum.After.Value, sum.Delta, total.Before.Value, total.After.Value, total.Delta)
	}
	if !near(sum.Before.N, total.Before.N) || !near(sum.After.N, total.After.N) {
		t.Errorf("%s: events add up to %v and %v, want %v and %v", what, sum.Before.N, sum.After.N, total.Before.N, total.After.N)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

// randomPair makes two profiles of one make.
func randomPair(seed uint64, kind int) (before, after []byte) {
	r := rand.New(rand.NewPCG(seed, 2))
	return profiletest.Encode(randomProfile(r, kind)), profiletest.Encode(randomProfile(r, kind))
}

// The files of a side, the samples of a file and the labels of a sample may come
// in any order.
func TestOrderIndependence(t *testing.T) {
	for seed := range uint64(2 * randomKinds) {
		r := rand.New(rand.NewPCG(seed, 3))
		dir := t.TempDir()
		var names, shuffledNames []string
		for i := range 3 {
			p := randomProfile(r, int(seed))
			name := filepath.Join(dir, fmt.Sprintf("%d.pb", i))
			writeFile(t, name, profiletest.Encode(p))
			names = append(names, name)
			shuffle(r, p)
			name = filepath.Join(t.TempDir(), fmt.Sprintf("%d.pb", i))
			writeFile(t, name, profiletest.Encode(p))
			shuffledNames = append(shuffledNames, name)
		}
		slices.Reverse(shuffledNames)
		for i := range 2 {
			want, got := readFiles(t, names[i:]...), readFiles(t, shuffledNames[:len(names)-i]...)
			what := fmt.Sprintf("seed %d, %d files", seed, len(names)-i)
			checkSums(t, what, gotSums(got, got.Costs[0]), gotSums(want, want.Costs[0]))
			if diff := rowsDiffer(poolSums(got), poolSums(want)); diff != "" {
				t.Errorf("%s: pools: %s", what, diff)
			}
			if diff := rowsDiffer(threadsSeen(got), threadsSeen(want)); diff != "" {
				t.Errorf("%s: threads: %s", what, diff)
			}
		}
	}
}

func writeFile(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// readFiles reads files as the command does.
func readFiles(t *testing.T, names ...string) *Side {
	t.Helper()
	src, err := (&Finder{}).Source(names...)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Read(src, &Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func shuffle(r *rand.Rand, p *pprof.Profile) {
	r.Shuffle(len(p.Sample), func(i, j int) { p.Sample[i], p.Sample[j] = p.Sample[j], p.Sample[i] })
	for _, s := range p.Sample {
		for _, values := range s.Label {
			slices.Reverse(values)
		}
	}
}

// poolSums are the values of each pool, by name.
func poolSums(s *Side) map[string][]int64 {
	m := map[string][]int64{}
	pools := &s.Costs[0].pools
	for i, k := range pools.keys {
		addTo(m, s.pools.snapshot()[k.name].name, valuesOf(pools.at(i)))
	}
	dropZeros(m)
	return m
}

// threadsSeen are the numbers of threads of each pool, by name.
func threadsSeen(s *Side) map[string][]int64 {
	m := map[string][]int64{}
	for i, n := range s.Costs[0].threads {
		addTo(m, s.pools.snapshot()[i].name, []int64{int64(n)})
	}
	dropZeros(m)
	return m
}

// Label order within a sample is not google/pprof's to choose: the bytes are
// made by hand here.
func TestLabelOrder(t *testing.T) {
	tests := []struct{ labels, pool string }{
		{"pool=x;pool=y;tid:=1;thread_id:=2;thread=t-1", "x,y"},
		{"thread=t-1;thread=t-2", "t"},
		{"thread_name=u-1;thread=t-1;comm=c", "t"},
	}
	for _, tt := range tests {
		p, err := profiletest.Profile("samples/count\nmain.a [" + tt.labels + "] 4\n")
		if err != nil {
			t.Fatal(err)
		}
		var raw bytes.Buffer
		if err := p.WriteUncompressed(&raw); err != nil {
			t.Fatal(err)
		}
		once := raw.Bytes()
		s := readSide(t, Options{}, append(slices.Clone(once), reversedLabels(t, once)...))
		if got, want := tableText(poolSums(s)), tt.pool+" 8"; got != want {
			t.Errorf("labels %s: got pools %s, want %s", tt.labels, got, want)
		}
		if got, want := tableText(threadsSeen(s)), tt.pool+" 1"; got != want {
			t.Errorf("labels %s: got threads %s, want %s", tt.labels, got, want)
		}
	}
}

// reversedLabels is the first sample message of a profile, its labels reversed.
func reversedLabels(t *testing.T, profile []byte) []byte {
	t.Helper()
	for i := 0; i < len(profile); i += fieldSize(profile[i:]) {
		if profile[i] != 2<<3|2 { // profile.sample
			continue
		}
		sample := profile[i+2 : i+fieldSize(profile[i:])]
		var labels, rest []byte
		for j := 0; j < len(sample); j += fieldSize(sample[j:]) {
			field := sample[j : j+fieldSize(sample[j:])]
			if field[0] == 3<<3|2 { // sample.label
				labels = append(slices.Clone(field), labels...)
			} else {
				rest = append(rest, field...)
			}
		}
		rest = append(rest, labels...)
		return append([]byte{2<<3 | 2, byte(len(rest))}, rest...)
	}
	t.Fatal("no sample in the profile")
	return nil
}

// fieldSize is the size of the protobuf field that b starts with, whose number
// or length is below 128.
func fieldSize(b []byte) int {
	if b[0]&7 == 2 {
		return 2 + int(b[1])
	}
	return 2
}
