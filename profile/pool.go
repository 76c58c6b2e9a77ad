package profile

import (
	"fmt"
	"sort"
	"sync"

	"github.com/allocdiff/allocdiff/profile/internal/wire"
)

// PoolOptions says how samples are assigned to thread pools. The zero value is
// the default: labels, then thread names, then Go entry functions.
type PoolOptions struct {
	By    string     // "auto" or "", "label:KEY", "thread", "root", "none"
	Rules []PoolRule // tried before anything else
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
	raw       map[string]bool // a few raw names folded into it
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
	cut     int         // locations at which the producer cuts stacks; 0 unknown

	labels  map[wire.Label]labelPool // by key and value; zero value: tells nothing
	entries map[int32]int32          // entry function -> pool
	taught  map[int32]bool           // functions at which a learned name was found
	matches map[ruleName]string      // user rule on name -> pool name
	threads map[int32]map[int64]bool // pool -> thread identities seen

	none, cutPool, noStack int32
	bytesKey               int32 // the label that tells nothing of pools; -1: absent
	difference             bool  // a label says that the profile is itself a difference
	looked                 int   // frames from the root that the last decision read; -1 if labels decided
	last                   int32
	lastReason             int
}

type ruleName struct{ rule, name int32 }

type labelPool struct {
	known bool
	class labelClass
	rank  int
	pool  int32
}

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
	if p.looked > 0 && shared >= p.looked && len(p.opts.Rules) == 0 && p.plain(s) {
		return p.last, p.lastReason
	}
	p.last, p.lastReason = p.decide(s, frames)
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

func (p *pooler) decide(s *wire.Sample, frames []int32) (int32, int) {
	p.looked = -1
	if p.opts.By == "none" {
		return p.pools.id(allPools, "--pool-by none", "", false), byNothing
	}
	if pool, ok := p.byRules(s, frames); ok {
		return pool, byRule
	}
	if p.opts.By != "root" {
		if pool, class, ok := p.byLabels(s); ok {
			if class == poolKey {
				return pool, byPoolLabel
			}
			return pool, byThread
		}
	}
	if len(frames) == 0 {
		return p.noStack, byNothing
	}
	if p.opts.By == "" || p.opts.By == "auto" || p.opts.By == "root" {
		return p.byRoot(frames, len(s.Locations))
	}
	return p.none, byNothing
}

// byLabels looks for the most explicit label of the sample.
func (p *pooler) byLabels(s *wire.Sample) (int32, labelClass, bool) {
	best := labelPool{}
	identity := int64(-1)
	for _, l := range s.Labels {
		lp, ok := p.labels[l]
		if !ok {
			lp = p.readLabel(l)
			p.labels[l] = lp
		}
		if !lp.known {
			continue
		}
		if lp.class == identityKey {
			identity = int64(lp.pool)
			continue
		}
		if !best.known || lp.class < best.class || lp.class == best.class && lp.rank < best.rank {
			best = lp
		}
		if lp.class == threadKey && identity < 0 {
			identity = -2 - int64(l.Str)
		}
	}
	if best.known && identity != -1 {
		seen := p.threads[best.pool]
		if seen == nil {
			seen = make(map[int64]bool)
			p.threads[best.pool] = seen
		}
		seen[identity] = true
	}
	return best.pool, best.class, best.known
}

// readLabel says what one label tells about the pool. An identity label keeps a
// number for the thread in place of the pool.
func (p *pooler) readLabel(l wire.Label) labelPool {
	key := p.file.String(l.Key)
	if key == "pprof::base" {
		p.difference = true
	}
	class, rank, ok := rankLabel(key, p.opts.By)
	if !ok {
		return labelPool{}
	}
	if class == identityKey {
		return labelPool{known: true, class: class, pool: int32(len(p.labels))}
	}
	value := clean(p.file.String(l.Str))
	if l.Str == 0 {
		value = fmt.Sprint(l.Num)
	}
	if class == poolKey {
		return labelPool{true, class, rank, p.pools.id(value, "label "+key, value, false)}
	}
	t := poolOfThread(value)
	return labelPool{true, class, rank, p.pools.id(t.pool, "label "+key+", "+t.rule, value, t.anonymous)}
}

// byRules tries the user's rules in order.
func (p *pooler) byRules(s *wire.Sample, frames []int32) (int32, bool) {
	for i := range p.opts.Rules {
		r := &p.opts.Rules[i]
		name := ""
		if r.Form == "" || r.Form == "label" {
			for _, l := range s.Labels {
				if l.Str != 0 && (r.Form == "" || p.file.String(l.Key) == r.Key) {
					if name = r.match(clean(p.file.String(l.Str))); name != "" {
						break
					}
				}
			}
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

func (p *pooler) matchFrames(i int32, r *PoolRule, frames []int32) string {
	switch {
	case len(frames) == 0:
		return ""
	case r.Form == "leaf":
		frames = frames[len(frames)-1:]
	case r.Form == "root":
		at := 0
		for at < len(frames)-1 && p.names[frames[at]].starter {
			at++
		}
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

// byRoot places a sample by the frames at its root.
func (p *pooler) byRoot(frames []int32, locations int) (int32, int) {
	root := &p.names[frames[0]]
	if isThreadFrame(root.text) {
		t := poolOfThread(root.text)
		p.looked = 1
		return p.pools.id(t.pool, "root frame, "+t.rule, root.text, t.anonymous), byThread
	}
	if !p.golang {
		p.looked = 1
		return p.none, byNothing
	}
	if p.cut > 0 && locations >= p.cut && !root.starter && root.system == "" {
		return p.cutPool, byNothing
	}
	if p.learned != nil {
		if pool, looked := p.learned.find(frames); pool != noPool {
			p.looked = looked
			if at := frames[looked-1]; !p.taught[at] {
				p.taught[at] = true
				p.pools.from(pool, "under "+p.names[at].text)
			}
			return pool, byLearned
		} else if looked > p.looked {
			p.looked = looked
		}
	}
	at := 0
	for at < len(frames)-1 && p.names[frames[at]].starter {
		at++
	}
	p.looked = max(p.looked, at+1)
	entry := frames[at]
	pool, ok := p.entries[entry]
	if !ok {
		n := &p.names[entry]
		if n.system != "" {
			pool = p.pools.id(n.system, "frames of the Go runtime", n.text, false)
		} else {
			pool = p.pools.id(entryName(n.text), "entry function", n.text, false)
		}
		p.entries[entry] = pool
	}
	return pool, byEntry
}

// rawNames returns up to three raw names folded into the pool, sorted.
func (in *poolInfo) rawNames() []string {
	var raw []string
	for r := range in.raw {
		raw = append(raw, r)
	}
	sort.Strings(raw)
	return raw[:min(len(raw), 3)]
}
