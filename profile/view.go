package profile

// view is a sparse table by pool and row name. Most functions run in few pools
// and never allocate themselves, so cells exist only where something was added.
type view struct {
	width  int
	pooled bool      // keys have a pool; else it is 0 throughout
	index  [][]int32 // by pool, then name: 0 or one more than the cell
	pages  [][]Estimate
	keys   []cellKey // by cell

	// squares is the sum over runs of each value's square divided by the run's
	// T, by cell and metric: the scatter between runs. nil for a single run,
	// whose square is no news.
	squares []float64
}

// Sum is an estimate over the runs of a side.
type Sum struct {
	Estimate
	Squares float64 // sum over runs of the run's Value² divided by its T: the scatter between runs
}

type cellKey struct{ pool, name int32 }

const pageCells = 512

// cell returns the estimates of one pool and name, by metric.
func (v *view) cell(pool, name int32) []Estimate { return v.at(v.slot(pool, name)) }

// slot returns the cell of one pool and name, making it if there is none.
func (v *view) slot(pool, name int32) int {
	for int(pool) >= len(v.index) {
		v.index = append(v.index, nil)
	}
	row := v.index[pool]
	if int(name) >= len(row) {
		row = append(row, make([]int32, int(name)+1-len(row)+len(row)/4)...)
		v.index[pool] = row
	}
	c := row[name]
	if c == 0 {
		v.keys = append(v.keys, cellKey{pool, name})
		c = int32(len(v.keys))
		row[name] = c
		if int(c-1)/pageCells == len(v.pages) {
			v.pages = append(v.pages, make([]Estimate, pageCells*v.width))
		}
	}
	return int(c - 1)
}

// at returns the estimates of a cell, by metric.
func (v *view) at(cell int) []Estimate {
	i := cell % pageCells * v.width
	return v.pages[cell/pageCells][i : i+v.width : i+v.width]
}

// reset empties the view and keeps its memory.
func (v *view) reset() {
	for _, k := range v.keys {
		v.index[k.pool][k.name] = 0
	}
	v.keys, v.squares = v.keys[:0], nil
	for _, p := range v.pages {
		clear(p)
	}
}

// poolOf returns the pool of a key, noPool in a view without pools.
func (v *view) poolOf(k cellKey) int32 {
	if v.pooled {
		return k.pool
	}
	return noPool
}

// length is one more than the largest name of pool 0.
func (v *view) length() int {
	if len(v.index) == 0 {
		return 0
	}
	return len(v.index[0])
}

// find returns the cell of a pool and name, -1 for none.
func (v *view) find(pool, name int32) int {
	if int(pool) >= len(v.index) || int(name) >= len(v.index[pool]) {
		return -1
	}
	return int(v.index[pool][name]) - 1
}

// fold adds the cells of a run's view, o. c and run are the costs that the views
// belong to.
func (v *view) fold(o *view, c, run *Costs) {
	if v.squares == nil { // so far there was one run
		squares := make([]float64, 0, len(v.keys)*v.width)
		for i := range v.keys {
			for m := range v.width {
				squares = append(squares, v.sum(i, m, c).Squares)
			}
		}
		v.squares = squares
	}
	for i, k := range o.keys {
		slot := v.slot(k.pool, k.name)
		if n := len(v.keys) * v.width; n > len(v.squares) {
			v.squares = append(v.squares, make([]float64, n-len(v.squares))...)
		}
		addAll(v.at(slot), o.at(i))
		for m := range v.width {
			v.squares[slot*v.width+m] += o.sum(i, m, run).Squares
		}
	}
}

// sum returns one metric of a cell, which belongs to c.
func (v *view) sum(cell, metric int, c *Costs) Sum {
	s := Sum{Estimate: v.at(cell)[metric]}
	if v.squares != nil {
		s.Squares = v.squares[cell*v.width+metric]
	} else if x := float64(s.Value); x != 0 {
		s.Squares = x * x / c.per(metric)
	}
	return s
}
