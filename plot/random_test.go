package plot

import (
	"bytes"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/allocdiff/allocdiff/profile"
)

// No Report makes a page panic, return an error, or overlap itself.
func TestRandomReports(t *testing.T) {
	rng := rand.New(rand.NewPCG(21285, 13142))
	for i := range 150 {
		r := randomReport(rng, "名前 ")
		if err := drawRandom(r, rng, i%10 == 0); err != nil {
			t.Fatalf("report %d: %v", i, err)
		}
	}
}

func FuzzReport(f *testing.F) {
	f.Add(uint64(1), "pkg.(*T).Method")
	f.Add(uint64(2), "\x00\xff</text>\u202e]]>")
	f.Add(uint64(3), "")
	f.Fuzz(func(t *testing.T, seed uint64, name string) {
		rng := rand.New(rand.NewPCG(seed, 0))
		if err := drawRandom(randomReport(rng, name), rng, false); err != nil {
			t.Error(err)
		}
	})
}

func drawRandom(r *profile.Report, rng *rand.Rand, pixels bool) error {
	o := Options{Theme: Light, Width: minWidth + rng.IntN(maxWidth-minWidth+1)}
	p, err := compose(r, o)
	if err != nil {
		return err
	}
	if err := checkLayout(p); err != nil {
		return err
	}
	if err := SVG(io.Discard, r, o); err != nil {
		return err
	}
	if !pixels {
		return nil
	}
	var buf bytes.Buffer
	if err := PNG(&buf, r, o); err != nil {
		return err
	}
	_, err = png.Decode(&buf)
	return err
}

// randomReport fills every field with anything but NaN.
func randomReport(rng *rand.Rand, name string) *profile.Report {
	text := func() string {
		var s strings.Builder
		s.WriteString(name)
		for range rng.IntN(8) {
			s.WriteString([]string{name, " ", "/", ".", "pkg", "WWWWWWWWWW", "(*T)", "日本", "🚀", "\n", "<&>"}[rng.IntN(11)])
		}
		return s.String()
	}
	side := func() profile.SideInfo {
		s := profile.SideInfo{Label: text()}
		for range rng.IntN(4) {
			s.Inputs = append(s.Inputs, profile.InputInfo{
				Name: text(), SHA256: text(), Kind: []profile.Kind{profile.Heap, profile.Time, profile.Other}[rng.IntN(3)],
				Time: rng.Int64(), Duration: rng.Int64(), Period: rng.Int64N(3) - 1, Samples: rng.Int64(), BuildID: text(),
				PeriodType: profile.Metric{Type: text(), Unit: []string{"bytes", "nanoseconds", ""}[rng.IntN(3)]},
			})
		}
		return s
	}
	r := &profile.Report{
		Title: text(), Verdict: text(), Version: text(), Command: text(), Noise: text(),
		Before: side(), After: side(),
	}
	for range rng.IntN(25) {
		r.Warnings = append(r.Warnings, text())
		r.Notes = append(r.Notes, text())
		m := profile.Measure{Name: text(), Unit: []string{"B", "ms", ""}[rng.IntN(3)], Before: amount(rng), After: amount(rng)}
		if rng.IntN(2) == 0 {
			m.P = new(rng.Float64())
		}
		r.Stress = append(r.Stress, m)
		r.Gates = append(r.Gates, profile.GateResult{Gate: text(), Outcome: text(), Reason: text()})
	}
	for range rng.IntN(5) {
		metrics := []profile.Metric{profile.AllocSpace, profile.AllocObjects, profile.InuseSpace, profile.CPU, {Type: text(), Unit: text()}}
		m := profile.MetricReport{Metric: metrics[rng.IntN(5)], Per: []profile.Per{profile.PerRun, profile.PerOp, profile.PerSecond, ""}[rng.IntN(4)], Focus: []string{"owner", "flat", "cum", ""}[rng.IntN(4)], By: []string{"", "function", "package", text()}[rng.IntN(4)], Total: randomRow(rng, "Total")}
		for _, t := range []*profile.Table{&m.Pools, &m.Owner, &m.Flat, &m.Cum, &m.Sizes} {
			for range rng.IntN(30) * rng.IntN(2) {
				t.Rows = append(t.Rows, randomRow(rng, text()))
			}
			if rng.IntN(2) == 0 {
				o := randomRow(rng, "")
				t.Other = &o
			}
			t.Count, t.Moved = rng.IntN(40)-5, rng.Float64()
		}
		r.Metrics = append(r.Metrics, m)
	}
	return r
}

