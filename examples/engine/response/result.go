package response

import (
	"encoding/binary"
	"errors"

	"github.com/allocdiff/allocdiff/examples/engine/memtable"
)

// A ResultSet is the answer as the native protocol has it: the values of each
// row, without timestamps.
type ResultSet struct {
	rows [][][]byte
}

// NewResultSet picks the values out of rows and shares them.
//
//go:noinline
func NewResultSet(rows []*memtable.Row) *ResultSet {
	set := &ResultSet{rows: make([][][]byte, len(rows))}
	for i, r := range rows {
		values := make([][]byte, len(r.Cells()))
		for j, c := range r.Cells() {
			values[j] = c.Value()
		}
		set.rows[i] = values
	}
	return set
}

// AppendFrame appends the set as the body of a frame: the number of rows, and
// for every row the number of its values and the values with their lengths.
func (s *ResultSet) AppendFrame(b []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(s.rows)))
	for _, values := range s.rows {
		b = binary.BigEndian.AppendUint16(b, uint16(len(values)))
		for _, v := range values {
			b = binary.BigEndian.AppendUint32(b, uint32(len(v)))
			b = append(b, v...)
		}
	}
	return b
}

var errFrame = errors.New("frame is cut short")

// ReadFrame is the driver's side: it calls value for every value of a frame's
// body and returns the number of rows.
func ReadFrame(b []byte, value func(row, column int, v []byte)) (int, error) {
	if len(b) < 4 {
		return 0, errFrame
	}
	rows := int(binary.BigEndian.Uint32(b))
	b = b[4:]
	for row := range rows {
		if len(b) < 2 {
			return 0, errFrame
		}
		columns := int(binary.BigEndian.Uint16(b))
		b = b[2:]
		for column := range columns {
			if len(b) < 4 {
				return 0, errFrame
			}
			n := int(binary.BigEndian.Uint32(b))
			if n > len(b)-4 {
				return 0, errFrame
			}
			value(row, column, b[4:4+n])
			b = b[4+n:]
		}
	}
	return rows, nil
}
