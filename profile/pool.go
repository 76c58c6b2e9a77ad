package profile

import (
	"maps"
	"slices"
	"sync"

	"github.com/allocdiff/allocdiff/profile/internal/wire"
)

// PoolOptions says how samples are assigned to thread pools. The zero value is
// the default: labels, then thread names, then Go entry functions.
type PoolOptions struct {
	By    string     // "auto" or "", "label:KEY", "thread", "root", "none"
	Rules []PoolRule // tried before anything else, but not by "none"
}

// Rows for samples that no rule can place. They are printed like any pool:
// nothing is spread over the others or dropped.
const (
	noStackName  = "(no stack)"
	stackCut     = "(stack cut)"
	noThreadName = "(no thread label)"
	allPools     = "(all)"
)

// pools interns pool names for both sides and remembers why each exists.
type pools struct {
	mu   sync.Mutex
	ids  map[string]int32
	list []poolInfo
}

type poolInfo struct {
	name      string
	rule      string // that found it first
	anonymous bool
	raw       map[string]bool // the raw names folded into it
}

func newPools() *pools { return &pools{ids: make(map[string]int32)} }

// id returns the number of a pool, remembering the rule that led to it and one
// raw name that was folded into it.
func (p *pools) id(name, rule, raw string, anonymous bool) int32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	id, ok := p.ids[name]
	if !ok {
		id = int32(len(p.list))
		p.ids[name] = id
		p.list = append(p.list, poolInfo{name: name, rule: rule, raw: make(map[string]bool)})
	}
	in := &p.list[id]
	in.anonymous = in.anonymous || anonymous
	if rule < in.rule { // both sides load at once: the choice must not depend on who came first
		in.rule = rule
	}
	if raw != "" {
		in.raw[raw] = true
	}
	return id
}

// name returns the name of a pool.
func (p *pools) name(id int32) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.list[id].name
}

// from remembers one more raw name of a pool.
func (p *pools) from(id int32, raw string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list[id].raw[raw] = true
}

func (p *pools) snapshot() []poolInfo {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.list[:len(p.list):len(p.list)]
}

// pooler decides the pool of each sample of one file.
type pooler struct {
	opts    *PoolOptions
	file    *wire.File
	names   []name
	pools   *pools
	learned *prefixTree // nil while learning
	golang  bool        // stacks are Go's: the root is a goroutine's entry function
	cut     int         // frames at which the producer cuts stacks; 0 unknown

	labels  map[wire.Label]labelPool // by key and value; zero value: tells nothing
	entries map[int32]int32          // entry function -> pool
	taught  map[int32]bool           // functions at which a learned name was found
	matches map[ruleName]string      // user rule on name -> pool name
	texts   map[ruleLabel]string     // user rule on label -> pool name
	threads map[int32]map[int64]bool // pool -> thread identities seen

	none, cutPool, noStack int32
	bytesKey               int32 // the label that tells nothing of pools; -1: absent
	difference             bool  // a label says that the profile is itself a difference
	looked                 int   // frames from the root that the last decision read; -1 if labels decided
	last                   int32
	lastReason             int
}

type ruleName struct{ rule, name int32 }

type ruleLabel struct {
	rule  int32
	label wire.Label
}

// Identities of threads: by a label that is one, by the text of a name, by a
// root frame.
const (
	noThread   = int64(-1)
	rootThread = int64(1) << 32
)

// poolReasons are the ways in which a sample finds its pool, most explicit
// first; the order is that of the report of coverage.
var poolReasons = [...]string{"user rules", "pool labels", "thread names", "names learned from CPU labels", "entry functions", "no rule"}

const (
	byRule = iota
	byPoolLabel
	byThread
	byLearned
	byEntry
	byNothing
)

func newPooler(o *PoolOptions, prof *Profile, n []name, p *pools, learned *prefixTree) *pooler {
	return &pooler{
		opts: o, file: prof.file, names: n, pools: p, learned: learned, golang: prof.Go,
		bytesKey: bytesKey(prof.file),
		labels:   make(map[wire.Label]labelPool),
		entries:  make(map[int32]int32),
		matches:  make(map[ruleName]string),
		texts:    make(map[ruleLabel]string),
		taught:   make(map[int32]bool),
		threads:  make(map[int32]map[int64]bool),
		none:     p.id(noThreadName, "no label and no entry function", "", false),
		cutPool:  p.id(stackCut, "the stack was cut by the profiler and lost its root", "", false),
		noStack:  p.id(noStackName, "the sample has no stack", "", false),
		looked:   -1,
	}
}

