package cellblock

import "encoding/binary"

// stream appends to a buffer that doubles when it is full, after HBase's
// ByteBufferOutputStream.
type stream struct {
	buf []byte
}

// allocate returns an empty buffer, as ByteBuffer.allocate.
//
//go:noinline so that buffers are one row of a profile, whoever asks for them.
func allocate(capacity int) []byte { return make([]byte, 0, capacity) }

// writeCell writes the cell as a KeyValueCodec does: its length, then itself.
func (s *stream) writeCell(c *Cell) {
	s.checkSizeAndGrow(lengthPrefix)
	s.buf = binary.BigEndian.AppendUint32(s.buf, uint32(len(c.Encoded)))
	s.checkSizeAndGrow(len(c.Encoded))
	s.buf = append(s.buf, c.Encoded...)
}

// checkSizeAndGrow makes room for extra bytes: twice the capacity, or what is
// needed if that is more.
//
//go:noinline so that the doubling ladder is a row of its own in a profile.
func (s *stream) checkSizeAndGrow(extra int) {
	need := len(s.buf) + extra
	if need <= cap(s.buf) {
		return
	}
	bigger := allocate(max(2*cap(s.buf), need))
	s.buf = append(bigger, s.buf...)
}
