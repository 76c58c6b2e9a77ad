package profile

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/allocdiff/allocdiff/profile/profiletest"
)

// The sampled objects behind every row are those that the profile was made
// from, whatever their sizes and the rate.
func TestRecoveredEvents(t *testing.T) {
	for _, period := range []int64{1, 512, 4096, 512 << 10} {
		r := rand.New(rand.NewPCG(uint64(period), 5))
		want := map[string][2]float64{} // allocated, in use
		var rows []profiletest.HeapRow
		var total [2]float64
		for i := range 60 {
			f := fmt.Sprintf("main.f%d", i%20)
			allocs := 1 + r.Int64N(50)
			row := profiletest.HeapRow{Stack: "main.main;" + f, Size: 8 << r.IntN(20), Allocs: allocs, Frees: r.Int64N(allocs)}
			rows = append(rows, row)
			n := want[f]
			n[0] += float64(allocs)
			n[1] += float64(allocs - row.Frees)
			want[f] = n
			total[0] += float64(allocs)
			total[1] += float64(allocs - row.Frees)
		}
		data := profiletest.Encode(profiletest.Heap(period, rows...))
		report := NewReport(diffOf(t, sideOf("b", data), sideOf("a", data), Options{}), ReportOptions{All: true})
		for i := range report.Metrics {
			m := &report.Metrics[i]
			use := 0
			if m.Metric == InuseSpace || m.Metric == InuseObjects {
				use = 1
			}
			what := fmt.Sprintf("period %d, %s", period, m.Metric)
			if !near(m.Total.Before.N, total[use]) {
				t.Errorf("%s: total: got %v events, want %v", what, m.Total.Before.N, total[use])
			}
			for _, row := range m.Flat.Rows {
				if !near(row.Before.N, want[row.Name][use]) {
					t.Errorf("%s: %s: got %v events, want %v", what, row.Name, row.Before.N, want[row.Name][use])
				}
			}
			if len(m.Flat.Rows) != len(want) {
				t.Errorf("%s: got %d rows, want %d", what, len(m.Flat.Rows), len(want))
			}
		}
		if len(report.Warnings) > 0 && period > 1 {
			for _, w := range report.Warnings {
				t.Errorf("period %d: got warning %q, want none", period, w)
			}
		}
	}
}

// verdictOf is the verdict on a metric's total.
func verdictOf(t *testing.T, r *Report, m Metric) *Row {
	t.Helper()
	i := slices.IndexFunc(r.Metrics, func(x MetricReport) bool { return x.Metric == m })
	if i < 0 {
		t.Fatalf("no %s in the report", m)
	}
	return &r.Metrics[i].Total
}

// Where nothing tells the noise nothing is called real, and no interval is
// given.
func TestUnknownNoise(t *testing.T) {
	tests := []struct {
		name, header string
		metric       Metric
		rows         string
	}{
		{"no period", "space/bytes", Metric{"space", "bytes"}, "main.a %d\nmain.b 96\n"},
		{"aligned values", "alloc_space/bytes", AllocSpace, "main.a %d0\nmain.b 960\n"},
		{"contention", "# period contentions/count 1\ndelay/nanoseconds", Metric{"delay", "nanoseconds"}, "main.a %d\nmain.b 13\n"},
		{"values that the period does not divide", "# period cpu/nanoseconds 10000000\ncpu/nanoseconds", CPU, "main.a %d1\nmain.b 10000000\n"},
		{"objects without a size", "# period space/bytes 4096\nalloc_objects/count alloc_space/bytes", AllocObjects, "main.a %d 900000\n"},
		{"objects without bytes", "# period space/bytes 4096\nalloc_objects/count inuse_space/bytes", AllocObjects, "main.a %d 0\nmain.b 1 4096\n"},
		{"negative", "# period space/bytes 4096\nalloc_objects/count alloc_space/bytes", AllocSpace, "main.a 1 -%d\n"},
		{"negative beside others", "# period cpu/nanoseconds 10\ncpu/nanoseconds", CPU, "main.a %d0\nmain.b -10\n"},
		{"in use of a delta", "# duration 1s\n# period space/bytes 4096\ninuse_objects/count inuse_space/bytes", InuseSpace, "main.a [bytes:=4096] 1 %d\n"},
	}
	for _, tt := range tests {
		text := func(n int) string { return tt.header + "\n" + fmt.Sprintf(tt.rows, n) }
		r := reportOf(t, text(4001), text(9001), Options{})
		checkFinite(t, tt.name, r)
		row := verdictOf(t, r, tt.metric)
		if row.Verdict != Unknown || row.DeltaCI != nil || row.RatioCI != nil || row.P != nil {
			t.Errorf("%s: got verdict %s, interval %v, p %v, want unknown without any", tt.name, row.Verdict, row.DeltaCI, show(row.P))
		}
		if row.Delta == 0 {
			t.Errorf("%s: got no difference, want one", tt.name)
		}
	}
}

