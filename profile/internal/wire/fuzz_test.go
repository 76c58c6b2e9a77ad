package wire_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/allocdiff/allocdiff/profile/internal/wire"
)

// Readers that all tests share, so that what one file leaves behind would show
// in the next.
var usual, narrow = new(wire.Reader), wire.Narrow()

// agreeAll is agree for the usual window and for the smallest one.
func agreeAll(t *testing.T, data []byte) {
	t.Helper()
	agree(t, usual, data)
	agree(t, narrow, data)
}

// FuzzBytes reads any bytes.
func FuzzBytes(f *testing.F) {
	for _, c := range ruleCases() {
		f.Add([]byte(c.profile))
	}
	f.Add(zip(f, valid()))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			t.Skip("long inputs only cost time")
		}
		agreeAll(t, data)
	})
}

// FuzzProfile reads profiles that are written from a list of choices: mostly
// valid, in any order and encoding that the protobuf format allows.
func FuzzProfile(f *testing.F) {
	f.Add([]byte{})
	for i := range 40 {
		seed := make([]byte, 400)
		x := uint32(i + 1)
		for j := range seed {
			x = x*1664525 + 1013904223
			seed[j] = byte(x >> 24)
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		if len(choices) > 1<<12 {
			t.Skip("long inputs only cost time")
		}
		agreeAll(t, compose(t, choices))
	})
}

// A chooser hands out the choices of a fuzz input; when they are used up it
// chooses 0, the plain way.
type chooser struct{ b []byte }

func (c *chooser) below(n int) int {
	if len(c.b) == 0 {
		return 0
	}
	x := int(c.b[0])
	c.b = c.b[1:]
	return x % n
}

// rarely is true for few choices.
func (c *chooser) rarely() bool { return c.below(64) == 63 }

// number appends a number field, sometimes with a tag or value that is longer
// than it need be.
func (c *chooser) number(m message, field int, v uint64) message {
	if !c.rarely() {
		return m.number(field, v)
	}
	return long(long(m, uint64(field)<<3), v)
}

// long appends a varint of at least 3 bytes.
func long(m message, v uint64) message {
	for n := 1; v >= 0x80 || n < 3; n++ {
		m = append(m, byte(v)|0x80)
		v >>= 7
	}
	return append(m, byte(v))
}

// list appends a repeated number: packed, one by one, or in pieces.
func (c *chooser) list(m message, field int, v ...uint64) message {
	for len(v) > 0 {
		n := len(v)
		if c.rarely() {
			n = 1 + c.below(n)
		}
		if c.below(4) == 3 {
			for _, x := range v[:n] {
				m = c.number(m, field, x)
			}
		} else {
			var b message
			for _, x := range v[:n] {
				if c.rarely() {
					b = long(b, x)
				} else {
					b = message(binary.AppendUvarint(b, x))
				}
			}
			m = m.bytes(field, b)
		}
		v = v[n:]
	}
	return m
}

// unknown sometimes appends a field that the schema does not have, or one that
// it has with another type.
func (c *chooser) unknown(m message) message {
	if !c.rarely() {
		return m
	}
	field := []int{16, 99, 1 << 20, c.below(16)}[c.below(4)]
	switch c.below(5) {
	case 0:
		return m.number(field, 7)
	case 1:
		return m.text(field, "something else, longer than a narrow window")
	case 2:
		return append(message(binary.AppendUvarint(m, uint64(field)<<3|1)), 1, 2, 3, 4, 5, 6, 7, 8)
	case 3:
		return append(message(binary.AppendUvarint(m, uint64(field)<<3|5)), 1, 2, 3, 4)
	}
	return message(binary.AppendUvarint(m, uint64(field)<<3|uint64(c.below(8))))
}

// compose writes a profile by the choices.
func compose(t *testing.T, choices []byte) []byte {
	c := &chooser{choices}
	p := plan{c: c, mappings: c.below(3), functions: 1 + c.below(6), locations: 1 + c.below(9), types: 1 + c.below(4)}
	p.base = []uint64{1, 1, 1000, 1 << 40, 1<<64 - 20}[c.below(5)]
	p.step = uint64(1 + c.below(3))
	sections := []func(message) message{p.head, p.mapping, p.function, p.location, p.sample, p.text}
	var m message
	for len(sections) > 0 {
		i := c.below(len(sections))
		m = c.unknown(sections[i](m))
		sections = append(sections[:i:i], sections[i+1:]...)
	}
	data := []byte(m)
	if c.rarely() && len(data) > 0 {
		data[(c.below(256)<<8|c.below(256))%len(data)] ^= 1 << c.below(8)
	}
	switch c.below(8) {
	case 4:
		data = zip(t, data)
	case 5: // two members
		cut := c.below(len(data) + 1)
		data = append(zip(t, data[:cut]), zip(t, data[cut:])...)
	case 6:
		data = zip(t, data)
		data = data[:len(data)-min(len(data), c.below(40))]
	case 7:
		data = bytes.Repeat(data, 1+c.below(3))
	}
	return data
}