func randomRow(rng *rand.Rand, name string) profile.Row {
	side := func() profile.Amount {
		return profile.Amount{Value: amount(rng), N: amount(rng), Share: amount(rng), Threads: int(rng.Int64()) * (rng.IntN(3) - 1)}
	}
	r := profile.Row{Name: name, Before: side(), After: side(), Delta: amount(rng)}
	r.Note = []string{"", "anonymous"}[rng.IntN(2)]
	verdicts := []profile.Verdict{profile.Up, profile.Down, profile.New, profile.Gone, profile.Same, profile.Unclear, profile.Few, profile.Unknown, ""}
	r.Verdict = verdicts[rng.IntN(len(verdicts))]
	if rng.IntN(2) == 0 {
		pct := amount(rng)
		r.Percent = &pct
	}
	if rng.IntN(2) == 0 {
		r.DeltaCI = &profile.Interval{Lo: amount(rng), Hi: amount(rng), Unbounded: rng.IntN(2) == 0}
		r.RatioCI = &profile.Interval{Lo: amount(rng), Hi: amount(rng)}
	}
	return r
}

// amount is any number: small, huge, tiny, negative, infinite, zero.
func amount(rng *rand.Rand) float64 {
	switch rng.IntN(8) {
	case 0:
		return 0
	case 1:
		return math.Float64frombits(rng.Uint64()&^(0x7FF<<52) | uint64(rng.IntN(0x7FF))<<52)
	case 2:
		return math.Inf(rng.IntN(2)*2 - 1)
	case 3:
		return float64(rng.IntN(3) - 1)
	}
	return (rng.Float64() - 0.2) * math.Pow(10, float64(rng.IntN(15)))
}

// No report makes the page panic, return an error, or overlap itself.
func TestRandomNoiseReports(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 285))
	number := func() *float64 {
		if rng.IntN(4) == 0 {
			return nil
		}
		v := amount(rng)
		return &v
	}
	row := func() profile.NoiseRow {
		r := profile.NoiseRow{
			Name: strings.Repeat([]string{"a", "W/", "名", "x.y", " "}[rng.IntN(5)], rng.IntN(60)), Value: amount(rng), Share: amount(rng), N: amount(rng),
			Sampling: number(), Scatter: number(), Down: number(), Up: number(),
		}
		for range rng.IntN(4) {
			r.Reach = append(r.Reach, profile.NoiseReach{Seen: rng.IntN(2) == 0, Runs: int(rng.Int32()), Rate: rng.Int64() * rng.Int64N(2), Longer: amount(rng)})
		}
		return r
	}
	for i := range 150 {
		r := &profile.NoiseReport{Title: "t", Advice: "a", Side: randomReport(rng, "n").Before, Falls: []float64{amount(rng), amount(rng)}[:rng.IntN(3)]}
		for range rng.IntN(4) {
			m := profile.NoiseMetric{Metric: profile.CPU, Per: profile.PerOp, Runs: rng.IntN(5), Total: row()}
			for _, table := range []*profile.NoiseTable{&m.Pools, &m.Functions} {
				for range rng.IntN(20) {
					table.Rows = append(table.Rows, row())
				}
				table.Count = rng.IntN(50)
			}
			r.Metrics = append(r.Metrics, m)
		}
		p, _, err := composeNoise(r, Options{Width: minWidth + rng.IntN(maxWidth-minWidth+1)})
		if err != nil {
			t.Fatalf("report %d: %v", i, err)
		}
		if err := checkLayout(p); err != nil {
			t.Fatalf("report %d: %v", i, err)
		}
	}
}
