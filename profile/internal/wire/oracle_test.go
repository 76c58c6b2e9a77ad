package wire_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"

	"github.com/allocdiff/allocdiff/profile/internal/wire"
)

// peer reads data as google/pprof reads a protobuf profile: pprof.ParseData
// without its legacy formats.
func peer(data []byte) (*pprof.Profile, error) {
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		gz, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		if data, err = io.ReadAll(gz); err != nil {
			return nil, err
		}
	}
	p, err := pprof.ParseUncompressed(data)
	if err != nil {
		return nil, err
	}
	return p, p.CheckValid()
}

// read reads data with wire and makes of it what google/pprof would. It checks
// Sample.Shared on the way.
func read(r *wire.Reader, data []byte) (*pprof.Profile, *wire.File, error) {
	f, err := r.Open(bytes.NewReader(data))
	if err != nil {
		return nil, nil, err
	}
	p := &pprof.Profile{
		PeriodType: &pprof.ValueType{Type: f.PeriodType.Type, Unit: f.PeriodType.Unit}, Period: f.Period,
		TimeNanos: f.TimeNanos, DurationNanos: f.DurationNanos,
		DefaultSampleType: f.DefaultType, Comments: append([]string(nil), f.Comments...),
		DropFrames: f.DropFrames, KeepFrames: f.KeepFrames, DocURL: f.DocURL,
	}
	for _, t := range f.SampleTypes {
		p.SampleType = append(p.SampleType, &pprof.ValueType{Type: t.Type, Unit: t.Unit})
	}
	for _, m := range f.Mappings {
		p.Mapping = append(p.Mapping, &pprof.Mapping{
			ID: m.ID, Start: m.Start, Limit: m.Limit, Offset: m.Offset, File: m.File, BuildID: m.BuildID,
			HasFunctions: m.HasFunctions, HasFilenames: m.HasFilenames,
			HasLineNumbers: m.HasLineNumbers, HasInlineFrames: m.HasInlineFrames,
		})
	}
	for i, fn := range f.Functions {
		p.Function = append(p.Function, &pprof.Function{
			ID: uint64(i + 1), Name: f.String(fn.Name), SystemName: f.String(fn.SystemName),
			Filename: string(f.Bytes(fn.Filename)), StartLine: fn.StartLine,
		})
	}
	for i, l := range f.Locations {
		loc := &pprof.Location{ID: uint64(i + 1), Address: l.Address, IsFolded: l.IsFolded}
		if l.Mapping >= 0 {
			loc.Mapping = p.Mapping[l.Mapping]
		}
		for _, line := range f.LinesOf(int32(i)) {
			loc.Line = append(loc.Line, pprof.Line{Function: p.Function[line.Function], Line: line.Line, Column: line.Column})
		}
		p.Location = append(p.Location, loc)
	}
	var before []int32
	err = f.Walk(func(s *wire.Sample) error {
		if want := shared(before, s.Locations); s.Shared > want {
			return fmt.Errorf("Shared: got %d, want %d at most, for %v after %v", s.Shared, want, s.Locations, before)
		}
		before = append(before[:0], s.Locations...)
		p.Sample = append(p.Sample, sample(f, p, s))
		return nil
	})
	if err == nil && int64(len(p.Sample)) != f.NumSamples() {
		err = fmt.Errorf("got %d samples, want NumSamples %d", len(p.Sample), f.NumSamples())
	}
	return p, f, err
}

func shared(a, b []int32) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// sample applies google/pprof's rules for labels.
func sample(f *wire.File, p *pprof.Profile, s *wire.Sample) *pprof.Sample {
	out := &pprof.Sample{Value: append([]int64(nil), s.Values...)}
	for _, l := range s.Locations {
		out.Location = append(out.Location, p.Location[l])
	}
	for _, l := range s.Labels {
		key := f.String(l.Key)
		if l.Str != 0 {
			if out.Label == nil {
				out.Label = map[string][]string{}
			}
			out.Label[key] = append(out.Label[key], f.String(l.Str))
			continue
		}
		if out.NumLabel == nil {
			out.NumLabel = map[string][]int64{}
		}
		if l.Unit != 0 {
			if out.NumUnit == nil {
				out.NumUnit = map[string][]string{}
			}
			for len(out.NumUnit[key]) < len(out.NumLabel[key]) {
				out.NumUnit[key] = append(out.NumUnit[key], "")
			}
			out.NumUnit[key] = append(out.NumUnit[key], f.String(l.Unit))
		}
		out.NumLabel[key] = append(out.NumLabel[key], l.Num)
	}
	for key := range out.NumUnit {
		for len(out.NumUnit[key]) < len(out.NumLabel[key]) {
			out.NumUnit[key] = append(out.NumUnit[key], "")
		}
	}
	return out
}

