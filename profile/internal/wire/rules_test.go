package wire_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/allocdiff/allocdiff/profile/internal/wire"
)

// A ruleCase is a profile that breaks one rule, or only seems to.
type ruleCase struct {
	name    string
	profile message
	err     string // part of the error; "": accepted
}

// tables is a valid profile without samples.
func tables() message {
	var m message
	m = m.bytes(1, message{}.number(1, 1).number(2, 2))
	m = m.bytes(3, message{}.number(1, 1).number(5, 3))
	m = m.bytes(5, message{}.number(1, 1).number(2, 3))
	m = m.bytes(5, message{}.number(1, 2).number(2, 4))
	m = m.bytes(4, message{}.number(1, 1).number(2, 1).bytes(4, message{}.number(1, 1)))
	m = m.bytes(4, message{}.number(1, 2).bytes(4, message{}.number(1, 2)).bytes(4, message{}.number(1, 1)))
	for _, s := range []string{"", "cpu", "nanoseconds", "main.main", "main.work", "key"} {
		m = m.text(6, s)
	}
	return m
}

func stackOf(ids ...uint64) message { return message{}.packed(1, ids...).packed(2, 5) }

func valid() message { return tables().bytes(2, stackOf(2, 1)) }

func ruleCases() []ruleCase {
	label := func(m message) message { return tables().bytes(2, stackOf(1).bytes(3, m)) }
	return []ruleCase{
		{"valid", valid(), ""},
		{"samples first", append(message{}.bytes(2, stackOf(2, 1)), tables()...), ""},
		{"no samples", tables(), ""},
		{"sample without locations", tables().bytes(2, message{}.packed(2, 5)), ""},
		{"unpacked", tables().bytes(2, message{}.number(1, 2).number(1, 1).number(2, 5)), ""},
		{"locations in pieces", tables().bytes(2, stackOf(2).number(1, 1).packed(1, 2, 2)), ""},
		{"unknown field", valid().text(77, "x").bytes(2, stackOf(2, 1).number(9, 1)), ""},
		{"field 0", valid().number(0, 1), ""},
		{"missing mapping", valid().bytes(4, message{}.number(1, 3).number(2, 9)), ""},
		{"long varint", append(valid(), 0x60, 0x85, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f), ""},
		{"later value wins", valid().number(12, 1).number(12, 2), ""},
		{"no time, then a time", valid().number(9, 0).number(9, 5), ""},

		{"too long varint", append(valid(), 0x60, 0x85, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00), "a bad varint at byte"},
		{"cut varint", append(valid(), 0x60, 0x85), "a bad varint at byte"},
		{"cut field", append(valid(), 0x32, 0x05, 'a'), "runs past the end, at byte"},
		{"cut fixed64", append(valid(), 0x99, 0x06, 1, 2, 3), "fixed-size number that runs past the end, at byte"},
		{"group", append(valid(), 0x9b, 0x06), "unknown wire type at byte"},
		{"wrong type", valid().text(12, "x"), "field 12 with wire type 2 at byte"},
		{"wrong type of samples", tables().number(2, 1), "field 2 with wire type 0 at byte"},
		{"wrong type in a line", valid().bytes(4, message{}.number(1, 3).bytes(4, message{}.text(1, "x"))), "field 1 with wire type 2 at byte"},
		{"cut sample", tables().bytes(2, message{0x0a, 0x05, 1}), "runs past the end of its message, at byte"},
		{"cut location id", tables().bytes(2, message{0x0a, 0x02, 1, 0x82}.packed(2, 5)), "a bad varint at byte"},
		// The bytes after the sample would complete the number, and what follows them is valid.
		{"cut value", append(tables(), 0x12, 0x05, 0x0a, 0x01, 0x01, 0x10, 0x85, 0x00, 0x01), "a bad varint at byte"},
		{"cut label", append(tables(), 0x12, 0x0a, 0x0a, 0x01, 0x01, 0x12, 0x01, 0x05, 0x1a, 0x02, 0x18, 0x85, 0x00, 0x01), "a bad varint at byte"},

		{"no strings", message{}.number(12, 1), "no string table"},
		{"first string", append(message{}.text(6, "x"), tables()...), "the first string of the table is not empty"},
		{"mapping 0", valid().bytes(3, message{}.number(2, 1)), "mapping with reserved id 0"},
		{"function 0", valid().bytes(5, message{}.number(2, 1)), "function with reserved id 0"},
		{"location 0", valid().bytes(4, message{}.number(3, 1)), "location with reserved id 0"},
		{"mapping twice", valid().bytes(3, message{}.number(1, 1)), "several mappings with id 1"},
		{"function twice", valid().bytes(5, message{}.number(1, 2)), "several functions with id 2"},
		{"location twice", valid().bytes(4, message{}.number(1, 2)), "several locations with id 2"},
		{"huge location twice", valid().bytes(4, message{}.number(1, 1<<60)).bytes(4, message{}.number(1, 1<<60)), "several locations with id 1152921504606846976"},
		{"line without function", valid().bytes(4, message{}.number(1, 3).bytes(4, message{}.number(2, 1))), "location 3 has a line without a function"},
		{"missing function", valid().bytes(4, message{}.number(1, 3).bytes(4, message{}.number(1, 9))), "location 3 refers to missing function 9"},
		{"missing location", tables().bytes(2, stackOf(1, 9, 1)), "sample refers to missing location 9"},
		{"location id 0", tables().bytes(2, stackOf(1, 0, 1)), "sample refers to missing location 0"},
		{"unpacked missing location", tables().bytes(2, message{}.number(1, 9).number(2, 5)), "sample refers to missing location 9"},
		{"function name", valid().bytes(5, message{}.number(1, 3).number(2, 6)), "function 3 refers to a string beyond the 6 of the table"},
		{"negative function name", valid().bytes(5, message{}.number(1, 3).number(2, 1<<63)), "function 3 refers to a string beyond the 6 of the table"},
		{"mapping file", valid().bytes(3, message{}.number(1, 3).number(5, 6)), "mapping refers to string 6, the table has 6"},
		{"sample type unit", valid().bytes(1, message{}.number(2, 6)), "sample type refers to string 6, the table has 6"},
		{"period type", valid().bytes(11, message{}.number(2, 6)), "period type refers to string 6, the table has 6"},
		{"comment", valid().packed(13, 1, 2, 6), "comment refers to string 6, the table has 6"},
		{"drop_frames", valid().number(7, 6), "drop_frames refers to string 6, the table has 6"},
		{"doc_url", valid().number(15, 1<<63), "doc_url refers to string -9223372036854775808, the table has 6"},
		{"too few values", tables().bytes(2, message{}.packed(1, 1)), "sample has 0 values for 1 sample types"},
		{"too many values", tables().bytes(2, stackOf(1).number(2, 1)), "sample has 2 values for 1 sample types"},
		{"too many packed values", tables().bytes(2, message{}.packed(2, 1, 2, 3)), "sample has 3 values for 1 sample types"},
		{"samples without types", message{}.bytes(2, message{}).text(6, ""), "samples without sample types"},

		{"string label", label(message{}.number(1, 5).number(2, 4)), ""},
		{"numeric label", label(message{}.number(1, 5).number(3, 1<<63).number(4, 2)), ""},
		{"label with both", label(message{}.number(1, 5).number(2, 4).number(3, 7)), ""},
		{"label with both and a wrong unit", label(message{}.number(1, 5).number(2, 4).number(4, 99)), ""},
		{"empty label", label(message{}.number(1, 5)), ""},
		{"empty label with a wrong key", label(message{}.number(1, 6)), "label refers to a string beyond the 6 of the table"},
		{"label value", label(message{}.number(1, 5).number(2, 6)), "label refers to a string beyond the 6 of the table"},
		{"label unit", label(message{}.number(1, 5).number(3, 1).number(4, 6)), "label refers to a string beyond the 6 of the table"},

		{"two times", valid().number(9, 5).number(9, 6), "2 profiles concatenated in one file"},
		{"concatenated", append(valid(), valid()...), "2 profiles concatenated in one file"},
		{"three with times", message(bytes.Repeat(valid().number(9, 5), 3)), "3 profiles concatenated in one file"},
		{"concatenated, other ids", append(valid(), message{}.bytes(1, message{}.number(1, 1)).bytes(2, stackOf(1))...), "2 profiles concatenated in one file"},
	}
}

