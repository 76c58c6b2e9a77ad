package wire

import (
	"io"
)

// A Sample is one stack with its values. The slices are reused for the next
// sample.
type Sample struct {
	// Locations are indices into File.Locations, leaf first.
	Locations []int32
	// Shared is how many locations, counted from the root, are the same as in
	// the sample before; 0 for the first sample.
	Shared int
	// Values are in the order and units of File.SampleTypes.
	Values []int64
	// Labels are in file order. A key may occur more than once.
	Labels []Label
}

// A Label is an annotation of a sample: a string if Str is not 0, else a
// number. Key, Str and Unit are indices for File.String.
type Label struct {
	Key, Str, Unit int32 // Unit 0: none given
	Num            int64
}

// Walk calls fn for each sample in file order. The sample is valid during the
// call only. It stops at the first error, its own or of fn, which it returns
// as it is. It may be called again.
func (f *File) Walk(fn func(*Sample) error) error {
	r := f.reader
	if f.samples == 0 {
		return nil
	}
	if err := r.again(); err != nil {
		return err
	}
	r.stack.reset()
	var g field
	// What follows the last sample was checked in the first pass.
	for left := f.samples; left > 0; {
		if err := r.window.next(&g, 1<<profileSample); err == io.EOF {
			return errChanged
		} else if err != nil {
			return err
		}
		if g.num != profileSample {
			continue
		}
		left--
		if err := r.decode(&g); err != nil {
			return err
		}
		if err := fn(&r.sample); err != nil {
			return err
		}
	}
	return nil
}

// decode reads the sample message in f into r.sample.
func (r *Reader) decode(f *field) (err error) {
	s := &r.sample
	s.Values, s.Labels = s.Values[:0], s.Labels[:0]
	r.stack.ids = r.stack.ids[:0]
	m := f.message()
	at := f.at
	var g field
	var packed []byte // the locations, if they are in one packed field
	var packedAt int64
	for err == nil && m.next(&g) {
		switch g.num {
		case 1:
			if g.typ == typeBytes && packed == nil && len(r.stack.ids) == 0 {
				packed, packedAt = g.data, g.body
				continue
			}
			if packed != nil {
				err = r.stack.add(packed, packedAt)
				packed = nil
			}
			switch {
			case err != nil:
			case g.typ == typeBytes:
				err = r.stack.add(g.data, g.body)
			default:
				var id uint64
				id, err = g.number()
				r.stack.ids = append(r.stack.ids, id)
			}
		case 2:
			s.Values, err = appendNumbers(s.Values, &g)
		case 3:
			err = r.label(&g)
		}
	}
	if err = firstOf(err, m.err); err != nil {
		return err
	}
	if len(s.Values) != len(r.file.SampleTypes) {
		return r.file.mismatch(len(s.Values), at)
	}
	if packed != nil {
		if err := r.stack.add(packed, packedAt); err != nil {
			return err
		}
	}
	var missing uint64
	var ok bool
	if s.Locations, s.Shared, missing, ok = r.stack.resolve(&r.file.locations); !ok {
		return invalid(at, "sample refers to missing location %d", missing)
	}
	return nil
}

// mismatch says that a sample has n values.
func (f *File) mismatch(n int, at int64) error {
	if f.typeRun > 1 && n*f.typeRun == len(f.SampleTypes) {
		return &ConcatenatedError{N: f.typeRun}
	}
	return invalid(at, "sample has %d values for %d sample types", n, len(f.SampleTypes))
}

// label takes a label message. Labels that say nothing are dropped.
func (r *Reader) label(f *field) (err error) {
	var key, str, num, unit int64
	at := f.at
	m := f.message()
	var g field
	for err == nil && m.next(&g) {
		switch g.num {
		case 1:
			key, err = g.signed()
		case 2:
			str, err = g.signed()
		case 3:
			num, err = g.signed()
		case 4:
			unit, err = g.signed()
		}
	}
	if err = firstOf(err, m.err); err != nil {
		return err
	}
	// A label with a string is a string label, whatever else it has.
	if str != 0 {
		num, unit = 0, 0
	}
	n := uint64(len(r.file.ends))
	if uint64(key) >= n || uint64(str) >= n || uint64(unit) >= n {
		return invalid(at, "label refers to a string beyond the %d of the table", n)
	}
	if str != 0 || num != 0 || unit != 0 {
		r.sample.Labels = append(r.sample.Labels, Label{Key: int32(key), Str: int32(str), Unit: int32(unit), Num: num})
	}
	return nil
}
