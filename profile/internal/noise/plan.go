package noise

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// A Plan says how sure a comparison should be. It uses normal quantiles on
// the logarithm of the ratio: with 3 runs a side or fewer the t distribution
// of [Method.Compare] loses some more.
type Plan struct {
	// Alpha is the two-sided p value to reach, such as 0.05, or 0.001 which is
	// about what one change among fifty rows needs.
	Alpha float64

	// Power is the chance to reach it, such as 0.8.
	Power float64
}

// DefaultPlan is a p value of 0.05 with a chance of 80 %.
var DefaultPlan = Plan{Alpha: 0.05, Power: 0.8}

// z returns the distance, in standard errors, that a change must have.
func (p Plan) z() float64 {
	return -distuv.UnitNormal.Quantile(p.Alpha/2) + distuv.UnitNormal.Quantile(p.Power)
}

// Events returns how many events the before side needs for a change to the
// ratio rho (after by before; not 1, above 0) to be seen, by sampling noise
// alone: z^2*(1+1/rho)/ln(rho)^2.
func (p Plan) Events(rho float64) float64 {
	l := math.Log(rho)
	return p.z() * p.z() * (1 + 1/rho) / (l * l)
}

// Smallest returns the smallest changes that would be seen, as fractions of
// before: down < 0 < up. It takes n > 0 events a run on the before side, the
// runs (>= 1) a side, and the coefficient of variation tau between runs. down
// is -1 if at best a row that vanishes would be seen.
func (p Plan) Smallest(n float64, runs int, tau float64) (down, up float64) {
	c := p.z() * p.z() / float64(runs)
	// gap is negative for a change by the factor exp(x) that stays unseen.
	gap := func(x float64) float64 {
		return x*x - c*((1+math.Exp(-x))/n+2*tau*tau)
	}
	const far = 700
	up = math.Expm1(root(gap, 0, far))

	// Downwards the after side loses its events, so gap rises to a peak where
	// 2x = c*exp(x)/n and falls again.
	fall := func(x float64) float64 { return gap(-x) }
	peak := root(func(x float64) float64 { return c/n - 2*x*math.Exp(-x) }, 1, far)
	if fall(peak) <= 0 {
		return -1, up
	}
	return math.Expm1(-root(fall, 0, peak)), up
}

// Need is what would let the change [Method.Detect] be seen in a row.
type Need struct {
	// Events is the number of effective events that the before side needs,
	// at the inflation phi that the row has now.
	Events float64

	// Value is the value that goes with it, Events times the period. 0 if
	// every event was recorded.
	Value float64

	// Period is the sampling period that would give so many events in the
	// same runs. 0 if the row has none before, or all were recorded.
	Period float64

	// Runs is the number of runs a side that would do at the present period.
	// 0 if the row has no events before.
	Runs int

	// RunLimited says that no sampling period can do it alone, because the
	// noise between this many runs hides a change of this size by itself.
	RunLimited bool
}

// Need returns what would settle an unclear row, for a power of 80 % at the
// method's confidence. ok is false if the row has no sampling noise model.
func (m Method) Need(t Test) (n Need, ok bool) {
	rho := 1 - m.Detect
	if (t.Basis != Sampling && t.Basis != Replicates) || !(rho > 0) || rho == 1 {
		return Need{}, false
	}
	plan := Plan{Alpha: m.alpha(), Power: DefaultPlan.Power}
	n.Events = t.Phi * plan.Events(rho)

	tau2 := m.RunCV * m.RunCV
	if t.Basis == Replicates {
		tau2 = m.Tau2
	}
	if t.full {
		tau2 = 0 // it is in the weight of the events already
		n.RunLimited = true
	} else {
		period := max(t.Before.Period, t.After.Period)
		if period == 0 {
			period = t.Weight
		}
		n.Value = n.Events * period
		n.Period = period * t.NBefore / n.Events
	}
	share := plan.z() / math.Log(rho)
	share *= share
	if share*2*tau2 >= min(t.Before.runs(), t.After.runs()) {
		n.RunLimited = true
	}
	if t.NBefore > 0 {
		perRun := t.NBefore / t.Before.runs()
		n.Runs = int(min(1e9, math.Ceil(share*((1+1/rho)/perRun+2*tau2))))
	}
	return n, true
}
