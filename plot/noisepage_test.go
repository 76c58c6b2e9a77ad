package plot

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/allocdiff/allocdiff/profile"
)

// noiseRow makes a row that n events a run and a scatter between runs leave a
// change of about cv unseen.
func noiseRow(name string, value, share, n, scatter, change float64, reach ...profile.NoiseReach) profile.NoiseRow {
	sampling, down, up := 1/math.Sqrt(n), -change, change/(1-min(change, 0.7))
	return profile.NoiseRow{
		Name: name, Value: value, Share: share, N: n, Basis: profile.BasisReplicates,
		Sampling: &sampling, Scatter: &scatter, Down: &down, Up: &up, Reach: reach,
	}
}

// noiseTicket is the noise of five runs of the benchmark of CASSANDRA-21285.
func noiseTicket() *profile.NoiseReport {
	yes := profile.NoiseReach{Change: -0.09, Seen: true, Runs: 5}
	fine := profile.NoiseReach{Change: -0.02, Seen: true, Runs: 5}
	rate := func(runs int, rate int64) profile.NoiseReach {
		return profile.NoiseReach{Change: -0.02, Runs: runs, Rate: rate}
	}
	bytes := profile.NoiseMetric{Metric: profile.AllocSpace, Kind: profile.Heap, Per: profile.PerOp, Runs: 5, Focus: "owner"}
	bytes.Total = noiseRow("total", 259.8*kib, 1, 406_796, 0.0004, 0.0015, yes, fine)
	bytes.Pools = profile.NoiseTable{Count: 4, Seen: 0.99, Rows: []profile.NoiseRow{
		noiseRow("Native-Transport-Requests", 208.2*kib, 0.801, 367_030, 0.0005, 0.0018, yes, fine),
		noiseRow("stress client", 26.5*kib, 0.102, 9_687, 0.0002, 0.0008, yes, fine),
		noiseRow("MutationStage", 13.2*kib, 0.051, 27_050, 0.0033, 0.0079, yes, fine),
		noiseRow("main.main", 0.03*kib, 0.001, 6, 0.03, 0.647, profile.NoiseReach{Change: -0.09, Runs: 289, Rate: 32}, rate(6034, 2)),
	}}
	bytes.Functions = profile.NoiseTable{Count: 29, Seen: 0.99, Rows: []profile.NoiseRow{
		noiseRow("github.com/allocdiff/allocdiff/examples/engine/response.(*LocalDataResponse).build", 100.2*kib, 0.386, 50_470, 0.0003, 0.001, yes, fine),
		noiseRow("github.com/allocdiff/allocdiff/examples/engine/memtable.decodeCell", 70.3*kib, 0.27, 209_344, 0.0017, 0.0041, yes, fine),
		noiseRow("github.com/allocdiff/allocdiff/examples/engine/memtable.(*Row).transform", 2.5*kib, 0.01, 7_472, 0.015, 0.025, yes, rate(8, 1024)),
		noiseRow("github.com/allocdiff/allocdiff/examples/engine/memtable.leaves", 0.2*kib, 0.001, 641, 0.039, 0.073, yes, rate(60, 128)),
	}}
	cpu := profile.NoiseMetric{Metric: profile.CPU, Kind: profile.Time, Per: profile.PerOp, Runs: 5, Focus: "owner"}
	never := profile.NoiseReach{Change: -0.02, Runs: 96}
	cpu.Total = noiseRow("total", 192_300, 1, 231, 0.05, 0.094, profile.NoiseReach{Change: -0.09, Runs: 6}, never)
	cpu.Functions = profile.NoiseTable{Count: 85, Rows: []profile.NoiseRow{
		noiseRow("main.read", 50_170, 0.261, 60, 0.103, 0.253, profile.NoiseReach{Change: -0.09, Runs: 39}, profile.NoiseReach{Change: -0.02, Runs: 797}),
		noiseRow("main.write", 21_830, 0.114, 26, 0.119, 0.342, profile.NoiseReach{Change: -0.09, Runs: 72, Longer: 16.6}, profile.NoiseReach{Change: -0.02, Longer: 345}),
	}}
	return &profile.NoiseReport{
		Schema: 1, Version: "v0.1.0", Command: "allocdiff noise -o noise.png before",
		Title:  "Noise floor: before",
		Advice: "Two sides of 5 runs like these would show a change in allocated bytes from -0.15% or +0.15% on. That is enough to see -9% and -2% of the total, and -9% in functions that hold 99% of it.",
		Side:   side("before", "before/alloc-1.pb.gz", "3f9a5c01d2e4b6c8", 600), Falls: []float64{-0.09, -0.02}, Confidence: 0.95, Power: 0.8,
		Notes:   []string{"changes given would be seen with a power of 80% at a confidence of 95% in one row looked at alone"},
		Metrics: []profile.NoiseMetric{bytes, cpu},
		Split:   &profile.SplitCheck{Odd: []string{"a", "c", "e"}, Even: []string{"b", "d"}, Tested: 91},
	}
}

