package profile

import (
	"errors"
	"fmt"
	"math/bits"
	"path"
	"strings"

	"github.com/allocdiff/allocdiff/profile/internal/wire"
)

// newAttributor prepares the walk through one profile.
func (l *loader) newAttributor(p *Profile, learned *prefixTree, c *Costs) *attributor {
	f := p.file
	a := &attributor{
		p: p, c: c, width: len(p.Metrics), byPool: !l.opts.Lean, cum: !l.opts.Lean || l.opts.Cum,
		bytesKey: bytesKey(f),
		depth:    make([]int32, 1, 128),
		values:   make([]Estimate, len(p.Metrics)),
	}
	a.first, a.functions = l.frames(f, l.functionNames(f))
	a.lines = a.functions
	if by := l.opts.By; by != "" && by != "function" {
		a.lines = l.rows(f, by)
	}
	a.noStack = l.names.id(noStackName)
	names := l.names.snapshot()
	a.open = make([]int32, len(names))
	a.traits = make([]traits, len(names))
	for i := range names {
		a.traits[i] = names[i].traits
	}
	a.traits[a.noStack] = traits{}
	c.present = append(c.present, make([]bool, max(0, len(names)-len(c.present)))...)
	if p.heapRate() > 0 {
		a.heap = newHeapModel(p)
	}
	a.pooler = newPooler(&l.opts.Pools, p, names, l.pools, learned)
	a.pooler.cut = l.cutDepth(p, a.first)
	f.Forget()
	return a
}

// bytesKey returns the string index of the label key of object sizes.
func bytesKey(f *wire.File) int32 {
	for i := range int32(f.NumStrings()) {
		if string(f.Bytes(i)) == "bytes" {
			return i
		}
	}
	return -1
}

// functionNames interns the names of all functions of a file.
func (l *loader) functionNames(f *wire.File) []int32 {
	ids := make([]int32, len(f.Functions))
	for i := range f.Functions {
		ids[i] = l.names.idOf(functionName(f, int32(i)))
	}
	return ids
}

func functionName(f *wire.File, i int32) []byte {
	fn := &f.Functions[i]
	if name := f.Bytes(fn.Name); len(name) > 0 {
		return name
	}
	if name := f.Bytes(fn.SystemName); len(name) > 0 {
		return name
	}
	return []byte("(no name)")
}

// frames lists the functions of the frames of every location, leaf first, and
// where each location's list starts. A location without symbols is one frame
// named by its address.
func (l *loader) frames(f *wire.File, ids []int32) (first, functions []int32) {
	first = make([]int32, len(f.Locations)+1)
	functions = make([]int32, 0, len(f.Locations)*5/4)
	for i := range f.Locations {
		first[i] = int32(len(functions))
		lines := f.LinesOf(int32(i))
		for _, line := range lines {
			functions = append(functions, ids[line.Function])
		}
		if len(lines) == 0 {
			functions = append(functions, l.names.id(bareLocation(f, i)))
		}
	}
	first[len(f.Locations)] = int32(len(functions))
	return first, functions
}

func bareLocation(f *wire.File, i int) string {
	loc := &f.Locations[i]
	file := ""
	if loc.Mapping >= 0 {
		file = f.Mappings[loc.Mapping].File
	}
	return bareName(file, loc.Address)
}

// rows names every frame by package, file or line in place of its function.
func (l *loader) rows(f *wire.File, by string) []int32 {
	var rows []int32
	for i := range f.Locations {
		lines := f.LinesOf(int32(i))
		for _, line := range lines {
			fn := &f.Functions[line.Function]
			name := string(functionName(f, line.Function))
			file := f.String(fn.Filename)
			if file == "" {
				file = "(no file)"
			}
			switch by {
			case "package":
				name = packageOf(name)
			case "file":
				name = l.trim(file)
			case "line":
				name = fmt.Sprintf("%s %s:%d", name, path.Base(file), line.Line)
			}
			rows = append(rows, l.names.id(clean(name)))
		}
		if len(lines) == 0 {
			rows = append(rows, l.names.id(bareLocation(f, i)))
		}
	}
	return rows
}

