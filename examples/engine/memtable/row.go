package memtable

// A Row is the cells of one clustering, sorted by column. Rows in a memtable
// do not change.
type Row struct {
	// Clustering is the row's position in its partition.
	Clustering int64
	// Timestamp is the time of the write in microseconds; the newer row wins.
	Timestamp int64
	cells     []Cell
	minLDT    int64
}

// NewRow returns a row that owns cells.
func NewRow(clustering, timestamp int64, cells []Cell) *Row {
	return &Row{clustering, timestamp, cells, minLocalDeletionTime(cells)}
}

// Cells returns the cells, owned by the row.
func (r *Row) Cells() []Cell { return r.cells }

// MinLocalDeletionTime returns the earliest time at which a cell expires, in
// seconds, or NoDeletion.
func (r *Row) MinLocalDeletionTime() int64 { return r.minLDT }

// minLocalDeletionTime walks the cells.
//
//go:noinline
func minLocalDeletionTime(cells []Cell) int64 {
	least := int64(NoDeletion)
	for _, c := range cells {
		least = min(least, c.LocalDeletionTime())
	}
	return least
}

// clone copies the row into the writer's slab. Before CASSANDRA-21088 every
// row made a closure over the cloner.
//
//go:noinline
func (r *Row) clone(w *Writer) *Row {
	if w.changes.Closure {
		return r.transform(w, w.cloner.cloneCell)
	}
	cloner := &w.cloner
	return r.transform(w, func(c Cell) Cell { return c.Clone(cloner) })
}

// transform returns a row of the cells that fn returns.
//
//go:noinline
func (r *Row) transform(w *Writer, fn func(Cell) Cell) *Row {
	w.cloner.transformer = fn
	cells := make([]Cell, len(r.cells))
	for i, c := range r.cells {
		cells[i] = w.cloner.transformer(c)
	}
	least := r.minLDT
	if !w.changes.MinLDT {
		least = minLocalDeletionTime(cells)
	}
	return &Row{r.Clustering, r.Timestamp, cells, least}
}

// dataSize adds up the cells' sizes, with the calls of before or after.
func (r *Row) dataSize(after bool) int {
	n := 8
	if after {
		for _, c := range r.cells {
			n += c.DataSize()
		}
		return n
	}
	for _, c := range r.cells {
		n += dataSize(c)
	}
	return n
}
