// Package rowcache is a cache of whole rows, twice (CASSANDRA-7438).
//
//	Serializing  keys, map and LRU list are heap objects, the value is a counted
//	             reference to memory off the heap: Cassandra's SerializingCache
//	Offheap      hash table, LRU list, keys and values are all off the heap, in
//	             an Arena: OHC, which came of the ticket
//
// Both serialise rows into the same kind of Arena and deserialise a new row for
// every hit. They differ in what the garbage collector has to mark, an object
// for each entry or none, and in how a reader is kept from memory that is given
// away under its eyes: by counting references, or by a lock on the segment.
//
// Lengths are in bytes. All methods may be called by many goroutines at a time.
package rowcache

// Key identifies a row.
type Key [16]byte

// Cache is a least-recently-used cache of rows.
type Cache interface {
	// Get returns a new copy of the row, or nil if it is not there.
	Get(key Key) *Row
	// Put stores a copy of the row in place of an earlier one. It reports false
	// if the row is larger than the cache may be; the key is then not there.
	Put(key Key, row *Row) bool
	// Stats returns the counters.
	Stats() Stats
	// Close gives the memory back. The cache must not be used again.
	Close() error
}

// Stats are a cache's counters.
type Stats struct {
	// Entries is the number of rows, Bytes the memory lent to them.
	Entries, Bytes int
	// Hits and Misses count Get, Evictions the rows that made room for others.
	Hits, Misses, Evictions int64
}

func (s *Stats) add(t Stats) {
	s.Entries += t.Entries
	s.Bytes += t.Bytes
	s.Hits += t.Hits
	s.Misses += t.Misses
	s.Evictions += t.Evictions
}
