package profiletest

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/klauspost/compress/gzip"
)

// Layout is the order in which a generated profile holds its parts.
type Layout int

const (
	// Runtime is the order of the Go runtime: each location before the first
	// sample that uses it, its functions after it, the strings last.
	Runtime Layout = iota
	// Written is the order of google/pprof's Write: all samples first, then
	// the mapping, the locations, the functions and the strings.
	Written
)

// Config says what [Generate] makes. The same Config gives the same bytes.
type Config struct {
	Seed     uint64
	Samples  int // of the before profile; the after profile has those that are not dropped, and the leaks
	Funcs    int // functions that may occur, at least 8 a pool
	DepthMin int // frames of a stack, at least 2
	DepthMax int // at least DepthMin
	Pools    int // at least 1
	Period   int64

	// Label is the key of a string label with the pool's name on every sample.
	// The Go runtime writes none in heap profiles, and so does the zero value.
	Label string
	// Threads makes the label's value the name of one of so many threads of
	// the pool, "read-1" to "read-N".
	Threads int

	// After writes the profile of the program after a change, with the leaks.
	After bool
	// Perturb is the share, 0 to 1, of the samples of the before profile that
	// the after profile lacks (one half) or has with other counts (the other).
	Perturb float64

	Layout Layout
	Level  int // of gzip, 1 to 9; 0 means 1, as in the Go runtime
}

// Truth is what a generated profile holds. Values are alloc_objects,
// alloc_space, inuse_objects and inuse_space.
type Truth struct {
	Samples int
	Total   [4]int64
	Pools   []PoolTruth
	Leaks   []Leak // none in a before profile
	Changed int    // samples with other counts than in the before profile
	Dropped int    // samples of the before profile that are missing
	Frames  int64  // locations of all stacks
	Shared  int64  // of these, locations from the root that the sample before has too
}

// PoolTruth is one pool of a generated profile.
type PoolTruth struct {
	Name  string // value of the label
	Entry string // function at the root of all its stacks
	Total [4]int64
}

// Leak is a function that only the after profile has: 100 sampled objects of
// 1 MiB, never freed, in one sample.
type Leak struct {
	Func string
	Pool string
	Flat [4]int64
}

const (
	leaks     = 3
	leakSize  = 1 << 20
	leakCount = 100

	fanOut    = 8   // calls in a function
	ownShare  = 166 // of 256 calls, those that stay in the pool's own functions
	poolRun   = 200 // mean number of samples of one pool in a row
	newFrames = 6   // mean number of frames in which a stack differs from the one before
)

// sizes are object sizes of the Go allocator: size classes, and whole pages
// beyond them.
var sizes = [...]int64{
	8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256, 288, 320, 352, 384, 416, 448, 480, 512,
	576, 640, 704, 768, 896, 1024, 1152, 1280, 1408, 1536, 1792, 2048, 2304, 2688, 3072, 3200, 3456, 4096, 4864, 5376,
	6144, 6528, 6784, 6912, 8192, 9472, 9728, 10240, 10880, 12288, 13568, 14336, 16384, 18432, 19072, 20480, 21760,
	24576, 27264, 28672, 32768, 40960, 65536, 131072, 262144, 1 << 20,
}

// Generate writes a Go-like heap profile and returns what is in it. It holds
// the tables of functions and locations in memory, but no samples.
//
// Every pool has its own entry function, mostly its own functions and some
// that all pools share. A stack has its first frames in common with the one
// before. One location in three holds an inlined call. Object sizes are those
// of the Go allocator, values are scaled as the runtime scales them.
//
// An after profile with the same seed holds the same samples as its before
// profile, at other addresses, but for those that Perturb changes, and three
// leaks.
func Generate(c Config, w io.Writer) (Truth, error) {
	if err := c.check(); err != nil {
		return Truth{}, err
	}
	level := c.Level
	if level == 0 {
		level = gzip.BestSpeed
	}
	z, err := gzip.NewWriterLevel(w, level)
	if err != nil {
		return Truth{}, fmt.Errorf("compression level: %w", err)
	}
	g := newGenerator(c, z)
	g.header()
	for i := range c.Samples {
		g.next(i)
		if g.enc.err != nil {
			return Truth{}, fmt.Errorf("writing the profile: %w", g.enc.err)
		}
	}
	for c.After && len(g.truth.Leaks) < leaks { // fewer samples than leaks
		g.leak()
	}
	g.trailer()
	if err := errors.Join(g.enc.err, z.Close()); err != nil {
		return Truth{}, fmt.Errorf("writing the profile: %w", err)
	}
	return g.truth, nil
}

