package profile

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/allocdiff/allocdiff/profile/internal/noise"
)

// smallFall is the fall that every noise report plans for beside the one asked
// for (JudgeOptions.Detect).
const smallFall = 0.02

// NewNoiseReport measures the noise of a side whose profiles of each kind are
// runs of the same build and work. ReportOptions.All means nothing here. It is
// an error if the side lacks the metric that Options.Metric asks for.
func NewNoiseReport(s *Side, o ReportOptions) (*NoiseReport, error) {
	metrics, err := s.noiseMetrics()
	if err != nil {
		return nil, err
	}
	r := &NoiseReport{
		Schema:     1,
		Title:      o.Title,
		Side:       s.info(),
		Confidence: 1 - s.alpha(),
		Power:      noise.DefaultPlan.Power,
		Falls:      []float64{-detect(&s.opts.Judge)},
	}
	if r.Falls[0] < -smallFall {
		r.Falls = append(r.Falls, -smallFall)
	}
	if r.Title == "" {
		r.Title = "Noise floor: " + s.Label
		if n := len(s.Profiles); n > 1 && s.Label == s.Profiles[0].Name {
			r.Title += fmt.Sprintf(" and %s more", Count(float64(n-1)))
		}
	}
	for _, m := range metrics {
		r.Metrics = append(r.Metrics, newFloorBuilder(s, m, r.Falls).metric(o.Rows))
	}
	r.Warnings = r.doubts(s)
	r.Notes = r.notes()
	for _, m := range metrics {
		if e := &m.b.events[m.ib]; e.inferred && !e.unknown {
			r.Notes = append(r.Notes, fmt.Sprintf("sampling interval of %s inferred from its values: %s", m.Noun(), ScaleOf(m.Unit, e.interval).Format(e.interval)))
		}
	}
	r.Advice = r.Metrics[0].Advice
	return r, nil
}

// detect is the relative change that is planned for.
func detect(o *JudgeOptions) float64 {
	if o.Detect > 0 {
		return o.Detect
	}
	return noise.Default().Detect
}

// alpha is the p value below which a change is seen.
func (s *Side) alpha() float64 {
	if c := s.opts.Judge.Confidence; c > 0 && c < 1 {
		return 1 - c
	}
	return noise.DefaultPlan.Alpha
}

// noiseMetrics are the metrics that hold anything, the most important first.
// Counts beside amounts are left out, unless asked for: they decide nothing.
func (s *Side) noiseMetrics() ([]metricPair, error) {
	var list []metricPair
	var types []Metric
	wish := s.opts.Metric
	for _, c := range s.Costs {
		types = append(types, c.Metrics...)
		amounts := slices.ContainsFunc(c.Metrics, func(m Metric) bool { return m.Unit != "count" })
		for i, m := range c.Metrics {
			if m.Type == wish || m.Unit != "count" || !amounts {
				list = append(list, metricPair{m, c, c, i, i})
			}
		}
	}
	order := func(m metricPair) int { return importance(m.Metric, wish, s.Profiles[0].Default) }
	slices.SortStableFunc(list, func(x, y metricPair) int { return cmp.Compare(order(x), order(y)) })
	if wish != "" && list[0].Type != wish {
		return nil, fmt.Errorf("no sample type %q in %s; there is %s", wish, s.Label, metricList(types))
	}
	main := list[0]
	list = slices.DeleteFunc(list, func(m metricPair) bool {
		if m.Type == wish {
			return false
		}
		t := m.b.totalOf(m.ib)
		return t.zero()
	})
	if len(list) == 0 {
		list = []metricPair{main}
	}
	return list, nil
}

// floorBuilder measures the rows of one metric.
type floorBuilder struct {
	s       *Side
	m       metricPair // the side on both sides
	j       *judge
	planner *noise.Planner
	falls   []float64
	period  float64 // bytes between samples that the program can be told; 0 none
	names   []name
	pools   []poolInfo
}

func newFloorBuilder(s *Side, m metricPair, falls []float64) *floorBuilder {
	b := &floorBuilder{
		s: s, m: m, j: newJudge(&m, &s.opts.Judge), falls: falls,
		names: s.names.snapshot(), pools: s.pools.snapshot(),
	}
	if m.b.Kind == Heap {
		for _, p := range s.of(Heap) {
			if p.PeriodType.Unit == "bytes" {
				b.period = max(b.period, float64(p.Period))
			}
		}
	}
	b.j.method.Tau2 = noise.RunNoiseOf(func(yield func(noise.Side) bool) {
		flat := &m.b.flat
		for i := range flat.keys {
			if e := flat.sum(i, m.ib, m.b); !e.zero() && !yield(b.j.side(b.j.before, &e)) {
				return
			}
		}
	})
	b.planner = noise.NewPlanner(b.j.method)
	return b
}

