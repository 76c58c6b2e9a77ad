package profile

import "math/bits"

// Estimate is a sum over samples of one metric, with what is needed to say how
// far it can be trusted.
type Estimate struct {
	Value    int64   // exact sum of the profile's values over all runs, base units
	Variance float64 // sampling variance of Value, base units squared; 0 for exact or unknown
	N        float64 // sampled events behind Value; 0 when unknown
	Miss     float32 // expected number of objects that the profiler did not see
	Weight   float32 // largest part of Value that one sampled event stands for, base units
}

func (e *Estimate) add(o *Estimate) {
	e.Value += o.Value
	e.Variance += o.Variance
	e.N += o.N
	e.Miss += o.Miss
	e.Weight = max(e.Weight, o.Weight)
}

func (e *Estimate) zero() bool { return e.Value == 0 && e.N == 0 }

// Costs are the sums of one or more runs of one kind of profile: per pool and
// function, per pool, per object size. Flat, owner, pool and size rows each add
// up to the total exactly.
type Costs struct {
	Kind    Kind
	Metrics []Metric
	Runs    int     // profiles folded in; replicates
	Default string  // sample type that the profiles want shown first
	Types   bool    // the leaf of a stack is the allocated class
	T       float64 // sum over runs of what values are divided by: operations, nanoseconds, or 1 a run

	flat, owner, cum view                      // by function
	byPool           view                      // owner by pool and function
	pools            view                      // by pool
	sizes            view                      // by size class, see sizeClass
	writer           view                      // by the outermost function that writes profiles
	total            view                      // one cell
	present          []bool                    // by name: stands in a stack of something
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

func newCosts(kind Kind, metrics []Metric) *Costs {
	c := &Costs{Kind: kind, Metrics: metrics, events: make([]eventModel, len(metrics))}
	for _, v := range c.views() {
		v.width = len(metrics)
	}
	c.byPool.pooled = true
	for i := range c.reasons {
		c.reasons[i] = make([]int64, len(metrics))
	}
	return c
}

// closeRun completes a run that has been attributed: the total, and the events
// and variances of metrics whose events all weigh the same. t is what the run's
// values are divided by.
func (c *Costs) closeRun(t float64) {
	c.Runs, c.T = 1, t
	c.total.reset()
	total := c.total.cell(0, 0)
	for i := range c.pools.keys {
		addAll(total, c.pools.at(i))
	}
	for _, v := range c.views() {
		v.squares = nil
		for i := range v.keys {
			for m, es := 0, v.at(i); m < len(es); m++ {
				c.events[m].fill(&es[m])
			}
		}
	}
	c.rates = append(c.rates[:0], runRates{total: c.ratesOf(total)})
	for i, k := range c.pools.keys {
		c.rates[0].setPool(k.name, c.ratesOf(c.pools.at(i)))
	}
}

// views are all tables of the costs, always in the same order.
func (c *Costs) views() [8]*view {
	return [...]*view{&c.flat, &c.owner, &c.cum, &c.byPool, &c.pools, &c.sizes, &c.writer, &c.total}
}

// totalOf is the total of one metric.
func (c *Costs) totalOf(metric int) Sum { return c.total.sum(0, metric, c) }

func (r *runRates) setPool(pool int32, rates []float64) {
	for int(pool) >= len(r.pools) {
		r.pools = append(r.pools, nil)
	}
	r.pools[pool] = rates
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
	rates := make([]float64, len(es))
	for m := range es {
		rates[m] = float64(es[m].Value) / c.per(m)
	}
	return rates
}

// fold adds a closed run to the side's sums.
func (c *Costs) fold(run *Costs) {
	mine, theirs := c.views(), run.views()
	for i := range mine {
		mine[i].fold(theirs[i], c, run)
	}
	c.present = append(c.present, make([]bool, max(0, len(run.present)-len(c.present)))...)
	for name, present := range run.present {
		c.present[name] = c.present[name] || present
	}
	for pool, n := range run.threads {
		c.seeThreads(pool, n)
	}
	for i := range c.reasons {
		for m, v := range run.reasons[i] {
			c.reasons[i][m] += v
		}
	}
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
	for _, v := range c.views() {
		v.reset()
	}
	clear(c.present)
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
func sizeClass(size int64) int32 {
	if size <= 0 {
		return 0
	}
	return int32(bits.Len64(uint64(size-1))) + 1
}
