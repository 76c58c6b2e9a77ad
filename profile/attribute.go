package profile

import (
	"github.com/allocdiff/allocdiff/profile/internal/wire"
)

// attributor walks the samples of one profile and adds them up. Consecutive
// samples share frames at the root, so it walks them depth first: sums wait on
// the open frames and are paid out to a function, and passed on to its caller,
// when its frame ends. What it keeps grows with functions, pools and depth,
// never with samples.
type attributor struct {
	p      *Profile
	c      *Costs
	pooler *pooler
	heap   *heapModel // nil unless the profile is a Go heap profile
	width  int
	byPool bool // keep functions per pool
	cum    bool // keep cumulative values

	bytesKey  int32   // string index of the label key "bytes"; -1: absent
	lines     []int32 // rows of all locations' frames, leaf first
	functions []int32 // the same as functions; lines itself unless rows are coarser or finer
	first     []int32 // by location: start of its frames in lines; one more at the end

	traits  []traits   // by function
	open    []int32    // by row: how many open frames it has
	stack   []frame    // root first
	path    []int32    // functions of the stack, root first
	depth   []int32    // by number of locations from the root: length of stack
	wait    []Estimate // width for each frame of the stack
	values  []Estimate // of the sample at hand
	noStack int32
}

type frame struct {
	row    int32
	first  bool  // the outermost frame of its row: the one that counts for cum
	paid   bool  // something was found in it
	owner  int32 // nearest frame towards the root, itself included, that owns; noOwner
	loose  int32 // the same without regard to the module
	writer int32 // outermost frame that writes profiles; noOwner
}

const noOwner = int32(-1)

// attribute adds all samples of the profile to empty costs.
func (l *loader) attribute(p *Profile, learned *prefixTree, c *Costs) error {
	a := l.newAttributor(p, learned, c)
	copy(c.events, eventModels(p))
	if err := p.file.Walk(a.sample); err != nil {
		return err
	}
	a.truncate(0)
	p.Difference = p.Difference || a.pooler.difference
	p.CutNames = a.pooler.cutNames()
	for m := range c.events {
		c.events[m].unknown = c.events[m].unknown || p.Difference
		c.events[m].settle()
	}
	for pool, seen := range a.pooler.threads {
		c.seeThreads(int(pool), len(seen))
	}
	return nil
}

// sample adds one sample.
func (a *attributor) sample(s *wire.Sample) error {
	zero := true
	for m, v := range s.Values {
		a.values[m] = Estimate{Value: v}
		if v != 0 {
			zero = false
			a.c.events[m].observe(v)
		}
	}
	shared := a.place(s)
	if zero {
		a.pooler.looked = -1 // what it remembers is not the sample before any more
		return nil
	}
	size := a.size(s)
	if a.heap != nil {
		a.heap.estimate(size, a.values, a.c.events)
	}
	var frames []int32
	if len(s.Locations) > 0 {
		frames = a.path
	}
	pool, reason := a.pooler.pool(s, frames, shared)
	a.pay(pool, reason, size)
	return nil
}

// place makes the open frames those of the sample and returns how many of them
// were open already.
func (a *attributor) place(s *wire.Sample) int {
	shared := min(s.Shared, len(a.depth)-1)
	if len(s.Locations) == 0 {
		a.truncate(0)
		a.depth = a.depth[:1]
		a.push(a.noStack, a.noStack)
		return 0
	}
	keep := int(a.depth[shared])
	a.truncate(keep)
	a.depth = a.depth[:shared+1]
	for i := len(s.Locations) - 1 - shared; i >= 0; i-- {
		loc := s.Locations[i]
		for j := a.first[loc+1] - 1; j >= a.first[loc]; j-- {
			a.push(a.lines[j], a.functions[j])
		}
		a.depth = append(a.depth, int32(len(a.stack)))
	}
	return keep
}

func (a *attributor) push(row, function int32) {
	f := frame{row: row, owner: noOwner, loose: noOwner, writer: noOwner}
	if n := len(a.stack); n > 0 {
		up := &a.stack[n-1]
		f.owner, f.loose, f.writer = up.owner, up.loose, up.writer
	}
	t := a.traits[function]
	if t.owns != ownsNothing {
		f.loose = row
		if t.owns == ownsFirst {
			f.owner = row
		}
	}
	if t.writer && f.writer == noOwner {
		f.writer = row
	}
	if a.cum {
		f.first = a.open[row] == 0
		a.open[row]++
	}
	a.stack = append(a.stack, f)
	a.path = append(a.path, function)
	if end := len(a.stack) * a.width; end > len(a.wait) {
		a.wait = append(a.wait, make([]Estimate, max(end, 64*a.width))...)
	}
}

// truncate ends the frames beyond keep.
func (a *attributor) truncate(keep int) {
	for n := len(a.stack) - 1; a.cum && n >= keep; n-- {
		f := &a.stack[n]
		a.open[f.row]--
		sums := a.wait[n*a.width : (n+1)*a.width]
		if f.first {
			a.settle(&a.c.cum, f.row, sums)
		}
		if n > 0 {
			addAll(a.wait[(n-1)*a.width:n*a.width], sums)
		}
		clear(sums)
	}
	if keep < len(a.stack) {
		a.stack, a.path = a.stack[:keep], a.path[:keep]
	}
}

func (a *attributor) settle(v *view, row int32, sums []Estimate) {
	for i := range sums {
		if !sums[i].zero() {
			addAll(v.cell(0, row), sums)
			return
		}
	}
}

// pay adds the sample's values to its leaf, owner, pool and size, and leaves
// them with the leaf frame for cum.
func (a *attributor) pay(pool int32, reason int, size int64) {
	top := len(a.stack) - 1
	leaf := a.stack[top]
	for n := top; n >= 0 && !a.stack[n].paid; n-- {
		a.stack[n].paid = true
		a.c.present[a.stack[n].row] = true
	}
	at := leaf
	if a.p.TypeLeaf && top > 0 {
		at = a.stack[top-1]
	}
	owner := at.owner
	if owner == noOwner {
		owner = at.loose
	}
	if owner == noOwner {
		owner = at.row
	}
	if a.cum {
		addAll(a.wait[top*a.width:(top+1)*a.width], a.values)
	}
	addAll(a.c.flat.cell(0, leaf.row), a.values)
	addAll(a.c.owner.cell(0, owner), a.values)
	if a.byPool {
		addAll(a.c.byPool.cell(pool, owner), a.values)
	}
	if leaf.writer != noOwner {
		addAll(a.c.writer.cell(0, leaf.writer), a.values)
	}
	addAll(a.c.pools.cell(0, pool), a.values)
	addAll(a.c.sizes.cell(0, sizeClass(size)), a.values)
	by := a.c.reasons[reason]
	for m := range a.values {
		by[m] += a.values[m].Value
	}
}

// size returns the object size of the sample in bytes, 0 without one.
func (a *attributor) size(s *wire.Sample) int64 {
	for i := range s.Labels {
		if s.Labels[i].Key == a.bytesKey {
			return s.Labels[i].Num
		}
	}
	return 0
}
