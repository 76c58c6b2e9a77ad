package profile

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// ReportOptions say how much of a comparison a report holds.
type ReportOptions struct {
	Rows  int    // rows of each table; 0 for all
	All   bool   // every table of every metric, for machines; else those that people are shown
	Title string // "" makes one of the labels
}

// NewReport judges a comparison and collects what is to be printed.
func NewReport(d *Diff, o ReportOptions) *Report {
	r := &Report{
		Schema: 1,
		Title:  o.Title,
		Before: d.Before.info(),
		After:  d.After.info(),
	}
	if r.Title == "" {
		r.Title = fmt.Sprintf("%s: %s → %s", capital(d.metrics[0].subject()), r.Before.Label, r.After.Label)
	}
	r.Identical = identical(r.Before.Inputs, r.After.Inputs)
	for i := range d.metrics {
		r.Metrics = append(r.Metrics, d.report(&d.metrics[i], o, r))
	}
	r.Noise = d.noiseNote()
	r.Warnings = d.preflight(r.Identical)
	r.Notes = d.notes()
	r.Verdict = r.sentence()
	return r
}

// report makes the tables of one metric.
func (d *Diff) report(m *metricPair, o ReportOptions, r *Report) MetricReport {
	opts := d.Before.opts
	j := newJudge(m, &opts.Judge)
	var flat []pair
	if m.b.Runs+m.a.Runs > 2 {
		flat = d.pairs(m, func(c *Costs) *view { return &c.flat })
		j.runNoise(flat)
		if m == &d.metrics[0] {
			r.Tau = math.Sqrt(j.method.Tau2)
		}
	}
	mr := MetricReport{Metric: m.Metric, Kind: m.b.Kind, By: cmp.Or(opts.By, "function"), Per: d.Before.per, Focus: "owner"}
	if m.live() {
		mr.Per = PerRun
	}
	switch {
	case opts.Cum:
		mr.Focus = "cum"
	case opts.By != "" && opts.By != "function" || opts.Flat:
		mr.Focus = "flat"
	}
	total := []pair{d.totalPair(m)}
	j.family(total)
	mr.Total = d.row(m, &total[0])
	mr.Total.Name = "total"
	j.rule(&mr.Total, j.judged(&total[0]), true)
	mr.Total.Check = j.crossCheck(func(r runRates) []float64 { return r.total })

	b := tableBuilder{d: d, m: m, j: j, rows: o.Rows}
	mr.Pools = b.table(d.poolPairs(m))
	b.pools(&mr.Pools)
	mr.Sizes = b.sizes(d.sizePairs(m))
	if !o.All && d.mereCount(m) {
		return mr
	}
	if o.All || mr.Focus == "flat" || m.b.Types {
		if flat == nil {
			flat = d.pairs(m, func(c *Costs) *view { return &c.flat })
		}
		mr.Flat = b.table(flat)
	}
	if o.All || mr.Focus == "owner" {
		mr.Owner = b.table(d.pairs(m, func(c *Costs) *view { return &c.owner }))
	}
	if o.All || mr.Focus == "cum" {
		mr.Cum = b.table(d.pairs(m, func(c *Costs) *view { return &c.cum }))
	}
	if o.All {
		mr.ByPool = b.table(d.pairs(m, func(c *Costs) *view { return &c.byPool }))
	}
	if m.b.Types {
		mr.Types = mr.Flat
	}
	return mr
}

// mereCount reports whether a metric only counts what another metric of its kind
// measures: people are shown the functions of that one.
func (d *Diff) mereCount(m *metricPair) bool {
	if m == &d.metrics[0] || m.Unit != "count" {
		return false
	}
	return slices.ContainsFunc(d.metrics, func(o metricPair) bool { return o.b == m.b && o.Unit != "count" })
}

// row fills in the amounts of a row.
func (d *Diff) row(m *metricPair, p *pair) Row {
	r := Row{
		Before: amount(&p.b.Estimate, m.b, m.ib),
		After:  amount(&p.a.Estimate, m.a, m.ia),
		Delta:  p.delta,
	}
	r.Percent = percentOf(r.Before.Value, r.Delta)
	switch {
	case p.name != noName:
		r.Name = d.names[p.name].text
		if p.pool != noPool {
			r.Pool = d.pools[p.pool].name
		}
	case p.pool != noPool:
		r.Name = d.pools[p.pool].name
	}
	if p.was != noName {
		r.Note = "was " + d.names[p.was].text
	}
	return r
}

