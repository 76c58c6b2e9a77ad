package cellblock

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
)

// Cell is a view of one encoded KeyValue; its slices alias the encoding. The
// layout is HBase's: key length, value length, row length, row, family length,
// family, qualifier, timestamp, type, value.
type Cell struct {
	// Encoded is the whole KeyValue.
	Encoded []byte
	// Row, Family and Qualifier are the parts of the key.
	Row, Family, Qualifier []byte
	// Timestamp is in milliseconds; the newest version of a cell comes first.
	Timestamp int64
	// Value may be empty.
	Value []byte
}

const (
	lengthsSize  = 8 // key length, value length
	keyFixed     = 2 + 1 + 8 + 1
	typePut      = 4 // KeyValue.Type.Put
	lengthPrefix = 4 // before each KeyValue of a cell block
)

var errCell = errors.New("cell is cut or its lengths contradict each other")

// appendCell appends the encoding of a put.
func appendCell(dst, row, family, qualifier []byte, timestamp int64, value []byte) []byte {
	key := keyFixed + len(row) + len(family) + len(qualifier)
	dst = binary.BigEndian.AppendUint32(dst, uint32(key))
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(value)))
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(row)))
	dst = append(dst, row...)
	dst = append(dst, byte(len(family)))
	dst = append(dst, family...)
	dst = append(dst, qualifier...)
	dst = binary.BigEndian.AppendUint64(dst, uint64(timestamp))
	dst = append(dst, typePut)
	return append(dst, value...)
}

// parse makes c a view of the KeyValue that src begins with and returns the
// number of bytes it takes.
func (c *Cell) parse(src []byte) (int, error) {
	if len(src) < lengthsSize {
		return 0, errCell
	}
	key, value := int(binary.BigEndian.Uint32(src)), int(binary.BigEndian.Uint32(src[4:]))
	size := lengthsSize + key + value
	if key < keyFixed || size > len(src) {
		return 0, errCell
	}
	k := src[lengthsSize : lengthsSize+key]
	row := int(binary.BigEndian.Uint16(k))
	if keyFixed+row > key {
		return 0, errCell
	}
	family := int(k[2+row])
	if keyFixed+row+family > key {
		return 0, errCell
	}
	c.Encoded = src[:size]
	c.Row = k[2 : 2+row]
	c.Family = k[3+row : 3+row+family]
	c.Qualifier = k[3+row+family : key-9]
	c.Timestamp = int64(binary.BigEndian.Uint64(k[key-9:]))
	c.Value = src[lengthsSize+key : size]
	return size, nil
}

// compareColumn orders cells by row, family and qualifier.
func compareColumn(a, b *Cell) int {
	if d := bytes.Compare(a.Row, b.Row); d != 0 {
		return d
	}
	if d := bytes.Compare(a.Family, b.Family); d != 0 {
		return d
	}
	return bytes.Compare(a.Qualifier, b.Qualifier)
}

// compareCell orders cells by column, then the newest first.
func compareCell(a, b *Cell) int {
	if d := compareColumn(a, b); d != 0 {
		return d
	}
	return cmp.Compare(b.Timestamp, a.Timestamp)
}

// Decode calls each for every cell of a cell block, in order. The Cell is good
// until each returns.
func Decode(block []byte, each func(*Cell)) error {
	var c Cell
	for len(block) > 0 {
		if len(block) < lengthPrefix {
			return errCell
		}
		size := int(binary.BigEndian.Uint32(block))
		block = block[lengthPrefix:]
		got, err := c.parse(block)
		if err != nil {
			return err
		}
		if got != size {
			return errCell
		}
		each(&c)
		block = block[size:]
	}
	return nil
}
