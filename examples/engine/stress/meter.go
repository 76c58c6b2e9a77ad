package stress

import (
	"fmt"
	"math"
	"time"
)

// meter measures one run: a point per interval and the sums.
type meter struct {
	r       *Runner
	began   time.Time
	last    time.Time
	cpu     time.Duration
	gc      gcReading
	lastGC  gcReading
	rates   []float64 // operations per second of each interval
	elapsed time.Duration
}

// newMeter starts the clock.
func newMeter(r *Runner) *meter {
	for i := range r.total {
		r.interval[i].reset()
		r.total[i].reset()
	}
	m := &meter{r: r, gc: readGC(), cpu: processCPU()}
	m.lastGC = m.gc
	m.began = time.Now()
	m.last = m.began
	return m
}

// watch takes a point every interval if anybody wants to see it. The function
// returned takes the last one and stops the clock.
func (m *meter) watch() (stop func()) {
	cfg := m.r.cfg
	if cfg.Lines == nil && cfg.Progress == nil {
		return m.tick
	}
	if cfg.Lines != nil {
		fmt.Fprintln(cfg.Lines, cfg.Format.header())
	}
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		t := time.NewTicker(cfg.Interval)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				m.tick()
			case <-quit:
				m.tick()
				return
			}
		}
	}()
	return func() { close(quit); <-done }
}

// tick ends an interval: its latencies go to the sums and out as lines.
func (m *meter) tick() {
	r := m.r
	for i := range r.shards {
		r.shards[i].drain(r.interval)
	}
	now, gc := time.Now(), readGC()
	span := now.Sub(m.last)
	m.elapsed = now.Sub(m.began)
	ops := int64(0)
	for i := range r.interval {
		ops += r.interval[i].latency.TotalCount()
		r.total[i].add(&r.interval[i])
	}
	if ops > 0 {
		m.rates = append(m.rates, float64(ops)/span.Seconds())
		if r.cfg.Lines != nil {
			m.print(span, gc.since(m.lastGC))
		}
	}
	if r.cfg.Progress != nil {
		r.cfg.Progress(int(totalOf(r.total).latency.TotalCount()))
	}
	for i := range r.interval {
		r.interval[i].reset()
	}
	m.last, m.lastGC = now, gc
}

// print writes the interval's lines: one a kind if there are several, and one
// for all.
func (m *meter) print(span time.Duration, gc GC) {
	l := line{span: span, elapsed: m.elapsed, stderr: uncertainty(m.rates)}
	kinds := m.r.cfg.Kinds
	if len(kinds) > 1 {
		for i, kind := range kinds {
			l.kind, l.tally, l.ops = kind, &m.r.interval[i], m.r.total[i].latency.TotalCount()
			if l.tally.latency.TotalCount() > 0 {
				fmt.Fprintln(m.r.cfg.Lines, m.r.cfg.Format.line(l))
			}
		}
	}
	l.kind, l.tally, l.gc = "total", totalOf(m.r.interval), gc
	l.ops = totalOf(m.r.total).latency.TotalCount()
	fmt.Fprintln(m.r.cfg.Lines, m.r.cfg.Format.line(l))
}

// summary returns the figures of the whole run.
func (m *meter) summary() Summary {
	r := m.r
	all := totalOf(r.total)
	s := Summary{
		Ops:         all.latency.TotalCount(),
		Rows:        all.rows,
		Errors:      all.errors,
		ElapsedNs:   m.elapsed.Nanoseconds(),
		CPUNs:       (processCPU() - m.cpu).Nanoseconds(),
		Latency:     latencyOf(all),
		GC:          m.lastGC.since(m.gc),
		Uncertainty: uncertainty(m.rates),
	}
	for i, kind := range r.cfg.Kinds {
		t := &r.total[i]
		s.Kinds = append(s.Kinds, KindSummary{
			Kind: kind, Ops: t.latency.TotalCount(), Rows: t.rows, Errors: t.errors, Latency: latencyOf(t),
		})
	}
	return s
}

// totalOf adds up the kinds.
func totalOf(kinds []tally) *tally {
	if len(kinds) == 1 {
		return &kinds[0]
	}
	sum := &newTallies(1)[0]
	for i := range kinds {
		sum.add(&kinds[i])
	}
	return sum
}

// uncertainty is stress's "stderr": the standard error of the intervals' rates
// relative to their mean (Cassandra's Uncertainty.java); 0 for one interval.
func uncertainty(rates []float64) float64 {
	n := float64(len(rates))
	if n < 2 {
		return 0
	}
	var sum, squares float64
	for _, r := range rates {
		sum += r
	}
	mean := sum / n
	for _, r := range rates {
		squares += (r - mean) * (r - mean)
	}
	return math.Sqrt(squares/n) / math.Sqrt(n) / mean
}
