// Package response is the engine's read path from a page of rows to the
// client's result, and the several ways to size the buffer in between:
// CASSANDRA-21285.
package response

import (
	"fmt"

	"github.com/allocdiff/allocdiff/examples/engine/memtable"
)

// A LocalDataResponse is a replica's answer to a read on its own node. The
// rows are encoded although they never leave the process, as in Cassandra: the
// page must not change under the reader.
type LocalDataResponse struct {
	data      []byte
	allocated int // bytes of all buffers that build made
}

// New encodes rows. The estimator says how large the buffer is to begin with
// and learns how large it has become.
func New(rows []*memtable.Row, statement int, e Estimator) *LocalDataResponse {
	r := &LocalDataResponse{}
	out := r.build(rows, e.Estimate(statement))
	r.data = out.Bytes()
	e.Update(statement, len(r.data))
	return r
}

// build encodes rows into a buffer of at first initial bytes. The memory is
// allocated here and not in the buffer, so that a profile names the response.
//
//go:noinline
func (r *LocalDataResponse) build(rows []*memtable.Row, initial int) DataOutputBuffer {
	out := DataOutputBuffer{buf: make([]byte, 0, initial)}
	r.allocated = initial
	for _, row := range rows {
		cells := row.Cells()
		// The head of a row is written as field -1, then its cells.
		for i := -1; i < len(cells); i++ {
			need := memtable.RowHeadSize
			if i >= 0 {
				need = memtable.CellSize(cells[i])
			}
			if !out.fits(need) {
				size := out.newSize(need)
				r.allocated += size
				out.moveTo(make([]byte, 0, size))
			}
			if i < 0 {
				out.writeRowHead(row)
			} else {
				out.writeCell(cells[i])
			}
		}
	}
	return out
}

// Size returns the number of bytes encoded.
func (r *LocalDataResponse) Size() int { return len(r.data) }

// Allocated returns the bytes of all buffers made on the way: Allocated/Size is
// what the ticket is about.
func (r *LocalDataResponse) Allocated() int { return r.allocated }

// Rows decodes the response, which is how the coordinator reads it.
//
//go:noinline
func (r *LocalDataResponse) Rows(s *memtable.Schema, count int) ([]*memtable.Row, error) {
	rows := make([]*memtable.Row, 0, count)
	for b := r.data; len(b) > 0; {
		row, n, err := memtable.DecodeRow(b, s)
		if err != nil {
			return nil, fmt.Errorf("decoding row %d of a response: %w", len(rows), err)
		}
		rows, b = append(rows, row), b[n:]
	}
	return rows, nil
}
