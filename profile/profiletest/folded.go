package profiletest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	pprof "github.com/google/pprof/profile"
)

// Profile parses folded text (see the package comment) and checks the result
// with google/pprof. An error names the line.
func Profile(text string) (*pprof.Profile, error) {
	b := newBuilder(&pprof.Profile{})
	for i, line := range strings.Split(text, "\n") {
		if err := b.line(strings.TrimSpace(line)); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	if len(b.p.SampleType) == 0 {
		return nil, fmt.Errorf("no line names the sample types, such as %q", "alloc_space/bytes")
	}
	if err := b.p.CheckValid(); err != nil {
		return nil, fmt.Errorf("checking the profile: %w", err)
	}
	return b.p, nil
}

// Bytes is the gzip-compressed protobuf of folded text, as in a file. Equal
// text gives equal bytes. It panics if the text is malformed.
func Bytes(text string) []byte {
	p, err := Profile(text)
	if err != nil {
		panic(fmt.Sprintf("profiletest.Bytes: %v in\n%s", err, text))
	}
	return Encode(p)
}

// Encode is the gzip-compressed protobuf of p. It panics if p cannot be
// encoded, which only a profile with broken references can cause.
func Encode(p *pprof.Profile) []byte {
	var buf bytes.Buffer
	if err := p.Write(&buf); err != nil {
		panic(fmt.Sprintf("profiletest.Encode: %v", err))
	}
	return buf.Bytes()
}

// File writes folded text as a profile into a temporary folder of the test
// and returns its path. A malformed text fails the test.
func File(t testing.TB, text string) string {
	t.Helper()
	p, err := Profile(text)
	if err != nil {
		t.Fatalf("folded text: %v", err)
	}
	path := filepath.Join(t.TempDir(), "profile.pb.gz")
	if err := os.WriteFile(path, Encode(p), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// line takes one trimmed line of folded text.
func (b *builder) line(line string) error {
	switch {
	case line == "" || strings.HasPrefix(line, "//"):
		return nil
	case strings.HasPrefix(line, "#"):
		name, rest, _ := strings.Cut(strings.TrimSpace(line[1:]), " ")
		return b.directive(name, strings.TrimSpace(rest))
	case len(b.p.SampleType) == 0:
		return b.header(line)
	}
	rest, values, err := cutValues(line, len(b.p.SampleType))
	if err != nil {
		return err
	}
	stack, labels := cutLabels(rest)
	return b.sample(stack, labels, values)
}

func (b *builder) header(line string) error {
	for field := range strings.FieldsSeq(line) {
		vt, err := valueType(field)
		if err != nil {
			return err
		}
		b.p.SampleType = append(b.p.SampleType, vt)
	}
	return nil
}

func (b *builder) directive(name, arg string) (err error) {
	p := b.p
	switch name {
	case "period":
		vt, period, _ := strings.Cut(arg, " ")
		if p.PeriodType, err = valueType(vt); err == nil {
			p.Period, err = strconv.ParseInt(strings.TrimSpace(period), 10, 64)
		}
	case "time":
		var t time.Time
		if t, err = time.Parse(time.RFC3339Nano, arg); err == nil {
			p.TimeNanos = t.UnixNano()
		}
	case "duration":
		var d time.Duration
		d, err = time.ParseDuration(arg)
		p.DurationNanos = d.Nanoseconds()
	case "comment":
		p.Comments = append(p.Comments, arg)
	case "default":
		p.DefaultSampleType = arg
	case "drop":
		p.DropFrames = arg
	case "keep":
		p.KeepFrames = arg
	case "mapping":
		err = b.mapping(arg)
	default:
		err = fmt.Errorf("unknown directive %q (notes start with //)", name)
	}
	if err != nil {
		return fmt.Errorf("%s %q: %w", name, arg, err)
	}
	return nil
}

func valueType(s string) (*pprof.ValueType, error) {
	typ, unit, ok := strings.Cut(s, "/")
	if !ok || typ == "" {
		return nil, fmt.Errorf("%q is not of the form type/unit", s)
	}
	return &pprof.ValueType{Type: typ, Unit: unit}, nil
}

// cutValues splits the last n fields from a line.
func cutValues(line string, n int) (rest string, values []int64, err error) {
	values = make([]int64, n)
	rest = line
	for i := n - 1; i >= 0; i-- {
		space := strings.LastIndexByte(rest, ' ')
		if space < 0 {
			return "", nil, fmt.Errorf("want a stack and %d values in %q", n, line)
		}
		if values[i], err = strconv.ParseInt(rest[space+1:], 10, 64); err != nil {
			return "", nil, fmt.Errorf("value %d of %q: %w", i+1, line, err)
		}
		rest = strings.TrimRight(rest[:space], " ")
	}
	return rest, values, nil
}

// cutLabels splits the label block from a stack: the bracket that closes at
// the end, if a space stands before it. "Map[int]" and "[main tid=1]" are
// frames.
func cutLabels(s string) (stack, labels string) {
	if !strings.HasSuffix(s, "]") {
		return s, ""
	}
	depth := 0
	for i := len(s) - 1; i > 0; i-- {
		switch s[i] {
		case ']':
			depth++
		case '[':
			depth--
		}
		if depth == 0 {
			if s[i-1] != ' ' {
				return s, ""
			}
			return strings.TrimRight(s[:i], " "), s[i+1 : len(s)-1]
		}
	}
	return s, ""
}
