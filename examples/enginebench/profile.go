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
	return p.Compact(), nil // the runtime may write a stack and size in several rows
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
		f.Filename = sourceName(f.Filename)
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

// root is where the module lies in the names of its source files: a folder, or
// the module's path if it was built with -trimpath.
var root = func() string {
	_, file, _, _ := runtime.Caller(0)
	return strings.TrimSuffix(file, "examples/enginebench/profile.go")
}()

// sourceName shortens a source file's name to what is the same on every
// machine: below the module, the module cache or the standard library.
func sourceName(file string) string {
	file = strings.ReplaceAll(file, `\`, "/")
	if rest, ok := strings.CutPrefix(file, root); ok {
		return rest
	}
	const cache, toolchain, library = "/pkg/mod/", "golang.org/toolchain@", "/src/"
	if i := strings.LastIndex(file, cache); i >= 0 && !strings.HasPrefix(file[i+len(cache):], toolchain) {
		return file[i+len(cache):]
	}
	if i := strings.LastIndex(file, library); i >= 0 {
		return file[i+len(library):]
	}
	if path.IsAbs(file) {
		return path.Base(file)
	}
	return file
}