func TestRules(t *testing.T) {
	for _, c := range ruleCases() {
		t.Run(c.name, func(t *testing.T) {
			agreeAll(t, c.profile)
			for _, r := range []*wire.Reader{usual, narrow} {
				_, _, err := read(r, c.profile)
				if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
					t.Errorf("got error %v, want %q", err, c.err)
				}
			}
		})
	}
}

// TestOffsets pins the byte that an error points at.
func TestOffsets(t *testing.T) {
	n := int64(len(valid()))
	var syntax *wire.SyntaxError
	_, _, err := read(usual, valid().number(12, 3).bytes(3, message{}.number(1, 7).text(2, "x")))
	if !errors.As(err, &syntax) || syntax.Offset != n+2+2+2 {
		t.Errorf("syntax: got %v, want offset %d", err, n+6)
	}
	var invalid *wire.InvalidError
	_, _, err = read(usual, valid().number(12, 3).bytes(3, message{}.number(2, 7)))
	if !errors.As(err, &invalid) || invalid.Offset != n+2 {
		t.Errorf("invalid table entry: got %v, want offset %d", err, n+2)
	}
	_, _, err = read(usual, valid().bytes(2, stackOf(1, 2, 9)))
	if !errors.As(err, &invalid) || invalid.Offset != n+2+2+2 {
		t.Errorf("invalid location id: got %v, want offset %d", err, n+6)
	}
}

