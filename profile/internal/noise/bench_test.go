package noise

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkEstimate is the cost of one profile sample.
func BenchmarkEstimate(b *testing.B) {
	scale, _ := Heap(1024, rate)
	var sum Estimate
	b.ReportAllocs()
	for b.Loop() {
		e, fits := scale.Estimate(1 << 20)
		if fits {
			sum.Add(e)
		}
	}
}

// BenchmarkJudge is the cost of p, q and verdict of 50,000 functions, with the
// pooled run noise where there are several runs.
func BenchmarkJudge(b *testing.B) {
	for _, bench := range []struct {
		name string
		runs int
	}{{"one run", 1}, {"five runs", 5}} {
		b.Run(bench.name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			p := program{functions: 50_000, least: 0.5, most: 20_000, changed: 0.1, ratio: 0.7, cv: 0.03}
			rows := p.rows(bench.runs, r)
			m := Default()
			b.ReportAllocs()
			for b.Loop() {
				for _, t := range judge(m, rows) {
					m.Verdict(t)
				}
			}
		})
	}
}

// BenchmarkIntervals is the cost of all intervals of one row.
func BenchmarkIntervals(b *testing.B) {
	m := Default()
	m.Tau2 = 0.001
	for name, t := range map[string]Test{
		"one run":   m.Compare(side(150, 1), side(100, 1)),
		"five runs": m.Compare(side(150, 5), side(100, 5)),
		"many":      m.Compare(side(15000, 1), side(10000, 1)),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.Ratio(t)
				m.Delta(t)
			}
		})
	}
}
