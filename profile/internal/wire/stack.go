package wire

import (
	"encoding/binary"
	"math/bits"
)

// A stack is the stack of the current sample, as positions and as the bytes
// they came from. Both grow from the end of their array towards the front, so
// that what a sample shares with the one before, at the root, stays in place.
type stack struct {
	array []int32 // array[top:] is the stack, leaf first
	top   int
	bytes []byte // bytes[low:] is the same as packed ids; empty: not known
	low   int
	ids   []uint64 // of a sample whose locations are not in one packed field
}

func (s *stack) reset() { s.top, s.low = len(s.array), len(s.bytes) }

// push makes b, packed ids, the new stack, and returns how much of it is
// as before. Only the ids towards the leaf that differ are looked up. at is
// the offset of b in the stream.
func (s *stack) push(table *index, b []byte, at int64) (shared int, err error) {
	n := len(b)
	same := suffix(b, s.bytes[s.low:])
	fresh := n - same
	shared = count(b[fresh:])
	added := count(b[:fresh])
	if err := full(shared+added, at, "locations in a sample"); err != nil {
		return 0, err
	}
	s.grow(shared+added, n)
	s.top = len(s.array) - shared - added
	b = b[:min(n+8, cap(b))] // for fast loads at the end
	to := s.array[s.top : s.top+added]
	i := 0
	for k := range to {
		from := i
		var id uint64
		// fastUvarint by hand, which the compiler does not inline: most ids have 2 or
		// 3 bytes, in no pattern that a branch could guess.
		if stop := stops(b, i); stop != 0 {
			id = uint64(gather(binary.LittleEndian.Uint32(b[i:]) & (stop ^ (stop - 1))))
			i += bits.TrailingZeros32(stop)/8 + 1
		} else if id, i = uvarint(b, i); i < 0 {
			s.reset()
			return 0, syntax(at+int64(from), badVarint)
		}
		x := table.find(id)
		if x < 0 {
			s.reset()
			return 0, missing(at+int64(from), id)
		}
		to[k] = x
	}
	if i != fresh { // what is left are bytes of a varint without its end
		s.reset()
		return 0, syntax(at+int64(i), badVarint)
	}
	s.low = len(s.bytes) - n
	copy(s.bytes[s.low:], b[:fresh])
	return shared, nil
}

// pushIDs makes s.ids the new stack, and returns how much of it is as before.
func (s *stack) pushIDs(table *index, at int64) (shared int, err error) {
	s.grow(len(s.ids), 0)
	before := s.top
	s.reset()
	for i := len(s.ids) - 1; i >= 0; i-- {
		x := table.find(s.ids[i])
		if x < 0 {
			s.reset()
			return 0, missing(at, s.ids[i])
		}
		s.top--
		if s.top >= before && s.array[s.top] == x && shared == len(s.ids)-1-i {
			shared++
		}
		s.array[s.top] = x
	}
	return shared, nil
}

func missing(at int64, id uint64) error {
	return invalid(at, "sample refers to missing location %d", id)
}

// grow makes room for a stack of that many locations and bytes.
func (s *stack) grow(locations, size int) {
	if locations > len(s.array) {
		array := make([]int32, max(64, 2*locations))
		copy(array[len(array)-len(s.array):], s.array)
		s.top += len(array) - len(s.array)
		s.array = array
	}
	if size > len(s.bytes) {
		b := make([]byte, max(256, 2*size))
		copy(b[len(b)-len(s.bytes):], s.bytes)
		s.low += len(b) - len(s.bytes)
		s.bytes = b
	}
}

// suffix is the length of the longest common suffix of two lists of varints
// that starts with a whole varint in both.
func suffix(a, b []byte) int {
	i, j := len(a), len(b)
	for i >= 8 && j >= 8 {
		x := binary.LittleEndian.Uint64(a[i-8:i]) ^ binary.LittleEndian.Uint64(b[j-8:j])
		if x != 0 {
			// The last bytes are the high ones.
			same := bits.LeadingZeros64(x) / 8
			i, j = i-same, j-same
			break
		}
		i, j = i-8, j-8
	}
	for i > 0 && j > 0 && a[i-1] == b[j-1] {
		i, j = i-1, j-1
	}
	if (i == 0 || a[i-1] < 0x80) && (j == 0 || b[j-1] < 0x80) {
		return len(a) - i
	}
	// The first varint is whole in one list only, or in none: leave it out.
	for i < len(a) && a[i] >= 0x80 {
		i++
	}
	return max(0, len(a)-i-1)
}
