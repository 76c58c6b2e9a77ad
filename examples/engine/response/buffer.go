package response

import "github.com/allocdiff/allocdiff/examples/engine/memtable"

// InitialSize is the size in bytes of a new DataOutputBuffer unless somebody
// knows better.
const InitialSize = 128

// doublingLimit is the size up to which a buffer doubles; beyond, it grows by
// half.
const doublingLimit = 64 << 20

// A DataOutputBuffer is bytes that are written one field at a time. It never
// allocates: who writes asks whether the field fits, and if it does not, moves
// the buffer to memory of the size that newSize says.
type DataOutputBuffer struct {
	buf []byte
}

// fits says whether n more bytes fit.
func (d *DataOutputBuffer) fits(n int) bool { return cap(d.buf)-len(d.buf) >= n }

// newSize is the capacity to move to when n more bytes do not fit:
// max(2 x capacity, capacity + n), as in Cassandra's calculateNewSize.
func (d *DataOutputBuffer) newSize(n int) int {
	capacity := cap(d.buf)
	if capacity > doublingLimit {
		return max(capacity+capacity/2, capacity+n)
	}
	return max(2*capacity, capacity+n)
}

// moveTo continues in empty memory.
func (d *DataOutputBuffer) moveTo(empty []byte) { d.buf = append(empty, d.buf...) }

// Bytes returns what has been written.
func (d *DataOutputBuffer) Bytes() []byte { return d.buf }

func (d *DataOutputBuffer) writeRowHead(r *memtable.Row) { d.buf = memtable.AppendRowHead(d.buf, r) }
func (d *DataOutputBuffer) writeCell(c memtable.Cell)    { d.buf = memtable.AppendCell(d.buf, c) }
