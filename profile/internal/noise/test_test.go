package noise

import (
	"math"
	"testing"
)

// TestCompare holds p values that can be had by hand: twice the smaller mid-p
// tail of a binomial.
func TestCompare(t *testing.T) {
	third := side(0, 1)
	third.Runs = 2
	for _, test := range []struct {
		name          string
		before, after Side
		want          float64
	}{
		{"5 against 5", side(5, 1), side(5, 1), 1},
		{"0 against 10", side(0, 1), side(10, 1), math.Pow(2, -10)},
		{"10 against 0", side(10, 1), side(0, 1), math.Pow(2, -10)},
		// P(K>=9)+P(K=8)/2 of 8 trials, doubled: (1/2)*2^-8*2.
		{"0 of 2 runs against 8 of 1", third, side(8, 1), math.Pow(3, -8)},
		// 2*(P(10)+P(9)+P(8)/2) = 2*(1+10+45/2)/1024.
		{"2 against 8", side(2, 1), side(8, 1), 2 * (1 + 10 + 22.5) / 1024},
		{"nothing", side(0, 1), side(0, 1), 1},
	} {
		got := sampling().Compare(test.before, test.after)
		// Objects of 64 bytes weigh W = 64*q/p, a little less than the period.
		if !near(got.P, test.want, 2e-3) {
			t.Errorf("%s: got p = %v, want %v", test.name, got.P, test.want)
		}
	}
}

func TestCompareWeight(t *testing.T) {
	// Before at 512 KiB, after at 4 KiB: W mixes the variances of both.
	fine, _ := Heap(64, 4096)
	_, space := written(1000, 64, 4096)
	e, _ := fine.Estimate(space)
	after := Side{Runs: 1, Period: 4096}
	after.Add(e, 1)
	before := side(8, 1)
	got := sampling().Compare(before, after)
	want := (before.Variance + after.Variance) / (before.Value + after.Value)
	if !near(got.Weight, want, 1e-12) {
		t.Errorf("different periods: got weight %v, want %v", got.Weight, want)
	}

	// Twice the ops for twice the events is no change.
	a, b := side(40, 1), side(80, 1)
	a.Ops, b.Ops = 1000, 2000
	if got := sampling().Compare(a, b); got.P < 0.95 {
		t.Errorf("equal rates over different ops: got p = %v, want about 1", got.P)
	}

	// phi of one run a side: 1 + cv^2 * (X_B+X_A)/(2W).
	got = Default().Compare(side(1000, 1), side(1000, 1))
	if want := 1 + 0.03*0.03*1000; !near(got.Phi, want, 1e-3) {
		t.Errorf("assumed run noise: got phi = %v, want %v", got.Phi, want)
	}
}

// TestLargeObjects: 25 sampled objects of 2 MiB leave an expected 0.46 missed,
// so at least one must be reckoned with.
func TestLargeObjects(t *testing.T) {
	scale, _ := Heap(2<<20, rate)
	_, space := written(25, 2<<20, rate)
	e, _ := scale.Estimate(space)
	s := Side{Estimate: e, Runs: 1}
	if got, want := s.guarded(), e.Weight*e.Weight; got != want {
		t.Errorf("got variance %v, want that of one object, %v", got, want)
	}
	// At 16 periods a miss is impossible in practice and nothing is added.
	scale, _ = Heap(16*rate, rate)
	_, space = written(25, 16*rate, rate)
	e, _ = scale.Estimate(space)
	s = Side{Estimate: e, Runs: 1}
	if got, want := s.guarded(), 50*e.Miss*e.Weight*e.Weight; !near(got, want, 1e-9) || got > 2e-4*e.Weight*e.Weight {
		t.Errorf("16 periods: got variance %v, want %v", got, want)
	}
}

func TestExact(t *testing.T) {
	exact := func(x float64, runs int) Side {
		s := Side{Runs: runs}
		for range runs {
			s.Add(Exactly(x), 1)
		}
		return s
	}
	m := Default()
	for _, test := range []struct {
		before, after Side
		p             float64
		basis         Basis
	}{
		{exact(1<<20, 1), exact(1<<20, 1), 1, Exact},
		{exact(1<<20, 1), exact(1<<20+1, 1), 0, Exact},
		{exact(1<<20, 3), exact(1<<20, 5), 1, Exact},
		{exact(1<<20, 3), exact(1<<21, 5), 0, Exact},
		{exact(0, 1), exact(5, 1), 0, Exact},
	} {
		got := m.Compare(test.before, test.after)
		if got.P != test.p || got.Basis != test.basis {
			t.Errorf("Compare(%v, %v): got p = %v, basis %v, want %v, %v",
				test.before.Value, test.after.Value, got.P, got.Basis, test.p, test.basis)
		}
		d, ok := m.Delta(got)
		if want := test.after.Rate() - test.before.Rate(); !ok || d != (Range{Value: want, Lo: want, Hi: want}) {
			t.Errorf("Delta: got %+v, %v, want the point %v", d, ok, want)
		}
	}
	if _, ok := m.Ratio(m.Compare(exact(0, 1), exact(5, 1))); ok {
		t.Error("ratio to an exact zero: got one, want none")
	}

	// Recorded in full, yet the runs scatter by 10 %: a difference of 2 % is
	// not certain, one by a factor of 2 is real.
	noisy := func(values ...float64) Side {
		s := Side{Runs: len(values)}
		for _, v := range values {
			s.Add(Exactly(v), 1)
		}
		return s
	}
	got := m.Compare(noisy(900, 1000, 1100), noisy(920, 1020, 1120))
	if got.Basis != Replicates || got.P < 0.5 {
		t.Errorf("2 %% within scatter: got p = %v, basis %v, want no difference by Replicates", got.P, got.Basis)
	}
	if n, ok := m.Need(got); !ok || !n.RunLimited || n.Runs < 4 || n.Period != 0 {
		t.Errorf("2 %% within scatter: got need %+v, %v, want more than 3 runs and no period", n, ok)
	}
	if m.Compare(noisy(1, 1000, 1), noisy(1, 1, 1000)).Few() {
		t.Error("recorded in full, wild scatter: got few, want judged")
	}
	if got := m.Compare(noisy(900, 1000, 1100), noisy(1800, 2000, 2200)); got.P > 0.01 || got.P == 0 {
		t.Errorf("twice as much: got p = %v, want a small one but not 0", got.P)
	}
}

func TestZeroSide(t *testing.T) {
	m := sampling()
	test := m.Compare(side(0, 1), side(50, 1))
	r, ok := m.Ratio(test)
	if !ok || !r.Open || r.Lo < 10 {
		t.Errorf("new row: got ratio %+v, %v, want one open upwards from above 10", r, ok)
	}
	b, _ := m.Before(test)
	if want := math.Log(40) * rate; b.Lo != 0 || !near(b.Hi, want, 1e-3) {
		t.Errorf("before: got up to %v, want 3.69 periods, %v", b.Hi, want)
	}
	gone, ok := m.Ratio(m.Compare(side(50, 1), side(0, 1)))
	if !ok || gone.Open || gone.Value != 0 || gone.Lo != 0 || !near(gone.Hi, 1/r.Lo, 1e-9) {
		t.Errorf("row gone: got ratio %+v, want 0 to %v", gone, 1/r.Lo)
	}
}
