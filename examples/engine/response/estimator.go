package response

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// An Estimator sizes the next response's buffer from the sizes of the last
// ones. All methods may be called from many threads.
type Estimator interface {
	// Estimate returns the initial size in bytes for a response to the
	// statement.
	Estimate(statement int) int
	// Update tells the size that the response had.
	Update(statement, size int)
}

// EstimatorNames are the names that NewEstimator knows.
var EstimatorNames = []string{"before", "after", "p95", "per-statement"}

// NewEstimator returns the named way of sizing: "before" always says
// InitialSize, "after" is CASSANDRA-21285's moving average, "p95" aims at the
// size that 95 % of the last responses fit into, and "per-statement" keeps a
// moving average for each of the prepared statements. No estimate is above
// limit, and with a limit of InitialSize or less all are "before".
func NewEstimator(name string, limit, statements int) (Estimator, error) {
	if limit <= InitialSize && slices.Contains(EstimatorNames, name) {
		name = "before"
	}
	switch name {
	case "before":
		return fixed{}, nil
	case "after":
		return newMovingAverage(limit), nil
	case "p95":
		return newQuantile(limit), nil
	case "per-statement":
		p := make(perStatement, statements)
		for i := range p {
			p[i] = newMovingAverage(limit)
		}
		return p, nil
	}
	return nil, fmt.Errorf("estimator %q is unknown, use one of %v", name, EstimatorNames)
}

// fixed is the code before the ticket.
type fixed struct{}

func (fixed) Estimate(int) int { return InitialSize }
func (fixed) Update(int, int)  {}

// decayBy1000 is the alpha at which an observation's weight falls to a
// hundredth in a thousand updates: Cassandra's ExpMovingAverage.decayBy1000.
const decayBy1000 = 0.0046

// headroom is what the patch adds to the average, so that sizes that vary
// little seldom grow.
const headroom = 1.1

// movingAverage is the patch: avg x 1.1, at least InitialSize, at most limit.
type movingAverage struct {
	bits  atomic.Uint64 // of the average, a float64; NaN before the first update
	limit int
}

func newMovingAverage(limit int) *movingAverage {
	m := &movingAverage{limit: limit}
	m.bits.Store(math.Float64bits(math.NaN()))
	return m
}

func (m *movingAverage) Estimate(int) int {
	// The average is read once: it may change between two reads.
	avg := math.Float64frombits(m.bits.Load())
	if math.IsNaN(avg) {
		return InitialSize
	}
	return min(max(int(avg*headroom), InitialSize), m.limit)
}

func (m *movingAverage) Update(_, size int) {
	for {
		bits := m.bits.Load()
		avg := math.Float64frombits(bits)
		next := float64(size)
		if !math.IsNaN(avg) {
			next = avg + decayBy1000*(float64(size)-avg)
		}
		if m.bits.CompareAndSwap(bits, math.Float64bits(next)) {
			return
		}
	}
}

// perStatement keeps an average for each prepared statement: sizes differ
// between statements more than within one.
type perStatement []*movingAverage

func (p perStatement) Estimate(statement int) int { return p[statement%len(p)].Estimate(0) }
func (p perStatement) Update(statement, size int) { p[statement%len(p)].Update(0, size) }

// quantileWindow is the number of sizes that a quantile looks back on, and
// quantileEvery the number of updates after which it looks.
const (
	quantileWindow = 1024
	quantileEvery  = 64
)

// quantile aims at the 95th percentile of the last responses.
type quantile struct {
	mu       sync.Mutex
	sizes    [quantileWindow]int
	sorted   [quantileWindow]int
	updates  int
	estimate atomic.Int64
	limit    int
}

func newQuantile(limit int) *quantile {
	q := &quantile{limit: limit}
	q.estimate.Store(InitialSize)
	return q
}

func (q *quantile) Estimate(int) int { return int(q.estimate.Load()) }

func (q *quantile) Update(_, size int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.sizes[q.updates%quantileWindow] = size
	q.updates++
	if q.updates%quantileEvery != 0 {
		return
	}
	sorted := q.sorted[:min(q.updates, quantileWindow)]
	copy(sorted, q.sizes[:])
	slices.Sort(sorted)
	p95 := sorted[(len(sorted)*95-1)/100]
	q.estimate.Store(int64(min(max(p95, InitialSize), q.limit)))
}
