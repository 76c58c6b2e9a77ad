package plot

import (
	"fmt"
	"math"
	"strings"

	"github.com/allocdiff/allocdiff/profile"
)

// fixtures are the reports that every test of the page goes through.
var fixtures = []struct {
	name   string
	report func() *profile.Report
}{
	{"ticket", ticket},
	{"per-op", perOp},
	{"nothing-changed", nothingChanged},
	{"identical", identical},
	{"no-pools", noPools},
	{"cpu-only", cpuOnly},
	{"contention", contention},
	{"unjudged", unjudged},
	{"single-row", singleRow},
	{"long-names", longNames},
	{"huge", huge},
	{"empty", empty},
	{"new-and-gone", newAndGone},
}

// perOp has amounts per operation, several profiles a side, gates and doubts.
func perOp() *profile.Report {
	r := ticket()
	for i := range r.Metrics {
		m := &r.Metrics[i]
		m.Per = profile.PerOp
		scaleRow(&m.Total, 1e-6)
		for _, t := range []*profile.Table{&m.Pools, &m.Owner, &m.Sizes} {
			for j := range t.Rows {
				scaleRow(&t.Rows[j], 1e-6)
			}
			if t.Other != nil {
				scaleRow(t.Other, 1e-6)
			}
		}
	}
	r.Warnings = []string{
		"durations differ by 12 %: 60.0 s before, 67.4 s after; amounts are per operation, so only warm-up and background work are compared unfairly",
		"Go versions differ: go1.26.7 before, go1.26.8 after",
	}
	r.Gates = []profile.GateResult{
		{Gate: "total alloc_space > +2%", Outcome: "passed", Reason: "-8.8 % is not above +2 %."},
		{Gate: "pool:ReadStage alloc_space > -20%", Outcome: "failed", Reason: "-15.0 % is above -20 %."},
	}
	in := r.Before.Inputs[0]
	for i := range 4 {
		in.Name = fmt.Sprintf("trunk/heap-%d.pb.gz", i+2)
		r.Before.Inputs = append(r.Before.Inputs, in)
	}
	return r
}

func scaleRow(r *profile.Row, f float64) {
	r.Before.Value *= f
	r.After.Value *= f
	r.Delta *= f
	if r.DeltaCI != nil {
		r.DeltaCI = &profile.Interval{Lo: r.DeltaCI.Lo * f, Hi: r.DeltaCI.Hi * f}
	}
}

func nothingChanged() *profile.Report {
	r := ticket()
	r.Verdict = "No change above the noise bar (±0.4 %): 92.47 → 92.31 GiB."
	r.Stress = nil
	for i := range r.Metrics {
		m := &r.Metrics[i]
		m.Total.Verdict = profile.Same
		for _, t := range []*profile.Table{&m.Pools, &m.Owner, &m.Sizes} {
			for j := range t.Rows {
				t.Rows[j].Verdict = profile.Unclear
			}
			if t.Other != nil {
				t.Other.Verdict = profile.Unclear
			}
		}
	}
	return r
}

func identical() *profile.Report {
	r := nothingChanged()
	r.Identical = true
	r.Verdict = "before and after are the same file"
	for i := range r.Metrics {
		m := &r.Metrics[i]
		m.Total = row("Total", m.Total.Before.Value, m.Total.Before.Value, 0.01)
		for _, t := range []*profile.Table{&m.Pools, &m.Owner, &m.Sizes} {
			t.Other = nil
			for j, x := range t.Rows {
				t.Rows[j] = row(x.Name, x.Before.Value, x.Before.Value, 0.01)
			}
		}
	}
	return r
}

func noPools() *profile.Report {
	r := ticket()
	r.Metrics = r.Metrics[:3]
	r.Metrics[0].Pools = profile.Table{}
	r.Metrics[0].Sizes = profile.Table{}
	r.Metrics[2].Owner.Rows = r.Metrics[2].Owner.Rows[2:]
	r.Stress = nil
	return r
}

func cpuOnly() *profile.Report {
	r := ticket()
	r.Title, r.Verdict = "CPU time: trunk → trunk + patch", "CPU time fell 14.0 s (−2.3%)."
	cpu := r.Metrics[3]
	cpu.Flat = table(900, cpu.Total,
		row("runtime.mallocgc", 61e9, 50e9, 0.02),
		row("runtime.memmove", 40e9, 36e9, 0.02),
		row("encoding/json.(*decodeState).object", 30e9, 31e9, 0.02),
	)
	r.Metrics = []profile.MetricReport{cpu}
	r.Stress, r.Notes = nil, nil
	return r
}

