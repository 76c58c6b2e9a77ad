package profile

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"

	"github.com/allocdiff/allocdiff/profile/internal/wire"
)

// early is how many inputs of a side are opened before any is attributed, so
// that names learned from CPU labels reach the heap profiles. A fleet has more,
// and is read in one go.
const early = 32

// sideReader reads one side with one or more workers.
type sideReader struct {
	*loader
	side    *Side
	inputs  []Input
	ops     float64 // of each run as the user gives it
	workers []*worker
	tree    *prefixTree
}

// worker opens and attributes one input at a time and keeps its memory for the
// next.
type worker struct {
	wire wire.Reader
	at   int // the input that is open; -1: none
	open *Profile
	runs []*Costs // empty costs to attribute into, by set of sample types
}

func (l *loader) newReader(s Source, ops float64, workers int) *sideReader {
	r := &sideReader{
		loader: l,
		side:   &Side{Label: s.Label, Profiles: make([]*Profile, len(s.Inputs)), loader: l},
		inputs: s.Inputs,
		ops:    ops,
	}
	for range max(1, min(workers, len(s.Inputs))) {
		r.workers = append(r.workers, &worker{at: -1})
	}
	return r
}

// perSide is how many workers each of n sides gets.
func perSide(n int) int { return max(1, runtime.GOMAXPROCS(0)/n) }

func (r *sideReader) close() {
	for _, w := range r.workers {
		w.close()
	}
}

func (w *worker) close() {
	if w.open != nil {
		w.open.close()
	}
	w.at, w.open = -1, nil
}

// open opens an input with a worker, in place of the one it has open.
func (r *sideReader) open(w *worker, i int) (*Profile, error) {
	if w.at == i {
		return w.open, nil
	}
	w.close()
	p, err := r.read(r.inputs[i], &w.wire)
	if err != nil {
		return nil, err
	}
	w.at, w.open = i, p
	r.side.Profiles[i] = p
	return p, nil
}

func (r *sideReader) openFirst() error {
	if len(r.inputs) == 0 {
		return errors.New("no profile named")
	}
	_, err := r.open(r.workers[0], 0)
	return err
}

// learn opens the first inputs and learns pool names from the labels of the CPU
// profiles among them.
func (r *sideReader) learn() error {
	r.tree = newPrefixTree()
	switch r.opts.Pools.By {
	case "none", "thread", "root":
		return nil // nothing learned is asked for
	}
	for i := range min(len(r.inputs), early) {
		p, err := r.open(r.workers[0], i)
		if err != nil {
			return err
		}
		if p.Kind != Time {
			continue
		}
		if err := r.learnFrom(p); err != nil {
			return fmt.Errorf("%s: %w", p.Name, explain(err))
		}
	}
	return nil
}

// readAll attributes every profile. Workers go ahead together, and their runs
// are folded in the order of the inputs, so that sums do not depend on timing.
func (r *sideReader) readAll() error {
	for first := 0; first < len(r.inputs); first += len(r.workers) {
		batch := r.workers[:min(len(r.workers), len(r.inputs)-first)]
		runs := make([]*Costs, len(batch))
		errs := make([]error, len(batch))
		var wg sync.WaitGroup
		for i, w := range batch {
			wg.Go(func() { runs[i], errs[i] = r.run(w, first+i) })
		}
		wg.Wait()
		for i, w := range batch {
			if errs[i] != nil {
				return errs[i]
			}
			if err := r.fold(w, runs[i]); err != nil {
				return err
			}
		}
	}
	r.close()
	if r.opts.Merge {
		for _, c := range r.side.Costs {
			if r.side.per == PerRun {
				c.T = 1
			}
			c.closeRun(c.T)
		}
	}
	return nil
}

// run attributes one profile.
func (r *sideReader) run(w *worker, i int) (*Costs, error) {
	p, err := r.open(w, i)
	if err != nil {
		return nil, err
	}
	t, err := r.divisor(p)
	if err != nil {
		return nil, err
	}
	run := w.costs(p)
	if err := r.attribute(p, r.tree, run); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, explain(err))
	}
	run.closeRun(t)
	r.profiles.Add(1)
	return run, nil
}

// costs returns empty costs for a profile.
func (w *worker) costs(p *Profile) *Costs {
	i := slices.IndexFunc(w.runs, func(c *Costs) bool { return c.Kind == p.Kind && slices.Equal(c.Metrics, p.Metrics) })
	if i < 0 {
		i = len(w.runs)
		w.runs = append(w.runs, newCosts(p.Kind, p.Metrics))
	}
	w.runs[i].Types, w.runs[i].Default = p.TypeLeaf, p.Default
	return w.runs[i]
}

// fold adds a worker's run to the side's sums of its kind.
func (r *sideReader) fold(w *worker, run *Costs) error {
	for _, c := range r.side.Costs {
		if slices.Equal(c.Metrics, run.Metrics) {
			c.fold(run)
			run.reset()
			return nil
		}
		if c.Kind == run.Kind && c.Kind != Other {
			return fmt.Errorf("%s: its sample types (%s) are not those of the side's other %s profiles (%s); give profiles of one make",
				w.open.Name, metricList(run.Metrics), run.Kind, metricList(c.Metrics))
		}
	}
	// The first run becomes the sum.
	r.side.Costs = append(r.side.Costs, run)
	w.runs = slices.DeleteFunc(w.runs, func(c *Costs) bool { return c == run })
	return nil
}

// meter counts the bytes read from an input for the progress of the loader.
type meter struct {
	io.ReadSeekCloser
	l *loader
}

// Read implements io.Reader.
func (c meter) Read(b []byte) (int, error) {
	n, err := c.ReadSeekCloser.Read(b)
	if total := c.l.bytes.Add(int64(n)); c.l.opts.Progress != nil {
		c.l.opts.Progress(c.l.profiles.Load(), total)
	}
	return n, err
}
