package memtable

import "math"

// NoDeletion is the local deletion time of a cell that does not expire.
const NoDeletion = math.MaxInt64

// A Cell is the value of one column in one row. There are three kinds, as in
// Cassandra, so that no call is bound at compile time.
type Cell interface {
	// Column is the column that the cell belongs to.
	Column() *Column
	// Timestamp is the time of the write in microseconds.
	Timestamp() int64
	// TTL is the time to live in seconds, 0 for none.
	TTL() int32
	// LocalDeletionTime is when the cell expires, in seconds, or NoDeletion.
	LocalDeletionTime() int64
	// Value is the value, owned by the cell.
	Value() []byte
	// ValueSize is the value's length in bytes.
	ValueSize() int
	// Path is the element's path in a collection, nil for simple columns.
	Path() []byte
	// DataSize is what dataSize adds up, known to each kind by itself.
	DataSize() int
	// Clone copies the cell into the cloner's slab.
	Clone(c *Cloner) Cell
}

// headSize is the data size of a cell without value and path: timestamp, time
// to live and local deletion time.
const headSize = 8 + 4 + 8

// dataSize is the cell's size the way it was computed before CASSANDRA-21088,
// in terms of the interface.
//
//go:noinline
func dataSize(c Cell) int {
	n := sizeOfLong(c.Timestamp()) + sizeOfInt(c.TTL()) + sizeOfLong(c.LocalDeletionTime()) + c.ValueSize()
	if path := c.Path(); path != nil {
		n += len(path)
	}
	return n
}

func sizeOfLong(int64) int { return 8 }
func sizeOfInt(int32) int  { return 4 }

// cellHead is what all kinds of cell have.
type cellHead struct {
	column    *Column
	timestamp int64
	deletion  int64
	ttl       int32
}

func (h *cellHead) Column() *Column          { return h.column }
func (h *cellHead) Timestamp() int64         { return h.timestamp }
func (h *cellHead) TTL() int32               { return h.ttl }
func (h *cellHead) LocalDeletionTime() int64 { return h.deletion }
func (h *cellHead) Path() []byte             { return nil }

// A BufferCell is a cell whose value is part of a message from the network.
type BufferCell struct {
	cellHead
	value []byte
}

// NewBufferCell returns a cell over value, which it does not copy.
func NewBufferCell(column *Column, timestamp int64, ttl int32, deletion int64, value []byte) *BufferCell {
	return &BufferCell{cellHead{column, timestamp, deletion, ttl}, value}
}

// Value implements Cell.
func (b *BufferCell) Value() []byte { return b.value }

// ValueSize implements Cell.
func (b *BufferCell) ValueSize() int { return len(b.value) }

// DataSize implements Cell.
func (b *BufferCell) DataSize() int { return headSize + len(b.value) }

// Clone implements Cell.
func (b *BufferCell) Clone(c *Cloner) Cell { return c.native(b.cellHead, b.value) }

// An ArrayCell is a cell that owns its value.
type ArrayCell struct {
	cellHead
	value []byte
}

// NewArrayCell returns a cell that owns value.
func NewArrayCell(column *Column, timestamp int64, ttl int32, deletion int64, value []byte) *ArrayCell {
	return &ArrayCell{cellHead{column, timestamp, deletion, ttl}, value}
}

// Value implements Cell.
func (a *ArrayCell) Value() []byte { return a.value }

// ValueSize implements Cell.
func (a *ArrayCell) ValueSize() int { return len(a.value) }

// DataSize implements Cell.
func (a *ArrayCell) DataSize() int { return headSize + len(a.value) }

// Clone implements Cell.
func (a *ArrayCell) Clone(c *Cloner) Cell { return c.native(a.cellHead, a.value) }

// A NativeCell is a cell whose value is in a memtable's slab.
type NativeCell struct {
	cellHead
	value []byte
}

// Value implements Cell.
func (n *NativeCell) Value() []byte { return n.value }

// ValueSize implements Cell.
func (n *NativeCell) ValueSize() int { return len(n.value) }

// DataSize implements Cell.
func (n *NativeCell) DataSize() int { return headSize + len(n.value) }

// Clone implements Cell.
func (n *NativeCell) Clone(c *Cloner) Cell { return c.native(n.cellHead, n.value) }
