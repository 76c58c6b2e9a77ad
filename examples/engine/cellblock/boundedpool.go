package cellblock

import "sync"

// BoundedPool keeps buffers for later, after HBase's BoundedByteBufferPool. A
// running average of the capacities it holds, which only rises, sizes the
// buffers that it makes.
type BoundedPool struct {
	largest int // capacity in bytes of the largest buffer kept

	mu      sync.Mutex
	free    [][]byte // first in, first out; its capacity is the bound
	held    int      // bytes of capacity in free
	average int
	stats   PoolStats
}

// PoolStats are a pool's own counters. They say how the pool is used, not
// whether anything is saved.
type PoolStats struct {
	// Hits and Misses count Get: from the pool, or newly made.
	Hits, Misses int64
	// TooLarge and Full count the buffers that Put let go.
	TooLarge, Full int64
	// Average is the capacity in bytes of the next buffer made.
	Average int
	// Buffers and HeldBytes are what is in the pool now.
	Buffers, HeldBytes int
}

// NewBoundedPool returns an empty pool that keeps at most count buffers of at
// most largest bytes, and makes buffers of initial bytes at first.
func NewBoundedPool(largest, initial, count int) *BoundedPool {
	return &BoundedPool{largest: largest, average: initial, free: make([][]byte, 0, count)}
}

// Get returns an empty buffer.
func (p *BoundedPool) Get() []byte {
	buf, capacity := p.poll()
	if buf == nil {
		return allocate(capacity)
	}
	return buf
}

// poll returns the buffer that waited longest, or nil and the capacity to make.
func (p *BoundedPool) poll() ([]byte, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) == 0 {
		p.stats.Misses++
		return nil, p.average
	}
	p.stats.Hits++
	buf := p.free[0]
	last := copy(p.free, p.free[1:])
	p.free[last] = nil
	p.free = p.free[:last]
	p.held -= cap(buf)
	return buf[:0], 0
}

// Put gives a buffer back. The caller must put back the buffer that its stream
// ended with: the one it got may have been outgrown.
func (p *BoundedPool) Put(buf []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case cap(buf) > p.largest:
		p.stats.TooLarge++
		return
	case len(p.free) == cap(p.free):
		p.stats.Full++
		return
	}
	p.free = append(p.free, buf)
	p.held += cap(buf)
	if average := p.held / len(p.free); average > p.average && average < p.largest {
		p.average = average
	}
}

// Stats returns the counters as they are now.
func (p *BoundedPool) Stats() PoolStats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	s.Average, s.Buffers, s.HeldBytes = p.average, len(p.free), p.held
	return s
}