// A plan says how many entries the tables of a composed profile have, and what
// their ids are: base, base + step and so on.
type plan struct {
	c                                     *chooser
	mappings, functions, locations, types int
	base, step                            uint64
}

// id is the id of entry i, rarely another.
func (p *plan) id(i int) uint64 {
	if p.c.rarely() {
		return []uint64{0, p.base, 7, 1 << 63}[p.c.below(4)]
	}
	return p.base + uint64(i)*p.step
}

// str is an index into the string table, rarely beyond it.
func (p *plan) str() uint64 {
	if p.c.rarely() {
		return []uint64{uint64(len(texts)), 1 << 31, 1 << 32, 1 << 63}[p.c.below(4)]
	}
	return uint64(p.c.below(len(texts)))
}

var texts = []string{"", "cpu", "nanoseconds", "main.main", "main.work", "a\xff\xfeb", "main.work", "", "[kernel.kallsyms]_text"}

func (p *plan) head(m message) message {
	for range p.types {
		m = m.bytes(1, p.c.number(p.c.number(nil, 1, p.str()), 2, p.str()))
	}
	for field := 7; field <= 15; field++ {
		switch {
		case p.c.below(3) == 0:
		case field == 11:
			m = m.bytes(11, p.c.number(nil, 1, p.str()))
		case field == 13:
			m = p.c.list(m, 13, p.str(), p.str())
		default:
			m = p.c.number(m, field, p.str())
		}
	}
	return m
}

func (p *plan) mapping(m message) message {
	for i := range p.mappings {
		e := p.c.number(nil, 1, p.id(i))
		for field := 2; field <= 10; field++ {
			if p.c.below(2) == 1 {
				e = p.c.number(e, field, p.str())
			}
		}
		m = p.c.unknown(m.bytes(3, p.c.unknown(e)))
	}
	return m
}

func (p *plan) function(m message) message {
	for i := range p.functions {
		e := p.c.number(nil, 1, p.id(i))
		e = p.c.number(p.c.number(p.c.number(e, 2, p.str()), 3, p.str()), 4, p.str())
		m = p.c.unknown(m.bytes(5, p.c.unknown(p.c.number(e, 5, uint64(p.c.below(100))))))
	}
	return m
}

func (p *plan) location(m message) message {
	for i := range p.locations {
		e := p.c.number(nil, 1, p.id(i))
		if p.c.below(2) == 1 {
			e = p.c.number(e, 2, p.id(p.c.below(3)))
		}
		e = p.c.number(e, 3, uint64(p.c.below(256)))
		for range p.c.below(4) { // 0: not symbolised, 2 and more: inlined
			line := p.c.number(nil, 1, p.id(p.c.below(p.functions)))
			e = e.bytes(4, p.c.unknown(p.c.number(p.c.number(line, 2, uint64(p.c.below(9))), 3, uint64(p.c.below(9)))))
		}
		if p.c.below(4) == 3 {
			e = p.c.number(e, 5, 1)
		}
		m = p.c.unknown(m.bytes(4, p.c.unknown(e)))
	}
	return m
}

func (p *plan) sample(m message) message {
	var stack []uint64 // root first
	for range p.c.below(12) {
		stack = stack[:p.c.below(len(stack)+1)]
		for range p.c.below(8) {
			stack = append(stack, p.id(p.c.below(p.locations)))
		}
		var leafFirst, values []uint64
		for i := len(stack) - 1; i >= 0; i-- {
			leafFirst = append(leafFirst, stack[i])
		}
		for range p.types {
			values = append(values, []uint64{0, 1, 200, 1 << 20, 1 << 35, 1<<64 - 5}[p.c.below(6)])
		}
		if p.c.rarely() {
			values = values[1:]
		}
		e := p.c.list(nil, 1, leafFirst...)
		if p.c.rarely() {
			e = p.c.list(p.c.list(nil, 2, values...), 1, leafFirst...)
		} else {
			e = p.c.list(e, 2, values...)
		}
		for range p.c.below(4) {
			var label message
			for field := 1; field <= 4; field++ {
				if p.c.below(2) == 1 {
					label = p.c.number(label, field, p.str())
				}
			}
			e = e.bytes(3, p.c.unknown(label))
		}
		m = p.c.unknown(m.bytes(2, p.c.unknown(e)))
	}
	return m
}

func (p *plan) text(m message) message {
	for _, s := range texts {
		m = m.text(6, s)
	}
	return m
}