func contention() *profile.Report {
	r := ticket()
	m := profile.MetricReport{Metric: profile.Metric{Type: "contentions", Unit: "count"}, Kind: profile.Other, Focus: "cum"}
	m.Total = row("Total", 52_123, 48_007, 0.01)
	m.Cum = table(40, m.Total,
		row("sync.(*Mutex).Unlock", 50_000, 46_001, 0.01),
		row("example.com/server/v2.(*Conn).serve", 31_999, 33_000, 0.01),
		row("runtime.main", 20, 21, 0.3),
	)
	r.Metrics = []profile.MetricReport{m}
	r.Title, r.Verdict, r.Stress = "Contention: a → b", "contentions fell 4,116 (−7.9%).", nil
	return r
}

// unjudged has no noise model: colours stay, no row is muted.
func unjudged() *profile.Report {
	r := ticket()
	r.Noise = "none: the profile does not say how it sampled"
	for i := range r.Metrics {
		m := &r.Metrics[i]
		unjudge(&m.Total)
		for _, t := range []*profile.Table{&m.Pools, &m.Owner, &m.Sizes} {
			for j := range t.Rows {
				unjudge(&t.Rows[j])
			}
			if t.Other != nil {
				unjudge(t.Other)
			}
		}
	}
	return r
}

func unjudge(r *profile.Row) {
	r.Verdict, r.DeltaCI, r.RatioCI = profile.Unknown, nil, nil
	r.Before.N, r.After.N = 0, 0
}

func singleRow() *profile.Report {
	r := ticket()
	r.Metrics = r.Metrics[:1]
	m := &r.Metrics[0]
	m.Pools.Rows, m.Pools.Count = m.Pools.Rows[:1], 1
	m.Owner.Rows, m.Owner.Count, m.Owner.Other = m.Owner.Rows[:1], 1, nil
	m.Sizes.Rows, m.Sizes.Count = m.Sizes.Rows[1:2], 1
	r.Stress = r.Stress[:1]
	return r
}

// longNames has names that are too long, foreign or hostile everywhere.
func longNames() *profile.Report {
	r := perOp()
	long := strings.Repeat("github.com/organisation/repository/", 6) + "pkg.(*VeryLongTypeName).MethodWithAVeryLongName"
	odd := []string{
		long,
		strings.Repeat("W", 90),
		"缓存线程池缓存线程池缓存线程池缓存线程池缓存线程池缓存线程池",
		"🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀",
		"</text><script>alert(1)</script>",
		"line\nbreak\ttab\x00nul\u202eright to left\ufffe",
		"std::vector<std::pair<std::string, std::shared_ptr<Foo>>>::push_back(std::pair<std::string, std::shared_ptr<Foo>>&&)",
	}
	for i := range r.Metrics {
		m := &r.Metrics[i]
		for _, t := range []*profile.Table{&m.Pools, &m.Owner, &m.Sizes} {
			for j := range t.Rows {
				t.Rows[j].Name = odd[j%len(odd)] + strings.Repeat("x", j/len(odd))
			}
		}
	}
	r.Title += " " + long
	r.Verdict += " " + strings.Repeat("And more was found out, in several words. ", 12) + strings.Repeat("V", 300)
	for i := range 9 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("doubt %d: %s", i, long))
	}
	r.Command = "allocdiff -o report.png " + strings.Repeat("/a/long/folder", 30) + " " + long
	r.Before.Label, r.After.Inputs[0].Name = odd[2], long
	r.Stress = append(r.Stress, profile.Measure{Name: long, Unit: "ms", Before: 1, After: 2})
	return r
}

// huge has numbers at the ends of the range.
func huge() *profile.Report {
	r := ticket()
	for i := range r.Metrics {
		m := &r.Metrics[i]
		for _, t := range []*profile.Table{&m.Pools, &m.Owner, &m.Sizes} {
			for j := range t.Rows {
				f := []float64{1e290, 1e-300, 1, 1e15}[j%4]
				scaleRow(&t.Rows[j], f)
				t.Rows[j].Before.N *= f
				t.Rows[j].Before.Threads = math.MaxInt
				if j == 1 {
					pct := 1e300
					t.Rows[j].Percent = &pct
				}
			}
		}
		scaleRow(&m.Total, 1e290)
	}
	r.Stress[0].Before, r.Stress[1].After = math.MaxFloat64, math.SmallestNonzeroFloat64
	return r
}

func empty() *profile.Report {
	return &profile.Report{
		Title: "Allocations: a → b", Verdict: "No samples on either side.",
		Metrics: []profile.MetricReport{{Metric: profile.AllocSpace, Kind: profile.Heap}},
	}
}

func newAndGone() *profile.Report {
	r := ticket()
	for i := range r.Metrics {
		m := &r.Metrics[i]
		for _, t := range []*profile.Table{&m.Pools, &m.Owner, &m.Sizes} {
			t.Other = nil
			for j, x := range t.Rows {
				before, after := x.Before.Value, 0.0
				if j%2 == 1 {
					before, after = 0, before
				}
				t.Rows[j] = row(x.Name, before, after, 0.02)
			}
		}
	}
	return r
}