func TestVerdicts(t *testing.T) {
	heap := func(period int64, reads, writes int64) []byte {
		return profiletest.Encode(profiletest.Heap(period,
			profiletest.HeapRow{Stack: "main.main;main.read", Size: 1024, Allocs: reads},
			profiletest.HeapRow{Stack: "main.main;main.write", Size: 1024, Allocs: writes},
			profiletest.HeapRow{Stack: "main.main;main.rest", Size: 1024, Allocs: 5000},
		))
	}
	none := 0.0
	o := Options{Judge: JudgeOptions{RunCV: &none}}
	tests := []struct {
		name          string
		before, after []byte
		o             Options
		read, write   Verdict
	}{
		{"clear changes", heap(4096, 4000, 4000), heap(4096, 2000, 8000), o, Down, Up},
		{"new and gone", heap(4096, 4000, 0), heap(4096, 0, 4000), o, Gone, New},
		{"noise", heap(4096, 400, 400), heap(4096, 410, 380), o, Unclear, Unclear},
		{"few", heap(4096, 2, 1), heap(4096, 1, 0), o, Few, Few},
		{"shown to be the same", heap(4096, 90000, 90000), heap(4096, 90100, 89900), o, Same, Same},
		{"different rates", heap(4096, 4000, 4000), heap(8192, 2125, 8000), o, Same, Up},
		{"every object", heap(1, 4000, 4000), heap(1, 3900, 4001), o, Down, Same},
		{"assumed run noise hides it", heap(4096, 90000, 90000), heap(4096, 92000, 90000), Options{}, Unclear, Unclear},
		{"least effect", heap(4096, 4000, 4000), heap(4096, 2000, 8000), Options{Judge: JudgeOptions{RunCV: &none, MinEffect: 12e6}}, Unclear, Up},
	}
	for _, tt := range tests {
		r := NewReport(diffOf(t, sideOf("b", tt.before), sideOf("a", tt.after), tt.o), ReportOptions{All: true})
		checkFinite(t, tt.name, r)
		for _, row := range r.Metrics[0].Flat.Rows {
			want, ok := map[string]Verdict{"main.read": tt.read, "main.write": tt.write}[row.Name]
			if ok && row.Verdict != want {
				t.Errorf("%s: %s: got %s (p %v, ratio %+v), want %s", tt.name, row.Name, row.Verdict, show(row.P), row.RatioCI, want)
			}
		}
	}
}

// A row that one side lacks is bounded by what the sampling may have missed: no
// sample means at most 3.69 periods at 95 %, whatever the sizes of the objects.
func TestNothingOnOneSide(t *testing.T) {
	const period = 512 << 10
	none := 0.0
	b := profiletest.Encode(profiletest.Heap(period, profiletest.HeapRow{Stack: "main.a", Size: period, Allocs: 30}))
	a := profiletest.Encode(profiletest.Heap(period, profiletest.HeapRow{Stack: "main.b", Size: period, Allocs: 30}))
	o := Options{Judge: JudgeOptions{RunCV: &none}}
	d := diffOf(t, sideOf("b", b), sideOf("a", a), o)
	r := NewReport(d, ReportOptions{All: true})
	checkFinite(t, "one side", r)
	for _, row := range r.Metrics[0].Flat.Rows {
		if row.Name == "main.b" && (row.Verdict != New || row.RatioCI == nil || !row.RatioCI.Unbounded) {
			t.Errorf("got verdict %s, ratio %+v, want new without an upper end", row.Verdict, row.RatioCI)
		}
	}
	m := &d.metrics[0]
	j := newJudge(m, &o.Judge)
	for _, p := range d.pairs(m, func(c *Costs) *view { return &c.flat }) {
		if d.text(&p) != "main.b" {
			continue
		}
		before, ok := j.method.Before(j.test(&p))
		if want := math.Log(40) * period; !ok || before.Lo != 0 || !near(before.Hi, want) {
			t.Errorf("got before within %v .. %v, want 0 .. %v", before.Lo, before.Hi, want)
		}
	}
}

// No report over random profiles holds a number that JSON has none for, also
// with rates and replicates that differ between the sides.
func TestReportsAreFinite(t *testing.T) {
	for seed := range uint64(randomKinds) {
		r := rand.New(rand.NewPCG(seed, 6))
		kind := int(seed)
		other := kind
		if kind%randomKinds < 3 { // heap profiles of other rates
			other = (kind%randomKinds + 1) % 3
		}
		b := profiletest.Encode(randomProfile(r, kind))
		a := profiletest.Encode(randomProfile(r, other))
		a2 := profiletest.Encode(randomProfile(r, other))
		for _, o := range []Options{{}, {OpsBefore: 3, OpsAfter: 1e12}, {Judge: JudgeOptions{Confidence: 0.999, Detect: 0.5}}} {
			what := fmt.Sprintf("seed %d", seed)
			checkFinite(t, what, NewReport(diffOf(t, sideOf("b", b), sideOf("a", a), o), ReportOptions{All: true}))
			checkFinite(t, what+", replicates", NewReport(diffOf(t, sideOf("b", b), sideOf("a", a, a2), o), ReportOptions{Rows: 3}))
		}
	}
}

// One sample on one side, none on the other, or values at the ends of their
// range.
func TestExtremes(t *testing.T) {
	heads := []string{
		"# period space/bytes 4096\nalloc_objects/count alloc_space/bytes",
		"# period space/bytes 1\nalloc_objects/count alloc_space/bytes",
		"# period space/bytes 9223372036854775807\nalloc_objects/count alloc_space/bytes",
		"# period space/bytes -5\nalloc_objects/count alloc_space/bytes",
		"# period cpu/nanoseconds 10000000\nsamples/count cpu/nanoseconds",
		"contentions/count delay/nanoseconds",
	}
	rows := []string{
		"", "main.a 0 0", "main.a 1 1", "main.a [bytes:=16] 1 16", "main.a [bytes:=-16] 1 16", "main.a [bytes:=9223372036854775807] 1 9223372036854775807",
		"main.a 9223372036854775807 9223372036854775807\nmain.b 9223372036854775807 9223372036854775807", "main.a -9223372036854775808 -9223372036854775808",
		"main.a 0 5", "main.a -1 -1\nmain.b 1 1", "main.a 10 100000000",
	}
	for _, head := range heads {
		for i, b := range rows {
			for _, a := range rows[i:] {
				r := reportOf(t, head+"\n"+b+"\n", head+"\n"+a+"\n", Options{})
				checkFinite(t, head+": "+b+" against "+a, r)
			}
		}
	}
}
