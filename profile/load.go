package profile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/allocdiff/allocdiff/profile/internal/wire"
)

// Profile is one loaded profile: its header, and a way to walk its samples.
type Profile struct {
	InputInfo
	Metrics    []Metric
	Default    string         // sample type that the file wants shown first, as pprof understands it
	Threads    map[string]int // declared threads by pool; nil when not declared
	Delta      bool           // fetched with ?seconds=N: the difference of two snapshots
	Difference bool           // saved by pprof -diff_base: before and after in one file
	TypeLeaf   bool           // the leaf frame is the allocated class, as async-profiler writes it
	Go         bool           // stacks are Go's
	Bare       int            // locations without a name
	CutNames   bool           // thread names look cut by the kernel; see cutAtComm
	Warnings   []string       // doubts about this file

	file    *wire.File
	in      io.ReadSeekCloser
	deepest depths // zero until somebody has looked
}

// read opens an input, checks it, and reads everything but the samples.
func (l *loader) read(in Input, r *wire.Reader) (*Profile, error) {
	file, warnings, err := in.normalise()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	data := meter{file, l}
	f, err := r.Open(data)
	if err != nil {
		_ = data.Close() // the read error is the one to report
		return nil, fmt.Errorf("%s: %w", in.Name, explain(err))
	}
	if f.Extra > 0 {
		warnings = append(warnings, fmt.Sprintf("extra data after the profile, from byte %d on, was ignored", f.Extra))
	}
	p := &Profile{file: f, in: data, Warnings: warnings}
	p.InputInfo = InputInfo{
		Name:       in.Name,
		SHA256:     fmt.Sprintf("%x", f.SHA256),
		Time:       f.TimeNanos,
		Duration:   f.DurationNanos,
		Period:     f.Period,
		PeriodType: Metric(f.PeriodType),
		Samples:    f.NumSamples(),
	}
	for _, t := range f.SampleTypes {
		m := Metric{clean(t.Type), clean(t.Unit)}
		if p.metric(m) >= 0 {
			p.Warnings = append(p.Warnings, fmt.Sprintf("sample type %s occurs twice: the first one is used", m))
		}
		p.Metrics = append(p.Metrics, m)
	}
	if len(p.Metrics) == 0 {
		p.close()
		return nil, fmt.Errorf("%s: not a profile: it declares no sample type; give a pprof profile", in.Name)
	}
	p.Kind = kindOf(p.Metrics)
	p.Default = f.DefaultType
	if p.Default == "" { // as pprof does
		p.Default = p.Metrics[len(p.Metrics)-1].Type
	}
	p.Delta = p.Kind == Heap && p.Duration > 0
	p.header(f)
	return p, nil
}

// header takes over what the tables say about the program and the run.
func (p *Profile) header(f *wire.File) {
	for _, c := range f.Comments {
		c = clean(c)
		p.Comments = append(p.Comments, c)
		if c == "Produced by async-profiler" && p.Metrics[0].Type == "allocations" {
			p.TypeLeaf = true
		}
		key, value, ok := strings.Cut(c, "=")
		if !ok {
			continue
		}
		if pool, ok := strings.CutPrefix(key, "allocdiff.threads."); ok {
			if n, err := strconv.Atoi(value); err == nil && n > 0 {
				if p.Threads == nil {
					p.Threads = make(map[string]int)
				}
				p.Threads[pool] = n
			}
		}
		if key == "allocdiff.ops" {
			if n, err := strconv.ParseFloat(value, 64); err == nil && n > 0 {
				p.Ops = n
			} else {
				p.Warnings = append(p.Warnings, fmt.Sprintf("comment %q does not hold a number of operations", c))
			}
		}
	}
	if len(f.Mappings) > 0 {
		p.BuildID = clean(f.Mappings[0].BuildID)
	}
	for i := range f.Locations {
		if len(f.LinesOf(int32(i))) == 0 {
			p.Bare++
		}
	}
	for i := range f.Functions {
		if isGo(f.Bytes(f.Functions[i].Name)) {
			p.Go = true
			break
		}
	}
}

// isGo recognises names that only Go programs have: a heap profile need not
// hold any function of the runtime.
func isGo(name []byte) bool {
	return bytes.HasPrefix(name, []byte("runtime.")) || bytes.Contains(name, []byte(".(*")) || string(name) == "main.main"
}

func (p *Profile) close() {
	if p.in != nil {
		_ = p.in.Close() // opened for reading: nothing can be lost
		p.in, p.file = nil, nil
	}
}

// metric returns the index of a sample type; -1 when the profile lacks it.
func (p *Profile) metric(m Metric) int { return slices.Index(p.Metrics, m) }

// heapRate returns the sampling period of a heap profile whose events can be
// recovered as the Go runtime sampled them, 0 for any other profile.
func (p *Profile) heapRate() int64 {
	if p.Kind == Heap && p.PeriodType == (Metric{"space", "bytes"}) && (p.metric(AllocSpace) >= 0 || p.metric(InuseSpace) >= 0) {
		return max(p.Period, 0)
	}
	return 0
}

// Rate is the sampling rate in words.
func (in *InputInfo) Rate() string {
	return cmp.Or(FormatRate(in.PeriodType, float64(in.Period)), "unknown rate")
}

// explain adds to a reader's error what to do about it.
func explain(err error) error {
	var stream *wire.StreamError
	var joined *wire.ConcatenatedError
	var syntax *wire.SyntaxError
	switch {
	case errors.As(err, &joined):
		return err
	case errors.Is(err, wire.ErrEmpty), errors.As(err, &stream):
		return fmt.Errorf("%w; record or copy the profile again", err)
	case errors.As(err, &syntax):
		return fmt.Errorf("%w; give a pprof profile (gzip, zstd, raw or legacy text)", err)
	}
	return fmt.Errorf("%w; record it again", err)
}
