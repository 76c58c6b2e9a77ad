// Package pool is the engine's thread pools: named sets of goroutines, each
// fed by one request queue, as Cassandra's stages and HBase's handlers are.
//
// A Go heap profile carries no goroutine labels (golang/go#23458), a CPU
// profile does. So that both tell the pool, every stage has an entry function
// of its own, which is the outermost frame of all that its workers do, and its
// workers run under the label "pool".
package pool

import (
	"context"
	"runtime/pprof"
	"sync"
)

// LabelKey is the key of the pprof label that names the pool in CPU profiles.
const LabelKey = "pool"

// queueLength is the number of requests that may wait in front of a pool.
const queueLength = 1024

// A Task is one request. Run is called once by one worker of the pool.
type Task interface {
	Run(w *Worker)
}

// A Worker is the goroutine that runs a task, as the task sees it.
type Worker struct {
	// Pool is the pool that the worker belongs to.
	Pool *Pool
	// ID numbers the workers of a pool from 0; state kept per thread is
	// indexed by it.
	ID int
}

// A Pool is the running workers of one stage. Start makes one.
type Pool struct {
	stage   Stage
	threads int
	queue   chan call
	pending sync.WaitGroup
	workers sync.WaitGroup
}

// call is a queued task; done is nil when nobody waits.
type call struct {
	task Task
	done chan<- struct{}
}

// Name returns the pool's name as the tickets write it.
func (p *Pool) Name() string { return p.stage.name }

// Threads returns the number of workers.
func (p *Pool) Threads() int { return p.threads }

// Submit queues t and returns; it blocks while the queue is full.
func (p *Pool) Submit(t Task) {
	p.pending.Add(1)
	p.queue <- call{task: t}
}

// Do queues t and returns when it has run. The caller owns done, which needs a
// capacity of 1 and can be used again afterwards: waiting allocates nothing.
func (p *Pool) Do(t Task, done chan struct{}) {
	p.pending.Add(1)
	p.queue <- call{task: t, done: done}
	<-done
}

// Drain returns when every task submitted so far has run. Nobody may submit
// while Drain waits, except tasks of this pool.
func (p *Pool) Drain() { p.pending.Wait() }

// Close lets the workers finish the queue, then ends them. Submit must not be
// called afterwards.
func (p *Pool) Close() {
	close(p.queue)
	p.workers.Wait()
}

// serve is a worker's life: it runs what is queued until Close.
func (p *Pool) serve(id int) {
	defer p.workers.Done()
	w := &Worker{Pool: p, ID: id}
	pprof.Do(context.Background(), pprof.Labels(LabelKey, p.stage.name), func(context.Context) {
		for c := range p.queue {
			c.task.Run(w)
			p.pending.Done()
			if c.done != nil {
				c.done <- struct{}{}
			}
		}
	})
}

// A Set is the pools of an engine in the order in which work flows through
// them: a task may submit to a pool behind its own, never to one before it.
type Set []*Pool

// Drain waits until all pools are idle, front to back, so that work handed on
// is waited for as well.
func (s Set) Drain() {
	for _, p := range s {
		p.Drain()
	}
}

// Close ends all pools, front to back.
func (s Set) Close() {
	for _, p := range s {
		p.Close()
	}
}
