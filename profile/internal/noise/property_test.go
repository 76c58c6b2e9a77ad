package noise

import (
	"math"
	"math/rand/v2"
	"testing"
)

// check compares two sides and fails the test if the result breaks an
// invariant of the package.
func check(t *testing.T, m Method, before, after Side) {
	t.Helper()
	x, y := m.Compare(before, after), m.Compare(after, before)
	fail := func(what string, got ...any) {
		t.Helper()
		t.Errorf("%s: got %v\nmethod %+v\nbefore %+v\nafter %+v\ntest %+v", what, got, m, before, after, x)
	}

	if !finite(x.P, x.Q, x.Phi, x.DF, x.Weight, x.NBefore, x.NAfter) || x.P < 0 || x.P > 1 || x.Phi < 1 {
		fail("test out of range", x)
	}
	if !near(x.P, y.P, 1e-9) {
		fail("p differs when the sides are swapped", x.P, y.P)
	}
	d, ok := m.Delta(x)
	e, _ := m.Delta(y)
	scale := max(math.Abs(d.Lo), math.Abs(d.Hi), before.Rate(), after.Rate())
	if !finite(d.Value, d.Lo, d.Hi) || !(d.Lo <= d.Value && d.Value <= d.Hi) {
		fail("difference", d)
	}
	if math.Abs(d.Value+e.Value) > 1e-9*scale || math.Abs(d.Lo+e.Hi) > 1e-9*scale || math.Abs(d.Hi+e.Lo) > 1e-9*scale {
		fail("difference is not negated when the sides are swapped", d, e)
	}
	if ok != (x.Basis != Unknown) {
		fail("difference has an interval", ok)
	}
	for _, r := range []Range{first(m.Before(x)), first(m.After(x))} {
		if !finite(r.Value, r.Lo, r.Hi) || !(0 <= r.Lo && r.Lo <= r.Value && r.Value <= r.Hi) || r.Open {
			fail("side", r)
		}
	}
	checkRatio(t, m, x, y, fail)

	if n, ok := m.Need(x); ok && !finite(n.Events, n.Value, n.Period, float64(n.Runs)) {
		fail("need", n)
	}
	tests := []Test{x}
	Adjust(tests)
	switch v := m.Verdict(tests[0]); v {
	case Up, Down, New, Gone, Same, Unclear, TooFew, Unjudgeable:
		// Same must be what the interval of the ratio says.
		r, ok := m.Ratio(x)
		inside := ok && !r.Open && r.Lo >= 1-m.Tolerance && r.Hi <= 1+m.Tolerance
		edge := ok && (math.Abs(r.Lo-1+m.Tolerance) < 1e-6 || math.Abs(r.Hi-1-m.Tolerance) < 1e-6)
		if ok && !edge && (v == Same && !inside || v == Unclear && inside) {
			fail("verdict against the interval", v, r)
		}
	default:
		fail("verdict", v)
	}
}

func checkRatio(t *testing.T, m Method, x, y Test, fail func(string, ...any)) {
	t.Helper()
	r, ok := m.Ratio(x)
	if !finite(r.Value, r.Lo, r.Hi) || r.Lo < 0 {
		fail("ratio", r)
	}
	if !ok || x.Basis == Exact {
		return
	}
	if r.Open && r.Hi != 0 || !r.Open && !(r.Lo <= r.Value*(1+1e-9) && r.Value <= r.Hi*(1+1e-9)) {
		fail("ratio", r)
	}
	s, _ := m.Ratio(y)
	inverse := func(lo float64, hi Range) bool {
		if lo == 0 || hi.Open {
			return (lo == 0) == hi.Open
		}
		return near(lo, 1/hi.Hi, 1e-6)
	}
	if !inverse(r.Lo, s) || !inverse(s.Lo, r) {
		fail("ratio is not inverted when the sides are swapped", r, s)
	}
	excludes := r.Lo > 1 || !r.Open && r.Hi < 1
	// Welch's test is of the difference, its ratio comes from the logarithms.
	if alpha := m.alpha(); x.Basis != Scatter && math.Abs(x.P-alpha) > 1e-6 && excludes != (x.P < alpha) {
		fail("p and the interval of the ratio disagree", x.P, r)
	}
}

func first(r Range, _ bool) Range { return r }

