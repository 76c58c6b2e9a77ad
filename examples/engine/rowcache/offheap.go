package rowcache

import "runtime"

// Offheap is a cache that is off the heap altogether.
type Offheap struct {
	arena    *Arena
	segments []*segment
	copyOut  bool
}

// NewOffheap returns an empty cache that keeps at most so many bytes of entries.
// With copyOut a hit copies the serialised row to the heap under the segment's
// lock and deserialises the copy, as a cache behind JNI must; without, it
// deserialises under the lock.
func NewOffheap(capacity int, copyOut bool) (*Offheap, error) {
	n := segmentCount()
	arena, err := NewArena(arenaSize(capacity, n))
	if err != nil {
		return nil, err
	}
	return newOffheap(arena, capacity, n, copyOut), nil
}

// segmentCount is OHC's default: twice the cores, to the next power of two.
func segmentCount() int {
	n := 1
	for n < 2*runtime.GOMAXPROCS(0) {
		n *= 2
	}
	return n
}

// arenaSize leaves room beside the entries for tables and for blocks of a size
// that is not wanted any more. What is not used costs nothing.
func arenaSize(capacity, parts int) int { return 2*capacity + parts*(1<<20) }

func newOffheap(arena *Arena, capacity, segments int, copyOut bool) *Offheap {
	c := &Offheap{arena: arena, copyOut: copyOut, segments: make([]*segment, segments)}
	for i := range c.segments {
		c.segments[i] = newSegment(arena, capacity/segments)
	}
	return c
}

// segmentOf uses the upper bits, the segment's table the lower ones.
func (c *Offheap) segmentOf(hash uint64) *segment {
	return c.segments[int(hash>>40)&(len(c.segments)-1)]
}

// Get implements Cache.
func (c *Offheap) Get(key Key) *Row {
	h := hash(key)
	s := c.segmentOf(h)
	if !c.copyOut {
		return s.read(h, key)
	}
	value := s.copyValue(h, key)
	if value == nil {
		return nil
	}
	return deserialise(value)
}

// read deserialises under the lock.
func (s *segment) read(hash uint64, key Key) *Row {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.get(hash, key)
	if e == 0 {
		return nil
	}
	return deserialise(s.value(e))
}

// copyValue returns a copy of the serialised row, or nil.
func (s *segment) copyValue(hash uint64, key Key) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.get(hash, key)
	if e == 0 {
		return nil
	}
	return copyOf(s.value(e))
}

//go:noinline so that the price of the boundary is a row of a profile.
func copyOf(value []byte) []byte {
	out := make([]byte, len(value))
	copy(out, value)
	return out
}

// Put implements Cache. The entry is complete before the lock is taken.
func (c *Offheap) Put(key Key, row *Row) bool {
	h := hash(key)
	s := c.segmentOf(h)
	size := headerSize + len(key) + row.size()
	e := 0
	if _, length := class(size); length <= s.limit {
		e = s.alloc(size)
	}
	if e != 0 {
		row.serialise(s.fill(e, h, key, row.size()))
	}
	return s.put(e, h, key)
}

// Stats implements Cache.
func (c *Offheap) Stats() Stats {
	var sum Stats
	for _, s := range c.segments {
		s.mu.Lock()
		sum.add(s.stats)
		s.mu.Unlock()
	}
	return sum
}

// Close implements Cache.
func (c *Offheap) Close() error { return c.arena.Close() }
