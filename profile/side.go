package profile

import (
	"sync"
	"sync/atomic"
)

// Side is one side of a comparison: the profiles that were read and their sums,
// grouped by kind. Profiles of one kind are replicates: runs of the same work.
type Side struct {
	Label    string
	Profiles []*Profile // in the order of their names
	Costs    []*Costs   // one for each set of sample types

	*loader
	per Per
}

// loader is what both sides share while they are read.
type loader struct {
	opts  *Options
	names *names
	pools *pools

	profiles, bytes atomic.Int64 // read so far
}

// Sides reads and attributes both sides. Pools and functions share their
// numbers, so that rows meet by name.
func Sides(before, after Source, o *Options) (b, a *Side, err error) {
	l := newLoader(o)
	rb, ra := l.newReader(before, o.OpsBefore, perSide(2)), l.newReader(after, o.OpsAfter, perSide(2))
	if err := l.readSides(rb, ra); err != nil {
		return nil, nil, err
	}
	return rb.side, ra.side, nil
}

// Read reads and attributes one side alone.
func Read(s Source, o *Options) (*Side, error) {
	l := newLoader(o)
	r := l.newReader(s, o.OpsBefore, perSide(1))
	if err := l.readSides(r); err != nil {
		return nil, err
	}
	return r.side, nil
}

func newLoader(o *Options) *loader {
	return &loader{opts: o, names: newNames(), pools: newPools()}
}

// readSides takes the steps that need all sides one after the other.
func (l *loader) readSides(readers ...*sideReader) (err error) {
	if err := together(readers, (*sideReader).openFirst); err != nil {
		return err
	}
	module, err := guessModule(l.opts.Module, readers...)
	if err != nil {
		return err
	}
	l.names.settle(module)
	per, err := choosePer(l.opts.Per, readers)
	if err != nil {
		return err
	}
	if err := together(readers, (*sideReader).learn); err != nil {
		return err
	}
	tree := newPrefixTree()
	for _, r := range readers {
		tree.merge(r.tree)
	}
	tree.decide(l.names.snapshot())
	for _, r := range readers {
		r.tree, r.side.per = tree, per
	}
	return together(readers, (*sideReader).readAll)
}

// together runs a step on all sides at once. The first side's error wins.
func together(readers []*sideReader, step func(*sideReader) error) error {
	errs := make([]error, len(readers))
	var wg sync.WaitGroup
	for i, r := range readers {
		wg.Go(func() { errs[i] = step(r) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			for _, r := range readers {
				r.close()
			}
			return err
		}
	}
	return nil
}
