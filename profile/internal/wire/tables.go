package wire

import "io"

// Field numbers of the profile message.
const (
	profileSampleType  = 1
	profileSample      = 2
	profileMapping     = 3
	profileLocation    = 4
	profileFunction    = 5
	profileString      = 6
	profileDropFrames  = 7
	profileKeepFrames  = 8
	profileTime        = 9
	profileDuration    = 10
	profilePeriodType  = 11
	profilePeriod      = 12
	profileComment     = 13
	profileDefaultType = 14
	profileDocURL      = 15
)

// wantTables are the fields whose bytes the first pass reads.
const wantTables uint = 1<<profileSampleType | 1<<profileMapping | 1<<profileLocation |
	1<<profileFunction | 1<<profileString | 1<<profilePeriodType | 1<<profileComment

const (
	// maxEntries bounds each table.
	maxEntries = 1 << 24
	// maxText bounds the bytes of all strings together.
	maxText = 1 << 30
)

// raw is what the first pass must remember until all tables are known: ids and
// string indices that may refer to what comes later in the file.
type raw struct {
	types                  []rawType
	period                 rawType
	comments               []int64
	commentAt              int64 // offset of the last field of comments
	drop, keep, show, docs reference

	mappings  []rawMapping
	functions ids
	locations ids
	mapOf     []uint64 // mapping id of each location
	funcOf    []uint64 // function id of each line

	mappingIndex, functionIndex index
	mappingIDs                  []uint64

	times int    // how many profiles are stamped with a time
	last  uint64 // number of the field before
}

// A reference is a string index of the profile message.
type reference struct{ index, at int64 }

func (f *field) reference() (reference, error) {
	i, err := f.signed()
	return reference{i, f.at}, err
}

type rawType struct {
	typ, unit int64
	at        int64
}

type rawMapping struct{ file, build, at int64 }

// ids are the ids of a table, and the offset of each entry's message.
type ids struct {
	id []uint64
	at []int64
}

func (r *raw) reset() {
	*r = raw{
		types: r.types[:0], comments: r.comments[:0], mappings: r.mappings[:0],
		functions:    ids{r.functions.id[:0], r.functions.at[:0]},
		locations:    ids{r.locations.id[:0], r.locations.at[:0]},
		mapOf:        r.mapOf[:0],
		funcOf:       r.funcOf[:0],
		mappingIndex: r.mappingIndex, functionIndex: r.functionIndex,
		mappingIDs: r.mappingIDs[:0],
	}
}

// tables is the first pass.
func (r *Reader) tables() error {
	err := r.scan()
	if r.raw.times > 1 {
		return &ConcatenatedError{N: max(r.raw.times, r.file.typeRun)}
	}
	if err != nil {
		return err
	}
	if r.window.offset() == 0 {
		return ErrEmpty
	}
	err = r.resolve()
	if max(len(r.raw.functions.id), len(r.raw.locations.id), len(r.raw.funcOf)) > keep {
		r.raw = raw{}
	}
	return err
}

// scan takes all fields of the profile message.
func (r *Reader) scan() error {
	var f field
	for {
		err := r.window.next(&f, wantTables)
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = r.table(&f)
		}
		if err != nil {
			return err
		}
	}
}

// table takes one field of the profile message.
func (r *Reader) table(f *field) (err error) {
	file, raw := &r.file, &r.raw
	last := raw.last
	raw.last = f.num
	switch f.num {
	case profileSampleType:
		if last != profileSampleType {
			file.typeRun++
		}
		var t rawType
		t, err = readType(f)
		raw.types = append(raw.types, t)
		return firstOf(err, full(len(raw.types), f.at, "sample types"))
	case profileSample:
		if f.typ != typeBytes {
			return f.mismatch()
		}
		if file.samples++; file.samples == 1 {
			file.start = f.at
		}
	case profileMapping:
		return r.mapping(f)
	case profileLocation:
		return r.location(f)
	case profileFunction:
		return r.function(f)
	case profileString:
		return r.text(f)
	case profileDropFrames:
		raw.drop, err = f.reference()
	case profileKeepFrames:
		raw.keep, err = f.reference()
	case profileTime:
		// Two times can only come from two profiles. Go on, to count them.
		if file.TimeNanos == 0 {
			file.TimeNanos, err = f.signed()
		}
		if file.TimeNanos != 0 {
			raw.times++
		}
	case profileDuration:
		file.DurationNanos, err = f.signed()
	case profilePeriodType:
		raw.period, err = readType(f)
	case profilePeriod:
		file.Period, err = f.signed()
	case profileComment:
		if err := full(len(raw.comments)+count(f.data), f.at, "comments"); err != nil {
			return err
		}
		raw.commentAt = f.at
		raw.comments, err = appendNumbers(raw.comments, f)
	case profileDefaultType:
		raw.show, err = f.reference()
	case profileDocURL:
		raw.docs, err = f.reference()
	}
	return err
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// full refuses a table that grew too long.
func full(n int, at int64, what string) error {
	if n > maxEntries {
		return invalid(at, "more than %d %s", maxEntries, what)
	}
	return nil
}

func (r *Reader) text(f *field) error {
	if f.typ != typeBytes {
		return f.mismatch()
	}
	file := &r.file
	if len(file.ends) == 0 && f.val != 0 {
		return invalid(f.at, "the first string of the table is not empty")
	}
	file.text = append(file.text, f.data...)
	if len(file.text) > maxText {
		return invalid(f.at, "more than %d bytes of strings", maxText)
	}
	file.ends = append(file.ends, uint32(len(file.text)))
	return full(len(file.ends), f.at, "strings")
}

func readType(f *field) (t rawType, err error) {
	t.at = f.at
	m := f.message()
	var g field
	for err == nil && m.next(&g) {
		switch g.num {
		case 1:
			t.typ, err = g.signed()
		case 2:
			t.unit, err = g.signed()
		}
	}
	return t, firstOf(err, m.err)
}

// appendNumbers takes a repeated number, packed or not.
func appendNumbers[T int64 | uint64](to []T, f *field) ([]T, error) {
	if f.typ != typeBytes {
		v, err := f.number()
		return append(to, T(v)), err
	}
	for i := 0; i < len(f.data); {
		at := i
		var v uint64
		if v, i = uvarint(f.data, i); i < 0 {
			return to, syntax(f.body+int64(at), badVarint)
		}
		to = append(to, T(v))
	}
	return to, nil
}