// trim makes source paths of two builds meet: the user's prefixes go, and what
// stands before a module path in the module cache.
func (l *loader) trim(file string) string {
	for _, prefix := range l.opts.TrimPath {
		if rest, ok := strings.CutPrefix(file, strings.TrimSuffix(prefix, "/")+"/"); ok {
			file = rest
			break
		}
	}
	if _, rest, ok := strings.Cut(file, "/pkg/mod/"); ok {
		file = rest
	}
	return moduleVersion.ReplaceAllString(file, "")
}

// probe is how many samples are looked at before the walk, to tell where stacks
// are cut and which module the program belongs to.
const probe = 4096

var errEnough = errors.New("enough")

// peek walks the first samples.
func peek(p *Profile, fn func(*wire.Sample)) error {
	n := 0
	err := p.file.Walk(func(s *wire.Sample) error {
		fn(s)
		if n++; n == probe {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// depths are those of the deepest of the first stacks of a profile.
type depths struct{ locations, frames int }

func (d *depths) see(s *wire.Sample, first []int32) {
	n := 0
	for _, loc := range s.Locations {
		n += int(first[loc+1] - first[loc])
	}
	d.locations, d.frames = max(d.locations, len(s.Locations)), max(d.frames, n)
}

// cutDepth tells at how many frames the profiler cut its stacks: Go keeps 128
// of the leaf end, inlined ones included (64 for CPU, 32 before Go 1.23), and a
// stack that was cut has lost the root that would name its pool. 0 for other
// languages.
func (l *loader) cutDepth(p *Profile, first []int32) int {
	if !p.Go {
		return 0
	}
	if p.deepest == (depths{}) { // else guessModule has looked
		// An error comes back when the profile is walked in earnest.
		_ = peek(p, func(s *wire.Sample) { p.deepest.see(s, first) })
	}
	// Older Go versions do not count inlined frames.
	for _, deepest := range []int{p.deepest.frames, p.deepest.locations} {
		if deepest >= 32 && bits.OnesCount(uint(deepest)) == 1 {
			return deepest
		}
	}
	if p.Kind == Time {
		return 64
	}
	return 128
}

// guessModule returns the module that owners are looked for in: the one that
// most stacks of both sides start in.
func guessModule(wish string, readers ...*sideReader) (string, error) {
	switch wish {
	case "":
	case "-":
		return "", nil
	default:
		return wish, nil
	}
	votes := make(map[string]int)
	total := 0
	for _, r := range readers {
		p := r.side.Profiles[0]
		if !p.Go {
			return "", nil
		}
		first, functions := r.frames(p.file, r.functionNames(p.file))
		names := r.names.snapshot()
		err := peek(p, func(s *wire.Sample) {
			p.deepest.see(s, first)
			for i := len(s.Locations) - 1; i >= 0; i-- {
				for j := first[s.Locations[i]+1] - 1; j >= first[s.Locations[i]]; j-- {
					if m := names[functions[j]].module; m != "" {
						votes[m]++
						total++
						return
					}
				}
			}
		})
		if err != nil {
			return "", fmt.Errorf("%s: %w", p.Name, explain(err))
		}
	}
	for m, n := range votes {
		if 2*n > total { // more than half: at most one can have it
			if m == "main" {
				return "", nil // a program's packages cannot be told from its libraries
			}
			return m, nil
		}
	}
	return "", nil
}

// learnFrom counts the pool labels of a CPU profile by the frames at the root.
func (r *sideReader) learnFrom(p *Profile) error {
	f := p.file
	first, functions := r.frames(f, r.functionNames(f))
	pooler := newPooler(&r.opts.Pools, p, r.names.snapshot(), r.pools, nil)
	count := max(p.metric(CPU), 0)
	per := 1.0
	if p.Metrics[count].Unit == "nanoseconds" && p.Period > 0 {
		per = float64(p.Period)
	}
	var path []int32
	return f.Walk(func(s *wire.Sample) error {
		if s.Values[count] <= 0 { // differences of profiles teach no name
			return nil
		}
		path = path[:0]
		for i := len(s.Locations) - 1; i >= 0 && len(path) < prefixDepth; i-- {
			for j := first[s.Locations[i]+1] - 1; j >= first[s.Locations[i]]; j-- {
				path = append(path, functions[j])
			}
		}
		pool, ok := pooler.byRules(s, nil)
		if !ok {
			var label labelPool
			if label, _ = pooler.readLabels(s); label.known {
				pool = label.pool
			} else {
				pool = noPool
			}
		}
		r.tree.add(path, pool, float64(s.Values[count])/per)
		return nil
	})
}
