package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"github.com/allocdiff/allocdiff/examples/engine/memtable"
	"github.com/allocdiff/allocdiff/examples/engine/pool"
	"github.com/allocdiff/allocdiff/examples/engine/response"
	"github.com/allocdiff/allocdiff/examples/engine/stress"
)

// The read path of CASSANDRA-21285: four reads of a page to one write.
const (
	pageCount    = 200       // pages, each read as often as any other
	readsInFive  = 4         // of five operations
	writeRows    = 100       // rows in a write
	flushWrites  = 100       // writes that fill a memtable
	gossipEvery  = 20        // operations between two ticks
	defaultLimit = 128 << 10 // bufferInitialSizeMax
	pageMaxRows  = 5000
)

var ticket21285 = Ticket{
	Name:     "CASSANDRA-21285",
	Title:    "size the buffer of LocalDataResponse from the responses before it",
	Variants: response.EstimatorNames,
	Mixes:    responseMixes(),
	Kinds:    []string{"READ", "WRITE"},
	Ops:      12_000,
	Warm:     2_000,
	Threads:  16,
	Open:     openResponses,
}

func responseMixes() []Mix {
	var mixes []Mix
	for _, d := range response.Distributions {
		mixes = append(mixes, Mix{Name: d.Name, Title: "response sizes: " + d.Title, Record: d.Name == "bimodal"})
	}
	return mixes
}

// page is a partition that a read returns whole.
type page struct {
	rows, size int
	statement  int
}

// responses is the engine of this ticket.
type responses struct {
	schema    *memtable.Schema
	pages     *memtable.Memtable
	page      []page
	estimator response.Estimator
	store     *memtable.Store
	reads     *pool.Pool
	writes    *pool.Pool
	gossip    *pool.Gossiper

	encoded, allocated atomic.Int64 // bytes of responses, and of their buffers
}

func openResponses(o Options) (*Workload, error) {
	sizes, err := response.FindSizes(o.Mix)
	if err != nil {
		return nil, err
	}
	limit := o.Max
	if limit == 0 {
		limit = defaultLimit
	}
	e := &responses{schema: fiveColumns()}
	e.fillPages(sizes)
	if e.estimator, err = response.NewEstimator(o.Variant, limit, statements); err != nil {
		return nil, err
	}
	e.reads = pool.NativeTransportRequests.Start(10)
	e.writes = pool.MutationStage.Start(4)
	flushers, compactors := pool.MemtableFlushWriter.Start(1), pool.CompactionExecutor.Start(1)
	gossip := pool.GossipStage.Start(1)
	e.store = memtable.NewStore(e.schema, memtable.AllChanges, e.writes.Threads(), flushWrites, flushers, compactors)
	e.gossip = pool.NewGossiper(gossip, gossipEvery)
	w := &Workload{Pools: pool.Set{e.reads, e.writes, flushers, compactors, gossip}, Facts: e.facts}
	for range o.Threads {
		w.Clients = append(w.Clients, newResponseClient(e))
	}
	return w, nil
}

// fiveColumns is cassandra-stress's default table.
func fiveColumns() *memtable.Schema {
	return memtable.NewSchema(nil, []string{"C0", "C1", "C2", "C3", "C4"})
}

// statements is the number of prepared statements that clients use.
const statements = 8

// fillPages makes the pages: the quantiles of the distribution in random
// order, so that reading each once gives the distribution exactly.
func (e *responses) fillPages(sizes response.Sizes) {
	e.pages = memtable.New(e.schema)
	e.page = make([]page, pageCount)
	writer := memtable.NewWriter(memtable.AllChanges)
	// A point read and a page are different statements. Where sizes do not
	// fall into two kinds, a statement tells nothing about the size.
	twoKinds := sizes.At(0.5) == sizes.At(0.1)
	for i, k := range rand.New(rand.NewPCG(21285, 1)).Perm(pageCount) {
		size := sizes.At((float64(k) + 0.5) / pageCount)
		u := pageUpdate(e.schema, uint64(i), int(size))
		e.pages.Put(u, writer)
		p := &e.page[i]
		p.rows, p.statement = len(u.Rows), i%statements
		if twoKinds {
			p.statement = 0
			if size > sizes.At(0.5) {
				p.statement = 1
			}
		}
		for _, r := range u.Rows {
			p.size += memtable.RowSize(r)
		}
	}
}

// pageUpdate returns rows whose encoding has about size bytes: rows of five
// cells of 34 bytes, or larger cells if that would be too many rows.
func pageUpdate(s *memtable.Schema, key uint64, size int) *memtable.Update {
	u := newUpdate(s, 1, 34)
	rowSize := memtable.RowSize(u.Rows[0])
	rows, value := max(1, size/rowSize), 34
	if rows > pageMaxRows {
		rows = pageMaxRows
		value += (size/rows - rowSize) / 5
	} else if size < rowSize {
		value -= (rowSize - size + 4) / 5
	}
	u = newUpdate(s, rows, value)
	u.Key = key
	for i, r := range u.Rows {
		r.Clustering = int64(i)
	}
	return u
}

