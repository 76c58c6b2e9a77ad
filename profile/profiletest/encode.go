package profiletest

import (
	"encoding/binary"
	"io"
)

// Field numbers of profile.proto.
const (
	fieldSampleType    = 1
	fieldSample        = 2
	fieldMapping       = 3
	fieldLocation      = 4
	fieldFunction      = 5
	fieldString        = 6
	fieldPeriodType    = 11
	fieldPeriod        = 12
	fieldDefaultSample = 14

	mappingStart = 0x400000
)

// encoder writes the messages of a profile one by one. The first error stops
// it.
type encoder struct {
	w        io.Writer
	err      error
	out      []byte // messages that are not written yet
	message  []byte
	embedded []byte
}

func newEncoder(w io.Writer) *encoder { return &encoder{w: w} }

type label struct{ key, value uint64 } // string numbers; a key of 0 is none

func (e *encoder) sample(ids []uint64, values [4]int64, l label, bytesKey uint64, size int64) {
	e.embedded = e.embedded[:0]
	for i := len(ids) - 1; i >= 0; i-- {
		e.embedded = binary.AppendUvarint(e.embedded, ids[i])
	}
	e.message = appendBytes(e.message[:0], 1, e.embedded)
	e.embedded = e.embedded[:0]
	for _, v := range values {
		e.embedded = binary.AppendUvarint(e.embedded, uint64(v))
	}
	e.message = appendBytes(e.message, 2, e.embedded)
	e.embedded = appendUint(appendUint(e.embedded[:0], 1, bytesKey), 3, uint64(size))
	e.message = appendBytes(e.message, 3, e.embedded)
	if l.key != 0 {
		e.embedded = appendUint(appendUint(e.embedded[:0], 1, l.key), 2, l.value)
		e.message = appendBytes(e.message, 3, e.embedded)
	}
	e.put(fieldSample)
}

// location writes the lines as pairs of a function id and a line number.
func (e *encoder) location(id, address uint64, lines [][2]uint64) {
	e.message = appendUint(e.message[:0], 1, id)
	e.message = appendUint(e.message, 2, 1)
	e.message = appendUint(e.message, 3, address)
	for _, l := range lines {
		e.embedded = appendUint(appendUint(e.embedded[:0], 1, l[0]), 2, l[1])
		e.message = appendBytes(e.message, 4, e.embedded)
	}
	e.put(fieldLocation)
}

func (e *encoder) function(id, name, file, line uint64) {
	e.message = e.message[:0]
	for i, v := range [...]uint64{id, name, name, file, line} {
		e.message = appendUint(e.message, i+1, v)
	}
	e.put(fieldFunction)
}

func (e *encoder) mapping(limit, file, build uint64) {
	e.message = appendUint(e.message[:0], 1, 1)
	e.message = appendUint(e.message, 2, mappingStart)
	e.message = appendUint(e.message, 3, limit)
	e.message = appendUint(e.message, 5, file)
	e.message = appendUint(e.message, 6, build)
	e.message = appendUint(e.message, 7, 1) // has functions
	e.put(fieldMapping)
}

func (e *encoder) valueType(field int, typ, unit uint64) {
	e.message = appendUint(appendUint(e.message[:0], 1, typ), 2, unit)
	e.put(field)
}

func (e *encoder) text(s string) {
	e.message = append(e.message[:0], s...)
	e.put(fieldString)
}

func (e *encoder) number(field int, v uint64) { e.out = appendUint(e.out, field, v) }

// put takes the message as a field of the profile.
func (e *encoder) put(field int) {
	e.out = appendBytes(e.out, field, e.message)
	if len(e.out) >= 64<<10 {
		e.flush()
	}
}

func (e *encoder) flush() {
	if e.err == nil {
		_, e.err = e.w.Write(e.out)
	}
	e.out = e.out[:0]
}

func appendUint(b []byte, field int, v uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(field)<<3), v)
}

func appendBytes(b []byte, field int, v []byte) []byte {
	b = binary.AppendUvarint(b, uint64(field)<<3|2)
	return append(binary.AppendUvarint(b, uint64(len(v))), v...)
}

// header writes what stands before the samples in both layouts.
func (g *generator) header() {
	for _, name := range []string{"alloc_objects", "alloc_space", "inuse_objects", "inuse_space"} {
		unit := "count"
		if name[len(name)-1] == 'e' {
			unit = "bytes"
		}
		g.enc.valueType(fieldSampleType, g.tables.text(name), g.tables.text(unit))
	}
}

func (g *generator) trailer() {
	e, t := g.enc, g.tables
	build := "before"
	if g.c.After {
		build = "after"
	}
	limit := uint64(mappingStart + 0x10000000 + len(t.locations)*16 + 16)
	e.mapping(limit, t.text("/bin/engine"), t.text(build))
	if g.c.Layout == Written {
		for _, key := range t.order {
			t.writeLocation(key)
		}
		for _, fn := range t.called {
			t.writeFunction(fn)
		}
	}
	e.valueType(fieldPeriodType, t.text("space"), t.text("bytes"))
	if g.c.Period != 0 {
		e.number(fieldPeriod, uint64(g.c.Period))
	}
	e.number(fieldDefaultSample, t.text("inuse_space"))
	for _, s := range t.list {
		e.text(s)
	}
	e.flush()
}