// dump writes all that a profile says, ids of functions and locations aside.
func dump(p *pprof.Profile) string {
	var b strings.Builder
	for _, t := range p.SampleType {
		fmt.Fprintf(&b, "type %q %q\n", t.Type, t.Unit)
	}
	fmt.Fprintf(&b, "period %q %q %d time %d %d default %q drop %q keep %q doc %q comments %q\n", p.PeriodType.Type, p.PeriodType.Unit, p.Period,
		p.TimeNanos, p.DurationNanos, p.DefaultSampleType, p.DropFrames, p.KeepFrames, p.DocURL, p.Comments)
	mapping := func(m *pprof.Mapping) string {
		if m == nil {
			return "none"
		}
		return fmt.Sprintf("%d %x-%x +%x %q %q %v %v %v %v", m.ID, m.Start, m.Limit, m.Offset, m.File, m.BuildID,
			m.HasFunctions, m.HasFilenames, m.HasLineNumbers, m.HasInlineFrames)
	}
	function := func(f *pprof.Function) string {
		return fmt.Sprintf("%q %q %q %d", f.Name, f.SystemName, f.Filename, f.StartLine)
	}
	position := map[*pprof.Location]int{}
	for _, m := range p.Mapping {
		fmt.Fprintf(&b, "mapping %s\n", mapping(m))
	}
	for _, f := range p.Function {
		fmt.Fprintf(&b, "function %s\n", function(f))
	}
	for i, l := range p.Location {
		var s strings.Builder
		s.WriteString(fmt.Sprintf("%x %v %s", l.Address, l.IsFolded, mapping(l.Mapping)))
		for _, line := range l.Line {
			s.WriteString(fmt.Sprintf(" [%s %d:%d]", function(line.Function), line.Line, line.Column))
		}
		position[l] = i
		fmt.Fprintf(&b, "location %s\n", s.String())
	}
	for _, s := range p.Sample {
		// fmt prints maps in the order of their keys.
		fmt.Fprintf(&b, "sample %d %q %v %q\n", s.Value, s.Label, s.NumLabel, s.NumUnit)
		for _, l := range s.Location {
			b.WriteString(" " + strconv.Itoa(position[l]))
		}
	}
	return b.String()
}

// exception names the documented exception of an error, or "".
func exception(err error) string {
	for _, e := range []string{
		"can be held", "more than 16777216", "more than 1073741824",
	} {
		if err != nil && strings.Contains(err.Error(), e) {
			return e
		}
	}
	return ""
}

// agree fails the test unless wire and google/pprof say the same of data.
// Documented exceptions: zstd and bytes after the gzip stream are read by wire
// alone, limits and reserved flags of gzip headers are refused by wire alone.
func agree(t *testing.T, r *wire.Reader, data []byte) {
	t.Helper()
	want, wantErr := peer(data)
	got, f, err := read(r, data)
	var stream *wire.StreamError
	switch {
	case err == nil && (f.Codec == "zstd" || f.Extra != 0):
		return
	case exception(err) != "":
		return
	case errors.As(err, &stream) && strings.Contains(err.Error(), "invalid header"):
		return
	case (err == nil) != (wantErr == nil):
		t.Fatalf("got error %v, google/pprof has %v, for %d bytes %.200q", err, wantErr, len(data), data)
	case err != nil:
		return
	}
	if g, w := dump(got), dump(want); g != w {
		t.Fatalf("profiles differ, %s", firstDifference(g, w))
	}
	for i := range want.SampleType {
		g, w := costsOf(t, r, data, i), peerCosts(want, i)
		if g != w {
			t.Fatalf("flat and cum of value %d differ, %s", i, firstDifference(g, w))
		}
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range g {
		if i == len(w) || g[i] != w[i] {
			return fmt.Sprintf("line %d: got %.300q, want %.300q", i, g[i:min(i+1, len(g))], w[i:min(i+1, len(w))])
		}
	}
	return fmt.Sprintf("got %d lines, want %d", len(g), len(w))
}
