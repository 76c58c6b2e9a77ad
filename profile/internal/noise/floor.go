package noise

import "math"

// A Floor is the noise of one row of one side, and so of a comparison of two
// such sides; a [Planner] says what it would see.
type Floor struct {
	// Basis says what noise is known. Sampling here means one run, with
	// [Method.RunCV] in place of the scatter that it cannot show.
	Basis Basis

	// Events is the number of effective events in a run of average value; 0
	// if every event was recorded or nothing is known of sampling.
	Events float64

	// Sampling is the coefficient of variation of a run's value by sampling
	// alone, 1/sqrt(Events); 0 where Events is.
	Sampling float64

	// Scatter is the coefficient of variation of the runs' values as seen,
	// sampling included; 0 with one run.
	Scatter float64

	// Tau is the coefficient of variation between runs, beyond sampling, that
	// a comparison allows for.
	Tau float64

	// Few says that a comparison of two such sides has too few effective
	// events to be judged.
	Few bool

	value float64 // of a run
}

// Floor returns the noise of a row of a side, as [Method.Compare] has it for
// the side and another one just like it. [Method.Tau2] is that of the side,
// from [RunNoiseOf].
func (m Method) Floor(s Side) Floor {
	f := s.floor()
	if !(s.Value > 0) {
		return f
	}
	t := m.Compare(s, s)
	f.Basis, f.Few = t.Basis, t.Few()
	switch t.Basis {
	case Scatter:
		f.Tau = f.Scatter
	case Sampling, Replicates:
		n := t.NBefore / s.runs()
		if t.full {
			f.Tau = 1 / math.Sqrt(n)
			break
		}
		f.Events, f.Sampling = n, 1/math.Sqrt(n)
		if f.Tau = m.RunCV; t.Basis == Replicates {
			f.Tau = math.Sqrt((t.Phi - 1) / n)
		}
	}
	return f
}

// FloorNormal returns the noise of a row by the scatter of its runs alone, for
// what [Method.CompareRuns] tests. ok is false below 2 runs.
func (m Method) FloorNormal(s Side) (f Floor, ok bool) {
	if nu, _ := s.scatter(); nu == 0 {
		return Floor{}, false
	}
	f = m.Floor(s)
	f.Basis, f.Tau = Scatter, f.Scatter
	if f.Scatter <= rounding {
		f.Basis, f.Tau = Exact, 0
	}
	return f, true
}

// floor returns what the runs tell by themselves.
func (s Side) floor() Floor {
	f := Floor{value: s.Value / s.runs()}
	if nu, scatter := s.scatter(); nu > 0 {
		f.Scatter = math.Sqrt(scatter / nu / f.value)
	}
	return f
}

// events returns the effective events of a run as the plan counts them: where
// only scatter matters, sampling adds nothing.
func (f Floor) events() float64 {
	if f.Events == 0 || f.Basis == Scatter {
		return math.Inf(1)
	}
	return f.Events
}

// A Planner tells what comparisons of sides like one that was measured would
// see. It keeps quantiles that many rows need, and is not safe for concurrent
// use.
type Planner struct {
	method Method
	plans  map[float64]Plan // by degrees of freedom
}

// NewPlanner returns a planner by the settings of a method.
func NewPlanner(m Method) *Planner {
	return &Planner{method: m, plans: make(map[float64]Plan)}
}

// plan returns the plan of a comparison with so many runs a side: the t
// distribution of a few runs asks for more than the normal.
func (p *Planner) plan(f Floor, runs int) Plan {
	var df float64
	switch {
	case runs <= 1:
	case f.Basis == Scatter:
		df = 2 * float64(runs-1)
	default:
		df = priorDF + 2*float64(runs-1)
	}
	plan, ok := p.plans[df]
	if !ok {
		plan = Plan{Alpha: p.method.level(Test{DF: df}), Power: DefaultPlan.Power}
		p.plans[df] = plan
	}
	return plan
}

// Smallest returns the smallest changes that a comparison of two such sides of
// so many runs sees with a power of 80 %, as fractions of before: down < 0 <
// up. down is -1 if at best a row that vanishes would be seen. ok is false if
// nothing is known of the noise.
//
// It is about one row that is looked at alone, such as the total: among many
// rows only larger changes stand out.
func (p *Planner) Smallest(f Floor, runs int) (down, up float64, ok bool) {
	switch f.Basis {
	case Unknown:
		return 0, 0, false
	case Exact:
		least := min(max(p.method.ExactShare, p.method.ExactEffect/f.value), math.MaxFloat64)
		return -min(1, least), least, true
	}
	down, up = p.plan(f, runs).Smallest(f.events(), max(runs, 1), f.Tau)
	return down, up, true
}

// A Reach is what would let a fall be seen with a power of 80 %.
type Reach struct {
	// Seen says that it would be with the runs there are.
	Seen bool

	// Runs is the least number of runs a side that do, at the present
	// sampling period; at least the present number. 0 if that is above 10,000.
	Runs int

	// Share is the longest sampling period that does with the present runs,
	// as a share of the present one; 0 if none does. Its inverse is how much
	// longer runs at the present period would have to be.
	Share float64
}

// maxRuns is the largest number of runs that is worth telling.
const maxRuns = 10000

// Reach returns what would let a fall by the given fraction, between 0 and 1,
// be seen. ok is false if nothing is known of the noise.
func (p *Planner) Reach(f Floor, fall float64, runs int) (r Reach, ok bool) {
	runs = max(runs, 1)
	if f.Basis == Unknown || f.Basis == Exact {
		down, _, ok := p.Smallest(f, runs)
		if ok && -down <= fall {
			r = Reach{Seen: true, Runs: runs, Share: 1}
		}
		return r, ok
	}
	// A fall is seen if k*(ln(rho)/z)^2 is at least its variance of one run.
	l := math.Log1p(-fall)
	distance := func(k int) float64 {
		d := l / p.plan(f, k).z()
		return float64(k) * d * d
	}
	sampled, run := 1+1/(1-fall), 2*f.Tau*f.Tau
	variance := sampled/f.events() + run
	r.Seen = distance(runs) >= variance
	// The normal distribution asks for the least: begin with its number.
	first := math.Ceil(variance * math.Pow(Plan{Alpha: p.method.alpha(), Power: DefaultPlan.Power}.z()/l, 2))
	for k := max(runs, int(min(first, maxRuns))); k <= maxRuns && r.Runs == 0; k++ {
		if distance(k) >= variance {
			r.Runs = k
		}
	}
	if room := distance(runs) - run; r.Seen {
		r.Share = 1
	} else if n := f.events(); room > 0 && !math.IsInf(n, 1) {
		r.Share = min(1, n*room/sampled)
	}
	return r, true
}
