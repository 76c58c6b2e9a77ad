package rowcache

import "encoding/binary"

// Row is a row as a read returns it.
type Row struct {
	Cells []*Cell
}

// Cell is one column's value.
type Cell struct {
	// Timestamp is when it was written, in microseconds; the cells of a row are
	// written at once.
	Timestamp int64
	// Value has at most 65535 bytes.
	Value []byte
}

const (
	timestampSize = 8
	lengthSize    = 2 // before each value
)

// size is the length of the row's serialised form.
func (r *Row) size() int {
	n := timestampSize
	for _, c := range r.Cells {
		n += lengthSize + len(c.Value)
	}
	return n
}

// serialise writes the row to dst, which has r.size() bytes.
func (r *Row) serialise(dst []byte) {
	var timestamp int64
	if len(r.Cells) > 0 {
		timestamp = r.Cells[0].Timestamp
	}
	binary.LittleEndian.PutUint64(dst, uint64(timestamp))
	at := timestampSize
	for _, c := range r.Cells {
		binary.LittleEndian.PutUint16(dst[at:], uint16(len(c.Value)))
		at += lengthSize
		at += copy(dst[at:], c.Value)
	}
}

// deserialise returns the row that src holds; nothing of it aliases src.
//
//go:noinline so that the rows of hits are one row of a profile.
func deserialise(src []byte) *Row {
	timestamp := int64(binary.LittleEndian.Uint64(src))
	src = src[timestampSize:]
	n := 0
	for at := 0; at < len(src); n++ {
		at += lengthSize + int(binary.LittleEndian.Uint16(src[at:]))
	}
	r := &Row{Cells: make([]*Cell, n)}
	for i := range r.Cells {
		size := int(binary.LittleEndian.Uint16(src))
		value := make([]byte, size)
		copy(value, src[lengthSize:])
		r.Cells[i] = &Cell{Timestamp: timestamp, Value: value}
		src = src[lengthSize+size:]
	}
	return r
}
