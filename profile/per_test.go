package profile

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/allocdiff/allocdiff/profile/profiletest"
)

// cpuText is a CPU profile of n samples, with lines of its header.
func cpuText(n int, header ...string) string {
	return strings.Join(header, "\n") + fmt.Sprintf(`
# period cpu/nanoseconds 10000000
samples/count cpu/nanoseconds
runtime.main;main.main;main.read %d %d0000000
runtime.main;main.main;main.write 100 1000000000
`, n, n)
}

func opsComment(n int) string { return fmt.Sprintf("# comment allocdiff.ops=%d", n) }

func TestPer(t *testing.T) {
	tests := []struct {
		name          string
		before, after []string
		o             Options
		per           Per
		b, a          float64 // nanoseconds of main.read, divided
		ops           [2]float64
	}{
		{"per run", []string{cpuText(400)}, []string{cpuText(500)}, Options{}, PerRun, 4e9, 5e9, [2]float64{}},
		{
			"mean of replicates",
			[]string{cpuText(400), cpuText(420), cpuText(440)},
			[]string{cpuText(500), cpuText(600)},
			Options{},
			PerRun, 4.2e9, 5.5e9,
			[2]float64{},
		},
		{
			"operations from comments",
			[]string{cpuText(400, opsComment(100))},
			[]string{cpuText(500, opsComment(250))},
			Options{},
			PerOp, 4e7, 2e7,
			[2]float64{100, 250},
		},
		{
			"operations differ between runs",
			[]string{cpuText(400, opsComment(100)), cpuText(200, opsComment(50))},
			[]string{cpuText(500, opsComment(250))},
			Options{},
			PerOp, 4e7, 2e7,
			[2]float64{150, 250},
		},
		{
			"operations given",
			[]string{cpuText(400), cpuText(400)},
			[]string{cpuText(500)},
			Options{OpsBefore: 100, OpsAfter: 200},
			PerOp, 4e7, 2.5e7,
			[2]float64{200, 200},
		},
		{
			"operations given win over comments",
			[]string{cpuText(400, opsComment(7))},
			[]string{cpuText(500, opsComment(7))},
			Options{OpsBefore: 100, OpsAfter: 200},
			PerOp, 4e7, 2.5e7,
			[2]float64{100, 200},
		},
		{
			"totals in spite of operations",
			[]string{cpuText(400, opsComment(100))},
			[]string{cpuText(500, opsComment(250))},
			Options{Per: PerRun},
			PerRun, 4e9, 5e9,
			[2]float64{},
		},
		{"per second", []string{cpuText(400, "# duration 2s")}, []string{cpuText(500, "# duration 10s")}, Options{Per: PerSecond}, PerSecond, 2e9, 5e8, [2]float64{}},
		{
			"merged",
			[]string{cpuText(400), cpuText(420)},
			[]string{cpuText(500), cpuText(500), cpuText(1)},
			Options{Merge: true},
			PerRun, 8.2e9, 10.01e9,
			[2]float64{},
		},
		{
			"merged, per operation",
			[]string{cpuText(400, opsComment(100)), cpuText(500, opsComment(200))},
			[]string{cpuText(500, opsComment(250))},
			Options{Merge: true},
			PerOp, 3e7, 2e7,
			[2]float64{300, 250},
		},
	}
	for _, tt := range tests {
		d := diffOf(t, sideOf("b", texts(tt.before...)...), sideOf("a", texts(tt.after...)...), tt.o)
		r := NewReport(d, ReportOptions{All: true})
		if got := [2]float64{r.Before.Ops, r.After.Ops}; got != tt.ops {
			t.Errorf("%s: got operations %v, want %v", tt.name, got, tt.ops)
		}
		m := &r.Metrics[0]
		if m.Metric != CPU || m.Per != tt.per {
			t.Fatalf("%s: got main metric %s per %s, want %s per %s", tt.name, m.Metric, m.Per, CPU, tt.per)
		}
		for _, row := range m.Flat.Rows {
			if row.Name == "main.read" && !(near(row.Before.Value, tt.b) && near(row.After.Value, tt.a) && near(row.Delta, tt.a-tt.b)) {
				t.Errorf("%s: got %v, %v, delta %v, want %v, %v", tt.name, row.Before.Value, row.After.Value, row.Delta, tt.b, tt.a)
			}
		}
		checkTable(t, tt.name, &Table{Rows: m.Flat.Rows, Count: m.Flat.Count}, addedUp(m.Flat.Rows))
	}
}

// addedUp is the sum of rows.
func addedUp(rows []Row) *Row {
	var sum Row
	for i := range rows {
		sum.add(&rows[i])
	}
	return &sum
}

func TestPerErrors(t *testing.T) {
	tests := []struct {
		name          string
		before, after []string
		o             Options
		want          string
	}{
		{"operations unknown", []string{cpuText(1)}, []string{cpuText(1, opsComment(5))}, Options{Per: PerOp}, "the number of operations is not known on both sides; give it with --ops"},
		{
			"of one run unknown",
			[]string{cpuText(1, opsComment(5)), cpuText(2)},
			[]string{cpuText(1, opsComment(5))},
			Options{},
			"b/01.pb.gz: tells no number of operations",
		},
		{"no duration", []string{cpuText(1)}, []string{cpuText(1, "# duration 1s")}, Options{Per: PerSecond}, "b/00.pb.gz: has no duration"},
		{
			"two makes",
			[]string{cpuText(1), "# period cpu/nanoseconds 7\ncpu/nanoseconds\nmain.a 7\n"},
			[]string{cpuText(1)},
			Options{},
			"b/01.pb.gz: its sample types (cpu/nanoseconds) are not those of the side's other cpu profiles (samples/count, cpu/nanoseconds)",
		},
		{"no file", nil, []string{cpuText(1)}, Options{}, "no profile named"},
	}
	for _, tt := range tests {
		_, _, err := Sides(sideOf("b", texts(tt.before...)...), sideOf("a", texts(tt.after...)...), &tt.o)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got error %v, want %q", tt.name, err, tt.want)
		}
	}
	b, a, err := Sides(sideOf("b", texts(cpuText(1))...), sideOf("a", texts("alloc_space/bytes\nmain.a 1\n")...), &Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Compare(b, a); err == nil || !strings.Contains(err.Error(), "nothing to compare: b has samples/count, cpu/nanoseconds, a has alloc_space/bytes") {
		t.Errorf("nothing in common: got error %v", err)
	}
}

