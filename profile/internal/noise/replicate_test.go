package noise

import (
	"math/rand/v2"
	"testing"

	"golang.org/x/perf/benchmath"
)

// TestPhi checks the inflation against its definition, which needs all runs:
// phi_j = sum of (X_si-mu_si)^2/(W*mu_si)/nu, mu_si = T_si*X_s/T_s.
func TestPhi(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	for range 200 {
		var runs [2][]float64
		var ops [2][]float64
		var sides [2]Side
		for s := range sides {
			k := 1 + r.IntN(5)
			sides[s].Runs = k
			for range k {
				n, o := float64(r.IntN(200)), float64(1+r.IntN(9))
				e := events(n)
				runs[s], ops[s] = append(runs[s], e.Value), append(ops[s], o)
				sides[s].Ops += o
				if n > 0 {
					sides[s].Add(e, o)
				}
			}
		}
		if sides[0].Runs+sides[1].Runs == 2 || sides[0].Value == 0 || sides[1].Value == 0 {
			continue
		}
		m := Default()
		m.Tau2 = 0.01 * r.Float64()
		got := m.Compare(sides[0], sides[1])
		var phi, nu float64
		for s := range sides {
			nu += float64(sides[s].Runs - 1)
			for i, x := range runs[s] {
				mu := ops[s][i] * sides[s].Value / sides[s].Ops
				phi += (x - mu) * (x - mu) / (got.Weight * mu)
			}
		}
		phi /= nu
		nbar := (got.NBefore + got.NAfter) / float64(sides[0].Runs+sides[1].Runs)
		want := max(1, (4*(1+m.Tau2*nbar)+nu*phi)/(4+nu))
		if !near(got.Phi, want, 1e-9) || got.DF != 4+nu || got.Basis != Replicates {
			t.Fatalf("runs %v over %v: got phi %v, %v df, want %v, %v", runs, ops, got.Phi, got.DF, want, 4+nu)
		}
	}
}

// TestAbsentSide: a side without the row tells nothing of its scatter.
func TestAbsentSide(t *testing.T) {
	m := Default()
	got := m.Compare(side(0, 5), side(30, 1))
	if got.Basis != Sampling || got.DF != 0 {
		t.Errorf("5 empty runs against one: got basis %v, %v df, want Sampling", got.Basis, got.DF)
	}
	got = m.Compare(side(0, 5), sideOf(10, 12, 9))
	if got.Basis != Replicates || got.DF != 6 {
		t.Errorf("5 empty runs against 3: got basis %v, %v df, want Replicates, 6", got.Basis, got.DF)
	}
	// A run without the row is a zero: 30 events in one of 3 runs scatter.
	if got := m.Compare(sideOf(30, 0, 0), sideOf(10, 10, 10)); got.Phi < 5 {
		t.Errorf("all events in one of three runs: got phi %v, want it large", got.Phi)
	}
}

// TestWelch: values of unknown rate are judged as benchmath judges them.
func TestWelch(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	unknownSide := func(values []float64) Side {
		s := Side{Runs: len(values)}
		for _, v := range values {
			s.Add(Estimate{Value: v, Unknown: true}, 1)
		}
		return s
	}
	m := Default()
	for range 100 {
		before, after := make([]float64, 3+r.IntN(4)), make([]float64, 3+r.IntN(4))
		for i := range before {
			before[i] = 1e6 * (1 + 0.1*r.Float64())
		}
		for i := range after {
			after[i] = 1e6 * (1.05 + 0.3*r.Float64())
		}
		got := m.Compare(unknownSide(before), unknownSide(after))
		want := compare(benchmath.AssumeNormal, before, after)
		if got.Basis != Scatter || !near(got.P, want.P, 1e-6) {
			t.Fatalf("%v against %v: got p = %v, basis %v, want %v", before, after, got.P, got.Basis, want.P)
		}
		if d, ok := m.Delta(got); !ok || (d.Lo > 0 || d.Hi < 0) != (got.P < 0.05) {
			t.Fatalf("%v against %v: p = %v but the difference is %+v", before, after, got.P, d)
		}
	}
	for _, test := range []struct {
		before, after []float64
		basis         Basis
		p             float64
	}{
		{[]float64{5, 6}, []float64{9, 8, 9}, Unknown, 1},
		{[]float64{5}, []float64{9}, Unknown, 1},
		{[]float64{5, 5, 5}, []float64{9, 9, 9}, Exact, 0},
		{[]float64{5, 5, 5}, []float64{5, 5, 5}, Exact, 1},
	} {
		got := m.Compare(unknownSide(test.before), unknownSide(test.after))
		if got.Basis != test.basis || got.P != test.p {
			t.Errorf("%v against %v: got basis %v, p = %v, want %v, %v", test.before, test.after, got.Basis, got.P, test.basis, test.p)
		}
	}
}

func TestCrossCheck(t *testing.T) {
	before := []float64{9, 7, 8, 6, 5, 4}
	after := []float64{19, 17, 18, 16, 15, 14}
	c, ok := CrossCheck(before, after)
	// The smallest p of the test at 6 runs a side: 2 of C(12,6) orders.
	if want := 2 / 924.0; !ok || !near(c.P, want, 1e-9) {
		t.Errorf("got p = %v, %v, want %v", c.P, ok, want)
	}
	if before[0] != 9 || after[0] != 19 {
		t.Errorf("the arguments were sorted: %v, %v", before, after)
	}
	if _, ok := CrossCheck(before[:5], after); ok {
		t.Error("5 runs: got a result, want none")
	}
}

// CPU totals are compared by their runs from two a side on.
func TestCompareRuns(t *testing.T) {
	side := func(values ...float64) Side {
		s := Side{Runs: len(values)}
		for _, v := range values {
			s.Add(Estimate{Value: v, Variance: v, Events: v, Weight: 1}, 1)
		}
		return s
	}
	before, after := []float64{9e6, 7e6}, []float64{19e6, 17e6}
	got, want := Default().CompareRuns(side(before...), side(after...)), compare(benchmath.AssumeNormal, before, after)
	if got.Basis != Scatter || !near(got.P, want.P, 1e-9) {
		t.Errorf("two runs: got p = %v, basis %v, want %v", got.P, got.Basis, want.P)
	}
	if got := Default().CompareRuns(side(9e6), side(after...)); got.Basis != Unknown {
		t.Errorf("one run: got basis %v, want none", got.Basis)
	}
}
