package noise

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

func unsampled(values ...float64) Side {
	s := Side{Runs: len(values)}
	for _, v := range values {
		s.Add(Estimate{Value: v, Unknown: true}, 1)
	}
	return s
}

func recorded(values ...float64) Side {
	s := Side{Runs: len(values)}
	for _, v := range values {
		s.Add(Exactly(v), 1)
	}
	return s
}

func TestFloor(t *testing.T) {
	m := Default()
	for _, c := range []struct {
		name                           string
		side                           Side
		basis                          Basis
		events, sampling, scatter, tau float64
		few                            bool
	}{
		{"one run", side(100, 1), Sampling, 100, 0.1, 0, 0.03, false},
		{"two events", side(2, 1), Sampling, 2, math.Sqrt(0.5), 0, 0.03, true},
		{"equal runs", sideOf(100, 100, 100), Replicates, 100, 0.1, 0, 0, false},
		// Sum of (X-mu)^2/mu = 200 events, twice: inflated = (4+400)/6 = 67.3.
		{"unequal runs", sideOf(0, 200), Replicates, 100, 0.1, math.Sqrt2, math.Sqrt(66.33 / 100), false},
		{"recorded once", recorded(1e6), Exact, 0, 0, 0, 0, false},
		{"recorded alike", recorded(1e6, 1e6), Exact, 0, 0, 0, 0, false},
		// Scatter of 2 % in 4 of 8 degrees of freedom.
		{"recorded thrice", recorded(0.98e6, 1e6, 1.02e6), Replicates, 0, 0, 0.02, 0.02 * math.Sqrt(4.0/8), false},
		{"unknown rate, two runs", unsampled(5, 6), Unknown, 0, 0, 0.128565, 0, false},
		{"unknown rate, three runs", unsampled(9, 10, 11), Scatter, 0, 0, 0.1, 0.1, false},
		{"unknown rate, no scatter", unsampled(9, 9, 9), Exact, 0, 0, 0, 0, false},
		{"nothing", Side{Runs: 3}, Unknown, 0, 0, 0, 0, false},
	} {
		got := m.Floor(c.side)
		if got.Basis != c.basis || got.Few != c.few || !near(got.Events, c.events, 1e-3) || !near(got.Sampling, c.sampling, 1e-3) ||
			!near(got.Scatter, c.scatter, 1e-3) || !near(got.Tau, c.tau, 1e-3) {
			t.Errorf("%s: got %+v, want basis %v, events %v, sampling %v, scatter %v, tau %v, few %v", c.name, got, c.basis, c.events, c.sampling, c.scatter, c.tau, c.few)
		}
	}
}

// Comparisons of simulated sides see the change that Smallest tells in about
// 80 % of trials.
func TestSmallestPower(t *testing.T) {
	n := trials(400, 4000)
	for i, c := range []struct {
		events, tau float64
		runs        int
	}{
		{100, 0, 1},
		{2000, 0, 1},
		{2000, 0.03, 1},
		{300, 0, 2},
		{1000, 0.05, 2},
		{1000, 0.05, 3},
		{3000, 0.02, 5},
		{1e5, 0.03, 5},
	} {
		m := Default()
		m.RunCV, m.Tau2 = c.tau, c.tau*c.tau
		p := NewPlanner(m)
		f := Floor{Basis: Replicates, Events: c.events, Tau: c.tau}
		if c.runs == 1 {
			f.Basis = Sampling
		}
		down, up, ok := p.Smallest(f, c.runs)
		if !ok || !(-1 <= down && down < 0 && up > 0) {
			t.Fatalf("%+v: got %v and %v (%v)", c, down, up, ok)
		}
		src := rand.NewPCG(uint64(i), 80)
		draw := func(events float64) Side {
			counts := make([]float64, c.runs)
			for r := range counts {
				mean := events
				if c.tau > 0 { // a gamma variable of mean 1
					k := 1 / (c.tau * c.tau)
					mean *= distuv.Gamma{Alpha: k, Beta: k, Src: src}.Rand()
				}
				counts[r] = distuv.Poisson{Lambda: mean, Src: src}.Rand()
			}
			return sideOf(counts...)
		}
		for _, change := range []float64{down, up} {
			seen := 0
			for range n {
				if m.Compare(draw(c.events), draw(c.events*(1+change))).P < 0.05 {
					seen++
				}
			}
			got := float64(seen) / float64(n)
			if low, high := 0.74-doubt(0.74, n), 0.86+doubt(0.86, n); got < low || got > high {
				t.Errorf("%+v: a change by %+.1f %% was seen in %.1f %% of comparisons, want about 80 %%", c, 100*change, 100*got)
			} else if *long {
				t.Logf("%+v: %+.1f %% seen in %.1f %%", c, 100*change, 100*got)
			}
		}
	}
}