func (b *floorBuilder) metric(rows int) NoiseMetric {
	c := b.m.b
	r := NoiseMetric{Metric: b.m.Metric, Kind: c.Kind, Per: b.s.per, Runs: c.Runs, Tau: math.Sqrt(b.j.method.Tau2), Focus: "owner", By: cmp.Or(b.s.opts.By, "function")}
	if b.m.live() {
		r.Per = PerRun
	}
	total := c.totalOf(b.m.ib)
	f := b.total(&total)
	r.Total = b.row("total", &total, f)
	if f.Basis == noise.Sampling {
		r.Assumed = f.Tau
		f.Tau = 0
		down, up, _ := b.planner.Smallest(f, c.Runs)
		r.SamplingDown, r.SamplingUp = &down, &up
	}
	functions := &c.owner
	switch o := b.s.opts; {
	case o.Cum:
		r.Focus, functions = "cum", &c.cum
	case o.By != "" && o.By != "function" || o.Flat:
		r.Focus, functions = "flat", &c.flat
	}
	r.Pools = b.table(b.poolRows(), rows)
	r.Functions = b.table(b.viewRows(functions), rows)
	r.Advice = r.advice()
	return r
}

// total is the floor of the total, which is tested by itself; see judge.test.
func (b *floorBuilder) total(e *Sum) noise.Floor {
	f := b.floor(e)
	if b.m.b.Kind == Time && f.Basis != noise.Unknown {
		if byRuns, ok := b.j.method.FloorNormal(b.j.side(b.j.before, e)); ok {
			return byRuns
		}
	}
	return f
}

func (b *floorBuilder) floor(e *Sum) noise.Floor {
	return b.j.method.Floor(b.j.side(b.j.before, e))
}

var basisWords = map[noise.Basis]NoiseBasis{
	noise.Unknown: BasisUnknown, noise.Exact: BasisExact, noise.Sampling: BasisSampling,
	noise.Replicates: BasisReplicates, noise.Scatter: BasisScatter,
}

func (b *floorBuilder) row(name string, e *Sum, f noise.Floor) NoiseRow {
	c := b.m.b
	a := amount(&e.Estimate, c, b.m.ib)
	r := NoiseRow{Name: name, Value: a.Value, Share: a.Share, N: a.N / float64(c.Runs), Basis: basisWords[f.Basis], Few: f.Few}
	if c.Runs >= 2 && e.Value > 0 {
		r.Scatter = &f.Scatter
	}
	down, up, ok := b.planner.Smallest(f, c.Runs)
	if !ok {
		return r
	}
	r.Down, r.Up = &down, &up
	if !b.j.before.Unknown {
		r.Sampling = &f.Sampling
	}
	for _, fall := range b.falls {
		if reach, ok := b.planner.Reach(f, -fall, c.Runs); ok {
			r.Reach = append(r.Reach, b.reach(fall, reach, f.Basis))
		}
	}
	return r
}

func (b *floorBuilder) reach(fall float64, r noise.Reach, basis noise.Basis) NoiseReach {
	n := NoiseReach{Change: fall, Seen: r.Seen, Runs: r.Runs}
	switch {
	case r.Seen || r.Share == 0:
	case b.period > 1:
		n.Rate = int64(math.Exp2(math.Floor(math.Log2(max(1, b.period*r.Share)))))
	default:
		n.Longer = 1 / r.Share
	}
	n.Advice = b.needText(&n, basis)
	return n
}

// named is a row before it is measured.
type named struct {
	name, note string
	e          Sum
}

func (b *floorBuilder) poolRows() []named {
	var list []named
	for i, key := range b.m.b.pools.keys {
		if e := b.m.b.pools.sum(i, b.m.ib, b.m.b); !e.zero() {
			n := named{name: b.pools[key.name].name, e: e}
			if b.pools[key.name].anonymous {
				n.note = "anonymous"
			}
			list = append(list, n)
		}
	}
	return list
}

func (b *floorBuilder) viewRows(v *view) []named {
	var list []named
	for i, k := range v.keys {
		if e := v.sum(i, b.m.ib, b.m.b); !e.zero() {
			list = append(list, named{name: b.names[k.name].text, e: e})
		}
	}
	return list
}

// table measures all rows and keeps the n largest (0: all).
func (b *floorBuilder) table(list []named, n int) NoiseTable {
	slices.SortFunc(list, func(x, y named) int {
		return cmp.Or(cmp.Compare(y.e.Value, x.e.Value), cmp.Compare(x.name, y.name))
	})
	t := NoiseTable{Count: len(list)}
	var all, seen float64
	for i := range list {
		f := b.floor(&list[i].e)
		value := float64(list[i].e.Value)
		all += value
		if reach, ok := b.planner.Reach(f, -b.falls[0], b.m.b.Runs); ok && reach.Seen {
			seen += value
		}
		if n <= 0 || i < n {
			r := b.row(list[i].name, &list[i].e, f)
			r.Note = list[i].note
			t.Rows = append(t.Rows, r)
		}
	}
	if all > 0 {
		t.Seen = seen / all
	}
	return t
}
