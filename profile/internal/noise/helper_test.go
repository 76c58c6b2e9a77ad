package noise

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

const rate = 512 << 10

// small is a scale whose events weigh about the sampling period.
var small, _ = Heap(64, rate)

// events returns the estimate of n sampled objects of 64 bytes.
func events(n float64) Estimate {
	_, space := written(int64(n), 64, rate)
	e, _ := small.Estimate(space)
	return e
}

// side returns a side of n events in all, spread evenly over the runs.
func side(n float64, runs int) Side {
	counts := make([]float64, runs)
	for i := range counts {
		counts[i] = n / float64(runs)
	}
	return sideOf(counts...)
}

// sideOf returns a side with so many events in each run.
func sideOf(counts ...float64) Side {
	s := Side{Runs: len(counts), Period: rate}
	for _, n := range counts {
		if n > 0 {
			s.Add(events(n), 1)
		}
	}
	return s
}

// sampling allows for sampling noise only.
func sampling() Method {
	m := Default()
	m.RunCV = 0
	return m
}

func finite(values ...float64) bool {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// Exactly returns the estimate of a value that was counted, not sampled, such
// as a total from runtime.MemStats or a benchmark's B/op.
func Exactly(value float64) Estimate {
	return Estimate{Value: value, Events: value}
}

// Add adds o, sampled independently of e, to e.
func (e *Estimate) Add(o Estimate) {
	e.Value += o.Value
	e.Variance += o.Variance
	e.Events += o.Events
	e.Miss += o.Miss
	e.Weight = max(e.Weight, o.Weight)
	e.Unknown = e.Unknown || o.Unknown
}

// Add adds one run in which the row is present. ops is the run's share of
// [Side.Ops]; zero means 1.
func (s *Side) Add(run Estimate, ops float64) {
	s.Estimate.Add(run)
	if !(ops >= minOps && ops <= maxOps) {
		ops = 1
	}
	s.Squares += run.Value * run.Value / ops
}

// Chance returns the probability that a change to the ratio rho is seen with
// n events a run before, the given number of runs a side, and a coefficient of
// variation tau between runs.
func (p Plan) Chance(rho, n float64, runs int, tau float64) float64 {
	se := math.Sqrt(((1+1/rho)/n + 2*tau*tau) / float64(runs))
	return distuv.UnitNormal.CDF(math.Abs(math.Log(rho))/se + distuv.UnitNormal.Quantile(p.Alpha/2))
}

// Adjust sets Q of all tests of one family.
func Adjust(tests []Test) {
	p := make([]float64, len(tests))
	for i := range tests {
		p[i] = tests[i].FamilyP()
	}
	FalseDiscovery(p)
	for i := range tests {
		tests[i].Q = p[i]
	}
}
