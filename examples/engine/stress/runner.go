// Package stress is the load generator: closed-loop client threads, latency
// histograms, and the lines and summary that cassandra-stress prints.
//
// It is a closed loop, as in the tickets: a client sends its next operation
// when the last one is answered. While the engine stalls nobody sends, so the
// stall is counted once per client and not once per operation that would have
// come in meanwhile. This is coordinated omission; the tail is a lower bound.
package stress

import (
	"io"
	"sync/atomic"
	"time"

	"github.com/allocdiff/allocdiff/examples/engine/pool"
)

// A Client is one client thread's view of the engine.
type Client interface {
	// Do carries out operation op and returns when it is answered. What the
	// operation does may depend on op only: every run then does the same work.
	Do(op int) Result
}

// A Result is the answer to one operation.
type Result struct {
	// Kind is an index into Config.Kinds.
	Kind int
	// Rows is the number of rows read or written.
	Rows int
	// Err is nil if the operation succeeded.
	Err error
}

// Config describes a load. Clients and Kinds are needed.
type Config struct {
	// Clients are the client threads, one goroutine each.
	Clients []Client
	// Kinds names the kinds of operation, e.g. READ and WRITE.
	Kinds []string
	// Format chooses the lines' layout.
	Format Format
	// Lines receives a line per interval; nil means none.
	Lines io.Writer
	// Interval is the time between lines; 0 means one second.
	Interval time.Duration
	// Progress, if set, is called every interval with the number of operations
	// done.
	Progress func(done int)
	// Settle, if set, is called when all clients have their answers and waits
	// for the engine's background work; its time counts.
	Settle func()
}

// A Runner holds the client threads of a Config. Everything it needs is
// allocated by New, so that a run adds nothing of its own to a heap profile.
type Runner struct {
	cfg      Config
	threads  *pool.Pool
	tasks    []clientTask
	shards   []shard
	interval []tally
	total    []tally
	next     atomic.Int64
	end      int64
	firstErr atomic.Pointer[error]
}

// New starts the client threads of cfg.
func New(cfg Config) *Runner {
	if cfg.Interval == 0 {
		cfg.Interval = time.Second
	}
	kinds := len(cfg.Kinds)
	r := &Runner{
		cfg:      cfg,
		shards:   newShards(len(cfg.Clients), kinds),
		interval: newTallies(kinds),
		total:    newTallies(kinds),
	}
	r.tasks = make([]clientTask, len(cfg.Clients))
	for i := range r.tasks {
		r.tasks[i] = clientTask{runner: r, client: cfg.Clients[i], shard: &r.shards[i%len(r.shards)]}
	}
	r.threads = pool.StressClient.Start(len(cfg.Clients))
	return r
}

// Threads returns the pool of client threads.
func (r *Runner) Threads() *pool.Pool { return r.threads }

// Close ends the client threads.
func (r *Runner) Close() { r.threads.Close() }

// Warm carries out operations first to first+n-1 and measures nothing.
func (r *Runner) Warm(first, n int) error {
	r.start(first, n)
	r.wait()
	for i := range r.shards {
		r.shards[i].reset()
	}
	return r.err()
}

// Run carries out operations first to first+n-1 and returns what it measured.
// The clock starts before the first client does. The error is the first that a
// client met; the summary counts all of them.
func (r *Runner) Run(first, n int) (Summary, error) {
	m := newMeter(r)
	stop := m.watch()
	r.start(first, n)
	r.wait()
	stop()
	return m.summary(), r.err()
}

func (r *Runner) start(first, n int) {
	r.next.Store(int64(first))
	r.end = int64(first + n)
	for i := range r.tasks {
		r.threads.Submit(&r.tasks[i])
	}
}

func (r *Runner) wait() {
	r.threads.Drain()
	if r.cfg.Settle != nil {
		r.cfg.Settle()
	}
}

func (r *Runner) err() error {
	if e := r.firstErr.Load(); e != nil {
		return *e
	}
	return nil
}

// clientTask is one client's loop.
type clientTask struct {
	runner *Runner
	client Client
	shard  *shard
}

// Run sends operations until there are none left.
func (t *clientTask) Run(*pool.Worker) {
	for {
		op := t.runner.next.Add(1) - 1
		if op >= t.runner.end {
			return
		}
		start := time.Now()
		res := t.client.Do(int(op))
		t.shard.record(res, time.Since(start))
		if res.Err != nil {
			err := res.Err // a copy, so that results stay off the heap
			t.runner.firstErr.CompareAndSwap(nil, &err)
		}
	}
}
