// Package memtable is the engine's write path: rows are put into an in-memory
// table, which is flushed to sorted tables when it is full, which in turn are
// merged. Put has, side by side, the code from before and from after
// CASSANDRA-21088; Changes says which is used.
package memtable

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// Changes are the four parts of CASSANDRA-21088. The zero value is the code
// before the ticket.
type Changes struct {
	// Iter: ColumnsCollector.update applies a function bound once, instead of
	// making two iterators an update.
	Iter bool
	// DataSize: every kind of cell knows its size, instead of adding up five
	// calls through the interface.
	DataSize bool
	// Closure: Row.clone uses a function bound once, instead of a closure a row.
	Closure bool
	// MinLDT: a clone takes over the minimum local deletion time, instead of
	// walking the cells again.
	MinLDT bool
}

// ChangeNames are the names that ParseChanges knows.
var ChangeNames = []string{"iter", "datasize", "closure", "minldt"}

// AllChanges is the code after the ticket.
var AllChanges = Changes{Iter: true, DataSize: true, Closure: true, MinLDT: true}

// ParseChanges turns on the named parts; no name means none.
func ParseChanges(names []string) (Changes, error) {
	var c Changes
	for _, name := range names {
		switch name {
		case "iter":
			c.Iter = true
		case "datasize":
			c.DataSize = true
		case "closure":
			c.Closure = true
		case "minldt":
			c.MinLDT = true
		default:
			return Changes{}, fmt.Errorf("part %q of the change is unknown, use one of %v", name, ChangeNames)
		}
	}
	return c, nil
}

// An Update is rows of one partition, written together. Put copies what it
// keeps, so the caller may use the update and its rows again.
type Update struct {
	// Key is the partition's.
	Key uint64
	// Columns are the columns that the rows write.
	Columns *Columns
	// Rows are sorted by clustering, each clustering once.
	Rows []*Row
}

// shardCount spreads the partition map over so many locks.
const shardCount = 16

// A Memtable holds the newest rows of a table, in memory.
type Memtable struct {
	slab      slab
	collector *ColumnsCollector
	shards    [shardCount]memtableShard
	rows      atomic.Int64
	dataSize  atomic.Int64
}

type memtableShard struct {
	mu         sync.RWMutex
	partitions map[uint64]*Partition
}

// New returns an empty memtable of a table with the schema's columns.
func New(schema *Schema) *Memtable {
	m := &Memtable{collector: newColumnsCollector(schema)}
	for i := range m.shards {
		m.shards[i].partitions = make(map[uint64]*Partition)
	}
	return m
}

// Put adds the update's rows. The writer is the calling thread's own.
func (m *Memtable) Put(u *Update, w *Writer) {
	m.collector.update(u.Columns, w.changes.Iter)
	w.cloner.slab = &m.slab
	p := m.partition(u.Key)
	before := w.dataSize
	added := p.add(u.Rows, w)
	m.rows.Add(int64(added))
	m.dataSize.Add(w.dataSize - before)
}

// Rows returns the number of distinct rows.
func (m *Memtable) Rows() int { return int(m.rows.Load()) }

// DataSize returns the bytes of data put, as Cassandra counts them: without
// what the objects around them take.
func (m *Memtable) DataSize() int64 { return m.dataSize.Load() }

// Partition returns the partition of key, or nil.
func (m *Memtable) Partition(key uint64) *Partition {
	s := &m.shards[key%shardCount]
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.partitions[key]
}

// partition returns the partition of key, made if need be.
func (m *Memtable) partition(key uint64) *Partition {
	if p := m.Partition(key); p != nil {
		return p
	}
	s := &m.shards[key%shardCount]
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.partitions[key]
	if p == nil {
		p = &Partition{}
		s.partitions[key] = p
	}
	return p
}

// keys returns the keys of all partitions in order.
func (m *Memtable) keys() []uint64 {
	n := 0
	for i := range m.shards {
		n += len(m.shards[i].partitions)
	}
	keys := make([]uint64, 0, n)
	for i := range m.shards {
		for k := range m.shards[i].partitions {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}
