package profile

import "math/bits"

// Estimate is a sum over samples of one metric, with what is needed to say how
// far it can be trusted.
type Estimate struct {
	Value    int64   // exact sum of the profile's values over all runs, base units
	Variance float64 // sampling variance of Value, base units squared; 0 for exact or unknown
	N        float64 // sampled events behind Value; 0 when unknown
	Squares  float64 // sum over runs of the run's Value² divided by its T: the scatter between runs
	Miss     float32 // expected number of objects that the profiler did not see
	Weight   float32 // largest part of Value that one sampled event stands for, base units
}

func (e *Estimate) add(o *Estimate) {
	e.Value += o.Value
	e.Variance += o.Variance
	e.N += o.N
	e.Miss += o.Miss
	e.Weight = max(e.Weight, o.Weight)
	e.Squares += o.Squares
}

func (e *Estimate) zero() bool { return e.Value == 0 && e.N == 0 }

// Costs are the sums of one or more runs of one kind of profile: per pool and
// function, per pool, per object size. Flat, owner, pool and size rows each add
// up to the total exactly.
type Costs struct {
	Kind    Kind
	Metrics []Metric
	Runs    int     // profiles folded in; replicates
	Types   bool    // the leaf of a stack is the allocated class
	T       float64 // sum over runs of what values are divided by: operations, nanoseconds, or 1 a run

	flat, owner, cum view                      // by function; pool 0 throughout
	byPool           view                      // owner by pool and function
	pools            [][]Estimate              // by pool, then metric; nil for a pool not seen
	sizes            [][]Estimate              // by size class, then metric; see sizeClass
	total            []Estimate                // by metric
	threads          []int                     // by pool: most threads seen in one run
	reasons          [len(poolReasons)][]int64 // by metric: what each way of finding a pool has placed
	events           []eventModel              // by metric
	rates            []runRates                // by run
}

// runRates are the totals of one run divided by its T, kept for tests that look
// at single runs.
type runRates struct {
	total []float64   // by metric
	pools [][]float64 // by pool, then metric; nil for a pool not seen
}

// view is a sparse table by pool and row name. Most functions run in few pools
// and never allocate themselves, so cells exist only where something was added.
type view struct {
	width  int
	pooled bool      // keys have a pool; else it is 0 throughout
	index  [][]int32 // by pool, then name: 0 or one more than the cell
	pages  [][]Estimate
	keys   []cellKey // by cell
}

type cellKey struct{ pool, name int32 }

const pageCells = 512

// cell returns the estimates of one pool and name, by metric.
func (v *view) cell(pool, name int32) []Estimate {
	for int(pool) >= len(v.index) {
		v.index = append(v.index, nil)
	}
	row := v.index[pool]
	if int(name) >= len(row) {
		row = append(row, make([]int32, int(name)+1-len(row)+len(row)/4)...)
		v.index[pool] = row
	}
	c := row[name]
	if c == 0 {
		v.keys = append(v.keys, cellKey{pool, name})
		c = int32(len(v.keys))
		row[name] = c
		if int(c-1)/pageCells == len(v.pages) {
			v.pages = append(v.pages, make([]Estimate, pageCells*v.width))
		}
	}
	return v.at(int(c - 1))
}

// at returns the estimates of a cell, by metric.
func (v *view) at(cell int) []Estimate {
	i := cell % pageCells * v.width
	return v.pages[cell/pageCells][i : i+v.width : i+v.width]
}

// reset empties the view and keeps its memory.
func (v *view) reset() {
	for _, k := range v.keys {
		v.index[k.pool][k.name] = 0
	}
	v.keys = v.keys[:0]
	for _, p := range v.pages {
		clear(p)
	}
}

func newCosts(kind Kind, metrics []Metric) *Costs {
	w := len(metrics)
	c := &Costs{
		Kind:    kind,
		Metrics: metrics,
		flat:    view{width: w}, owner: view{width: w}, cum: view{width: w}, byPool: view{width: w, pooled: true},
		total:  make([]Estimate, w),
		events: make([]eventModel, w),
	}
	for i := range c.reasons {
		c.reasons[i] = make([]int64, w)
	}
	return c
}

// row returns the estimates of list[i], growing the list.
func row(list *[][]Estimate, i, width int) []Estimate {
	for i >= len(*list) {
		*list = append(*list, nil)
	}
	if (*list)[i] == nil {
		(*list)[i] = make([]Estimate, width)
	}
	return (*list)[i]
}

