package rowcache

import (
	"sync"
	"sync/atomic"
)

// shards is the concurrency level of the map, as SerializingCache's.
const shards = 64

// Serializing is a cache whose values alone are off the heap.
type Serializing struct {
	arena *Arena
	shard [shards]shard
}

// shard is a map and its LRU list.
type shard struct {
	mu    sync.Mutex
	nodes map[Key]*node
	ends  node // ends.next is the newest node, ends.prev the oldest
	limit int
	stats Stats
}

// node is an entry: map node and RefCountedMemory in one.
type node struct {
	prev, next *node
	refs       atomic.Int32 // one for the map, one for each reader
	off, size  int
	key        Key
}

// NewSerializing returns an empty cache that keeps at most so many bytes of
// serialised rows.
func NewSerializing(capacity int) (*Serializing, error) {
	arena, err := NewArena(arenaSize(capacity, shards))
	if err != nil {
		return nil, err
	}
	return newSerializing(arena, capacity), nil
}

func newSerializing(arena *Arena, capacity int) *Serializing {
	c := &Serializing{arena: arena}
	for i := range c.shard {
		s := &c.shard[i]
		s.nodes = make(map[Key]*node)
		s.limit = capacity / shards
		s.ends.prev, s.ends.next = &s.ends, &s.ends
	}
	return c
}

func (c *Serializing) shardOf(k Key) *shard { return &c.shard[hash(k)%shards] }

// Get implements Cache. It deserialises straight from the arena, without a lock.
func (c *Serializing) Get(key Key) *Row {
	n := c.shardOf(key).acquire(key)
	if n == nil {
		return nil
	}
	row := deserialise(c.arena.Bytes(n.off, n.size))
	c.drop(n)
	return row
}

// acquire returns the node with a reference for the caller, or nil.
func (s *shard) acquire(key Key) *node {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.nodes[key]
	if n == nil {
		s.stats.Misses++
		return nil
	}
	s.stats.Hits++
	n.refs.Add(1)
	n.unlink()
	s.link(n)
	return n
}

// drop gives a reference back, and with the last one the memory.
func (c *Serializing) drop(n *node) {
	if n.refs.Add(-1) == 0 {
		c.arena.Free(n.off, n.size)
	}
}

// Put implements Cache.
func (c *Serializing) Put(key Key, row *Row) bool {
	s := c.shardOf(key)
	n := newNode(key, row.size())
	_, length := class(n.size)
	if length <= s.limit {
		n.off = c.alloc(s, n.size)
	}
	if n.off != 0 {
		row.serialise(c.arena.Bytes(n.off, n.size))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if earlier := s.nodes[key]; earlier != nil {
		c.drop(s.remove(earlier))
	}
	if n.off == 0 {
		return false
	}
	for s.stats.Bytes+length > s.limit {
		c.drop(s.evict())
	}
	s.nodes[key] = n
	s.link(n)
	s.stats.Entries++
	s.stats.Bytes += length
	return true
}

// newNode returns a node with the map's reference.
//
//go:noinline so that the cost of an entry on the heap is a row of a profile.
func newNode(key Key, size int) *node {
	n := &node{key: key, size: size}
	n.refs.Store(1)
	return n
}

// alloc gets memory, at the cost of the shard's oldest entries if it must.
func (c *Serializing) alloc(s *shard, size int) int {
	for {
		off := c.arena.Alloc(size)
		if off != 0 {
			return off
		}
		s.mu.Lock()
		n := s.evict()
		s.mu.Unlock()
		if n == nil {
			return 0
		}
		c.drop(n)
	}
}

// evict removes the oldest node and returns it, or nil if there is none.
func (s *shard) evict() *node {
	if s.ends.prev == &s.ends {
		return nil
	}
	s.stats.Evictions++
	return s.remove(s.ends.prev)
}

func (s *shard) remove(n *node) *node {
	delete(s.nodes, n.key)
	n.unlink()
	_, length := class(n.size)
	s.stats.Entries--
	s.stats.Bytes -= length
	return n
}

// link makes n the newest.
func (s *shard) link(n *node) {
	n.prev, n.next = &s.ends, s.ends.next
	n.next.prev, s.ends.next = n, n
}

func (n *node) unlink() {
	n.prev.next, n.next.prev = n.next, n.prev
}

// Stats implements Cache.
func (c *Serializing) Stats() Stats {
	var sum Stats
	for i := range c.shard {
		s := &c.shard[i]
		s.mu.Lock()
		sum.add(s.stats)
		s.mu.Unlock()
	}
	return sum
}

// Close implements Cache.
func (c *Serializing) Close() error { return c.arena.Close() }
