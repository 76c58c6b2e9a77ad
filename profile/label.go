package profile

import (
	"slices"
	"strconv"
	"strings"

	"github.com/allocdiff/allocdiff/profile/internal/wire"
)

// labelClass is what a label's key says about its value, the most explicit
// about pools first.
type labelClass int

const (
	poolKey     labelClass = iota // the name of a pool, used as it stands
	threadKey                     // the name of a thread, folded by poolOfThread
	processKey                    // the name of a process; the last resort
	identityKey                   // tells threads apart, says nothing about pools
)

// labelKeys are the keys that profilers and programs use, by class and in the
// order in which they are preferred. Keys of many values (span id, request id,
// address, statement) are left out: they are no pools.
var labelKeys = [...][]string{
	poolKey:     {"pool", "thread_pool", "threadpool", "thread_type", "pebble", "coder_service", "worker", "component", "subsystem", "owner", "actor"},
	threadKey:   {"thread", "thread_name", "thread_comm", "task_name"},
	processKey:  {"comm"},
	identityKey: {"tid", "thread_id", "thread_native_id"},
}

type rankedKey struct {
	class labelClass
	rank  int
}

var keyRanks = func() map[string]rankedKey {
	ranks := map[string]rankedKey{}
	for class, keys := range labelKeys {
		for rank, key := range keys {
			ranks[key] = rankedKey{labelClass(class), rank}
		}
	}
	return ranks
}()

// foldKey makes the spellings of a key one: "Thread Name", "thread.name".
func foldKey(key string) string {
	return strings.NewReplacer(" ", "_", ".", "_", "-", "_").Replace(strings.ToLower(key))
}

// rankLabel says how a label helps to find a sample's pool: the class of its
// key and, within the class, its rank; lower is better, and a lower class
// beats any rank. ok is false for a label that does not matter.
//
// by is the way of finding pools: "" or "auto" takes all keys of labelKeys,
// "thread" leaves out those that name pools, "label:KEY" takes that key alone.
// Keys that tell threads apart matter always.
func rankLabel(key, by string) (class labelClass, rank int, ok bool) {
	folded := foldKey(key)
	known, ok := keyRanks[folded]
	if only, is := strings.CutPrefix(by, "label:"); is {
		if folded == foldKey(only) {
			if ok && known.class != identityKey {
				return known.class, known.rank, true
			}
			return poolKey, 0, true
		}
		ok = ok && known.class == identityKey
	}
	if by == "thread" && known.class == poolKey {
		ok = false
	}
	if !ok {
		return 0, 0, false
	}
	return known.class, known.rank, true
}

// labelPool is what one label, or all labels of a sample, say about its pool.
type labelPool struct {
	known bool
	class labelClass
	rank  int
	pool  int32 // of an identity label: a number for the thread
}

// beats reports whether l is more explicit than o.
func (l labelPool) beats(o labelPool) bool {
	return !o.known || l.class < o.class || l.class == o.class && l.rank < o.rank
}

// readLabels looks for the most explicit pool label of a sample, and for the
// identity of its thread. The order of the labels does not matter.
func (p *pooler) readLabels(s *wire.Sample) (best labelPool, thread int64) {
	var identity, name labelPool
	var more []int32 // pools of the best key beyond the first: a key may be repeated
	text := int32(0)
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
			if lp.beats(identity) || lp.rank == identity.rank && lp.pool < identity.pool {
				identity = lp
			}
			continue
		}
		if lp.class == threadKey && (lp.beats(name) || lp.rank == name.rank && l.Str < text) {
			name, text = lp, l.Str
		}
		switch {
		case lp.beats(best):
			best, more = lp, nil
		case lp.class == best.class && lp.rank == best.rank && lp.pool != best.pool:
			more = append(more, lp.pool)
		}
	}
	if more != nil {
		best.pool = p.joined(append(more, best.pool))
	}
	switch {
	case identity.known:
		return best, int64(identity.pool)
	case name.known:
		return best, -2 - int64(text)
	}
	return best, noThread
}

// joined is the pool of samples that carry several values of one key.
func (p *pooler) joined(pools []int32) int32 {
	var names []string
	for _, id := range pools {
		names = append(names, p.pools.name(id))
	}
	slices.Sort(names)
	name := strings.Join(slices.Compact(names), ",")
	return p.pools.id(name, "label with several values", name, false)
}

// readLabel says what one label tells about the pool.
func (p *pooler) readLabel(l wire.Label) labelPool {
	key := p.file.String(l.Key)
	if key == "pprof::base" {
		p.difference = true
	}
	class, rank, ok := rankLabel(key, p.opts.By)
	if !ok {
		return labelPool{}
	}
	value := p.value(l)
	switch class {
	case identityKey:
		return labelPool{true, class, rank, int32(len(p.labels))}
	case poolKey:
		return labelPool{true, class, rank, p.pools.id(value, "label "+clean(key), value, false)}
	}
	t := poolOfThread(value)
	return labelPool{true, class, rank, p.pools.id(t.pool, "label "+clean(key)+", "+t.rule, value, t.anonymous)}
}

// value is the value of a label as text.
func (p *pooler) value(l wire.Label) string {
	if l.Str == 0 {
		return strconv.FormatInt(l.Num, 10)
	}
	return clean(p.file.String(l.Str))
}

// cutNames reports whether the names of threads look cut by the kernel.
func (p *pooler) cutNames() bool {
	var names []string
	for l, lp := range p.labels {
		if lp.known && lp.class == threadKey {
			names = append(names, p.value(l))
		}
	}
	return cutAtComm(names)
}
