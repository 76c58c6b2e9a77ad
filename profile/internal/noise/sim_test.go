package noise

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

var long = flag.Bool("long", false, "run the simulations with enough trials for exact limits")

// trials returns how many simulated comparisons to make.
func trials(short, full int) int {
	if *long {
		return full
	}
	return short
}

// doubt returns three standard errors of a share seen in n trials: what a
// limit must be relaxed by so that chance does not break it.
func doubt(share float64, n int) float64 {
	return 3 * math.Sqrt(share*(1-share)/float64(n))
}

// A part is a share of a function's bytes that is allocated in objects of one
// size.
type part struct {
	size  int64
	share float64
}

// mixes are seven ways in which a function may allocate.
var mixes = []struct {
	name  string
	parts []part
}{
	{"16 B", []part{{16, 1}}},
	{"1 KiB", []part{{1 << 10, 1}}},
	{"64 KiB", []part{{64 << 10, 1}}},
	{"512 KiB", []part{{512 << 10, 1}}},
	{"2 MiB", []part{{2 << 20, 1}}},
	{"16 B to 64 KiB", []part{{16, 0.25}, {256, 0.25}, {4 << 10, 0.25}, {64 << 10, 0.25}}},
	{"1 KiB and 2 MiB", []part{{1 << 10, 0.5}, {2 << 20, 0.5}}},
}

// window draws a profile of a function that allocates the given bytes in whole
// objects, and returns with it the bytes truly allocated.
func window(parts []part, bytes float64, src rand.Source) (s Side, truth float64) {
	s = Side{Runs: 1, Period: rate}
	for _, p := range parts {
		objects := math.Round(bytes * p.share / float64(p.size))
		truth += objects * float64(p.size)
		kept := distuv.Binomial{N: objects, P: -math.Expm1(-float64(p.size) / rate), Src: src}.Rand()
		_, space := written(int64(kept), p.size, rate)
		scale, _ := Heap(p.size, rate)
		e, _ := scale.Estimate(space)
		s.Estimate.Add(e)
	}
	s.Squares = s.Value * s.Value
	return s, truth
}

// samples returns the expected number of samples per byte of a mix.
func samples(parts []part) float64 {
	var n float64
	for _, p := range parts {
		n -= p.share * math.Expm1(-float64(p.size)/rate) / float64(p.size)
	}
	return n
}

// TestCoverage: over seven mixes of sizes and 5 to 1,000 samples, the 95 %
// interval of the difference holds the true one in 92 to 100 % of comparisons,
// of equal sides and of a fall by 30 %, and at most 7 % of equal sides differ
// at p < 0.05.
func TestCoverage(t *testing.T) {
	n := trials(100, 5000)
	m := sampling()
	var all, covered, false5 int
	for i, mix := range mixes {
		for _, expected := range []float64{5, 15, 50, 200, 1000} {
			src := rand.NewPCG(uint64(i), uint64(expected))
			bytes := expected / samples(mix.parts)
			var hits, flags [2]int
			for range n {
				before, x := window(mix.parts, bytes, src)
				for j, ratio := range []float64{1, 0.7} {
					after, y := window(mix.parts, bytes*ratio, src)
					test := m.Compare(before, after)
					if d, _ := m.Delta(test); d.Lo <= y-x && y-x <= d.Hi {
						hits[j]++
					}
					if test.P < 0.05 {
						flags[j]++
					}
				}
			}
			where := fmt.Sprintf("%s, %v samples", mix.name, expected)
			for j, what := range []string{"equal", "-30 %"} {
				if got := float64(hits[j]) / float64(n); got < 0.92-doubt(0.92, n) {
					t.Errorf("%s, %s: interval of the difference covers %.1f %%, want at least 92 %%", where, what, 100*got)
				}
				covered += hits[j]
			}
			if got := float64(flags[0]) / float64(n); got > 0.07+doubt(0.07, n) {
				t.Errorf("%s: %.1f %% false positives, want at most 7 %%", where, 100*got)
			} else if *long {
				t.Logf("%s: covers %.1f %% and %.1f %%, false positives %.1f %%", where,
					100*float64(hits[0])/float64(n), 100*float64(hits[1])/float64(n), 100*got)
			}
			all += n
			false5 += flags[0]
		}
	}
	cover, wrong := float64(covered)/float64(2*all), float64(false5)/float64(all)
	t.Logf("over all: covers %.2f %%, false positives %.2f %%", 100*cover, 100*wrong)
	if cover < 0.95-doubt(0.95, 2*all) {
		t.Errorf("over all: covers %.2f %%, want at least 95 %%", 100*cover)
	}
	if wrong > 0.05+doubt(0.05, all) {
		t.Errorf("over all: %.2f %% false positives, want at most 5 %%", 100*wrong)
	}
}
