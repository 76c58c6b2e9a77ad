package profile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// headSize is how many unpacked bytes of an input decide what it is.
const headSize = 64 << 10

// form is what an input holds.
type form int

const (
	formProto    form = iota // a pprof protobuf, or bytes that nothing else claims
	formLegacy               // a format that google/pprof reads and converts
	formJemalloc             // jemalloc's heap_v2 text
)

// normalise opens the input and gives the pprof protobuf in it. A protobuf,
// packed or not, is the file itself at its start, read no further than needed
// to recognise it. The older formats are converted to an unpacked protobuf.
// Anything else is an error that says what the input is and what to do. The
// warnings tell what a conversion had to repair. Errors and warnings do not
// name the input.
func (in Input) normalise() (r io.ReadSeekCloser, warnings []string, err error) {
	r, err = in.open()
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			_ = r.Close()
			r = nil
		}
	}()
	head, whole, err := readHead(r)
	if err != nil {
		return r, nil, err
	}
	kind, err := sniff(head, whole)
	if err != nil {
		return r, nil, err
	}
	if _, err = r.Seek(0, io.SeekStart); err != nil {
		return r, nil, fmt.Errorf("rewinding: %w", cause(err))
	}
	if kind == formProto {
		return r, nil, nil
	}
	text, err := readUnpacked(r)
	if err != nil {
		return r, nil, err
	}
	data, warnings, err := convert(kind, text)
	if err != nil {
		return r, nil, err
	}
	_ = r.Close()
	return bytesReader(data), warnings, nil
}

// unpack returns a reader of the unpacked bytes of r, which is at its start.
// A nil reader means that the packing itself is broken.
func unpack(r io.Reader) (unpacked io.Reader, release func(), err error) {
	magic := make([]byte, 4)
	n, err := io.ReadFull(r, magic)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, nil, fmt.Errorf("reading: %w", cause(err))
	}
	r = io.MultiReader(bytes.NewReader(magic[:n]), r)
	release = func() {}
	switch {
	case bytes.HasPrefix(magic[:n], []byte("\x1f\x8b")):
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, release, nil
		}
		return z, release, nil
	case string(magic[:n]) == "\x28\xb5\x2f\xfd":
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, release, nil
		}
		return z, z.Close, nil
	}
	return r, release, nil
}

// readHead gives the first unpacked bytes, and whether they are all. What is
// wrong with the packing is left to the reader of protobufs to say.
func readHead(r io.Reader) (head []byte, whole bool, err error) {
	unpacked, release, err := unpack(r)
	if err != nil {
		return nil, false, err
	}
	defer release()
	if unpacked == nil {
		return nil, false, nil
	}
	head, err = io.ReadAll(io.LimitReader(unpacked, headSize))
	return head, err == nil && len(head) < headSize, nil
}

// readUnpacked gives all unpacked bytes of a legacy file.
func readUnpacked(r io.Reader) ([]byte, error) {
	unpacked, release, err := unpack(r)
	if err != nil {
		return nil, err
	}
	defer release()
	if unpacked == nil {
		return nil, errors.New("the compressed file is damaged")
	}
	data, err := readLimited(unpacked)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, errors.New("the file ends inside its compressed stream (profile not stopped or flushed?)")
	}
	return data, err
}

// foreign are the files that start with a magic of their own. None of these
// bytes can start a pprof protobuf.
var foreign = []struct{ magic, what string }{
	{"\x7fELF", "this is an ELF executable, not a profile (are the arguments in the right order?)"},
	{"\xfe\xed\xfa\xce", machO},
	{"\xfe\xed\xfa\xcf", machO},
	{"\xce\xfa\xed\xfe", machO},
	{"\xcf\xfa\xed\xfe", machO},
	{"\xca\xfe\xba\xbe", "this is a Java class file or a Mach-O executable, not a profile"},
	{"MZ\x90\x00", "this is a Windows executable, not a profile (are the arguments in the right order?)"},
	{"FLR\x00", "this is a JFR recording, not a pprof profile; convert it with: jfrconv -o pprof --total -t RECORDING.jfr PROFILE.pb.gz"},
	{"JAVA PROFILE ", "this is a Java heap dump (hprof), not a profile; record allocations with async-profiler instead"},
	{"PERFILE2", "this is a recording of Linux perf, not a pprof profile; convert it with: perf_to_profile -i perf.data -o PROFILE.pb.gz"},
	{"\x1f\x8b", "this is gzip inside gzip; unpack it once with gunzip"},
	{"PK\x03\x04", "this is a zip archive; unpack the profiles in it"},
	{"BZh", "this is compressed with bzip2; unpack it first"},
	{"\xfd7zXZ\x00", "this is compressed with xz; unpack it first"},
	{"\x89PNG", "this is a PNG picture, not a profile"},
	{"\xff\xfe", "this is UTF-16 text, as PowerShell's > writes it; let the profiler write the file itself"},
	{"version https://git-lfs.github.com/", "this is a Git LFS pointer, not the profile (run git lfs pull)"},
}

