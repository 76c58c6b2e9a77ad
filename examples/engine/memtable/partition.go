package memtable

import "sync"

// A Partition is the rows of one key: an immutable tree that writers replace.
// Cassandra swaps the root with compare-and-set and throws away the work of
// the loser; here writers take turns, so that what a run allocates does not
// depend on who meets whom.
type Partition struct {
	mu   sync.RWMutex
	root *node
}

// add merges copies of rows into the partition and returns how many were new.
func (p *Partition) add(rows []*Row, w *Writer) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	clones := w.builder.clones[:0]
	for _, r := range rows {
		c := r.clone(w)
		w.dataSize += int64(c.dataSize(w.changes.DataSize))
		clones = append(clones, c)
	}
	w.builder.clones = clones
	before := p.root.count()
	p.root = w.builder.update(p.root, clones)
	return p.root.count() - before
}

// Rows returns the first limit rows in order of clustering.
func (p *Partition) Rows(limit int) []*Row {
	p.mu.RLock()
	root := p.root
	p.mu.RUnlock()
	rows := make([]*Row, 0, min(limit, root.count()))
	return root.collect(rows)
}
