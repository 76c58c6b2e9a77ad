package profiletest

import "fmt"

// tables are the functions, locations and strings of a generated profile.
// They get their numbers when they are first used.
//
// Functions are counted in the order: entry functions of the pools, functions
// of the shared library, each pool's own functions, leaks.
type tables struct {
	c       Config
	enc     *encoder
	library int // functions that all pools share
	own     int // functions of each pool

	locations []uint64 // by function and call: id, or 0
	functions []uint64 // by function: id, or 0
	order     []int    // used locations, in the order of their ids
	called    []int    // used functions, in the order of their ids
	strings   map[string]uint64
	list      []string
}

func newTables(c Config, enc *encoder) *tables {
	t := &tables{c: c, enc: enc, strings: map[string]uint64{}}
	rest := c.Funcs - c.Pools - leaks
	t.library = rest * 3 / 10
	t.own = (rest - t.library) / c.Pools
	t.functions = make([]uint64, t.leakFunc(leaks))
	t.locations = make([]uint64, len(t.functions)*sites)
	t.text("")
	return t
}

// sites are the locations of a function. The last one holds an inlined call.
const sites = 3

func (t *tables) leakFunc(n int) int { return t.c.Pools + t.library + t.own*t.c.Pools + n }

// callee is the function that a frame of a pool calls. The call graph is the
// same for both profiles: it depends on the seed alone.
func (t *tables) callee(pool int, f frame) int {
	h := mix(t.c.Seed, uint64(f.fn)*fanOut+uint64(f.call))
	if h&0xff < ownShare {
		return t.c.Pools + t.library + pool*t.own + int(h>>8%uint64(t.own))
	}
	return t.libraryFunc(h >> 8)
}

func (t *tables) libraryFunc(h uint64) int { return t.c.Pools + int(h%uint64(t.library)) }

// mix is a hash of two numbers (the finaliser of splitmix64).
func mix(a, b uint64) uint64 {
	z := a*0x9e3779b97f4a7c15 + b + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (t *tables) location(f frame) uint64 {
	key := f.fn*sites + f.call%sites
	if t.locations[key] == 0 {
		t.order = append(t.order, key)
		t.locations[key] = uint64(len(t.order))
		if t.c.Layout == Runtime {
			called := len(t.called)
			t.writeLocation(key)
			for _, fn := range t.called[called:] {
				t.writeFunction(fn)
			}
		}
	}
	return t.locations[key]
}

func (t *tables) function(fn int) uint64 {
	if t.functions[fn] == 0 {
		t.called = append(t.called, fn)
		t.functions[fn] = uint64(len(t.called))
	}
	return t.functions[fn]
}

func (t *tables) text(s string) uint64 {
	n, ok := t.strings[s]
	if !ok {
		n = uint64(len(t.list))
		t.strings[s] = n
		t.list = append(t.list, s)
	}
	return n
}

func (t *tables) writeLocation(key int) {
	fn, site := key/sites, key%sites
	address := mappingStart + uint64(key)*16
	if t.c.After {
		address += 0x10000000 // another build
	}
	line := uint64(fn%900 + 10 + site)
	lines := [2][2]uint64{{t.function(fn), line}}
	n := 1
	if site == sites-1 {
		callee := t.libraryFunc(mix(t.c.Seed, uint64(key)) >> 8)
		lines = [2][2]uint64{{t.function(callee), uint64(callee%900 + 11)}, lines[0]}
		n = 2
	}
	t.enc.location(t.locations[key], address, lines[:n])
}

func (t *tables) writeFunction(fn int) {
	name := t.text(t.funcName(fn))
	t.enc.function(t.functions[fn], name, t.text(t.fileName(fn)), uint64(fn%900+9))
}

// section tells where in the count of functions fn is: the pool, or -1 for
// the library, and its number there.
func (t *tables) section(fn int) (pool, n int) {
	own := t.c.Pools + t.library
	switch {
	case fn < t.c.Pools:
		return fn, 0
	case fn < own:
		return -1, fn - t.c.Pools
	default:
		return (fn - own) / t.own, (fn - own) % t.own
	}
}

func (t *tables) funcName(fn int) string {
	if first := t.leakFunc(0); fn >= first {
		return fmt.Sprintf("example.com/engine/cache.(*Leak%d).grow", fn-first+1)
	}
	pool, n := t.section(fn)
	switch {
	case fn < t.c.Pools:
		return fmt.Sprintf("example.com/engine/%s.(*Worker).run", poolName(pool))
	case pool < 0:
		return fmt.Sprintf("example.com/library/%s.(*Buffer%d).append%d", packages[n%len(packages)], n/7, n)
	}
	return fmt.Sprintf("example.com/engine/%s.(*Stage%d).handle%d", poolName(pool), n/9, n)
}

func (t *tables) fileName(fn int) string {
	if fn >= t.leakFunc(0) {
		return "/src/engine/cache/leak.go"
	}
	pool, n := t.section(fn)
	if pool < 0 {
		return fmt.Sprintf("/src/library/%s/buffer%d.go", packages[n%len(packages)], n/50)
	}
	return fmt.Sprintf("/src/engine/%s/stage%d.go", poolName(pool), n/50)
}

var (
	packages  = [...]string{"codec", "index", "bloom", "page", "checksum", "arena"}
	poolNames = [...]string{"read", "mutation", "compaction", "flush", "gossip", "repair", "stream", "request"}
)

func poolName(p int) string {
	if p < len(poolNames) {
		return poolNames[p]
	}
	return fmt.Sprintf("%s%d", poolNames[p%len(poolNames)], p/len(poolNames)+1)
}

// threadName is the pool's name, or that of one of its threads.
func threadName(pool, thread, threads int) string {
	if threads < 1 {
		return poolName(pool)
	}
	return fmt.Sprintf("%s-%d", poolName(pool), thread+1)
}