// closeRun completes a run that has been attributed: events and variances of
// metrics whose events all weigh the same, the total, and the scatter term. t is
// what the run's values are divided by.
func (c *Costs) closeRun(t float64) {
	c.Runs, c.T = 1, t
	clear(c.total)
	for _, es := range c.pools {
		if es != nil {
			addAll(c.total, es)
		}
	}
	c.each(func(es []Estimate) {
		for m := range es {
			c.events[m].fill(&es[m])
			v := float64(es[m].Value)
			es[m].Squares = v * v / c.per(m)
		}
	})
	c.rates = append(c.rates[:0], runRates{total: c.ratesOf(c.total)})
	for _, es := range c.pools {
		c.rates[0].pools = append(c.rates[0].pools, c.ratesOf(es))
	}
}

// per is what the values of a metric are divided by, over all runs. What is live
// at the end of a run does not grow with its operations or its duration.
func (c *Costs) per(metric int) float64 {
	if c.Metrics[metric].live() {
		return float64(c.Runs)
	}
	return c.T
}

func (c *Costs) ratesOf(es []Estimate) []float64 {
	if es == nil {
		return nil
	}
	rates := make([]float64, len(es))
	for m := range es {
		rates[m] = float64(es[m].Value) / c.per(m)
	}
	return rates
}

// each visits every group of estimates.
func (c *Costs) each(visit func([]Estimate)) {
	for _, v := range []*view{&c.flat, &c.owner, &c.cum, &c.byPool} {
		for i := range v.keys {
			visit(v.at(i))
		}
	}
	for _, lists := range [][][]Estimate{c.pools, c.sizes} {
		for _, es := range lists {
			if es != nil {
				visit(es)
			}
		}
	}
	visit(c.total)
}

// fold adds a closed run to the side's sums.
func (c *Costs) fold(run *Costs) {
	w := len(c.Metrics)
	for _, p := range [][2]*view{{&c.flat, &run.flat}, {&c.owner, &run.owner}, {&c.cum, &run.cum}, {&c.byPool, &run.byPool}} {
		for i, k := range p[1].keys {
			addAll(p[0].cell(k.pool, k.name), p[1].at(i))
		}
	}
	for pool, es := range run.pools {
		if es != nil {
			addAll(row(&c.pools, pool, w), es)
		}
	}
	for class, es := range run.sizes {
		if es != nil {
			addAll(row(&c.sizes, class, w), es)
		}
	}
	for pool, n := range run.threads {
		c.seeThreads(pool, n)
	}
	for i := range c.reasons {
		for m, v := range run.reasons[i] {
			c.reasons[i][m] += v
		}
	}
	addAll(c.total, run.total)
	for m := range c.events {
		c.events[m].join(run.events[m])
	}
	c.rates = append(c.rates, run.rates...)
	c.Runs += run.Runs
	c.T += run.T
}

func (c *Costs) seeThreads(pool, n int) {
	for pool >= len(c.threads) {
		c.threads = append(c.threads, 0)
	}
	c.threads[pool] = max(c.threads[pool], n)
}

// addAll skips what is zero: most rows hold nothing of half their metrics, and
// not touching those saves half the memory traffic of attribution.
func addAll(to, from []Estimate) {
	for i := range from {
		if !from[i].zero() {
			to[i].add(&from[i])
		}
	}
}

// reset empties the costs for another run and keeps their memory.
func (c *Costs) reset() {
	c.flat.reset()
	c.owner.reset()
	c.cum.reset()
	c.byPool.reset()
	for _, lists := range [][][]Estimate{c.pools, c.sizes} {
		for _, es := range lists {
			clear(es)
		}
	}
	clear(c.total)
	clear(c.threads)
	for i := range c.reasons {
		clear(c.reasons[i])
	}
	clear(c.events)
	c.Runs, c.T = 0, 0
}

// sizeClass returns the class of an object size in bytes. Sizes are grouped by
// power of two: class k > 0 holds those in (2^(k-2), 2^(k-1)], class 0 samples
// without a size.
func sizeClass(size int64) int {
	if size <= 0 {
		return 0
	}
	return bits.Len64(uint64(size-1)) + 1
}

// poolOf returns the pool of a key, noPool in a view without pools.
func (v *view) poolOf(k cellKey) int32 {
	if v.pooled {
		return k.pool
	}
	return noPool
}

// find returns the cell of a pool and name, -1 for none.
func (v *view) find(pool, name int32) int {
	if int(pool) >= len(v.index) || int(name) >= len(v.index[pool]) {
		return -1
	}
	return int(v.index[pool][name]) - 1
}
