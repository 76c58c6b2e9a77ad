package rowcache

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"sync"
)

const (
	grain       = 64   // blocks are multiples of a cache line ...
	fineLargest = 1024 // ... up to this, then powers of two
	fineClasses = fineLargest / grain
	classes     = fineClasses + 21 // the largest block is 2 GiB
)

// Arena is memory that the garbage collector does not know, lent in blocks. A
// block is an offset; 0 is no block. Free blocks of a size class are a list
// threaded through the blocks themselves.
type Arena struct {
	mem     []byte
	release func([]byte) error

	mu   sync.Mutex
	next int          // where memory never lent begins
	free [classes]int // first free block of each class
	lent int          // bytes in blocks lent
	idle int          // bytes in free lists
}

// NewArena maps so many bytes. The memory is the system's until it is used.
func NewArena(size int) (*Arena, error) {
	mem, err := mapMemory(size)
	if err != nil {
		return nil, fmt.Errorf("mapping %d bytes for the arena: %w", size, err)
	}
	return newArena(mem, unmapMemory), nil
}

// newArena lends mem. Tests give it memory that the race detector watches.
func newArena(mem []byte, release func([]byte) error) *Arena {
	return &Arena{mem: mem, release: release, next: grain}
}

// class returns the size class for a size and the length of its blocks.
func class(size int) (int, int) {
	if size <= fineLargest {
		c := max(0, size-1) / grain
		return c, (c + 1) * grain
	}
	log := bits.Len(uint(size - 1))
	return fineClasses + log - 11, 1 << log
}

// Alloc lends a block of at least size bytes; its content is arbitrary. It
// returns 0 if there is neither a free block of that class nor new memory.
func (a *Arena) Alloc(size int) int {
	c, length := class(size)
	a.mu.Lock()
	defer a.mu.Unlock()
	off := a.free[c]
	switch {
	case off != 0:
		a.free[c] = int(binary.LittleEndian.Uint64(a.mem[off:]))
		a.idle -= length
	case c < classes && length <= len(a.mem)-a.next:
		off = a.next
		a.next += length
	default:
		return 0
	}
	a.lent += length
	return off
}

// Free takes back a block that Alloc lent for the same size.
func (a *Arena) Free(off, size int) {
	c, length := class(size)
	a.mu.Lock()
	defer a.mu.Unlock()
	binary.LittleEndian.PutUint64(a.mem[off:], uint64(a.free[c]))
	a.free[c] = off
	a.lent -= length
	a.idle += length
}

// Bytes is the memory of a block. The caller sees to it that nobody writes to it
// meanwhile, and that it is not freed.
func (a *Arena) Bytes(off, size int) []byte { return a.mem[off : off+size : off+size] }

// Lent is the length of all blocks that are lent.
func (a *Arena) Lent() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.lent
}

// Close unmaps the memory.
func (a *Arena) Close() error {
	mem := a.mem
	a.mem = nil
	return a.release(mem)
}
