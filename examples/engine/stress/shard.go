package stress

import (
	"runtime"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// maxLatency is the largest latency a histogram tells apart; longer ones count
// as this.
const maxLatency = 100 * time.Second

// newHistogram holds 1 ns to maxLatency at three significant digits.
func newHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(1, int64(maxLatency), 3)
}

// shard collects the latencies of some of the clients. Clients share shards
// because a histogram is a quarter of a megabyte and there may be 1200 of them.
type shard struct {
	mu    sync.Mutex
	kinds []tally
}

// tally counts the operations of one kind.
type tally struct {
	latency *hdrhistogram.Histogram
	rows    int64
	errors  int64
}

func newShards(clients, kinds int) []shard {
	shards := make([]shard, min(clients, 2*runtime.GOMAXPROCS(0)))
	for i := range shards {
		shards[i].kinds = newTallies(kinds)
	}
	return shards
}

func newTallies(kinds int) []tally {
	t := make([]tally, kinds)
	for i := range t {
		t[i].latency = newHistogram()
	}
	return t
}

func (s *shard) record(r Result, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := &s.kinds[r.Kind]
	// The error is out of range only, which min and max exclude.
	_ = t.latency.RecordValue(int64(min(max(d, 1), maxLatency)))
	t.rows += int64(r.Rows)
	if r.Err != nil {
		t.errors++
	}
}

// drain moves what was recorded into sums, one for each kind.
func (s *shard) drain(sums []tally) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.kinds {
		sums[i].add(&s.kinds[i])
		s.kinds[i].reset()
	}
}

func (s *shard) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.kinds {
		s.kinds[i].reset()
	}
}

func (t *tally) add(u *tally) {
	t.latency.Merge(u.latency)
	t.rows += u.rows
	t.errors += u.errors
}

func (t *tally) reset() {
	t.latency.Reset()
	t.rows, t.errors = 0, 0
}
