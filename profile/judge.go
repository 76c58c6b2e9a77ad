package profile

import (
	"math"

	"github.com/allocdiff/allocdiff/profile/internal/noise"
)

// JudgeOptions say when a difference counts. The zero value of each field
// stands for its default.
type JudgeOptions struct {
	Confidence float64  // of intervals; default 0.95
	FDR        float64  // accepted share of false ones among the changes reported; default 0.05
	RunCV      *float64 // run-to-run scatter assumed with one profile a side; default 0.03, CPU 0.10
	Tolerance  float64  // a ratio shown to be within 1 ± this is "same"; default 0.05
	MinEffect  float64  // least |delta|, in the units of the report, that is up or down; default 0
	Detect     float64  // relative change that Need is computed for; default 0.09
}

// judge decides about the rows of one metric.
type judge struct {
	m      *metricPair
	method noise.Method
	before noise.Side // what all rows of the side share
	after  noise.Side
	known  bool
}

func newJudge(m *metricPair, o *JudgeOptions) *judge {
	j := &judge{m: m, method: noise.Default()}
	if m.Unit != "bytes" {
		j.method.ExactEffect = 1
	}
	if m.b.Kind == Time {
		j.method.RunCV, j.method.ExactEffect = noise.CPURunCV, 0
	}
	if o.Confidence > 0 {
		j.method.Confidence = o.Confidence
	}
	if o.FDR > 0 {
		j.method.FDR = o.FDR
	}
	if o.RunCV != nil {
		j.method.RunCV = *o.RunCV
	}
	if o.Tolerance > 0 {
		j.method.Tolerance = o.Tolerance
	}
	if o.Detect > 0 {
		j.method.Detect = o.Detect
	}
	j.method.MinEffect = o.MinEffect
	j.before = sideFacts(m.b, m.ib)
	j.after = sideFacts(m.a, m.ia)
	j.known = !j.before.Unknown && !j.after.Unknown
	return j
}

func sideFacts(c *Costs, metric int) noise.Side {
	e := &c.events[metric]
	s := noise.Side{Runs: c.Runs, Ops: c.per(metric)}
	s.Unknown = e.unknown || !e.heap && e.interval <= 0 && e.quantum != 0
	if c.Metrics[metric].Unit != "count" {
		s.Period = e.interval
	}
	s.Sampled = e.heap && !e.complete
	return s
}

// side is one row's estimate as the statistics want it.
func (j *judge) side(facts noise.Side, e *Sum) noise.Side {
	facts.Value = float64(e.Value)
	facts.Variance, facts.Events = e.Variance, e.N
	facts.Miss, facts.Weight = float64(e.Miss), float64(e.Weight)
	facts.Squares = e.Squares
	if e.Value < 0 { // no model has such a value, nor has a test between runs
		facts.Value, facts.Unknown, facts.Runs = 0, true, 1
	}
	return facts
}

// runNoise learns the run noise that all functions share from their flat values.
func (j *judge) runNoise(rows []pair) {
	j.method.Tau2 = noise.RunNoise(func(yield func(noise.Side, noise.Side) bool) {
		for i := range rows {
			if !yield(j.side(j.before, &rows[i].b), j.side(j.after, &rows[i].a)) {
				return
			}
		}
	})
}

// test compares the two sides of a row. CPU timers sample so evenly that a total
// scatters less than any count would: where there are enough runs their totals
// are compared directly.
func (j *judge) test(p *pair) noise.Test {
	b, a := j.side(j.before, &p.b), j.side(j.after, &p.a)
	if j.m.b.Kind == Time && p.total() {
		if t := j.method.CompareRuns(b, a); t.Basis == noise.Scatter {
			return t
		}
	}
	return j.method.Compare(b, a)
}

// rates are the values of single runs on each side.
func (j *judge) rates(pick func(runRates) []float64) (before, after []float64) {
	list := func(c *Costs, metric int) []float64 {
		var v []float64
		for _, r := range c.rates {
			x := 0.0 // a run without the row
			if rates := pick(r); rates != nil {
				x = rates[metric]
			}
			v = append(v, x)
		}
		return v
	}
	return list(j.m.b, j.m.ib), list(j.m.a, j.m.ia)
}

// crossCheck compares the values of single runs without any model of noise; nil
// where there are too few of them.
func (j *judge) crossCheck(pick func(runRates) []float64) *Check {
	b, a := j.rates(pick)
	c, ok := noise.CrossCheck(b, a)
	if !ok || math.IsNaN(c.P) {
		return nil
	}
	return &Check{P: c.P, N: min(len(b), len(a))}
}

// family judges all rows of one table together, so that the share of false
// discoveries among those reported stays where it was promised. It keeps the q
// value of each row and not its test, of which few are looked at; see judged.
func (j *judge) family(rows []pair) {
	q := make([]float64, len(rows))
	for i := range rows {
		q[i] = j.test(&rows[i]).FamilyP()
	}
	noise.FalseDiscovery(q)
	for i := range rows {
		rows[i].q = q[i]
	}
}

// judged is the test of a row of a family.
func (j *judge) judged(p *pair) noise.Test {
	t := j.test(p)
	t.Q = p.q
	return t
}

// rule fills in what a row's test says. Intervals are dear: they are computed
// for rows that will be shown.
func (j *judge) rule(r *Row, t noise.Test, shown bool) {
	r.Verdict = Verdict(j.method.Verdict(t))
	if t.Basis == noise.Unknown {
		return
	}
	p, q := t.P, t.Q
	r.P, r.Q, r.Phi = &p, &q, t.Phi
	if t.Few() {
		r.Q = nil
	}
	if !shown {
		return
	}
	if d, ok := j.method.Delta(t); ok {
		r.DeltaCI = &Interval{Lo: d.Lo, Hi: d.Hi}
	}
	if d, ok := j.method.Ratio(t); ok {
		r.RatioCI = &Interval{Lo: d.Lo, Hi: d.Hi, Unbounded: d.Open}
	}
	if r.Verdict == Unclear {
		if n, ok := j.method.Need(t); ok {
			r.Need = &Need{Samples: n.Events, Bytes: n.Value, Rate: n.Period, Runs: n.Runs}
			if n.RunLimited { // no rate makes up for the scatter between runs
				r.Need.Rate = 0
			}
			if j.m.Unit != "bytes" {
				r.Need.Bytes, r.Need.Rate = 0, 0
			}
		}
	}
}
