package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"runtime"

	"github.com/allocdiff/allocdiff/examples/engine/pool"
	"github.com/allocdiff/allocdiff/examples/engine/rowcache"
	"github.com/allocdiff/allocdiff/examples/engine/stress"
)

// The reads of CASSANDRA-7438: rows that are in the row cache.
const (
	cacheReaders = 1200
	readThreads  = 32
	cachedCells  = 5
	cachedValue  = 34   // bytes in a cell
	entryRoom    = 320  // bytes of capacity for an entry, so that none is evicted,
	spareEntries = 8192 // with these for segments that get more than their share
	// nodeHeap is the memory in bytes of all that a node holds besides: slabs of
	// memtables. Without it the collector, which starts at twice the live heap,
	// would run all the time for a cache that is not on the heap.
	nodeHeap   = 64 << 20
	uniformMix = "100k-uniform"
)

var ticket7438 = Ticket{
	Name:     "CASSANDRA-7438",
	Title:    "row cache off the heap altogether, or with its map on the heap",
	Variants: []string{"serializing", "offheap", "offheap-nocopy"},
	Mixes: []Mix{
		{Name: "100k", Title: "100,000 rows, zipfian"},
		{Name: "1k", Title: "1,000 rows, zipfian"},
		{Name: "10k", Title: "10,000 rows, zipfian"},
		{Name: "1m", Title: "1,000,000 rows, zipfian", Record: true},
		{Name: "4m", Title: "4,000,000 rows, zipfian"},
		{Name: uniformMix, Title: "100,000 rows, uniform"},
	},
	Kinds:   []string{"READ"},
	Format:  stress.Legacy,
	Ops:     400_000,
	Warm:    20_000,
	Threads: cacheReaders,
	Open:    openCache,
}

// cached is the engine of this ticket.
type cached struct {
	cache   rowcache.Cache
	rows    int
	uniform bool
	reads   *pool.Pool
	gossip  *pool.Gossiper
	objects float64 // live heap objects that an entry costs
	slabs   []byte
}

func openCache(o Options) (*Workload, error) {
	e := &cached{rows: cachedRows(o.Mix), uniform: o.Mix == uniformMix, slabs: make([]byte, nodeHeap)}
	var err error
	if e.cache, err = newCache(o.Variant, (e.rows+spareEntries)*entryRoom); err != nil {
		return nil, err
	}
	objects := liveObjects()
	if err := e.fill(); err != nil {
		return nil, err
	}
	e.objects = (liveObjects() - objects) / float64(e.rows)
	e.reads = pool.ReadStage.Start(readThreads)
	gossip := pool.GossipStage.Start(1)
	e.gossip = pool.NewGossiper(gossip, 1000*gossipEvery)
	w := &Workload{Pools: pool.Set{e.reads, gossip}, Facts: e.facts}
	for range o.Threads {
		w.Clients = append(w.Clients, &cacheClient{engine: e, done: make(chan struct{}, 1), read: cacheRead{cache: e.cache}})
	}
	return w, nil
}

// cachedRows is the number of rows of a mix.
func cachedRows(mix string) int {
	switch mix {
	case "1k":
		return 1000
	case "10k":
		return 10_000
	case "1m":
		return 1_000_000
	case "4m":
		return 4_000_000
	}
	return 100_000
}

func newCache(variant string, capacity int) (rowcache.Cache, error) {
	if variant == "serializing" {
		return rowcache.NewSerializing(capacity)
	}
	return rowcache.NewOffheap(capacity, variant == "offheap")
}

// fill puts all rows.
func (e *cached) fill() error {
	row := &rowcache.Row{}
	for range cachedCells {
		row.Cells = append(row.Cells, &rowcache.Cell{Timestamp: 1, Value: make([]byte, cachedValue)})
	}
	for i := range e.rows {
		if !e.cache.Put(cacheKey(uint64(i)), row) {
			return fmt.Errorf("filling the cache: row %d of %d was refused", i, e.rows)
		}
	}
	return nil
}

func liveObjects() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapObjects)
}

// cacheKey is the key of a row: a table's id and the row's.
func cacheKey(row uint64) rowcache.Key {
	var k rowcache.Key
	binary.BigEndian.PutUint64(k[:], 7438)
	binary.BigEndian.PutUint64(k[8:], row)
	return k
}

// facts are the cache's counters.
func (e *cached) facts() []Fact {
	s := e.cache.Stats()
	return []Fact{
		{"cache entries", float64(s.Entries), ""},
		{"cache memory", float64(s.Bytes), "B"},
		{"cache hits", float64(s.Hits), ""},
		{"cache misses", float64(s.Misses), ""},
		{"cache evictions", float64(s.Evictions), ""},
		{"heap objects an entry", e.objects, ""},
	}
}

// row is the row that operation op reads. Zipfian means that the row of rank r
// is read as often as 1/r; its rank is then rows^u, u uniform in 0 to 1.
func (e *cached) row(op int) uint64 {
	random := scatter(op)
	if e.uniform {
		return random % uint64(e.rows)
	}
	u := float64(random>>11) / (1 << 53)
	return min(uint64(math.Pow(float64(e.rows), u)), uint64(e.rows)) - 1
}

// cacheClient is one client thread.
type cacheClient struct {
	engine *cached
	done   chan struct{}
	read   cacheRead
}

// Do reads a row.
func (c *cacheClient) Do(op int) stress.Result {
	e := c.engine
	e.gossip.Op(op)
	c.read.key = cacheKey(e.row(op))
	e.reads.Do(&c.read, c.done)
	if c.read.cells != cachedCells {
		return stress.Result{Err: fmt.Errorf("row has %d cells, want %d", c.read.cells, cachedCells)}
	}
	return stress.Result{Rows: 1}
}

// cacheRead is a read on a read thread.
type cacheRead struct {
	cache rowcache.Cache
	key   rowcache.Key
	cells int
	sum   byte
}

// Run gets the row and looks at each cell.
func (r *cacheRead) Run(*pool.Worker) {
	r.cells = 0
	row := r.cache.Get(r.key)
	if row == nil {
		return
	}
	for _, c := range row.Cells {
		r.sum += c.Value[0]
	}
	r.cells = len(row.Cells)
}
