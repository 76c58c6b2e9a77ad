package noise

import "testing"

func TestAdjust(t *testing.T) {
	// The example of Benjamini and Hochberg (1995), 15 p values: their
	// procedure rejects 4 at 0.05.
	ps := []float64{
		0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
		0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000,
	}
	want := []float64{
		0.0015, 0.003, 0.0095, 0.035625, 0.0603, 0.063857142857, 0.063857142857, 0.0645,
		0.0765, 0.486, 0.581181818182, 0.714875, 0.753230769231, 0.813214285714, 1,
	}
	var tests []Test
	for i := range ps {
		// In some other order, and with rows between that cannot be judged.
		j := i * 7 % len(ps)
		tests = append(tests,
			Test{Basis: Sampling, Phi: 1, NBefore: 3, NAfter: 3, P: ps[j]},
			Test{Basis: Sampling, Phi: 1, NBefore: 3, NAfter: 2, P: 1e-6},
			Test{Basis: Unknown, P: 1e-6})
	}
	Adjust(tests)
	for i := range ps {
		j := i * 7 % len(ps)
		if got := tests[3*i].Q; !near(got, want[j], 1e-9) {
			t.Errorf("p = %v: got q = %v, want %v", ps[j], got, want[j])
		}
		if a, b := tests[3*i+1].Q, tests[3*i+2].Q; a != 1 || b != 1 {
			t.Errorf("rows that cannot be judged: got q = %v and %v, want 1", a, b)
		}
	}
	Adjust(nil)
}

func TestVerdict(t *testing.T) {
	exact := func(x float64) Side { return Side{Estimate: Exactly(x), Squares: x * x, Runs: 1} }
	perOp := func(x, ops float64) Side { return Side{Estimate: Exactly(x), Squares: x * x / ops, Runs: 1, Ops: ops} }
	unknown := Side{Estimate: Estimate{Value: 1e9, Unknown: true}, Runs: 1}
	for _, test := range []struct {
		name          string
		before, after Side
		set           func(*Method)
		want          Verdict
	}{
		{"more", side(100, 1), side(200, 1), nil, Up},
		{"less", side(200, 1), side(100, 1), nil, Down},
		{"from nothing", side(0, 1), side(20, 1), nil, New},
		{"to nothing", side(20, 1), side(0, 1), nil, Gone},
		{"little changed, few samples", side(100, 1), side(110, 1), nil, Unclear},
		{"little changed, many samples", side(20_000, 1), side(20_100, 1), func(m *Method) { m.RunCV = 0 }, Same},
		{"run noise hides that it is the same", side(20_000, 1), side(20_100, 1), nil, Unclear},
		{"changed within the tolerance is still a change", side(90_000, 1), side(93_000, 1), func(m *Method) { m.RunCV = 0 }, Up},
		{"below the least effect, but outside the tolerance", side(100, 1), side(200, 1), func(m *Method) { m.MinEffect = 101 * rate }, Unclear},
		{"5 samples", side(0, 1), side(5, 1), nil, TooFew},
		{"nothing", side(0, 1), side(0, 1), nil, TooFew},
		{"no model", unknown, side(100, 1), nil, Unjudgeable},
		{"repeated, more", side(300, 3), side(900, 3), nil, Up},
		{"exactly more", exact(1e6), exact(1.2e6), nil, Up},
		{"exactly equal", exact(1e6), exact(1e6), nil, Same},
		{"exactly, but a stray object of the runtime", exact(1e6), exact(1e6 + 112), nil, Same},
		{"exactly, from nothing, a stray object", exact(0), exact(112), nil, Unclear},
		{"exactly, from nothing", exact(0), exact(1024), nil, New},
		{"exactly, by a thousandth", exact(1e7), exact(1e7 + 1e4), nil, Same},
		{"exactly, an operation, 2 B more", perOp(30e6, 1e6), perOp(32e6, 1e6), nil, Up},
	} {
		m := Default()
		if test.set != nil {
			test.set(&m)
		}
		tests := []Test{m.Compare(test.before, test.after)}
		Adjust(tests)
		if got := m.Verdict(tests[0]); got != test.want {
			t.Errorf("%s: got %q, want %q (p = %v)", test.name, got, test.want, tests[0].P)
		}
	}
}

func TestReal(t *testing.T) {
	for _, test := range []struct {
		before, after int
		want          bool
	}{{1, 1, false}, {1, 5, false}, {5, 1, false}, {2, 2, true}} {
		if got := Default().Compare(side(60, test.before), side(60, test.after)).Real(); got != test.want {
			t.Errorf("%d against %d runs: got real %v, want %v", test.before, test.after, got, test.want)
		}
	}
}
