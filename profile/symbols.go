package profile

import (
	"regexp"
	"strconv"
	"strings"

	pprof "github.com/google/pprof/profile"
)

var (
	// recordRE is a record of a Go debug=1 profile: values and a stack.
	recordRE = regexp.MustCompile(`^\s*\d.*@( 0x[0-9a-f]+)*\s*$`)
	// symbolRE is a frame in the comments below a record: the address of the
	// call, and if Go could name it, function+offset and file:line.
	symbolRE = regexp.MustCompile(`^#\s+(0x[0-9a-f]+)(?:\s+(\S.*?)\+0x[0-9a-f]+\s+(.+):(\d+))?\s*$`)
)

// symbols are the names in the comments of a Go debug=1 profile.
type symbols struct {
	lines     map[uint64]*pprof.Line // by address; nil for a frame without a name
	functions map[[2]string]*pprof.Function
	shown     []map[uint64]bool // for each record, the addresses in its comments
}

// symbolise names the locations of a Go debug=1 profile by the comments in its
// text, which google/pprof passes over. In a stack with comments the frames
// without one (the allocator at the leaf, runtime.goexit at the root) are left
// out, as Go leaves them out of a protobuf.
func symbolise(p *pprof.Profile, text string) {
	s := symbols{lines: map[uint64]*pprof.Line{}, functions: map[[2]string]*pprof.Function{}}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			s.comment(strings.TrimSpace(line))
		} else if recordRE.MatchString(line) {
			s.shown = append(s.shown, map[uint64]bool{})
		}
	}
	if len(s.functions) == 0 || len(s.shown) != len(p.Sample) {
		return
	}
	used := map[*pprof.Function]bool{}
	for _, loc := range p.Location {
		line := s.lines[loc.Address]
		if line == nil || len(loc.Line) > 0 {
			continue
		}
		loc.Line = []pprof.Line{*line}
		if f := line.Function; !used[f] {
			used[f] = true
			p.Function = append(p.Function, f)
		}
	}
	for i, sample := range p.Sample {
		var stack []*pprof.Location
		for _, loc := range sample.Location {
			if s.shown[i][loc.Address] {
				stack = append(stack, loc)
			}
		}
		if len(stack) > 0 {
			sample.Location = stack
		}
	}
}

func (s *symbols) comment(line string) {
	m := symbolRE.FindStringSubmatch(line)
	if m == nil || len(s.shown) == 0 {
		return
	}
	address, err := strconv.ParseUint(m[1], 0, 64)
	if err != nil {
		return
	}
	s.shown[len(s.shown)-1][address] = true
	if m[2] == "" || s.lines[address] != nil {
		return
	}
	key := [2]string{m[2], m[3]}
	f := s.functions[key]
	if f == nil {
		f = &pprof.Function{ID: uint64(len(s.functions) + 1), Name: m[2], SystemName: m[2], Filename: m[3]}
		s.functions[key] = f
	}
	number, _ := strconv.ParseInt(m[4], 10, 64) // beyond 64 bits: some line
	s.lines[address] = &pprof.Line{Function: f, Line: number}
}
