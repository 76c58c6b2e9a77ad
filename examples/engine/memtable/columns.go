package memtable

import "sync/atomic"

// A Column of a table.
type Column struct {
	// Name is the column's name.
	Name string
	// Static says that a partition has one value instead of one a row.
	Static bool
	id     int
}

// A Schema is the columns of a table.
type Schema struct {
	columns []*Column
}

// NewSchema returns a table with the named columns.
func NewSchema(statics, regulars []string) *Schema {
	s := &Schema{}
	for _, name := range statics {
		s.columns = append(s.columns, &Column{Name: name, Static: true, id: len(s.columns)})
	}
	for _, name := range regulars {
		s.columns = append(s.columns, &Column{Name: name, id: len(s.columns)})
	}
	return s
}

// Columns returns the table's columns as a set.
func (s *Schema) Columns() *Columns {
	c := &Columns{}
	for _, col := range s.columns {
		if col.Static {
			c.statics.columns = append(c.statics.columns, col)
		} else {
			c.regulars.columns = append(c.regulars.columns, col)
		}
	}
	return c
}

// Regulars returns the columns that every row has.
func (s *Schema) Regulars() []*Column { return s.Columns().regulars.columns }

// Columns is Cassandra's RegularAndStaticColumns.
type Columns struct {
	statics, regulars columnSet
}

// columnSet is a sorted set of columns.
type columnSet struct {
	columns []*Column
}

// columnIterator walks a columnSet.
type columnIterator interface {
	hasNext() bool
	next() *Column
}

// iterator returns an iterator on the heap, as a for-each loop over a BTree
// does.
//
//go:noinline
func (s *columnSet) iterator() columnIterator {
	return &treeIterator{columns: s.columns, upper: len(s.columns) - 1}
}

// apply calls fn for every column.
func (s *columnSet) apply(fn func(*Column)) {
	for _, c := range s.columns {
		fn(c)
	}
}

// treeIterator has the fields that Cassandra's LeafBTreeSearchIterator needs to
// walk a leaf upwards.
type treeIterator struct {
	columns []*Column
	at      int
	upper   int
}

func (i *treeIterator) hasNext() bool { return i.at <= i.upper }

func (i *treeIterator) next() *Column {
	c := i.columns[i.at]
	i.at++
	return c
}

// A ColumnsCollector knows which columns a memtable has data of.
type ColumnsCollector struct {
	seen []atomic.Bool
	// record is bound once.
	record func(*Column)
}

func newColumnsCollector(s *Schema) *ColumnsCollector {
	c := &ColumnsCollector{seen: make([]atomic.Bool, len(s.columns))}
	c.record = c.add
	return c
}

func (c *ColumnsCollector) add(col *Column) {
	if seen := &c.seen[col.id]; !seen.Load() {
		seen.Store(true)
	}
}

// update notes the columns of an update: with two iterators, or by applying
// the bound function.
func (c *ColumnsCollector) update(cols *Columns, apply bool) {
	if apply {
		cols.statics.apply(c.record)
		cols.regulars.apply(c.record)
		return
	}
	for it := cols.statics.iterator(); it.hasNext(); {
		c.add(it.next())
	}
	for it := cols.regulars.iterator(); it.hasNext(); {
		c.add(it.next())
	}
}
