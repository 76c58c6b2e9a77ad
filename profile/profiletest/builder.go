package profiletest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	pprof "github.com/google/pprof/profile"
)

const noStack = "(no stack)"

var (
	addressRE = regexp.MustCompile(`^0x[0-9a-f]+$`)
	fileRE    = regexp.MustCompile(`^(.*) @(\S+):(\d+)$`)
)

// builder adds samples to a profile; equal frames share one location.
type builder struct {
	p         *pprof.Profile
	locations map[string]*pprof.Location
	functions map[[2]string]*pprof.Function
}

func newBuilder(p *pprof.Profile) *builder {
	return &builder{
		p:         p,
		locations: map[string]*pprof.Location{},
		functions: map[[2]string]*pprof.Function{},
	}
}

func (b *builder) sample(stack, labels string, values []int64) error {
	s := &pprof.Sample{Value: values}
	if err := addLabels(s, labels); err != nil {
		return err
	}
	if stack != noStack {
		frames := splitEscaped(stack)
		for i := len(frames) - 1; i >= 0; i-- {
			loc, err := b.location(frames[i])
			if err != nil {
				return err
			}
			s.Location = append(s.Location, loc)
		}
	}
	b.p.Sample = append(b.p.Sample, s)
	return nil
}

func (b *builder) location(frame string) (*pprof.Location, error) {
	if loc := b.locations[frame]; loc != nil {
		return loc, nil
	}
	if frame == "" {
		return nil, fmt.Errorf("empty frame (write %q for a sample without locations)", noStack)
	}
	loc := &pprof.Location{ID: uint64(len(b.p.Location) + 1)}
	if addressRE.MatchString(frame) {
		address, err := strconv.ParseUint(frame, 0, 64)
		if err != nil {
			return nil, fmt.Errorf("address %q: %w", frame, err)
		}
		loc.Address, loc.Mapping = address, b.mappingOf(address)
	} else {
		lines := strings.Split(frame, " > ")
		for i := len(lines) - 1; i >= 0; i-- {
			line, err := b.codeLine(lines[i])
			if err != nil {
				return nil, err
			}
			loc.Line = append(loc.Line, line)
		}
	}
	b.locations[frame] = loc
	b.p.Location = append(b.p.Location, loc)
	return loc, nil
}

func (b *builder) codeLine(text string) (pprof.Line, error) {
	name, file, number := text, "", int64(0)
	if m := fileRE.FindStringSubmatch(text); m != nil {
		n, err := strconv.ParseInt(m[3], 10, 64)
		if err != nil {
			return pprof.Line{}, fmt.Errorf("line of %q: %w", text, err)
		}
		name, file, number = m[1], m[2], n
	}
	f := b.functions[[2]string{name, file}]
	if f == nil {
		f = &pprof.Function{ID: uint64(len(b.p.Function) + 1), Name: name, SystemName: name, Filename: file}
		b.functions[[2]string{name, file}] = f
		b.p.Function = append(b.p.Function, f)
	}
	return pprof.Line{Function: f, Line: number}, nil
}

// mapping takes "0xSTART-0xLIMIT [FILE [BUILDID]]".
func (b *builder) mapping(arg string) error {
	fields := strings.Fields(arg)
	if len(fields) < 1 || len(fields) > 3 {
		return fmt.Errorf("want 0xSTART-0xLIMIT [FILE [BUILDID]]")
	}
	start, limit, _ := strings.Cut(fields[0], "-")
	m := &pprof.Mapping{ID: uint64(len(b.p.Mapping) + 1)}
	var err error
	if m.Start, err = strconv.ParseUint(start, 0, 64); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	if m.Limit, err = strconv.ParseUint(limit, 0, 64); err != nil {
		return fmt.Errorf("limit: %w", err)
	}
	if len(fields) > 1 {
		m.File = fields[1]
	}
	if len(fields) > 2 {
		m.BuildID = fields[2]
	}
	b.p.Mapping = append(b.p.Mapping, m)
	return nil
}

func (b *builder) mappingOf(address uint64) *pprof.Mapping {
	for _, m := range b.p.Mapping {
		if m.Start <= address && address < m.Limit {
			return m
		}
	}
	return nil
}

// addLabels takes the inside of a label block, "key=value;key:unit=128".
func addLabels(s *pprof.Sample, labels string) error {
	if labels == "" {
		return nil
	}
	for _, pair := range splitEscaped(labels) {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || key == "" {
			return fmt.Errorf("label %q is not of the form key=value", pair)
		}
		colon := strings.LastIndexByte(key, ':')
		number, err := strconv.ParseInt(value, 10, 64)
		if colon < 1 || err != nil {
			if s.Label == nil {
				s.Label = map[string][]string{}
			}
			s.Label[key] = append(s.Label[key], value)
			continue
		}
		key, unit := key[:colon], key[colon+1:]
		if s.NumLabel == nil {
			s.NumLabel = map[string][]int64{}
			s.NumUnit = map[string][]string{}
		}
		s.NumLabel[key] = append(s.NumLabel[key], number)
		s.NumUnit[key] = append(s.NumUnit[key], unit)
	}
	return nil
}

// splitEscaped splits at ";" but not at "\;", which stands for ";".
func splitEscaped(s string) []string {
	var parts []string
	start := 0
	for i := 0; i < len(s); i++ {
		if s[i] == ';' && (i == 0 || s[i-1] != '\\') {
			parts = append(parts, s[start:i])
			start = i + 1
		}
	}
	parts = append(parts, s[start:])
	for i, p := range parts {
		parts[i] = strings.ReplaceAll(p, `\;`, ";")
	}
	return parts
}