// someSide returns a side of any kind that profiles can give.
func someSide(r *rand.Rand) Side {
	pick := func(of ...int64) int64 { return of[r.IntN(len(of))] }
	s := Side{Runs: int(pick(0, 1, 1, 2, 3, 10))}
	period := pick(0, 1, 2, 512, 4096, 512<<10, 512<<10, 4<<20, math.MaxInt64)
	if r.IntN(2) == 0 {
		s.Period = float64(period)
	}
	perRun := float64(pick(0, 1, 1, 1000, 1<<62))
	s.Ops = perRun * s.runs()
	for range int(s.runs()) {
		for range r.IntN(3) {
			space, objects := Heap(pick(0, 8, 112, 1024, 64<<10, 4<<20, 1<<40, 1<<62), period)
			value := pick(0, 1, 1000, 1<<20, 1<<30, 1<<62, r.Int64N(1<<uint(1+r.IntN(62))))
			var e Estimate
			switch r.IntN(12) {
			case 0:
				e = Exactly(float64(value))
			case 1:
				e, _ = Interval(float64(value)).Estimate(value)
			case 2:
				e, _ = Interval(float64(value) / float64(r.IntN(10))).Estimate(value)
			case 3:
				e, _ = Interval(float64(period)).Estimate(pick(0, 1, 50, 1<<40))
			case 4:
				e, _ = objects.Estimate(value)
			default:
				e, _ = space.Estimate(value)
			}
			s.Add(e, perRun)
		}
	}
	return s
}

func TestInvariants(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	n := 2000
	if testing.Short() {
		n = 500
	}
	for range n {
		m := Default()
		if r.IntN(4) == 0 {
			m = Method{FDR: r.Float64(), Tolerance: r.Float64() / 2, RunCV: r.Float64(), Confidence: 0.5 + r.Float64()/2}
		}
		if r.IntN(2) == 0 {
			m.Tau2 = r.Float64() * r.Float64()
		}
		check(t, m, someSide(r), someSide(r))
		if t.Failed() {
			return
		}
	}
}

// TestInvariantsCounts is the same over plain counts, where p is in the
// interesting range more often.
func TestInvariantsCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		mean := math.Exp(r.Float64() * 8)
		counts := func(runs int) Side {
			c := make([]float64, runs)
			for i := range c {
				c[i] = math.Floor(max(0, mean+2*r.NormFloat64()*math.Sqrt(mean)))
			}
			return sideOf(c...)
		}
		m := Default()
		m.Tau2 = 0.001
		check(t, m, counts(1+r.IntN(4)), counts(1+r.IntN(4)))
		if t.Failed() {
			return
		}
	}
}

func FuzzCompare(f *testing.F) {
	f.Add(int64(1<<20), int64(0), int64(1024), int64(64), int64(512<<10), int64(4096), 1.0, 1.0, uint8(1), uint8(1), 0.0)
	f.Add(int64(1<<62), int64(1<<62), int64(16), int64(4<<20), int64(1), int64(512<<10), 1000.0, 3e-31, uint8(3), uint8(2), 0.01)
	f.Add(int64(0), int64(0), int64(0), int64(0), int64(0), int64(0), 0.0, math.Inf(1), uint8(0), uint8(0), 0.5)
	f.Add(int64(1<<40), int64(1<<41), int64(8<<20), int64(8), int64(4096), int64(64<<10), 1e30, 1e-30, uint8(5), uint8(1), 1.0)
	f.Fuzz(func(t *testing.T, x, y, size1, size2, period1, period2 int64, ops1, ops2 float64, runs1, runs2 uint8, tau2 float64) {
		if !(tau2 >= 0 && tau2 <= 1e6) {
			t.Skip("no coefficient of variation")
		}
		side := func(value, size, period int64, ops float64, runs uint8) Side {
			s := Side{Runs: int(runs), Ops: ops * float64(runs), Period: float64(max(period, 0))}
			space, _ := Heap(size, period)
			for i := range min(int64(runs), 8) {
				e, _ := space.Estimate(value / (i + 1))
				s.Add(e, ops)
			}
			return s
		}
		m := Default()
		m.Tau2 = tau2
		check(t, m, side(x, size1, period1, ops1, runs1), side(y, size2, period2, ops2, runs2))
	})
}
