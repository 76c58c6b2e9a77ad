package profile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	pprof "github.com/google/pprof/profile"
)

// convert turns a file of an older format into an unpacked pprof protobuf.
func convert(kind form, text []byte) (data []byte, warnings []string, err error) {
	var p *pprof.Profile
	if kind == formJemalloc {
		p, warnings, err = parseJemalloc(text)
	} else {
		p, warnings, err = parseLegacy(text)
	}
	if err != nil {
		return nil, nil, err
	}
	var buf bytes.Buffer
	if err := p.WriteUncompressed(&buf); err != nil {
		return nil, nil, fmt.Errorf("converting the legacy profile: %w", err)
	}
	return buf.Bytes(), warnings, nil
}

func parseLegacy(text []byte) (*pprof.Profile, []string, error) {
	var warnings []string
	if !isLegacyCPU(text) {
		body, lines := cutComments(bytes.TrimPrefix(text, []byte("\ufeff")))
		text, warnings = repairHeap(body, lines)
	}
	p, err := pprof.ParseData(text)
	if err != nil {
		return nil, nil, fmt.Errorf("this is a legacy profile that cannot be read: %s", strings.TrimPrefix(err.Error(), "parsing profile: "))
	}
	symbolise(p, string(text))
	return p, warnings, nil
}

// cutComments cuts the empty and comment lines before a header, and counts them.
func cutComments(text []byte) (rest []byte, lines int) {
	for {
		line, after, ok := bytes.Cut(text, []byte("\n"))
		if !ok || !isBlankOrComment(string(line)) {
			return text, lines
		}
		text = after
		lines++
	}
}

// isLegacyCPU recognises the binary CPU profiles of gperftools and their Java
// kin: words of 4 or 8 bytes in either byte order: 0, 3, 0 (Java: 1), the
// period, 0.
func isLegacyCPU(b []byte) bool {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, size := range []int{4, 8} {
			if len(b) < 5*size {
				continue
			}
			var w [5]uint64
			for i := range w {
				if size == 4 {
					w[i] = uint64(order.Uint32(b[4*i:]))
				} else {
					w[i] = order.Uint64(b[8*i:])
				}
			}
			if w[0] == 0 && w[1] == 3 && w[2] <= 1 && w[3] > 0 && w[4] == 0 {
				return true
			}
		}
	}
	return false
}

var (
	heapHeaderRE = regexp.MustCompile(`^heap profile: *(-?\d+): *(-?\d+) *\[ *(-?\d+): *(-?\d+) *\] *@ *((heap[_a-z0-9]*)(?:/\d*)?)\s*$`)
	heapRecordRE = regexp.MustCompile(`^\s*(-?\d+): *(-?\d+) *\[ *(\d+): *(\d+) *\] @`)
)

// repairHeap rewrites what makes google/pprof misread or refuse a heap text:
//
//   - A counter of the header that wrapped to a negative 32-bit number. The
//     counters are used for nothing but the number of columns.
//   - A Go header ("@ heap/N") whose allocated counters equal those in use.
//     It would be read as two columns, although Go always writes four, and
//     the profile could not be compared with any other of the same program.
//   - A record of 0 objects that have bytes, which gperftools writes for
//     mapped memory. It is left out, with a warning.
//
// Other texts come back as they are. The warnings count the lines that were
// cut before the text.
func repairHeap(text []byte, cut int) ([]byte, []string) {
	header, records, _ := strings.Cut(string(text), "\n")
	m := heapHeaderRE.FindStringSubmatch(header)
	if m == nil {
		return text, nil
	}
	var warnings []string
	for _, counter := range m[1:5] {
		if counter[0] == '-' {
			warnings = append(warnings, fmt.Sprintf("line %d: a counter of the heap profile overflowed 32 bits (%s); the records are used", cut+1, counter))
		}
	}
	four := m[3] != "0" && m[3] != m[1] || m[4] != "0" && m[4] != m[2] ||
		m[6] == "heap" && (m[3] != "0" || m[4] != "0")
	counters := "0: 0 [0: 0]"
	if four {
		counters = "0: 0 [1: 1]"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "heap profile: %s @ %s\n", counters, m[5])
	skipped := skippedRecords{line: cut + 1}
	for line := range strings.Lines(records) {
		if !skipped.skip(line, four) {
			b.WriteString(line)
		}
	}
	return []byte(b.String()), append(warnings, skipped.warnings()...)
}

// skippedRecords counts the records of a heap text that cannot be used.
type skippedRecords struct {
	line         int   // of the record looked at last; at first the header's
	first, count int   // line of the first one skipped, and how many were
	bytes        int64 // in all of them
}

// skip takes the next line after the header and is true for a record of 0
// objects that have bytes. The allocated columns count only if they are read.
func (s *skippedRecords) skip(line string, allocated bool) bool {
	s.line++
	m := heapRecordRE.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	inuse := m[1] == "0" && m[2] != "0"
	alloc := allocated && m[3] == "0" && m[4] != "0"
	if !inuse && !alloc {
		return false
	}
	size := m[2]
	if !inuse {
		size = m[4]
	}
	n, _ := strconv.ParseInt(size, 10, 64) // a size beyond 64 bits counts as the largest
	s.bytes += n
	s.count++
	if s.count == 1 {
		s.first = s.line
	}
	return true
}

func (s *skippedRecords) warnings() []string {
	switch s.count {
	case 0:
		return nil
	case 1:
		return []string{fmt.Sprintf("line %d: a record of 0 objects with %d bytes is left out", s.first, s.bytes)}
	}
	return []string{fmt.Sprintf("line %d and %d more: records of 0 objects with %d bytes in all are left out", s.first, s.count-1, s.bytes)}
}
