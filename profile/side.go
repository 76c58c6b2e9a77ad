package profile

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/allocdiff/allocdiff/profile/internal/wire"
)

// Options say how profiles are attributed, compared and judged. The zero value
// is the default of every setting.
type Options struct {
	Pools     PoolOptions
	By        string  // rows of the function tables: "function" or "", "package", "file", "line"
	Module    string  // where owners are looked for; "" guesses, "-" takes any module
	Per       Per     // "" decides: per operation when both sides tell their operations, else per run
	OpsBefore float64 // operations of each run; 0 asks the profiles' own comments
	OpsAfter  float64
	Merge     bool     // the files of a side are one fleet's profile, not replicates
	Metric    string   // sample type to show first; "" chooses
	Cum       bool     // show cumulative values first
	Flat      bool     // show flat values first, in place of owners
	ByPool    bool     // keep functions per pool too, for ReportOptions.All
	TrimPath  []string // prefixes to take off source paths

	Judge JudgeOptions
}

// Side is one side of a comparison: the profiles that were read and their sums,
// grouped by kind. Profiles of one kind are replicates: runs of the same work.
type Side struct {
	Label    string
	Profiles []*Profile // in the order of their names
	Costs    []*Costs   // one for each set of sample types

	*loader
	per Per
}

// early is how many inputs of a side are opened before any heap profile is
// attributed, so that names learned from CPU labels reach them. A fleet has
// more, and is read in one go.
const early = 32

// loader is what both sides share while they are read.
type loader struct {
	opts  *Options
	names *names
	pools *pools
}

// sideReader reads one side.
type sideReader struct {
	*loader
	side   *Side
	inputs []Input
	ops    float64 // of each run as the user gives it

	wire wire.Reader
	at   int      // the input that is open; -1: none
	runs []*Costs // the run at hand, by group: as side.Costs
	tree *prefixTree
}

// Sides reads and attributes both sides. Pools and functions share their
// numbers, so that rows meet by name.
func Sides(before, after Source, o *Options) (b, a *Side, err error) {
	l := newLoader(o)
	rb, ra := l.newReader(before, o.OpsBefore), l.newReader(after, o.OpsAfter)
	if err := l.read(rb, ra); err != nil {
		return nil, nil, err
	}
	return rb.side, ra.side, nil
}

// Read reads and attributes one side alone.
func Read(s Source, o *Options) (*Side, error) {
	l := newLoader(o)
	r := l.newReader(s, o.OpsBefore)
	if err := l.read(r); err != nil {
		return nil, err
	}
	return r.side, nil
}

func newLoader(o *Options) *loader {
	return &loader{opts: o, names: newNames(), pools: newPools()}
}

// read takes the steps that need all sides one after the other.
func (l *loader) read(readers ...*sideReader) (err error) {
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

func (l *loader) newReader(s Source, ops float64) *sideReader {
	return &sideReader{
		loader: l,
		side:   &Side{Label: s.Label, Profiles: make([]*Profile, len(s.Inputs)), loader: l},
		inputs: s.Inputs,
		ops:    ops,
		at:     -1,
	}
}

func (r *sideReader) close() {
	if r.at >= 0 {
		r.side.Profiles[r.at].close()
		r.at = -1
	}
}

// open opens an input, in place of the one that is open: there is one reader.
func (r *sideReader) open(i int) (*Profile, error) {
	if r.at == i {
		return r.side.Profiles[i], nil
	}
	r.close()
	p, err := read(r.inputs[i], &r.wire)
	if err != nil {
		return nil, err
	}
	r.at = i
	r.side.Profiles[i] = p
	return p, nil
}

func (r *sideReader) openFirst() error {
	if len(r.inputs) == 0 {
		return errors.New("no profile named")
	}
	_, err := r.open(0)
	return err
}

// learn opens the first inputs and learns pool names from the labels of the CPU
// profiles among them.
func (r *sideReader) learn() error {
	r.tree = newPrefixTree()
	for i := range min(len(r.inputs), early) {
		p, err := r.open(i)
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

// readAll attributes every profile.
func (r *sideReader) readAll() error {
	for i := range r.inputs {
		p, err := r.open(i)
		if err != nil {
			return err
		}
		if err := r.run(p); err != nil {
			return err
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

// run attributes one profile and folds it into the side's sums of its kind.
func (r *sideReader) run(p *Profile) error {
	t, err := r.divisor(p)
	if err != nil {
		return err
	}
	g, err := r.group(p)
	if err != nil {
		return err
	}
	run := r.runs[g]
	run.Types = p.TypeLeaf
	if err := r.attribute(p, r.tree, run); err != nil {
		return fmt.Errorf("%s: %w", p.Name, explain(err))
	}
	run.closeRun(t)
	if r.side.Costs[g] == nil { // the first run becomes the sum
		r.side.Costs[g] = run
		r.runs[g] = newCosts(p.Kind, p.Metrics)
		return nil
	}
	r.side.Costs[g].fold(run)
	run.reset()
	return nil
}

// group finds the sums that a profile belongs to, or starts new ones.
func (r *sideReader) group(p *Profile) (int, error) {
	for g, c := range r.runs {
		if slices.Equal(c.Metrics, p.Metrics) {
			return g, nil
		}
		if c.Kind == p.Kind && p.Kind != Other {
			return 0, fmt.Errorf("%s: its sample types (%s) are not those of the side's other %s profiles (%s); give profiles of one make",
				p.Name, metricList(p.Metrics), p.Kind, metricList(c.Metrics))
		}
	}
	r.side.Costs = append(r.side.Costs, nil)
	r.runs = append(r.runs, newCosts(p.Kind, p.Metrics))
	return len(r.runs) - 1, nil
}

// divisor returns what the values of one run are divided by.
func (r *sideReader) divisor(p *Profile) (float64, error) {
	switch r.side.per {
	case PerOp:
		if r.ops > 0 {
			p.Ops = r.ops
		}
		if p.Ops <= 0 {
			return 0, fmt.Errorf("%s: tells no number of operations (comment allocdiff.ops=N) though others do; give them with --ops BEFORE,AFTER", p.Name)
		}
		return p.Ops, nil
	case PerSecond:
		if p.Duration <= 0 {
			return 0, fmt.Errorf("%s: has no duration, so nothing can be shown per second; use --per total or --ops", p.Name)
		}
		return float64(p.Duration) / 1e9, nil
	}
	return 1, nil
}

// choosePer decides what values are divided by: operations when all sides tell
// theirs, unless the user wishes otherwise.
func choosePer(wish Per, readers []*sideReader) (Per, error) {
	known := true
	for _, r := range readers {
		known = known && (r.ops > 0 || r.side.Profiles[0].Ops > 0)
	}
	switch {
	case wish == PerOp && !known:
		return "", errors.New("the number of operations is not known on both sides; give it with --ops BEFORE,AFTER")
	case wish != "":
		return wish, nil
	case known:
		return PerOp, nil
	}
	return PerRun, nil
}

func metricList(metrics []Metric) string {
	s := ""
	for i, m := range metrics {
		if i > 0 {
			s += ", "
		}
		s += m.String()
	}
	return s
}