// pool places a sample and says by which of poolReasons. frames are its
// functions from the root, shared of them as in the sample before.
func (p *pooler) pool(s *wire.Sample, frames []int32, shared int) (int32, int) {
	if p.looked > 0 && shared >= p.looked && !p.isCut(frames) && len(p.opts.Rules) == 0 && p.plain(s) {
		return p.last, p.lastReason
	}
	p.looked = -1
	label, thread := p.readLabels(s)
	p.last, p.lastReason = p.decide(s, label, frames)
	p.see(p.last, thread)
	return p.last, p.lastReason
}

// plain reports whether the labels of a sample say nothing about its pool.
func (p *pooler) plain(s *wire.Sample) bool {
	for i := range s.Labels {
		if s.Labels[i].Key != p.bytesKey {
			return false
		}
	}
	return true
}

// isCut reports whether the profiler may have cut the stack.
func (p *pooler) isCut(frames []int32) bool { return p.cut > 0 && len(frames) >= p.cut }

func (p *pooler) decide(s *wire.Sample, label labelPool, frames []int32) (int32, int) {
	by := p.opts.By
	if by == "none" {
		return p.pools.id(allPools, "--pool-by none", "", false), byNothing
	}
	if pool, ok := p.byRules(s, frames); ok {
		return pool, byRule
	}
	switch {
	case label.known && by != "root" && label.class == poolKey:
		return label.pool, byPoolLabel
	case label.known && by != "root":
		return label.pool, byThread
	case len(frames) == 0:
		return p.noStack, byNothing
	}
	return p.byRoot(frames)
}

// see remembers that a thread ran in a pool.
func (p *pooler) see(pool int32, thread int64) {
	if thread == noThread {
		return
	}
	seen := p.threads[pool]
	if seen == nil {
		seen = make(map[int64]bool)
		p.threads[pool] = seen
	}
	seen[thread] = true
}

// byRules tries the user's rules in order.
func (p *pooler) byRules(s *wire.Sample, frames []int32) (int32, bool) {
	for i := range p.opts.Rules {
		r := &p.opts.Rules[i]
		name := ""
		if r.Form == "" || r.Form == "label" {
			name = p.matchLabels(int32(i), r, s.Labels)
		}
		if name == "" && r.Form != "label" {
			name = p.matchFrames(int32(i), r, frames)
		}
		if name != "" {
			return p.pools.id(name, "rule "+r.String(), "", false), true
		}
	}
	return 0, false
}

// matchLabels returns what a rule makes of the labels of a sample. Where several
// match, the first name in the alphabet counts: labels have no order.
func (p *pooler) matchLabels(i int32, r *PoolRule, labels []wire.Label) string {
	first := ""
	for _, l := range labels {
		key := ruleLabel{i, l}
		name, ok := p.texts[key]
		if !ok {
			name = r.matchLabel(p.file.String(l.Key), p.value(l), l.Str != 0)
			p.texts[key] = name
		}
		if name != "" && (first == "" || name < first) {
			first = name
		}
	}
	return first
}

func (p *pooler) matchFrames(i int32, r *PoolRule, frames []int32) string {
	switch {
	case len(frames) == 0:
		return ""
	case r.Form == "leaf":
		frames = frames[len(frames)-1:]
	case r.Form == "root":
		at := p.entryAt(frames)
		frames = frames[at : at+1]
	}
	for _, f := range frames {
		key := ruleName{i, f}
		name, ok := p.matches[key]
		if !ok {
			name = r.match(p.names[f].text)
			p.matches[key] = name
		}
		if name != "" {
			return name
		}
	}
	return ""
}

// rawNames returns up to three raw names folded into the pool, sorted.
func (in *poolInfo) rawNames() []string {
	raw := slices.Sorted(maps.Keys(in.raw))
	return raw[:min(len(raw), 3)]
}