func TestStreams(t *testing.T) {
	file := zip(t, valid())
	for _, c := range []struct {
		name, err string
		data      []byte
		extra     int64
	}{
		{"empty", "empty file", nil, 0},
		{"empty in gzip", "empty file", zip(t, nil), 0},
		{"header only", "file ends inside its gzip stream after 10 bytes", file[:10], 0},
		{"two bytes", "file ends inside its gzip stream after 2 bytes", file[:2], 0},
		{"cut data", "file ends inside its gzip stream after 40 bytes", file[:40], 0},
		{"cut checksum", "file ends inside its gzip stream", file[:len(file)-3], 0},
		{"wrong checksum", "gzip stream is damaged before byte", flip(file, len(file)-8), 0},
		{"wrong data", "gzip stream is damaged before byte", flip(file, 12), 0},
		{"extra data", "", append(file[:len(file):len(file)], "trailing\n"...), int64(len(file))},
		{"extra byte", "", append(file[:len(file):len(file)], 0x1f), int64(len(file))},
		{"two members", "", append(zip(t, valid()[:30]), zip(t, valid()[30:])...), 0},
		{"cut second member", "file ends inside its gzip stream", append(file[:len(file):len(file)], file[:5]...), 0},
		{"zstd", "", pack(t, valid()), 0},
		{"cut zstd", "file ends inside its zstd stream after 20 bytes", pack(t, valid())[:20], 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			agreeAll(t, c.data)
			for _, r := range []*wire.Reader{usual, narrow} {
				p, f, err := read(r, c.data)
				if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
					t.Fatalf("got error %v, want %q", err, c.err)
				}
				if err == nil && (f.Extra != c.extra || f.Size != int64(len(c.data)) || len(p.Sample) != 1) {
					t.Errorf("got extra data at %d, size %d, %d samples, want %d, %d, 1", f.Extra, f.Size, len(p.Sample), c.extra, len(c.data))
				}
			}
		})
	}
}

func flip(b []byte, i int) []byte {
	b = bytes.Clone(b)
	b[i] ^= 0xff
	return b
}

// failing is a file whose reads fail after n bytes.
type failing struct {
	*bytes.Reader
	n int64
}

var errDisk = errors.New("input/output error")

func (f *failing) Read(p []byte) (int, error) {
	at, _ := f.Seek(0, io.SeekCurrent)
	if at >= f.n {
		return 0, errDisk
	}
	return f.Reader.Read(p[:min(int64(len(p)), f.n-at)])
}

func TestReadError(t *testing.T) {
	for _, data := range [][]byte{valid(), zip(t, valid()), pack(t, valid())} {
		for _, n := range []int64{0, 3, 30} {
			_, err := wire.Open(&failing{bytes.NewReader(data), n})
			if !errors.Is(err, errDisk) || !strings.Contains(err.Error(), "reading the file") {
				t.Errorf("failing after %d bytes of %d: got %v, want %v", n, len(data), err, errDisk)
			}
		}
	}
}