// Reach and Smallest say the same thing.
func TestReach(t *testing.T) {
	m := Default()
	p := NewPlanner(m)
	for _, f := range []Floor{
		{Basis: Sampling, Events: 50, Tau: 0.03},
		{Basis: Sampling, Events: 1e5, Tau: 0.03},
		{Basis: Replicates, Events: 1000},
		{Basis: Replicates, Events: 3000, Tau: 0.02},
		{Basis: Replicates, Tau: 0.02},
		{Basis: Scatter, Events: 100, Tau: 0.05},
	} {
		for _, runs := range []int{1, 2, 3, 5, 20} {
			if f.Basis == Scatter && runs == 1 || f.Basis == Sampling && runs > 1 {
				continue
			}
			for _, fall := range []float64{0.5, 0.09, 0.02} {
				r, ok := p.Reach(f, fall, runs)
				down, _, _ := p.Smallest(f, runs)
				if !ok || r.Seen != (-down <= fall) || r.Seen != (r.Runs == runs) || r.Seen != (r.Share == 1) {
					t.Errorf("%+v, %d runs, -%v: got %+v, and the smallest fall is %v", f, runs, fall, r, down)
				}
				if r.Runs > runs {
					at, _, _ := p.Smallest(f, r.Runs)
					before, _, _ := p.Smallest(f, r.Runs-1)
					if -at > fall*(1+1e-9) || -before <= fall {
						t.Errorf("%+v, %d runs, -%v: got %d runs, where the smallest fall is %v, with one less %v", f, runs, fall, r.Runs, at, before)
					}
				}
				if r.Share > 0 && !r.Seen {
					g := f
					g.Events /= r.Share
					if at, _, _ := p.Smallest(g, runs); !near(-at, fall, 1e-6) {
						t.Errorf("%+v, %d runs, -%v: at %v of the period the smallest fall is %v", f, runs, fall, r.Share, at)
					}
				}
			}
		}
	}
	// Run noise of 3 % hides -9 % from one run a side at any rate.
	if r, _ := p.Reach(Floor{Basis: Sampling, Events: 1e6, Tau: 0.03}, 0.09, 1); r.Share != 0 || r.Runs < 2 {
		t.Errorf("limited by run noise: got %+v, want no rate and more runs", r)
	}
	if r, _ := p.Reach(Floor{Basis: Sampling, Events: 0.01}, 0.02, 1); r.Runs != 0 {
		t.Errorf("hardly sampled: got %+v, want no number of runs", r)
	}
	if _, ok := p.Reach(Floor{}, 0.09, 3); ok {
		t.Error("basis Unknown: got a reach, want none")
	}
	exact := m.Floor(recorded(1e6))
	if down, up, _ := p.Smallest(exact, 1); !near(down, -0.001024, 1e-9) || !near(up, 0.001024, 1e-9) {
		t.Errorf("a million bytes recorded: got %v and %v, want 1,024 bytes", down, up)
	}
	if r, ok := p.Reach(exact, 0.02, 1); !ok || !r.Seen {
		t.Errorf("recorded: got %+v (%v), want it seen", r, ok)
	}
}

// No floor of any side is NaN or infinite.
func TestFloorFinite(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 2))
	m := Default()
	for range 3000 {
		m.Tau2 = []float64{0, 0.001, 4}[r.IntN(3)]
		counts := make([]float64, 1+r.IntN(5))
		for i := range counts {
			counts[i] = math.Floor(math.Pow(10, 9*r.Float64())) * float64(r.IntN(3))
		}
		s := sideOf(counts...)
		if r.IntN(4) == 0 {
			s.Unknown = true
		}
		if r.IntN(4) == 0 {
			s.Variance, s.Miss = 0, 0
		}
		f, p := m.Floor(s), NewPlanner(m)
		if g, ok := m.FloorNormal(s); ok && r.IntN(2) == 0 {
			f = g
		}
		down, up, _ := p.Smallest(f, s.Runs)
		reach, _ := p.Reach(f, r.Float64(), s.Runs)
		if !finite(f.Events, f.Sampling, f.Scatter, f.Tau, down, up, reach.Share) || down < -1 || down > 0 || up < 0 || reach.Share < 0 || reach.Share > 1 {
			t.Fatalf("%v (unknown %v): got %+v, %v, %v, %+v", counts, s.Unknown, f, down, up, reach)
		}
	}
}

// A change that Smallest tells is one that Compare, given a side and another one
// changed by as much, is about to call: its p value is that of 2.8 standard
// errors.
func TestFloorIsOfCompare(t *testing.T) {
	m := Default()
	m.Tau2 = 0.0004
	for _, s := range []Side{side(5000, 1), sideOf(900, 1000, 1100, 1050), sideOf(1e5, 1.01e5)} {
		f := m.Floor(s)
		down, _, _ := NewPlanner(m).Smallest(f, s.Runs)
		after := s
		after.Value *= 1 + down
		after.Variance *= 1 + down
		after.Squares *= (1 + down) * (1 + down)
		got := m.Compare(s, after)
		z := -distuv.UnitNormal.Quantile(got.P / 2)
		if got.DF > 0 {
			z = -student(got.DF).Quantile(got.P / 2)
		}
		want := NewPlanner(m).plan(f, s.Runs).z()
		if math.Abs(z-want) > 0.15*want {
			t.Errorf("%v runs: a fall by %v lies %.2f standard errors away, want about %.2f", s.Runs, -down, z, want)
		}
	}
}