func amount(e *Estimate, c *Costs, metric int) Amount {
	a := Amount{Value: float64(e.Value) / c.per(metric), N: e.N}
	if total := c.totalOf(metric).Value; total != 0 {
		a.Share = float64(e.Value) / float64(total)
	}
	return a
}

// tableBuilder turns pairs into judged tables of one metric.
type tableBuilder struct {
	d    *Diff
	m    *metricPair
	j    *judge
	rows int
}

// table tests all rows as one family, keeps those that moved most, and sums up
// the rest.
func (b *tableBuilder) table(pairs []pair) Table {
	b.j.family(pairs)
	top := b.d.largest(pairs, b.rows)
	t := Table{Count: len(pairs), Moved: 1, Rows: make([]Row, 0, len(top))}
	for i := range top {
		t.Rows = append(t.Rows, b.row(&top[i], len(pairs)))
	}
	b.rest(&t, pairs, top)
	return t
}

// row is one row of a table that has count rows.
func (b *tableBuilder) row(p *pair, count int) Row {
	r := b.d.row(b.m, p)
	b.j.rule(&r, b.j.judged(p), b.rows > 0 || count <= allIntervals)
	return r
}

// allIntervals is the largest table all of whose rows get intervals.
const allIntervals = 2000

// rest sums the rows that were cut.
func (b *tableBuilder) rest(t *Table, pairs, top []pair) {
	if len(top) == len(pairs) {
		return
	}
	var kept, moved float64
	all := pair{pool: noPool, name: noName, was: noName}
	for i := range pairs {
		all.b.add(&pairs[i].b.Estimate)
		all.a.add(&pairs[i].a.Estimate)
		moved += math.Abs(pairs[i].delta)
	}
	for i := range top {
		kept += math.Abs(top[i].delta)
		all.b.Value -= top[i].b.Value
		all.a.Value -= top[i].a.Value
		all.b.N -= top[i].b.N
		all.a.N -= top[i].a.N
	}
	all.delta = b.m.delta(&all)
	other := b.d.row(b.m, &all)
	other.Name = OtherName
	t.Other = &other
	if moved > 0 {
		t.Moved = min(1, kept/moved)
	}
}

// pools adds what only pools have: thread counts, and a note on those whose
// name says nothing.
func (b *tableBuilder) pools(t *Table) {
	byName := make(map[string]int)
	for i, p := range b.d.pools {
		byName[p.name] = i
	}
	for i := range t.Rows {
		r := &t.Rows[i]
		id := byName[r.Name]
		r.Before.Threads = b.d.Before.threads(r.Name, b.m.b, id)
		r.After.Threads = b.d.After.threads(r.Name, b.m.a, id)
		r.Check = b.j.crossCheck(func(rr runRates) []float64 {
			if id < len(rr.pools) {
				return rr.pools[id]
			}
			return nil
		})
		if b.d.pools[id].anonymous {
			r.Note = "anonymous"
		}
	}
}

// threads is the number of threads of a pool: declared by the profiles'
// comments, else seen with a sample.
func (s *Side) threads(pool string, c *Costs, id int) int {
	declared := 0
	for _, p := range s.Profiles {
		declared = max(declared, p.Threads[pool])
	}
	if declared == 0 && id < len(c.threads) {
		return c.threads[id]
	}
	return declared
}

// sizes are the object size classes, ascending; none if no sample has a size.
func (b *tableBuilder) sizes(pairs []pair) Table {
	if len(pairs) == 0 || pairs[len(pairs)-1].pool == 0 {
		return Table{Moved: 1}
	}
	t := Table{Count: len(pairs), Moved: 1}
	b.j.family(pairs)
	for i := range pairs {
		test := b.j.judged(&pairs[i])
		class := int(pairs[i].pool)
		pairs[i].pool = noPool
		r := b.d.row(b.m, &pairs[i])
		r.Name = sizeName(class)
		b.j.rule(&r, test, true)
		t.Rows = append(t.Rows, r)
	}
	return t
}

func sizeName(class int) string {
	if class == 0 {
		return "no size"
	}
	size := math.Ldexp(1, class-1)
	return "≤ " + ScaleOf("bytes", size).trim(size)
}
