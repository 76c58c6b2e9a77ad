package wire_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// message is a protobuf message under construction.
type message []byte

func (m message) number(field int, v uint64) message {
	return binary.AppendUvarint(binary.AppendUvarint(m, uint64(field)<<3), v)
}

func (m message) bytes(field int, b []byte) message {
	m = binary.AppendUvarint(m, uint64(field)<<3|2)
	return append(binary.AppendUvarint(m, uint64(len(b))), b...)
}

func (m message) text(field int, s string) message { return m.bytes(field, []byte(s)) }

func (m message) packed(field int, v ...uint64) message {
	var b []byte
	for _, x := range v {
		b = binary.AppendUvarint(b, x)
	}
	return m.bytes(field, b)
}

func zip(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	gz := gzip.NewWriter(&b)
	if _, err := gz.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := gz.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// pack is zip with zstd.
func pack(t testing.TB, data []byte) []byte {
	t.Helper()
	zs, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return zs.EncodeAll(data, nil)
}

// shape says what a generated heap profile is like.
type shape struct {
	name               string
	samples, functions int
	depth              [2]int // of stacks, from and to
	shared             [2]int // frames that a stack shares with the one before, from and to
}

var (
	// deep is like profiles of real Go programs: 31 frames, 22 of them shared.
	deep = shape{name: "deep", samples: 20000, functions: 3000, depth: [2]int{22, 40}, shared: [2]int{12, 32}}
	// scattered is twice as hard: 45 frames, 9 of them shared.
	scattered = shape{name: "scattered", samples: 20000, functions: 30000, depth: [2]int{30, 60}, shared: [2]int{4, 14}}
)

// heap generates a profile as Go's runtime lays it out: samples after the
// locations, strings last, four values, one numeric label.
func heap(s shape) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	var p message
	texts := []string{"", "alloc_objects", "count", "alloc_space", "bytes", "inuse_objects", "inuse_space", "space"}
	for i := 0; i < 8; i += 2 {
		p = p.bytes(1, message{}.number(1, []uint64{1, 3, 5, 6}[i/2]).number(2, []uint64{2, 4}[i/2%2]))
	}
	p = p.bytes(11, message{}.number(1, 7).number(2, 4)).number(12, 524288)
	p = p.bytes(3, message{}.number(1, 1).number(2, 0x400000).number(3, 0x4000000).number(7, 1))
	locations := 2 * s.functions
	for i := range s.functions {
		texts = append(texts, "example.com/service/package"+string(rune('a'+i%26))+".(*Type)."+words(i))
		p = p.bytes(5, message{}.number(1, uint64(i+1)).number(2, uint64(len(texts)-1)).number(3, uint64(len(texts)-1)))
	}
	for i := range locations {
		line := message{}.number(1, uint64(i/2+1)).number(2, uint64(random.IntN(900)+1))
		p = p.bytes(4, message{}.number(1, uint64(i+1)).number(2, 1).number(3, 0x400000+uint64(i)*16).bytes(4, line))
	}
	within := func(r [2]int) int { return r[0] + random.IntN(r[1]-r[0]+1) }
	var stack []uint64 // root first
	ids := make([]uint64, 0, s.depth[1])
	for range s.samples {
		depth := within(s.depth)
		stack = stack[:min(within(s.shared), depth, len(stack))]
		for len(stack) < depth {
			stack = append(stack, uint64(random.IntN(locations)+1))
		}
		ids = ids[:0]
		for i := len(stack) - 1; i >= 0; i-- {
			ids = append(ids, stack[i])
		}
		size := uint64(16 << random.IntN(8))
		n := uint64(random.IntN(500))
		p = p.bytes(2, message{}.packed(1, ids...).packed(2, n, n*size, n/8, n/8*size).
			bytes(3, message{}.number(1, 4).number(3, size)))
	}
	for _, s := range texts {
		p = p.text(6, s)
	}
	return p
}

// words makes a name out of a number.
func words(i int) string {
	var name strings.Builder
	for range 3 {
		name.WriteString([]string{"Read", "Write", "Row", "Cell", "Merge", "Index", "Flush"}[i%7])
		i /= 7
	}
	return name.String() + string(rune('A'+i%26))
}
