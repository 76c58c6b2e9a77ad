package memtable

import (
	"sync"

	"github.com/allocdiff/allocdiff/examples/engine/pool"
)

// compactionThreshold is the number of sorted tables of a size that are merged,
// the default of size-tiered compaction.
const compactionThreshold = 4

// A Store is a table with its write path: a memtable, sorted tables, and the
// pools that move rows from one to the other. It is Cassandra's
// ColumnFamilyStore.
type Store struct {
	schema     *Schema
	flushAfter int
	flushers   *pool.Pool
	compactors *pool.Pool
	writers    []*Writer

	switching sync.RWMutex // held for reading during a put
	live      *Memtable
	puts      int
	putsMu    sync.Mutex

	mu      sync.Mutex
	flushed []*SSTable
	merged  *SSTable
	stats   Stats
}

// Stats counts what a store has done.
type Stats struct {
	// Flushes is the number of memtables written, FlushedBytes their size.
	Flushes      int
	FlushedBytes int64
	// Compactions is the number of merges, CompactedBytes what they wrote.
	Compactions    int
	CompactedBytes int64
}

// NewStore returns an empty table. Puts come from so many mutation threads;
// after every flushAfter puts the memtable is flushed.
func NewStore(schema *Schema, c Changes, threads, flushAfter int, flushers, compactors *pool.Pool) *Store {
	s := &Store{schema: schema, flushAfter: flushAfter, flushers: flushers, compactors: compactors, live: New(schema)}
	for range threads {
		s.writers = append(s.writers, NewWriter(c))
	}
	return s
}

// Put applies an update on behalf of a worker of the mutation stage.
func (s *Store) Put(u *Update, w *pool.Worker) {
	s.switching.RLock()
	s.live.Put(u, s.writers[w.ID])
	s.switching.RUnlock()

	s.putsMu.Lock()
	s.puts++
	full := s.puts%s.flushAfter == 0
	s.putsMu.Unlock()
	if full {
		s.flushers.Submit(&flushTask{s, s.replace()})
	}
}

// replace starts a new memtable and returns the old one, to which nobody
// writes any more.
func (s *Store) replace() *Memtable {
	fresh := New(s.schema)
	s.switching.Lock()
	defer s.switching.Unlock()
	full := s.live
	s.live = fresh
	return full
}

// Stats returns the counters.
func (s *Store) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stats
}

// flushTask writes one memtable.
type flushTask struct {
	store    *Store
	memtable *Memtable
}

// Run writes the memtable and asks for a merge when enough tables wait.
func (t *flushTask) Run(*pool.Worker) {
	table := flush(t.memtable)
	s := t.store
	s.mu.Lock()
	s.stats.Flushes++
	s.stats.FlushedBytes += table.Bytes()
	s.flushed = append(s.flushed, table)
	var inputs []*SSTable
	if len(s.flushed) >= compactionThreshold {
		inputs, s.flushed = s.flushed, nil
	}
	s.mu.Unlock()
	if inputs != nil {
		s.compactors.Submit(&compactionTask{s, inputs})
	}
}

// compactionTask merges sorted tables.
type compactionTask struct {
	store  *Store
	inputs []*SSTable
}

// Run merges. Only the latest result is kept: the engine has no disk, and a
// table that grew with the run would make its end unlike its beginning.
func (t *compactionTask) Run(*pool.Worker) {
	table := merge(t.inputs)
	s := t.store
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stats.Compactions++
	s.stats.CompactedBytes += table.Bytes()
	s.merged = table
}
