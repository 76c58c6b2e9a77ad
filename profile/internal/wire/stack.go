package wire

// A stack is the stack of the current sample. It grows from the end of its
// array towards the front, so that what it shares with the sample before, at
// the root, stays where it is.
type stack struct {
	ids   []uint64 // of the sample being read, leaf first
	array []int32  // array[top:] is the stack, leaf first
	top   int
}

func (s *stack) reset() { s.top = len(s.array) }

// add appends packed ids.
func (s *stack) add(b []byte, at int64) error {
	for i := 0; i < len(b); {
		from := i
		var id uint64
		if id, i = uvarint(b, i); i < 0 {
			return syntax(at+int64(from), badVarint)
		}
		s.ids = append(s.ids, id)
	}
	return nil
}

// resolve makes the ids the new stack. It returns the stack and how much of it
// is as before, or an id that is not in the table.
func (s *stack) resolve(table *index) (locations []int32, shared int, missing uint64, ok bool) {
	if len(s.ids) > len(s.array) {
		array := make([]int32, 2*len(s.ids))
		copy(array[len(array)-len(s.array):], s.array)
		s.top += len(array) - len(s.array)
		s.array = array
	}
	before := s.top
	s.top = len(s.array)
	same := true
	for i := len(s.ids) - 1; i >= 0; i-- {
		x := table.find(s.ids[i])
		if x < 0 {
			return nil, 0, s.ids[i], false
		}
		s.top--
		same = same && s.top >= before && s.array[s.top] == x
		if same {
			shared++
		}
		s.array[s.top] = x
	}
	return s.array[s.top:], shared, 0, true
}
