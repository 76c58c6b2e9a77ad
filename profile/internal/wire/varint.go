package wire

import (
	"encoding/binary"
	"math/bits"
)

const badVarint = "a bad varint"

// highBits are the bits that say that a varint goes on.
const highBits = 0x8080808080808080

// uvarint reads a varint from b[i:]. It returns the index after it, or -1 if
// there is none. As in google/pprof, bits beyond the 64th are dropped.
func uvarint(b []byte, i int) (uint64, int) {
	if i < len(b) && b[i] < 0x80 {
		return uint64(b[i]), i + 1
	}
	return longUvarint(b, i)
}

func longUvarint(b []byte, i int) (uint64, int) {
	if i < 0 {
		return 0, -1
	}
	var v uint64
	for shift := uint(0); shift < 70 && i < len(b); shift += 7 {
		c := b[i]
		i++
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v, i
		}
	}
	return 0, -1
}

// fastUvarint is uvarint for the middle of a buffer: without a branch that
// depends on the length of the varint, up to 4 bytes.
func fastUvarint(b []byte, i int) (uint64, int) {
	if stop := stops(b, i); stop != 0 {
		return uint64(gather(binary.LittleEndian.Uint32(b[i:]) & (stop ^ (stop - 1)))), i + bits.TrailingZeros32(stop)/8 + 1
	}
	return uvarint(b, i)
}

// stops marks the last bytes of varints in the 4 bytes at b[i:], by their high
// bit. It is 0 if there are none or b is too short.
func stops(b []byte, i int) uint32 {
	if i+4 > len(b) {
		return 0
	}
	return ^binary.LittleEndian.Uint32(b[i:]) & 0x80808080
}

// gather joins the 7 low bits of each byte.
func gather(w uint32) uint32 {
	return w&0x7f | w>>1&0x3f80 | w>>2&0x1fc000 | w>>3&0xfe00000
}

// count is the number of varints that end in b.
func count(b []byte) int {
	n := 0
	for len(b) >= 8 {
		n += bits.OnesCount64(^binary.LittleEndian.Uint64(b) & highBits)
		b = b[8:]
	}
	for _, c := range b {
		n += int(^c >> 7)
	}
	return n
}
