package rowcache

import (
	"encoding/binary"
	"sync"
)

// An entry begins with a header of 8-byte fields, then come key and value. OHC
// has the key's length too; here all keys are alike.
const (
	chainField  = 0 // next entry of the same bucket
	newerField  = 8 // neighbours in the LRU list
	olderField  = 16
	hashField   = 24
	lengthField = 32 // of the value
	headerSize  = 40
	bucketSize  = 8
	valueStart  = headerSize + len(Key{})
)

// firstBuckets is the size of a new table; it doubles at 3/4 full.
const firstBuckets = 8192

// segment is a part of an Offheap cache with its own lock, hash table and LRU
// list. Links are offsets of entries, 0 for none.
type segment struct {
	mu             sync.Mutex
	arena          *Arena
	table          int // offset of the buckets
	buckets        int // a power of two
	newest, oldest int
	limit          int
	stats          Stats
}

func newSegment(arena *Arena, limit int) *segment {
	s := &segment{arena: arena, limit: limit}
	s.table, s.buckets = newTable(arena, firstBuckets), firstBuckets
	return s
}

// newTable returns empty buckets, or 0 if there is no room.
func newTable(arena *Arena, buckets int) int {
	t := arena.Alloc(buckets * bucketSize)
	if t != 0 {
		clear(arena.Bytes(t, buckets*bucketSize))
	}
	return t
}

// at and set read and write the 8 bytes at an offset.
func (s *segment) at(off int) int { return int(binary.LittleEndian.Uint64(s.arena.mem[off:])) }

func (s *segment) set(off, v int) { binary.LittleEndian.PutUint64(s.arena.mem[off:], uint64(v)) }

func (s *segment) bucket(hash uint64) int { return s.table + int(hash)&(s.buckets-1)*bucketSize }

// value is the serialised row of an entry.
func (s *segment) value(e int) []byte {
	return s.arena.Bytes(e+valueStart, s.at(e+lengthField))
}

// entrySize is what was allocated for an entry.
func (s *segment) entrySize(e int) int { return valueStart + s.at(e+lengthField) }

// fill writes an entry that is not linked yet and returns where its value goes.
func (s *segment) fill(e int, hash uint64, key Key, length int) []byte {
	s.set(e+hashField, int(hash))
	s.set(e+lengthField, length)
	copy(s.arena.Bytes(e+headerSize, len(key)), key[:])
	return s.value(e)
}

// find returns the entry, or 0, and the offset of the link to it.
func (s *segment) find(hash uint64, key Key) (e, link int) {
	link = s.bucket(hash)
	for e = s.at(link); e != 0; e = s.at(link) {
		if s.at(e+hashField) == int(hash) && Key(s.arena.Bytes(e+headerSize, len(key))) == key {
			return e, link
		}
		link = e + chainField
	}
	return 0, link
}

// get is find that counts, and makes the entry the newest.
func (s *segment) get(hash uint64, key Key) int {
	e, _ := s.find(hash, key)
	if e == 0 {
		s.stats.Misses++
		return 0
	}
	s.stats.Hits++
	if e != s.newest {
		s.unlinkLRU(e)
		s.linkLRU(e)
	}
	return e
}

// alloc gets memory for an entry, at the cost of the oldest ones if it must.
func (s *segment) alloc(size int) int {
	for {
		if e := s.arena.Alloc(size); e != 0 {
			return e
		}
		s.mu.Lock()
		evicted := s.evict()
		s.mu.Unlock()
		if !evicted {
			return 0
		}
	}
}

// put replaces the entry of the key by e, or removes it if e is 0, and evicts
// what is too much. It reports whether the key is there.
func (s *segment) put(e int, hash uint64, key Key) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if earlier, link := s.find(hash, key); earlier != 0 {
		s.remove(earlier, link)
	}
	if e == 0 {
		return false
	}
	_, length := class(s.entrySize(e))
	for s.stats.Bytes+length > s.limit {
		s.evict()
	}
	if s.stats.Entries >= s.buckets/4*3 {
		s.rehash()
	}
	b := s.bucket(hash)
	s.set(e+chainField, s.at(b))
	s.set(b, e)
	s.linkLRU(e)
	s.stats.Entries++
	s.stats.Bytes += length
	return true
}

// evict removes the oldest entry and reports whether there was one.
func (s *segment) evict() bool {
	e := s.oldest
	if e == 0 {
		return false
	}
	link := s.bucket(uint64(s.at(e + hashField)))
	for s.at(link) != e {
		link = s.at(link) + chainField
	}
	s.remove(e, link)
	s.stats.Evictions++
	return true
}

// remove takes e, which link points to, out and frees it.
func (s *segment) remove(e, link int) {
	s.set(link, s.at(e+chainField))
	s.unlinkLRU(e)
	size := s.entrySize(e)
	_, length := class(size)
	s.stats.Entries--
	s.stats.Bytes -= length
	s.arena.Free(e, size)
}

// rehash doubles the table, unless the arena has no room for it.
func (s *segment) rehash() {
	table := newTable(s.arena, 2*s.buckets)
	if table == 0 {
		return
	}
	earlier, size := s.table, s.buckets*bucketSize
	s.table, s.buckets = table, 2*s.buckets
	for e := s.oldest; e != 0; e = s.at(e + newerField) {
		b := s.bucket(uint64(s.at(e + hashField)))
		s.set(e+chainField, s.at(b))
		s.set(b, e)
	}
	s.arena.Free(earlier, size)
}

// linkLRU makes e the newest.
func (s *segment) linkLRU(e int) {
	s.set(e+newerField, 0)
	s.set(e+olderField, s.newest)
	if s.newest != 0 {
		s.set(s.newest+newerField, e)
	} else {
		s.oldest = e
	}
	s.newest = e
}

func (s *segment) unlinkLRU(e int) {
	newer, older := s.at(e+newerField), s.at(e+olderField)
	if newer != 0 {
		s.set(newer+olderField, older)
	} else {
		s.newest = older
	}
	if older != 0 {
		s.set(older+newerField, newer)
	} else {
		s.oldest = newer
	}
}
