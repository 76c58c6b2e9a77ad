package memtable

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// A row is written as clustering, timestamp and number of cells, then its
// cells: flags, column, timestamp, for an expiring cell its time to live and
// deletion time, and the value with its length before it. Numbers are big
// endian, the length is a varint.

// RowHeadSize is the number of bytes in front of a row's cells.
const RowHeadSize = 8 + 8 + 2

// cellHeadSize is a cell without expiry, length and value.
const cellHeadSize = 1 + 2 + 8

// expirySize is the time to live and the deletion time.
const expirySize = 4 + 8

// flagExpires says that the cell has a time to live.
const flagExpires = 1

var errShort = errors.New("row is cut short")

// AppendRowHead appends what comes before the row's cells.
func AppendRowHead(b []byte, r *Row) []byte {
	b = binary.BigEndian.AppendUint64(b, uint64(r.Clustering))
	b = binary.BigEndian.AppendUint64(b, uint64(r.Timestamp))
	return binary.BigEndian.AppendUint16(b, uint16(len(r.cells)))
}

// CellSize returns the number of bytes that AppendCell appends.
func CellSize(c Cell) int {
	size := c.ValueSize()
	n := cellHeadSize + 1 + size
	for v := size; v >= 0x80; v >>= 7 {
		n++
	}
	if c.TTL() != 0 {
		n += expirySize
	}
	return n
}

// AppendCell appends c.
func AppendCell(b []byte, c Cell) []byte {
	flags := byte(0)
	if c.TTL() != 0 {
		flags = flagExpires
	}
	b = append(b, flags)
	b = binary.BigEndian.AppendUint16(b, uint16(c.Column().id))
	b = binary.BigEndian.AppendUint64(b, uint64(c.Timestamp()))
	if flags != 0 {
		b = binary.BigEndian.AppendUint32(b, uint32(c.TTL()))
		b = binary.BigEndian.AppendUint64(b, uint64(c.LocalDeletionTime()))
	}
	b = binary.AppendUvarint(b, uint64(c.ValueSize()))
	return append(b, c.Value()...)
}

// RowSize returns the number of bytes of an encoded row.
func RowSize(r *Row) int {
	n := RowHeadSize
	for _, c := range r.cells {
		n += CellSize(c)
	}
	return n
}

// DecodeRow reads a row of a table from the start of b and returns it with the
// number of bytes it took. The row's cells own their values.
func DecodeRow(b []byte, s *Schema) (*Row, int, error) {
	if len(b) < RowHeadSize {
		return nil, 0, errShort
	}
	row := &Row{
		Clustering: int64(binary.BigEndian.Uint64(b)),
		Timestamp:  int64(binary.BigEndian.Uint64(b[8:])),
		minLDT:     NoDeletion,
	}
	count, at := int(binary.BigEndian.Uint16(b[16:])), RowHeadSize
	if count > len(s.columns) {
		return nil, 0, fmt.Errorf("row has %d cells, its table %d columns", count, len(s.columns))
	}
	row.cells = make([]Cell, count)
	for i := range row.cells {
		c, n, err := decodeCell(b[at:], s)
		if err != nil {
			return nil, 0, err
		}
		row.cells[i] = c
		row.minLDT = min(row.minLDT, c.deletion)
		at += n
	}
	return row, at, nil
}

func decodeCell(b []byte, s *Schema) (*ArrayCell, int, error) {
	if len(b) < cellHeadSize {
		return nil, 0, errShort
	}
	column := int(binary.BigEndian.Uint16(b[1:]))
	if column >= len(s.columns) {
		return nil, 0, fmt.Errorf("cell of column %d, the table has %d", column, len(s.columns))
	}
	c := &ArrayCell{cellHead: cellHead{
		column:    s.columns[column],
		timestamp: int64(binary.BigEndian.Uint64(b[3:])),
		deletion:  NoDeletion,
	}}
	at := cellHeadSize
	if b[0]&flagExpires != 0 {
		if len(b) < at+expirySize {
			return nil, 0, errShort
		}
		c.ttl = int32(binary.BigEndian.Uint32(b[at:]))
		c.deletion = int64(binary.BigEndian.Uint64(b[at+4:]))
		at += expirySize
	}
	size, n := binary.Uvarint(b[at:])
	if n <= 0 || size > uint64(len(b)-at-n) {
		return nil, 0, errShort
	}
	at += n
	c.value = make([]byte, size)
	copy(c.value, b[at:])
	return c, at + int(size), nil
}
