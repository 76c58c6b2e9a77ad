package noise

import (
	"math"
	"testing"
)

func TestPlanEvents(t *testing.T) {
	for _, test := range []struct{ change, alpha, at80, at90 float64 }{
		{-50, 0.05, 49, 66},
		{-50, 0.001, 107, 131},
		{-30, 0.05, 150, 201},
		{-30, 0.001, 326, 399},
		{-20, 0.05, 355, 475},
		{-20, 0.001, 772, 945},
		{-9, 0.05, 1852, 2480},
		{-9, 0.001, 4029, 4933},
		{-5, 0.05, 6123, 8198},
		{-5, 0.001, 13321, 16309},
		{-2, 0.05, 38853, 52014},
		{-2, 0.001, 84522, 103478},
	} {
		rho := 1 + test.change/100
		for power, want := range map[float64]float64{0.8: test.at80, 0.9: test.at90} {
			got := Plan{Alpha: test.alpha, Power: power}.Events(rho)
			if math.Abs(got-want) > 0.5+1e-4*want {
				t.Errorf("%v %% at alpha %v and power %v: got %.1f events, want %v", test.change, test.alpha, power, got, want)
			}
		}
	}
}

func TestPlanSmallest(t *testing.T) {
	for _, test := range []struct{ n, down, up float64 }{
		{10, -100, 180.6},
		{30, -62.4, 88.3},
		{100, -36.2, 44.0},
		{300, -21.7, 24.3},
		{1000, -12.2, 12.9},
		{3000, -7.1, 7.4},
		{10000, -3.9, 4.0},
	} {
		down, up := DefaultPlan.Smallest(test.n, 1, 0)
		if math.Abs(100*down-test.down) > 0.05 || math.Abs(100*up-test.up) > 0.05 {
			t.Errorf("%v events: got %+.1f %% and %+.1f %%, want %v and %v", test.n, 100*down, 100*up, test.down, test.up)
		}
	}
}

// TestPlanSmallestInverts checks both directions against the power they claim.
func TestPlanSmallestInverts(t *testing.T) {
	for _, n := range []float64{50, 200, 5000, 1e6} {
		for _, runs := range []int{1, 3, 10} {
			for _, tau := range []float64{0, 0.03, 0.2} {
				down, up := DefaultPlan.Smallest(n, runs, tau)
				for _, change := range []float64{down, up} {
					if change == -1 {
						continue
					}
					if got := DefaultPlan.Chance(1+change, n, runs, tau); math.Abs(got-0.8) > 1e-6 {
						t.Errorf("change %+.3f, %v events, %d runs, tau %v: got power %v, want 0.8", change, n, runs, tau, got)
					}
				}
			}
		}
	}
}

func TestPlanChance(t *testing.T) {
	runs := [5]int{1, 3, 5, 10, 20}
	for _, test := range []struct {
		tau, n   float64
		usual    [5]float64 // percent at alpha 0.05
		stringed [5]float64 // percent at alpha 0.001
	}{
		{0, 100, [5]float64{10, 20, 31, 54, 83}, [5]float64{0, 2, 3, 11, 35}},
		{0, 300, [5]float64{20, 50, 71, 95, 100}, [5]float64{2, 9, 22, 61, 96}},
		{0, 1000, [5]float64{54, 95, 100, 100, 100}, [5]float64{11, 61, 91, 100, 100}},
		{0.01, 300, [5]float64{20, 49, 70, 94, 100}, [5]float64{1, 9, 21, 59, 95}},
		{0.01, 3000, [5]float64{88, 100, 100, 100, 100}, [5]float64{44, 98, 100, 100, 100}},
		{0.03, 100, [5]float64{9, 19, 29, 51, 80}, [5]float64{0, 1, 3, 9, 31}},
		{0.03, 1000, [5]float64{33, 74, 92, 100, 100}, [5]float64{4, 25, 53, 93, 100}},
		{0.03, 3000, [5]float64{47, 90, 99, 100, 100}, [5]float64{8, 49, 82, 100, 100}},
		{0.05, 100, [5]float64{8, 17, 26, 46, 74}, [5]float64{0, 1, 2, 7, 25}},
		{0.05, 3000, [5]float64{24, 58, 80, 98, 100}, [5]float64{2, 13, 31, 75, 99}},
	} {
		for i, k := range runs {
			for alpha, want := range map[float64]float64{0.05: test.usual[i], 0.001: test.stringed[i]} {
				got := 100 * Plan{Alpha: alpha}.Chance(0.91, test.n, k, test.tau)
				if math.Abs(got-want) > 0.6 {
					t.Errorf("-9 %%, %v events, %d runs, tau %v, alpha %v: got power %.1f %%, want %v %%", test.n, k, test.tau, alpha, got, want)
				}
			}
		}
	}
}

// TestNeed checks the ticket of the introduction: -9 % needs 1,852 samples,
// 926 MiB of a function.
func TestNeed(t *testing.T) {
	m := Default()
	m.RunCV = 0
	test := m.Compare(side(463, 1), side(463, 1))
	n, ok := m.Need(test)
	if !ok || math.Abs(n.Events-1852) > 1 {
		t.Errorf("got %v events (%v), want 1852", n.Events, ok)
	}
	if got := n.Value / (1 << 20); math.Abs(got-926) > 1 {
		t.Errorf("got %.1f MiB, want 926", got)
	}
	if got := n.Period / (1 << 10); math.Abs(got-128) > 1 {
		t.Errorf("got a period of %.1f KiB, want 128: a quarter of the events needed", got)
	}
	if n.Runs != 4 || n.RunLimited {
		t.Errorf("got %d runs, limited %v, want 4, false", n.Runs, n.RunLimited)
	}

	// Run noise of 3 % alone hides -9 % from one run a side: its standard
	// error of 4.2 % needs 11.9 %.
	m.RunCV = 0.03
	n, _ = m.Need(m.Compare(side(1e6, 1), side(1e6, 1)))
	if !n.RunLimited || n.Runs != 2 {
		t.Errorf("with run noise: got limited %v, %d runs, want true, 2", n.RunLimited, n.Runs)
	}
	if n, _ := m.Need(m.Compare(side(0, 1), side(40, 1))); n.Runs != 0 || n.Period != 0 {
		t.Errorf("nothing before: got %+v, want no runs and no period", n)
	}
	if _, ok := m.Need(Test{}); ok {
		t.Error("basis Unknown: got a need, want none")
	}
}
