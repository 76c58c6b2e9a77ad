package wire

// Wire types of the protobuf encoding.
const (
	typeVarint = 0
	type64     = 1
	typeBytes  = 2
	type32     = 5
)

// A field is one field of a message.
type field struct {
	num  uint64
	typ  uint8
	val  uint64 // value of a number, length of bytes
	data []byte // payload of bytes; valid until the next field is read
	at   int64  // offset of its first byte in the stream
	body int64  // offset of data in the stream
}

// head reads a field up to its payload from b[i:]. It returns the index after
// it, or a reason why it cannot be read.
func (f *field) head(b []byte, i int) (int, string) {
	tag, i := uvarint(b, i)
	if i < 0 {
		return 0, badVarint
	}
	f.num, f.typ, f.data = tag>>3, uint8(tag&7), nil
	switch f.typ {
	case typeVarint, typeBytes:
		if f.val, i = uvarint(b, i); i < 0 {
			return 0, badVarint
		}
		return i, ""
	case type64:
		i += 8
	case type32:
		i += 4
	default:
		return 0, "an unknown wire type"
	}
	if i > len(b) {
		return 0, "a fixed-size number that runs past the end,"
	}
	f.val = 0 // no field of profiles has a fixed size
	return i, ""
}

// number returns the value of a field that must be a varint.
func (f *field) number() (uint64, error) {
	if f.typ != typeVarint {
		return 0, f.mismatch()
	}
	return f.val, nil
}

// signed is number for fields of type int64.
func (f *field) signed() (int64, error) {
	v, err := f.number()
	return int64(v), err
}

// flag is number for fields of type bool.
func (f *field) flag() (bool, error) {
	v, err := f.number()
	return v != 0, err
}

func (f *field) mismatch() error {
	return syntax(f.at, "field %d with wire type %d", f.num, f.typ)
}

// A message iterates over the fields of one message that is held whole.
type message struct {
	b   []byte
	i   int
	at  int64 // offset of b[0] in the stream
	err error
}

// message returns the message in f.
func (f *field) message() message {
	if f.typ != typeBytes {
		return message{err: f.mismatch()}
	}
	return message{b: f.data, at: f.body}
}

// next reads the next field into f. It reports false at the end or on an
// error, which is then in m.err.
func (m *message) next(f *field) bool {
	if m.i == len(m.b) || m.err != nil {
		return false
	}
	f.at = m.at + int64(m.i)
	i, reason := f.head(m.b, m.i)
	if reason == "" && f.typ == typeBytes {
		if f.val > uint64(len(m.b)-i) {
			reason = "a field that runs past the end of its message,"
		} else {
			f.data, f.body = m.b[i:i+int(f.val)], m.at+int64(i)
			i += int(f.val)
		}
	}
	if reason != "" {
		m.err = syntax(f.at, "%s", reason)
		return false
	}
	m.i = i
	return true
}
