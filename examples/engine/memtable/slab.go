package memtable

import "sync"

// regionSize is the size of a slab's regions, as in Cassandra's SlabAllocator.
const regionSize = 1 << 20

// slab hands out parts of large regions, so that a value is no object of its
// own. It lives and dies with its memtable.
type slab struct {
	mu   sync.Mutex
	rest []byte
}

// copy returns a copy of v in the slab. Values larger than a region get their
// own memory.
func (s *slab) copy(v []byte) []byte {
	if len(v) > regionSize {
		return append([]byte(nil), v...)
	}
	s.mu.Lock()
	if len(v) > len(s.rest) {
		s.rest = make([]byte, regionSize)
	}
	to := s.rest[:len(v):len(v)]
	s.rest = s.rest[len(v):]
	s.mu.Unlock()
	copy(to, v)
	return to
}

// A Cloner copies cells into a memtable's slab. There is one a thread.
type Cloner struct {
	slab *slab
	// cloneCell is bound once; CASSANDRA-21088 uses it for every row.
	cloneCell func(Cell) Cell
	// transformer is the function that Row.transform is running. It is kept
	// here, as BTree.transform keeps its function, so a closure put here
	// cannot live on the stack.
	transformer func(Cell) Cell
}

// native returns a cell with a copy of value.
func (c *Cloner) native(head cellHead, value []byte) Cell {
	return &NativeCell{head, c.slab.copy(value)}
}

// A Writer is what one thread needs to put rows: its cloner and its scratch
// space. It must not be used by two threads at a time.
type Writer struct {
	changes  Changes
	cloner   Cloner
	builder  treeBuilder
	dataSize int64
}

// NewWriter returns a writer that puts rows the way c says.
func NewWriter(c Changes) *Writer {
	w := &Writer{changes: c}
	w.cloner.cloneCell = func(cell Cell) Cell { return cell.Clone(&w.cloner) }
	return w
}
