package wire

import "io"

// A Sample is one stack with its values. The slices are reused for the next
// sample.
type Sample struct {
	// Locations are indices into File.Locations, leaf first.
	Locations []int32
	// Shared is how many locations, counted from the root, are known to be the
	// same as in the sample before; 0 for the first sample. It can be less than
	// how many are the same, if the file encodes equal stacks in two ways.
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
	// What precedes the first sample and what follows the last one was checked
	// in the first pass.
	if _, err := r.window.skip(uint64(f.start)); err != nil {
		return err
	}
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
		if !r.decodeUsual(&g) {
			if err := r.decode(&g); err != nil {
				return err
			}
		}
		if err := fn(&r.sample); err != nil {
			return err
		}
	}
	return nil
}

// decode reads the sample message in f into r.sample.
func (r *Reader) decode(f *field) (err error) {
	s, at := &r.sample, f.at
	s.Values, s.Labels = s.Values[:0], s.Labels[:0]
	r.stack.ids = r.stack.ids[:0]
	m := f.message()
	var g, packed field // packed: the locations, as long as they are one packed field
	for err == nil && m.next(&g) {
		switch g.num {
		case 1:
			if g.typ == typeBytes && packed.data == nil && len(r.stack.ids) == 0 {
				packed = g
				break
			}
			if packed.data != nil {
				r.stack.ids, err = appendNumbers(r.stack.ids, &packed)
				packed.data = nil
			}
			if err == nil {
				r.stack.ids, err = appendNumbers(r.stack.ids, &g)
			}
			if err == nil {
				err = full(len(r.stack.ids), at, "locations in a sample")
			}
		case 2:
			if n := len(s.Values) + count(g.data); n > len(r.file.SampleTypes) {
				return r.file.mismatch(n, at)
			}
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
	if packed.data != nil {
		s.Shared, err = r.stack.push(&r.file.locations, packed.data, packed.body)
	} else {
		s.Shared, err = r.stack.pushIDs(&r.file.locations, at)
	}
	s.Locations = r.stack.array[r.stack.top:]
	return err
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
	var key, str, num, unit uint64
	at := f.at
	m := f.message()
	var g field
	for err == nil && m.next(&g) {
		switch g.num {
		case 1:
			key, err = g.number()
		case 2:
			str, err = g.number()
		case 3:
			num, err = g.number()
		case 4:
			unit, err = g.number()
		}
	}
	if err = firstOf(err, m.err); err != nil {
		return err
	}
	if !r.addLabel(key, str, num, unit) {
		return invalid(at, "label refers to a string beyond the %d of the table", len(r.file.ends))
	}
	return nil
}
