package noise

import (
	"iter"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// A program is what the simulated profiles are of: functions with expected
// samples a run between least and most, spread evenly in the logarithm.
type program struct {
	functions   int
	least, most float64
	changed     float64 // share of the functions that change
	ratio       float64 // by which they change
	cv          float64 // run noise of each function, a fraction
}

// A row is one function: its two sides and whether it changed.
type row struct {
	before, after Side
	changed       bool
}

// rows draws k profiles a side.
func (p program) rows(k int, r *rand.Rand) []row {
	rows := make([]row, p.functions)
	runs := func(mean float64) Side {
		counts := make([]float64, k)
		for i := range counts {
			mean := mean
			if p.cv > 0 {
				shape := 1 / (p.cv * p.cv)
				mean *= distuv.Gamma{Alpha: shape, Beta: shape, Src: r}.Rand()
			}
			counts[i] = distuv.Poisson{Lambda: mean, Src: r}.Rand()
		}
		return sideOf(counts...)
	}
	for i := range rows {
		mean := p.least * math.Exp(r.Float64()*math.Log(p.most/p.least))
		ratio := 1.0
		if float64(i) < p.changed*float64(p.functions) {
			rows[i].changed, ratio = true, p.ratio
		}
		rows[i].before, rows[i].after = runs(mean), runs(mean*ratio)
	}
	return rows
}

func sides(rows []row) iter.Seq2[Side, Side] {
	return func(yield func(Side, Side) bool) {
		for _, r := range rows {
			if !yield(r.before, r.after) {
				return
			}
		}
	}
}

// judge compares all rows as a caller of this package does.
func judge(m Method, rows []row) []Test {
	m.Tau2 = RunNoise(sides(rows))
	tests := make([]Test, len(rows))
	for i, r := range rows {
		tests[i] = m.Compare(r.before, r.after)
	}
	Adjust(tests)
	return tests
}

// TestWholeProfileNull: in one pair of profiles of equal programs of 500
// functions, something is flagged in at most 6 %.
func TestWholeProfileNull(t *testing.T) {
	n := trials(300, 20000)
	r := rand.New(rand.NewPCG(7, 7))
	p := program{functions: 500, least: 0.5, most: 2000}
	m := sampling()
	flagged := 0
	for range n {
		for _, test := range judge(m, p.rows(1, r)) {
			if v := m.Verdict(test); v == Up || v == Down || v == New || v == Gone {
				flagged++
				break
			}
		}
	}
	got := float64(flagged) / float64(n)
	t.Logf("something flagged in %.1f %% of %d", 100*got, n)
	if got > 0.06+doubt(0.06, n) {
		t.Errorf("something flagged in %.1f %%, want at most 6 %%", 100*got)
	}
}

// TestReplicatePower: with runs that differ by 3 % beyond sampling, and 75 of
// 500 functions 30 % smaller, at most 5 % of the changes reported are false,
// and the power is at least that of the first reference implementation less 5
// points.
//
// Power depends on the program. Its functions here have 1 to 3,000 samples a
// run, evenly in the logarithm; then a test that allows for sampling noise
// alone finds about 48, 53, 59 and 69 %, of which 16 to 18 % are false, close to
// what the reference saw on its own program (44, 51, 62 and 72 %, with 14 to
// 17 % false), so that the powers can be compared. With 10 % of the functions
// changed they are 3 points lower, with 20 % one or two higher.
func TestReplicatePower(t *testing.T) {
	n := trials(8, 300)
	p := program{functions: 500, least: 1, most: 3000, changed: 0.15, ratio: 0.7, cv: 0.03}
	for _, test := range []struct {
		runs  int
		power float64 // of the reference
	}{{2, 0.22}, {3, 0.36}, {5, 0.52}, {10, 0.65}} {
		r := rand.New(rand.NewPCG(uint64(test.runs), 9))
		var ours, blind tally
		for range n {
			rows := p.rows(test.runs, r)
			ours.count(rows, judge(Default(), rows))
			for i := range rows {
				rows[i].before.merge()
				rows[i].after.merge()
			}
			blind.count(rows, judge(sampling(), rows))
		}
		t.Logf("%d runs: power %.1f %%, false %.2f %%; by sampling noise alone %.1f %%, false %.1f %%", test.runs,
			100*ours.power(), 100*ours.fdr(), 100*blind.power(), 100*blind.fdr())
		if got, want := ours.power(), test.power-0.05; got < want {
			t.Errorf("%d runs: got power %.1f %%, want at least %.1f %%", test.runs, 100*got, 100*want)
		}
		if got := ours.fdr(); got > 0.05 {
			t.Errorf("%d runs: %.1f %% of the changes reported are false, want at most 5 %%", test.runs, 100*got)
		}
		if got := blind.fdr(); got < 0.08 {
			t.Errorf("%d runs: sampling noise alone gives %.1f %% false changes: the run noise of this program tests nothing", test.runs, 100*got)
		}
	}
}

// merge makes one run of all.
func (s *Side) merge() {
	s.Ops, s.Runs = s.ops(), 1
	s.Squares = s.Value * s.Value / s.Ops
}

// A tally counts discoveries over simulated comparisons.
type tally struct {
	changed, found, comparisons int
	false                       float64 // sum of the false shares
}

func (c *tally) count(rows []row, tests []Test) {
	var right, wrong int
	for i, t := range tests {
		if rows[i].changed {
			c.changed++
		}
		switch {
		case t.Q <= 0.05 && rows[i].changed:
			right++
		case t.Q <= 0.05:
			wrong++
		}
	}
	c.found += right
	c.comparisons++
	c.false += float64(wrong) / float64(max(1, right+wrong))
}

func (c tally) power() float64 { return float64(c.found) / float64(c.changed) }
func (c tally) fdr() float64   { return c.false / float64(c.comparisons) }

// TestRunNoise: the run noise of a program is found from its scatter, and none
// where there is none.
func TestRunNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, cv := range []float64{0, 0.03, 0.1, 0.3} {
		for _, k := range []int{2, 5} {
			p := program{functions: 500, least: 1, most: 3000, cv: cv}
			rows := p.rows(k, r)
			tau := math.Sqrt(RunNoise(sides(rows)))
			// A tenth, or what the median of 500 functions of this size can tell
			// from none.
			if math.Abs(tau-cv) > max(0.1*cv, 0.015) {
				t.Errorf("run noise %v, %d runs: got tau %.4f", cv, k, tau)
			}
		}
	}
	// A few functions whose events come in bursts are no noise of the others.
	p := program{functions: 30, least: 1000, most: 100000, cv: 0.002}
	rows := p.rows(5, r)
	burst := Side{Estimate: Estimate{Value: 40, Variance: 40, Events: 40, Weight: 1}, Squares: 1600, Runs: 5}
	for range 4 {
		rows = append(rows, row{before: burst, after: burst})
	}
	if tau := math.Sqrt(RunNoise(sides(rows))); tau > 0.01 {
		t.Errorf("run noise 0.002 beside four functions with all events in one run: got tau %.4f", tau)
	}
	for name, rows := range map[string][]row{
		"no rows":      nil,
		"one run":      {{before: side(50, 1), after: side(90, 1)}},
		"equal runs":   {{before: side(50, 5), after: side(90, 5)}},
		"small rows":   {{before: sideOf(0, 1, 0, 0), after: sideOf(0, 0, 0, 0)}},
		"no values":    {{before: side(0, 5), after: side(0, 5)}},
		"unknown rate": {{before: Side{Estimate: Estimate{Value: 9, Unknown: true}, Runs: 3, Squares: 81}, after: side(9, 3)}},
	} {
		if got := RunNoise(sides(rows)); got != 0 {
			t.Errorf("%s: got tau^2 = %v, want 0", name, got)
		}
	}
}