const machO = "this is a Mach-O executable, not a profile (are the arguments in the right order?)"

// sniff tells what the first unpacked bytes of an input are, or why they are
// no profile. whole says that there are no more.
func sniff(head []byte, whole bool) (form, error) {
	if whole && len(head) == 0 {
		return 0, errors.New("empty file; record the profile again")
	}
	for _, f := range foreign {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return 0, errors.New(f.what)
		}
	}
	if goTraceRE.Match(head) {
		return 0, errors.New("this is a Go execution trace, not a profile; convert a part of it with: go tool trace -pprof=sched TRACE")
	}
	if isLegacyCPU(head) {
		return formLegacy, nil
	}
	if len(head) == 0 || !isText(head) {
		return formProto, nil
	}
	return sniffText(string(head), whole)
}

// isText is true if no control characters occur but those of text. A pprof
// protobuf cannot do without: its sample types alone hold some.
func isText(head []byte) bool {
	for _, c := range head {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\x1b' {
			return false
		}
	}
	return true
}

var (
	jemallocRE = regexp.MustCompile(`^heap_v2/[0-9]+\s*$`)
	// legacyRE matches the first line of each text format that google/pprof
	// reads, with the name of the format.
	legacyRE    = regexp.MustCompile(`^(heap) profile: .*@|^--- (heap|contention|thread)z \d+ ---|^--- (mutex|contention):|^(\S+) profile: total \d+\s*$`)
	goTraceRE   = regexp.MustCompile(`^go 1\.[0-9]+ trace\x00`)
	goroutineRE = regexp.MustCompile(`^goroutine \d+ .*\[.+\]:$`)
	foldedRE    = regexp.MustCompile(`^.+ \d+$`)
)

func sniffText(head string, whole bool) (form, error) {
	head = strings.TrimPrefix(head, "\ufeff")
	lines := strings.Split(head, "\n")
	if !whole && len(lines) > 1 {
		lines = lines[:len(lines)-1] // the last one is cut
	}
	first := -1
	for i, line := range lines {
		if isBlankOrComment(line) {
			continue
		}
		if first < 0 {
			first = i
		}
		name, kind := headerOf(line)
		switch {
		case name != "" && first == i:
			return kind, nil
		case name != "":
			return 0, fmt.Errorf("a %s profile header starts at line %d; there is text before it (remove the lines before the header)", name, i+1)
		}
	}
	if first < 0 {
		return 0, errors.New("this is text without any content, not a profile")
	}
	return 0, refuseText(strings.Join(lines[first:], "\n"), strings.TrimSpace(lines[first]))
}

func isBlankOrComment(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line[0] == '#'
}

// headerOf names the format whose first line this is; else the name is empty.
func headerOf(line string) (name string, kind form) {
	if jemallocRE.MatchString(line) {
		return "heap_v2", formJemalloc
	}
	if m := legacyRE.FindStringSubmatch(line); m != nil {
		return strings.Join(m[1:], ""), formLegacy
	}
	return "", formProto
}

// refuseText says what kind of text it is that holds no profile.
func refuseText(text, firstLine string) error {
	quoted := quoteStart(firstLine)
	switch lower := strings.ToLower(firstLine); {
	case strings.HasPrefix(lower, "<!doctype html"), strings.HasPrefix(lower, "<html"):
		return fmt.Errorf("this is HTML text, not a profile (a login or error page? save the profile itself): %s", quoted)
	case strings.HasPrefix(lower, "<"):
		return fmt.Errorf("this is XML or HTML text, not a profile (save the profile itself): %s", quoted)
	case goroutineRE.MatchString(firstLine):
		return errors.New("this is text with goroutine stacks (debug=2), not a pprof profile; fetch it without debug=2")
	case isJSON(text):
		return errors.New("this is JSON, not a pprof profile; let the profiler write pprof")
	case isFolded(text):
		return errors.New("this is text with folded (collapsed) stacks, not a pprof profile; record pprof, with async-profiler: jfrconv -o pprof --total -t RECORDING.jfr PROFILE.pb.gz")
	}
	return fmt.Errorf("this is text, not a profile: %s", quoted)
}

// quoteStart quotes the start of a line, with what cannot be printed escaped.
func quoteStart(line string) string {
	const limit = 80
	if utf8.RuneCountInString(line) > limit {
		line = string([]rune(line)[:limit]) + "…"
	}
	return fmt.Sprintf("%q", line)
}

// isJSON is true if the text is an object or array as far as it goes.
func isJSON(text string) bool {
	text = strings.TrimSpace(text)
	if text[0] != '{' && text[0] != '[' {
		return false
	}
	d := json.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); err != nil {
			return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		}
	}
}

// isFolded is true if every line is a stack and a count, and some stack has
// more than one frame.
func isFolded(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !foldedRE.MatchString(line) {
			return false
		}
	}
	return strings.Contains(text, ";")
}
