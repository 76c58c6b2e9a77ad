package profile

import (
	"math"
	"regexp"
	"strings"

	"github.com/allocdiff/allocdiff/profile/internal/noise"
)

// doubts are about the profiles of one side.
func (s *Side) doubts(add adder) {
	for _, p := range s.Profiles {
		for _, w := range p.Warnings {
			add("%s: %s", p.Name, w)
		}
		if p.Difference {
			add("%s is itself a difference of two profiles (pprof -diff_base): its values are no amounts", p.Name)
		}
		if p.Samples == 0 {
			add("%s holds 0 samples", p.Name)
		}
		if p.Kind == Heap && p.Period > noise.MaxHeapPeriod {
			add("%s: the Go runtime does not sample as rarely as 1 per %d bytes: values are biased", p.Name, p.Period)
		}
		if p.metric(Metric{"allocations", "count"}) >= 0 {
			add("%s counts sampled allocations, not bytes: convert the recording with jfrconv --total for bytes", p.Name)
		}
		if p.CutNames {
			add("%s: thread names are cut at %d bytes, as the Linux kernel keeps them: pools whose names start alike are one", p.Name, commSize)
		}
	}
	for _, c := range s.Costs {
		for i, e := range c.events {
			if e.misfits > 0 && e.heap {
				add("%s: %d rows of %s are not what the Go runtime writes at this rate: their noise is not known well", s.Label, e.misfits, c.Metrics[i])
			}
		}
		s.shares(c, add)
	}
}

// telling is the share of the main metric from which on something is worth a
// warning.
const telling = 0.01

var (
	bareRE   = regexp.MustCompile(`(^|\+)0x[0-9a-f]+$`)
	writerRE = regexp.MustCompile(`^runtime/pprof\.(profileWriter|\(\*profileBuilder\)|\(\*Profile\)\.WriteTo|WriteHeapProfile|write|newProfileBuilder|allFrames|printCount|StartCPUProfile|StopCPUProfile)`)
)

// isWriter reports whether a function is what runtime/pprof does to write a
// profile; not what it does for labels.
func isWriter(function string) bool {
	return strings.HasPrefix(function, "runtime/pprof.") && writerRE.MatchString(function)
}

// shares warns of what takes a telling share: stacks without their root, code
// without names, the profiler itself.
func (s *Side) shares(c *Costs, add adder) {
	main := c.main()
	noun, total := c.Metrics[main].Noun(), math.Abs(float64(c.totalOf(main).Value))
	say := func(value int64, what string) {
		if share := float64(value) / total; share > telling {
			add("%s: %.1f%% of %s %s", s.Label, 100*share, noun, what)
		}
	}
	if total == 0 {
		return
	}
	for id, in := range s.pools.snapshot() {
		if cell := c.pools.find(0, int32(id)); in.name == stackCut && cell >= 0 {
			hint := ""
			if c.Kind == Heap {
				hint = " (GODEBUG=profstackdepth=1024 keeps them)"
			}
			say(c.pools.at(cell)[main].Value, "is in stacks that the profiler cut, so that their pool is not known"+hint)
		}
	}
	if by := s.opts.By; by != "" && by != "function" {
		return // rows are no functions
	}
	say(s.bare(c, main), "is in code without function names, shown by address: record it with symbols, or symbolise it")
	if c.Kind == Heap {
		value, name := s.writer(c, main)
		if 5*telling*total < math.Abs(float64(value)) { // a heap profile always holds some of it
			say(value, "was allocated by the profiler itself, in "+name)
		}
	}
}

// bare is the flat value of locations without symbols.
func (s *Side) bare(c *Costs, metric int) (value int64) {
	locations := 0
	for _, p := range s.Profiles {
		if p.Kind == c.Kind {
			locations += p.Bare
		}
	}
	if locations == 0 {
		return 0 // what looks like an address is the name of a class
	}
	names := s.names.snapshot()
	for i, k := range c.flat.keys {
		if bareRE.MatchString(names[k.name].text) {
			value += c.flat.at(i)[metric].Value
		}
	}
	return value
}

// writer returns what was allocated to write profiles, and the function in which
// most of it was.
func (s *Side) writer(c *Costs, metric int) (value int64, name string) {
	names := s.names.snapshot()
	most := int64(0)
	for i, k := range c.writer.keys {
		text, v := names[k.name].text, c.writer.at(i)[metric].Value
		value += v
		if v > most || v == most && text < name {
			most, name = v, text
		}
	}
	return value, name
}