// Replicates bring their scatter; runs of one value have none, and a merged
// fleet is one run.
func TestReplicates(t *testing.T) {
	runs := func(values ...int) [][]byte {
		var list []string
		for _, n := range values {
			list = append(list, cpuText(n))
		}
		return texts(list...)
	}
	wide := NewReport(diffOf(t, sideOf("b", runs(300, 500, 700)...), sideOf("a", runs(400, 600, 800)...), Options{}), ReportOptions{All: true})
	tight := NewReport(diffOf(t, sideOf("b", runs(499, 500, 501)...), sideOf("a", runs(599, 600, 601)...), Options{}), ReportOptions{All: true})
	for name, r := range map[string]*Report{"wide": wide, "tight": tight} {
		checkFinite(t, name, r)
		if !r.Replicated(r.Metrics[0].Kind) {
			t.Errorf("%s: not replicated", name)
		}
	}
	if w, g := &wide.Metrics[0].Total, &tight.Metrics[0].Total; w.Verdict.Real() || !g.Verdict.Real() || *w.P < *g.P {
		t.Errorf("got %s (p %v) for runs that scatter and %s (p %v) for those that do not", w.Verdict, *w.P, g.Verdict, *g.P)
	}
	if wide.Tau < 0.1 || tight.Tau > 0.05 {
		t.Errorf("got run noise %v of runs that scatter and %v of those that do not", wide.Tau, tight.Tau)
	}
	merged := NewReport(diffOf(t, sideOf("b", runs(300, 500)...), sideOf("a", runs(400, 600)...), Options{Merge: true}), ReportOptions{})
	if merged.Replicated(merged.Metrics[0].Kind) || merged.Before.Merged != 2 {
		t.Errorf("merged: got replicated %t, %d files, want one run of 2 files", merged.Replicated(merged.Metrics[0].Kind), merged.Before.Merged)
	}
}

// What is live at the end of a run is not divided by its operations.
func TestLiveIsNotPerOperation(t *testing.T) {
	data := profiletest.Encode(profiletest.Heap(1, profiletest.HeapRow{Stack: "main.a", Size: 100, Allocs: 1000, Frees: 400}))
	r := NewReport(diffOf(t, sideOf("b", data, data), sideOf("a", data), Options{OpsBefore: 10, OpsAfter: 20}), ReportOptions{All: true})
	want := map[Metric][2]float64{AllocSpace: {10000, 5000}, AllocObjects: {100, 50}, InuseSpace: {60000, 60000}, InuseObjects: {600, 600}}
	for i := range r.Metrics {
		m := &r.Metrics[i]
		per := PerOp
		if m.Metric == InuseSpace || m.Metric == InuseObjects {
			per = PerRun
		}
		if got := [2]float64{m.Total.Before.Value, m.Total.After.Value}; got != want[m.Metric] || m.Per != per {
			t.Errorf("%s: got %v per %s, want %v per %s", m.Metric, got, m.Per, want[m.Metric], per)
		}
	}
}

// A function that one run lacks counts as nothing there.
func TestAbsentInOneRun(t *testing.T) {
	run := func(lines string) string {
		return "# period cpu/nanoseconds 10\ncpu/nanoseconds\nmain.a 1000\n" + lines
	}
	d := diffOf(t, sideOf("b", texts(run("main.b 600\n"), run(""), run("main.b 300\n"))...), sideOf("a", texts(run(""), run("main.c 30\n"))...), Options{})
	want := map[string][2]float64{"main.a": {1000, 1000}, "main.b": {300, 0}, "main.c": {0, 15}}
	for _, row := range NewReport(d, ReportOptions{All: true}).Metrics[0].Flat.Rows {
		if got := [2]float64{row.Before.Value, row.After.Value}; got != want[row.Name] {
			t.Errorf("%s: got %v, want %v", row.Name, got, want[row.Name])
		}
	}
}

// Percent and share of a report are those of its values, also per operation.
func TestPercentAndShare(t *testing.T) {
	data := func(reads int64) []byte {
		return profiletest.Encode(profiletest.Heap(1,
			profiletest.HeapRow{Stack: "main.main;main.read", Size: 100, Allocs: reads},
			profiletest.HeapRow{Stack: "main.main;main.write", Size: 300, Allocs: 1000}))
	}
	r := NewReport(diffOf(t, sideOf("b", data(1000)), sideOf("a", data(2000)), Options{OpsBefore: 10, OpsAfter: 20}), ReportOptions{All: true})
	for _, row := range r.Metrics[0].Flat.Rows {
		want := map[string][3]float64{"main.read": {0, 0.25, 0.4}, "main.write": {-50, 0.75, 0.6}}[row.Name]
		if got := [3]float64{*row.Percent, row.Before.Share, row.After.Share}; math.Abs(got[0]-want[0])+math.Abs(got[1]-want[1])+math.Abs(got[2]-want[2]) > 1e-9 {
			t.Errorf("%s: got percent, shares %v, want %v", row.Name, got, want)
		}
	}
}
