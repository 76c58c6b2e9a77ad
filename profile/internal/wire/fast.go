package wire

// Tags of one byte: field number and wire type.
const (
	tagLocations = 1<<3 | typeBytes
	tagValue     = 2<<3 | typeVarint
	tagValues    = 2<<3 | typeBytes
	tagLabel     = 3<<3 | typeBytes

	tagKey  = 1<<3 | typeVarint
	tagStr  = 2<<3 | typeVarint
	tagNum  = 3<<3 | typeVarint
	tagUnit = 4<<3 | typeVarint
)

// decodeUsual reads a sample that is encoded as nearly all are: the locations
// packed in one field, nothing unknown, nothing wrong. It reports false for
// any other, which decode then reads from its start: with all the rules, and
// with the reason if one is broken.
func (r *Reader) decodeUsual(f *field) bool {
	s := &r.sample
	s.Values, s.Labels = s.Values[:0], s.Labels[:0]
	n, types := len(f.data), len(r.file.SampleTypes)
	b := f.data[:min(n+8, cap(f.data))] // longer, so that the last varints can be loaded as words
	var packed []byte
	var at int64
	for i := 0; i < n; {
		tag := b[i]
		size, from := fastUvarint(b, i+1)
		if from < 0 || from > n {
			return false
		}
		if tag == tagValue {
			s.Values = append(s.Values, int64(size))
			i = from
			continue
		}
		if size > uint64(n-from) {
			return false
		}
		i = from + int(size)
		switch {
		case tag == tagLocations && packed == nil:
			packed, at = b[from:i], f.body+int64(from)
		case tag == tagValues:
			for from < i {
				var v uint64
				if v, from = fastUvarint(b, from); from < 0 || len(s.Values) == types {
					return false
				}
				s.Values = append(s.Values, int64(v))
			}
			if from != i {
				return false
			}
		case tag == tagLabel:
			if !r.labelUsual(b, from, i) {
				return false
			}
		default:
			return false
		}
	}
	if len(s.Values) != types || packed == nil {
		return false
	}
	var err error
	s.Shared, err = r.stack.push(&r.file.locations, packed, at)
	s.Locations = r.stack.array[r.stack.top:]
	return err == nil
}

// labelUsual reads the label message b[i:end].
func (r *Reader) labelUsual(b []byte, i, end int) bool {
	var key, str, num, unit uint64
	for i < end {
		tag := b[i]
		var v uint64
		if v, i = fastUvarint(b, i+1); i < 0 {
			return false
		}
		switch tag {
		case tagKey:
			key = v
		case tagStr:
			str = v
		case tagNum:
			num = v
		case tagUnit:
			unit = v
		default:
			return false
		}
	}
	return i == end && r.addLabel(key, str, num, unit)
}

// addLabel appends a label, unless it says nothing. It reports false if the
// string table does not have its strings.
func (r *Reader) addLabel(key, str, num, unit uint64) bool {
	// A label with a string is a string label, whatever else it has.
	if str != 0 {
		num, unit = 0, 0
	}
	n := uint64(len(r.file.ends))
	if key >= n || str >= n || unit >= n {
		return false
	}
	if str|num|unit != 0 {
		r.sample.Labels = append(r.sample.Labels, Label{Key: int32(key), Str: int32(str), Unit: int32(unit), Num: int64(num)})
	}
	return true
}
