package plot

import (
	"math"
	"slices"
	"testing"

	"github.com/allocdiff/allocdiff/profile"
)

// A unit says what is counted and by what it is divided.
func TestColumnOf(t *testing.T) {
	for _, c := range []struct {
		metric  profile.Metric
		per     profile.Per
		largest float64
		want    string
	}{
		{profile.AllocSpace, profile.PerRun, 3 * gib, "GiB"},
		{profile.AllocSpace, profile.PerOp, 3 * kib, "KiB/op"},
		{profile.AllocSpace, profile.PerSecond, 3, "B/s"},
		{profile.AllocObjects, profile.PerOp, 12, "allocs/op"},
		{profile.AllocObjects, profile.PerRun, 12e6, "M allocs"},
		{profile.CPU, profile.PerOp, 12e3, "µs/op"},
		{profile.Metric{Type: "cpu", Unit: "count"}, profile.PerRun, 12, "samples"},
		{profile.Metric{Type: "contentions", Unit: "count"}, profile.PerSecond, 12e3, "k contentions/s"},
		{profile.Metric{Type: "delay", Unit: "furlongs"}, profile.PerRun, 12, "furlongs"},
	} {
		if got := columnOf(c.metric, c.per, c.largest).unit; got != c.want {
			t.Errorf("unit of %v per %s up to %v: got %q, want %q", c.metric, c.per, c.largest, got, c.want)
		}
	}
}

// Ticks stand at steps of 1, 2 or 5, far enough apart, zero among them.
func TestTicks(t *testing.T) {
	for _, c := range []struct {
		deltas []float64
		want   []string
	}{
		{[]float64{-6.19, 0.21}, []string{"−6", "−5", "−4", "−3", "−2", "−1", "0"}},
		{[]float64{3.55}, []string{"0", "+0.5", "+1.0", "+1.5", "+2.0", "+2.5", "+3.0", "+3.5"}},
		{[]float64{-0.07, 0.07}, []string{"−0.06", "−0.04", "−0.02", "0", "+0.02", "+0.04", "+0.06"}},
		{[]float64{0}, []string{"−1.0", "−0.5", "0", "+0.5", "+1.0"}},
	} {
		rows := make([]profile.Row, len(c.deltas))
		for i, d := range c.deltas {
			rows[i].Delta = d * gib
		}
		a := newAxis(0, 500, rows, deltas)
		if largest(rows, deltas) == 0 {
			a.unit = gib
		}
		values, got := a.ticks(column{Scale: profile.Scale{Factor: gib}}, 60)
		if !slices.Equal(got, c.want) {
			t.Errorf("ticks of %v: got %q, want %q", c.deltas, got, c.want)
		}
		for i := 1; i < len(values); i++ {
			if gap := a.at(values[i]) - a.at(values[i-1]); gap < 60 {
				t.Errorf("ticks of %v are %v apart, want 60", c.deltas, gap)
			}
		}
	}
}

// Positions stay within the axis, whatever the numbers are.
func TestAxisBounds(t *testing.T) {
	for _, lo := range []float64{-math.MaxFloat64, -1, -math.SmallestNonzeroFloat64, 0} {
		for _, hi := range []float64{0, math.SmallestNonzeroFloat64, 1, math.MaxFloat64} {
			a := newAxis(100, 200, []profile.Row{{Delta: lo}, {Delta: hi}}, deltas).pad(0.02)
			for _, v := range []float64{lo, 0, hi, math.Inf(1), math.Inf(-1), math.NaN()} {
				if x := a.at(v); !(x >= 100 && x <= 200) {
					t.Errorf("axis of %v to %v: %v is at %v, want within 100 to 200", lo, hi, v, x)
				}
			}
		}
	}
}