// newUpdate returns an update of so many rows with five cells of value bytes.
// The cells are of the kinds that come from the network.
func newUpdate(s *memtable.Schema, rows, value int) *memtable.Update {
	u := &memtable.Update{Columns: s.Columns(), Rows: make([]*memtable.Row, rows)}
	bytes := make([]byte, value)
	for i := range bytes {
		bytes[i] = byte('a' + i%26)
	}
	for i := range u.Rows {
		var cells []memtable.Cell
		for j, c := range s.Regulars() {
			if (i+j)%2 == 0 {
				cells = append(cells, memtable.NewBufferCell(c, 1, 0, memtable.NoDeletion, bytes))
			} else {
				cells = append(cells, memtable.NewArrayCell(c, 1, 0, memtable.NoDeletion, bytes))
			}
		}
		u.Rows[i] = memtable.NewRow(int64(i), 1, cells)
	}
	return u
}

// facts are the sizes of the responses and what the write path did.
func (e *responses) facts() []Fact {
	var sizes []int
	total := 0
	for _, p := range e.page {
		sizes = append(sizes, p.size)
		total += p.size
	}
	slices.Sort(sizes)
	at := func(percent int) float64 { return float64(sizes[(len(sizes)-1)*percent/100]) }
	stats := e.store.Stats()
	return []Fact{
		{"response mean", float64(total) / float64(len(sizes)), "B"},
		{"response median", at(50), "B"},
		{"response 90th percentile", at(90), "B"},
		{"response 99th percentile", at(99), "B"},
		{"response max", at(100), "B"},
		{"buffer allocated/encoded", float64(e.allocated.Load()) / float64(e.encoded.Load()), ""},
		{"memtable flushes", float64(stats.Flushes), ""},
		{"compactions", float64(stats.Compactions), ""},
	}
}

// responseClient is one client connection.
type responseClient struct {
	engine *responses
	done   chan struct{}
	read   readTask
	write  writeTask
	sum    byte
}

func newResponseClient(e *responses) *responseClient {
	return &responseClient{
		engine: e, done: make(chan struct{}, 1),
		read:  readTask{engine: e},
		write: writeTask{store: e.store, update: newUpdate(e.schema, writeRows, 34)},
	}
}

// Do reads the next page, or writes.
func (c *responseClient) Do(op int) stress.Result {
	c.engine.gossip.Op(op)
	if op%5 >= readsInFive {
		c.write.set(op)
		c.engine.writes.Do(&c.write, c.done)
		return stress.Result{Kind: 1, Rows: writeRows}
	}
	c.read.key = (op - op/5) % pageCount
	c.engine.reads.Do(&c.read, c.done)
	if c.read.err != nil {
		return stress.Result{Err: c.read.err}
	}
	// The driver reads the frame's body from its connection.
	body := make([]byte, len(c.read.frame))
	copy(body, c.read.frame)
	rows, err := response.ReadFrame(body, func(_, _ int, v []byte) { c.sum += v[0] })
	if want := c.engine.page[c.read.key].rows; err == nil && rows != want {
		err = fmt.Errorf("page %d has %d rows, want %d", c.read.key, rows, want)
	}
	return stress.Result{Rows: rows, Err: err}
}

// readTask is a read on a native transport thread, which is coordinator and
// replica in one.
type readTask struct {
	engine *responses
	key    int
	frame  []byte // the connection's output buffer, used again and again
	err    error
}

// Run reads the page, encodes it as a replica, decodes it as a coordinator,
// and answers the client.
func (t *readTask) Run(*pool.Worker) {
	e := t.engine
	page := e.page[t.key]
	rows := e.pages.Partition(uint64(t.key)).Rows(pageMaxRows)
	local := response.New(rows, page.statement, e.estimator)
	e.encoded.Add(int64(local.Size()))
	e.allocated.Add(int64(local.Allocated()))
	var decoded []*memtable.Row
	if decoded, t.err = local.Rows(e.schema, len(rows)); t.err != nil {
		return
	}
	t.frame = response.NewResultSet(decoded).AppendFrame(t.frame[:0])
}

// writeTask is a write on a mutation thread.
type writeTask struct {
	store  *memtable.Store
	update *memtable.Update
}

// set makes the update that of operation op: a partition of its own.
func (t *writeTask) set(op int) {
	t.update.Key = uint64(op)
}

// Run applies the write.
func (t *writeTask) Run(w *pool.Worker) { t.store.Put(t.update, w) }