// noiseFixtures are the reports that every test of the page goes through.
var noiseFixtures = []struct {
	name   string
	report func() *profile.NoiseReport
}{
	{"ticket", noiseTicket},
	{"one run", func() *profile.NoiseReport {
		r := noiseTicket()
		r.Split = nil
		for i := range r.Metrics {
			m := &r.Metrics[i]
			m.Runs, m.Total.Scatter = 1, nil
			for j := range m.Functions.Rows {
				m.Functions.Rows[j].Scatter = nil
			}
		}
		return r
	}},
	{"unknown", func() *profile.NoiseReport {
		r := noiseTicket()
		for i := range r.Metrics {
			m := &r.Metrics[i]
			m.Pools.Rows = m.Pools.Rows[:min(1, len(m.Pools.Rows))]
			for _, row := range append([]*profile.NoiseRow{&m.Total, &m.Functions.Rows[0]}, pointers(m.Pools.Rows)...) {
				*row = profile.NoiseRow{Name: row.Name, Value: row.Value, Share: row.Share, Basis: profile.BasisUnknown}
			}
			m.Functions.Rows = m.Functions.Rows[:1]
		}
		return r
	}},
	{"doubts and differences", func() *profile.NoiseReport {
		r := noiseTicket()
		r.Warnings = []string{"these are profiles of 2 builds (aaaa, bbbb): their differences are not noise alone", strings.Repeat("doubt ", 80)}
		pct := -51.5
		for i := range 9 {
			f := profile.SplitRow{Metric: profile.AllocSpace, Table: "functions", Name: strings.Repeat("W", 30*i)}
			if i > 0 {
				f.Percent = &pct
			}
			r.Split.Flagged = append(r.Split.Flagged, f)
		}
		return r
	}},
	{"long names", func() *profile.NoiseReport {
		r := noiseTicket()
		for i := range r.Metrics {
			m := &r.Metrics[i]
			for j := range m.Pools.Rows {
				m.Pools.Rows[j].Name = strings.Repeat("缓存线程池", 20) + fmt.Sprint(j)
			}
			for j := range m.Functions.Rows {
				m.Functions.Rows[j].Name = strings.Repeat("</text><script>alert(1)</script>\u202e\x00", 5) + fmt.Sprint(j)
			}
		}
		r.Title += strings.Repeat(" W", 200)
		return r
	}},
	{"nothing", func() *profile.NoiseReport {
		return &profile.NoiseReport{Title: "Noise floor: a", Advice: "No allocated bytes: nothing to see.", Metrics: []profile.NoiseMetric{{Metric: profile.AllocSpace}}}
	}},
	{"zero value", func() *profile.NoiseReport { return new(profile.NoiseReport) }},
}

func pointers(rows []profile.NoiseRow) []*profile.NoiseRow {
	var list []*profile.NoiseRow
	for i := range rows {
		list = append(list, &rows[i])
	}
	return list
}

