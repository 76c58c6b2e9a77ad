package response

import (
	"math"
	"slices"
	"sync"
	"testing"
)

func TestMovingAverageAgainstItsFormula(t *testing.T) {
	e := estimator(t, "after", 1<<20)
	if got := e.Estimate(0); got != InitialSize {
		t.Errorf("before the first update: %d, want %d", got, InitialSize)
	}
	avg := math.NaN()
	for i := range 5000 {
		size := 200 + i%7*9000
		e.Update(0, size)
		if math.IsNaN(avg) {
			avg = float64(size)
		} else {
			avg = 0.0046*float64(size) + (1-0.0046)*avg
		}
		want := max(InitialSize, int(avg*1.1))
		// The two forms of the recurrence round differently.
		if got := e.Estimate(0); got < want-1 || got > want+1 {
			t.Fatalf("after %d updates: %d, want %d", i+1, got, want)
		}
	}
}

func TestEstimatesStayWithinBounds(t *testing.T) {
	const limit = 10_000
	for _, name := range EstimatorNames {
		e := estimator(t, name, limit)
		for i := range 10_000 {
			e.Update(i, 1+i*i%300_000)
			if got := e.Estimate(i); got < InitialSize || got > limit {
				t.Fatalf("%s: estimate %d, want %d to %d", name, got, InitialSize, limit)
			}
		}
	}
}

func TestNoRoomMeansOff(t *testing.T) {
	for _, name := range EstimatorNames {
		e := estimator(t, name, InitialSize)
		for range 2000 {
			e.Update(0, 50_000)
		}
		if got := e.Estimate(0); got != InitialSize {
			t.Errorf("%s with a cap of %d: %d, want %d", name, InitialSize, got, InitialSize)
		}
	}
	if _, err := NewEstimator("median", 1<<20, 1); err == nil {
		t.Error("unknown estimator: no error")
	}
}

func TestQuantileFitsNineteenOfTwenty(t *testing.T) {
	e := estimator(t, "p95", 1<<20)
	for i := range quantileWindow {
		e.Update(0, 1+i*619%1000)
	}
	if got := e.Estimate(0); got < 945 || got > 955 {
		t.Errorf("of sizes 1 to 1000: %d, want about 950", got)
	}
}

func TestPerStatementKeepsSizesApart(t *testing.T) {
	e := estimator(t, "per-statement", 1<<20)
	for range 1000 {
		e.Update(0, 200)
		e.Update(1, 100_000)
	}
	if small, large := e.Estimate(0), e.Estimate(1); small != 220 || large < 110_000-1 || large > 110_000 {
		t.Errorf("%d and %d, want 220 and 110000", small, large)
	}
}

func TestUpdatesFromManyThreads(t *testing.T) {
	for _, name := range EstimatorNames {
		e := estimator(t, name, 1<<20)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 1000 {
					e.Update(1, 5000)
					e.Estimate(1)
				}
			})
		}
		wg.Wait()
		if got := e.Estimate(1); name != "before" && (got < 5000 || got > 5500) {
			t.Errorf("%s: %d after 8000 updates of 5000", name, got)
		}
	}
}

// TestDistributions checks mean and median of what the ticket is tried with.
func TestDistributions(t *testing.T) {
	for _, c := range []struct {
		name         string
		mean, median float64
	}{
		{"paging", 40_000, 40_000},
		{"uniform", 40_000, 40_000},
		{"lognormal", 8_000 * math.Exp(0.5), 8_000},
		{"bimodal", 0.9*200 + 0.1*100_000, 200},
		{"rare", 0.99*200 + 0.01*4_000_000, 200},
	} {
		d, err := FindSizes(c.name)
		if err != nil {
			t.Fatal(err)
		}
		const n = 100_000
		var sum float64
		sizes := make([]float64, n)
		for i := range sizes {
			sizes[i] = d.At((float64(i) + 0.5) / n)
			sum += sizes[i]
		}
		if !slices.IsSorted(sizes) {
			t.Errorf("%s: quantiles are not in order", c.name)
		}
		if got := sum / n; math.Abs(got/c.mean-1) > 0.01 {
			t.Errorf("%s: mean %.0f, want %.0f", c.name, got, c.mean)
		}
		if got := sizes[n/2]; math.Abs(got/c.median-1) > 0.01 {
			t.Errorf("%s: median %.0f, want %.0f", c.name, got, c.median)
		}
	}
	if _, err := FindSizes("zipf"); err == nil {
		t.Error("unknown distribution: no error")
	}
}