func (c *Config) check() error {
	switch {
	case c.Samples < 0:
		return fmt.Errorf("%d samples", c.Samples)
	case c.Pools < 1:
		return fmt.Errorf("%d pools, want at least 1", c.Pools)
	case c.Funcs < 8*c.Pools:
		return fmt.Errorf("%d functions, want at least 8 for each of %d pools", c.Funcs, c.Pools)
	case c.DepthMin < 2 || c.DepthMax < c.DepthMin:
		return fmt.Errorf("stacks of %d to %d frames, want at least 2", c.DepthMin, c.DepthMax)
	case c.Perturb < 0 || c.Perturb > 1:
		return fmt.Errorf("share of perturbed samples %g, want 0 to 1", c.Perturb)
	}
	return nil
}

// frame is a function and one of its calls; the call tells the location.
type frame struct{ fn, call int }

type generator struct {
	c      Config
	enc    *encoder
	tables *tables
	truth  Truth

	base    *rand.Rand // the samples of both profiles
	perturb *rand.Rand // what is different after
	pool    int
	stacks  [][]frame // of each pool the last, root first
	before  []uint64  // location ids of the last sample, root first
	ids     []uint64
}

func newGenerator(c Config, w io.Writer) *generator {
	g := &generator{
		c:       c,
		enc:     newEncoder(w),
		base:    rand.New(rand.NewPCG(c.Seed, 1)),
		perturb: rand.New(rand.NewPCG(c.Seed, 2)),
		stacks:  make([][]frame, c.Pools),
	}
	g.tables = newTables(c, g.enc)
	for p := range c.Pools {
		g.stacks[p] = []frame{{fn: p}}
		g.truth.Pools = append(g.truth.Pools, PoolTruth{Name: poolName(p), Entry: g.tables.funcName(p)})
	}
	return g
}

// next makes sample i of the before profile and writes what this profile has
// of it. The random numbers of base are drawn alike for both.
func (g *generator) next(i int) {
	if g.c.After && i >= (len(g.truth.Leaks)+1)*g.c.Samples/(leaks+1) && len(g.truth.Leaks) < leaks {
		g.leak()
	}
	if g.base.IntN(poolRun) == 0 {
		g.pool = g.base.IntN(g.c.Pools)
	}
	g.walk()
	u := g.base.Float64()
	size := sizes[int(u*u*float64(len(sizes)))]
	allocs := int64(1 + min(g.base.ExpFloat64()*3, 1000))
	frees := min(allocs, int64(g.base.ExpFloat64()*3))
	thread := g.base.IntN(max(g.c.Threads, 1))
	if g.c.After {
		switch u := g.perturb.Float64(); {
		case u < g.c.Perturb/2:
			g.truth.Dropped++
			return
		case u < g.c.Perturb:
			allocs += 1 + int64(g.perturb.ExpFloat64()*3)
			g.truth.Changed++
		}
	}
	g.sample(g.pool, g.stacks[g.pool], thread, size, allocs, frees)
}

// walk turns the pool's last stack into a new one: it goes back some frames
// and takes other calls from there.
func (g *generator) walk() {
	depth := g.c.DepthMin + g.base.IntN(g.c.DepthMax-g.c.DepthMin+1)
	stack := g.stacks[g.pool]
	keep := max(1, min(len(stack), depth-1-int(g.base.ExpFloat64()*newFrames)))
	stack = stack[:keep]
	for {
		top := &stack[len(stack)-1]
		u := g.base.Float64()
		top.call = int(u * u * fanOut)
		if len(stack) == depth {
			break
		}
		stack = append(stack, frame{fn: g.tables.callee(g.pool, *top)})
	}
	g.stacks[g.pool] = stack
}

// leak writes the next of the leaks, below the last stack of a pool.
func (g *generator) leak() {
	n := len(g.truth.Leaks)
	pool, fn := n%g.c.Pools, g.tables.leakFunc(n)
	stack := append(slices.Clip(g.stacks[pool]), frame{fn: fn})
	flat := g.sample(pool, stack, 0, leakSize, leakCount, 0)
	g.truth.Leaks = append(g.truth.Leaks, Leak{g.tables.funcName(fn), poolName(pool), flat})
}

func (g *generator) sample(pool int, stack []frame, thread int, size, allocs, frees int64) [4]int64 {
	g.ids = g.ids[:0]
	for _, f := range stack {
		g.ids = append(g.ids, g.tables.location(f))
	}
	for i, id := range g.ids {
		if i >= len(g.before) || g.before[i] != id {
			break
		}
		g.truth.Shared++
	}
	g.before = append(g.before[:0], g.ids...)
	g.truth.Frames += int64(len(g.ids))
	var v [4]int64
	v[0], v[1] = ScaleHeap(allocs, allocs*size, g.c.Period)
	v[2], v[3] = ScaleHeap(allocs-frees, (allocs-frees)*size, g.c.Period)
	g.truth.Samples++
	for i, n := range v {
		g.truth.Total[i] += n
		g.truth.Pools[pool].Total[i] += n
	}
	label := label{}
	if g.c.Label != "" {
		label.key = g.tables.text(g.c.Label)
		label.value = g.tables.text(threadName(pool, thread, g.c.Threads))
	}
	g.enc.sample(g.ids, v, label, g.tables.text("bytes"), size)
	return v
}