// No text may overlap another one or leave the page, at any width, and the same
// report gives the same bytes.
func TestNoisePage(t *testing.T) {
	for _, f := range noiseFixtures {
		for _, width := range []int{1000, 1200, 1400, 1600} {
			p, _, err := composeNoise(f.report(), Options{Width: width})
			if err != nil {
				t.Errorf("%s: %v", f.name, err)
				continue
			}
			if err := checkLayout(p); err != nil {
				t.Errorf("%s, %d wide: %v", f.name, width, err)
			}
		}
		for format, draw := range map[string]func(io.Writer, *profile.NoiseReport, Options) error{"PNG": NoisePNG, "SVG": NoiseSVG} {
			var first, second bytes.Buffer
			if err := errors.Join(draw(&first, f.report(), Options{}), draw(&second, f.report(), Options{})); err != nil {
				t.Errorf("%s, %s: %v", f.name, format, err)
			}
			if !bytes.Equal(first.Bytes(), second.Bytes()) {
				t.Errorf("%s: two drawings as %s differ", f.name, format)
			}
		}
	}
}

// The page says what there is: an SVG holds the advice, the numbers and the
// names, as text.
func TestNoiseSVG(t *testing.T) {
	for _, f := range noiseFixtures {
		var buf bytes.Buffer
		if err := NoiseSVG(&buf, f.report(), Options{}); err != nil {
			t.Fatalf("%s: %v", f.name, err)
		}
		texts := svgTexts(t, f.name, buf.Bytes())
		if f.name != "ticket" {
			continue
		}
		for _, want := range []string{
			"Noise floor: before", "−0.15% / +0.15%", "response.(*LocalDataResponse).build", "Native-Transport-Requests", "+3 runs or rate 1024",
			"To see −9%", "Allocated bytes per operation, 5 runs", "the 4 largest of 29", "none of 91 rows differs beyond noise, as it should be.", "406k", "407k",
		} {
			if got := strings.Contains(texts, want); got != (want != "406k") {
				t.Errorf("the page holds %q: got %v", want, got)
			}
		}
	}
}

func TestNoiseErrors(t *testing.T) {
	for _, draw := range []func(io.Writer, *profile.NoiseReport, Options) error{NoisePNG, NoiseSVG} {
		if err := draw(io.Discard, nil, Options{}); err == nil {
			t.Error("no error without a report")
		}
		if err := draw(io.Discard, noiseTicket(), Options{Width: 20}); err == nil {
			t.Error("no error from a width of 20")
		}
		if err := draw(full{}, noiseTicket(), Options{}); !errors.Is(err, errFull) {
			t.Errorf("on a full disk: got error %v, want %v", err, errFull)
		}
	}
}

func TestNoiseGolden(t *testing.T) {
	for _, theme := range []Theme{Light, Dark} {
		var buf bytes.Buffer
		if err := NoisePNG(&buf, noiseTicket(), Options{Theme: theme}); err != nil {
			t.Fatal(err)
		}
		if img, err := png.Decode(bytes.NewReader(buf.Bytes())); err != nil || img.Bounds().Dx() != defaultWidth {
			t.Errorf("%s: got %v and error %v, want a picture %d wide", theme, img.Bounds(), err, defaultWidth)
		}
		golden(t, "noise-"+string(theme)+".png", buf.Bytes())
	}
}

// The bar of a row holds what would not be seen, no more: its ends are those of
// the axis at the smallest changes.
func TestFloorBar(t *testing.T) {
	p := &page{measurer: newMeasurer(), palette: palettes[Light], width: defaultWidth}
	r := noiseTicket()
	a := axis{left: 100, right: 500, unit: 1, lo: -0.2, hi: 0.2}
	for _, c := range []struct {
		down, up, cv float64
		want         [4]float64 // ends of the bar, ends of the line
	}{
		{-0.1, 0.15, 0.05, [4]float64{200, 450, 250, 350}},
		{-0.05, 0.05, 0, [4]float64{250, 350, 0, 0}},
		{-1, 3, 0.4, [4]float64{100, 500, 100, 500}}, // beyond the axis
	} {
		row := r.Metrics[0].Total
		row.Down, row.Up, row.Scatter = &c.down, &c.up, &c.cv
		p.marks = nil
		p.floor(a, &floorRow{NoiseRow: &row}, 50)
		got := [4]float64{p.marks[0].x, p.marks[0].x + p.marks[0].w}
		if len(p.marks) > 1 {
			got[2], got[3] = p.marks[1].x, p.marks[1].x+p.marks[1].w
		}
		if got != c.want {
			t.Errorf("%v to %v, scatter %v: got %v, want %v", c.down, c.up, c.cv, got, c.want)
		}
	}
}
