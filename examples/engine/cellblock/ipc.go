package cellblock

import "fmt"

const (
	initialSize = 16 << 10  // hbase.ipc.cellblock.building.initial.buffersize
	uppedSize   = 220 << 10 // what the ticket raised it to
	poolLargest = 1 << 20   // largest buffer that the pool keeps
)

// Variants are the names that NewIPC takes: the code before the ticket, with
// the pool, with a larger first buffer, and with a pool that is asked but whose
// buffers are not used.
var Variants = []string{"before", "after", "upped", "broken"}

// Cells is a source of cells. Next returns nil at the end; a cell is good until
// the next call.
type Cells interface {
	Next() *Cell
}

// IPC builds cell blocks, after HBase's IPCUtil. Results of scans do not know
// their size, so the first buffer is of a fixed size.
type IPC struct {
	initial int
	pool    *BoundedPool // nil if there is none
	unused  bool         // the pool is asked for its capacity only
}

// NewIPC returns the variant of that name for a server with so many handlers.
func NewIPC(variant string, handlers int) (*IPC, error) {
	u := &IPC{initial: initialSize}
	switch variant {
	case "before":
	case "upped":
		u.initial = uppedSize
	case "after", "broken":
		u.pool = NewBoundedPool(poolLargest, initialSize, 2*handlers)
		u.unused = variant == "broken"
	default:
		return nil, fmt.Errorf("cell block variant %q is unknown, use one of %q", variant, Variants)
	}
	return u, nil
}

// BuildCellBlock encodes the cells. The block belongs to the caller until Done.
//
//go:noinline so that the site is in the profile under the ticket's name.
func (u *IPC) BuildCellBlock(cells Cells) []byte {
	s := stream{buf: u.firstBuffer()}
	for c := cells.Next(); c != nil; c = cells.Next() {
		s.writeCell(c)
	}
	return s.buf
}

// firstBuffer is where the variants differ.
func (u *IPC) firstBuffer() []byte {
	if u.pool == nil {
		return allocate(u.initial)
	}
	buf := u.pool.Get()
	if u.unused {
		// The mistake: a fresh buffer as large as the pooled one, which goes
		// back untouched. The pool's counters look well.
		fresh := allocate(cap(buf))
		u.pool.Put(buf)
		return fresh
	}
	return buf
}

// Done gives a block back when its reply has been sent.
func (u *IPC) Done(block []byte) {
	if u.pool != nil && !u.unused {
		u.pool.Put(block)
	}
}

// Stats are the pool's counters; false if the variant has no pool.
func (u *IPC) Stats() (PoolStats, bool) {
	if u.pool == nil {
		return PoolStats{}, false
	}
	return u.pool.Stats(), true
}
