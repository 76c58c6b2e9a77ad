package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path"
	"runtime"
	rpprof "runtime/pprof"
	"strings"

	pprof "github.com/google/pprof/profile"

	"github.com/allocdiff/allocdiff/examples/engine/pool"
)

// module is the module's path, which file names in profiles are relative to.
const module = "github.com/allocdiff/allocdiff"

// comments are what a profile says of its run; allocdiff reads them.
type comments struct {
	ticket, variant string
	ops             int
	pools           pool.Set
}

// lines returns the comments in allocdiff's notation.
func (c comments) lines() []string {
	lines := []string{
		fmt.Sprintf("allocdiff.ops=%d", c.ops),
		"allocdiff.ticket=" + c.ticket,
		"allocdiff.variant=" + c.variant,
	}
	for _, p := range c.pools {
		lines = append(lines, fmt.Sprintf("allocdiff.threads.%s=%d", p.Name(), p.Threads()))
	}
	return lines
}

// snapshot returns what has been allocated so far. A heap profile lags behind
// by up to two collections, hence two.
//
//go:noinline
func snapshot() (*pprof.Profile, error) {
	runtime.GC()
	runtime.GC()
	var buf bytes.Buffer
	if err := rpprof.Lookup("allocs").WriteTo(&buf, 0); err != nil {
		return nil, fmt.Errorf("reading the heap profile: %w", err)
	}
	return parseProfile(&buf)
}

func parseProfile(r io.Reader) (*pprof.Profile, error) {
	p, err := pprof.Parse(r)
	if err != nil {
		return nil, fmt.Errorf("decoding the runtime's profile: %w", err)
	}
	return p, nil
}

// snapshotFunc is in every stack of the recorder's own allocations.
const snapshotFunc = "main.snapshot"

// subtract takes what base counts as allocated out of p, which comes later in
// the same process, stack by stack and size by size, so that what is left is
// scaled as Go scales it. What was in use at the end stays. Rows of which
// nothing is left go, as do those of snapshot itself, which ran in between.
func subtract(p, base *pprof.Profile) {
	earlier := make(map[string]*pprof.Sample, len(base.Sample))
	for _, s := range base.Sample {
		earlier[sampleKey(s)] = s
	}
	kept := p.Sample[:0]
	for _, s := range p.Sample {
		if b := earlier[sampleKey(s)]; b != nil {
			for i, t := range p.SampleType {
				if strings.HasPrefix(t.Type, "alloc_") {
					s.Value[i] -= b.Value[i]
				}
			}
		}
		if !zero(s) && !calls(s, snapshotFunc) {
			kept = append(kept, s)
		}
	}
	p.Sample = kept
}

// sampleKey identifies a row of a heap profile within its process: the return
// addresses and the size of the objects.
func sampleKey(s *pprof.Sample) string {
	var key []byte
	for _, n := range s.NumLabel["bytes"] {
		key = binary.AppendVarint(key, n)
	}
	for _, l := range s.Location {
		key = binary.LittleEndian.AppendUint64(key, l.Address)
	}
	return string(key)
}

func zero(s *pprof.Sample) bool {
	for _, v := range s.Value {
		if v != 0 {
			return false
		}
	}
	return true
}

func calls(s *pprof.Sample, function string) bool {
	for _, l := range s.Location {
		for _, line := range l.Line {
			if line.Function != nil && line.Function.Name == function {
				return true
			}
		}
	}
	return false
}

// writeProfile adds the comments, takes out where the program was built, and
// writes the file.
func writeProfile(name string, p *pprof.Profile, c comments) error {
	p.Comments = append(p.Comments, c.lines()...)
	for _, m := range p.Mapping {
		m.File = path.Base(strings.ReplaceAll(m.File, `\`, "/"))
		if m == p.Mapping[0] {
			m.File = "enginebench"
		}
	}
	for _, f := range p.Function {
		f.Filename = sourceName(f)
	}
	p = p.Compact()
	var buf bytes.Buffer
	if err := p.Write(&buf); err != nil {
		return fmt.Errorf("encoding the profile: %w", err)
	}
	if err := os.WriteFile(name, buf.Bytes(), 0o644); err != nil {
		return fmt.Errorf("writing the profile: %w", err)
	}
	return nil
}

// sourceName is a function's file below its module or below the standard
// library, the same for every place and way of building.
func sourceName(f *pprof.Function) string {
	if f.Filename == "" {
		return ""
	}
	file := path.Base(strings.ReplaceAll(f.Filename, `\`, "/"))
	pkg := packageOf(f.Name)
	if pkg == "main" {
		pkg = module + "/examples/enginebench"
	}
	return strings.TrimPrefix(path.Join(pkg, file), module+"/")
}

// packageOf returns the import path in a function's name.
func packageOf(function string) string {
	name, _, _ := strings.Cut(function, "[")
	slash := strings.LastIndex(name, "/")
	dot := strings.Index(name[slash+1:], ".")
	if dot < 0 {
		return ""
	}
	return name[:slash+1+dot]
}
