package main

import (
	"errors"
	"strings"

	"github.com/allocdiff/allocdiff/examples/engine/memtable"
	"github.com/allocdiff/allocdiff/examples/engine/pool"
	"github.com/allocdiff/allocdiff/examples/engine/stress"
)

// The write path of CASSANDRA-21088: batches of ten rows, and a memtable that
// holds twenty batches of each partition when it is flushed.
const (
	putRows       = 10
	putPartitions = 200
	putFlush      = 20 * putPartitions
	putGossip     = 50 // operations between two ticks
	expiringCell  = 4  // of a row's five cells, the one with a time to live
)

var ticket21088 = Ticket{
	Name:     "CASSANDRA-21088",
	Title:    "four small savings in Memtable.put (--only " + strings.Join(memtable.ChangeNames, ",") + ")",
	Variants: []string{"before", "after"},
	Mixes:    []Mix{{Name: "put", Title: "batches of 10 rows of 5 cells of 34 bytes"}},
	Kinds:    []string{"INSERT"},
	Ops:      60 * putFlush,
	Warm:     4 * putFlush,
	Threads:  16,
	Open:     openPuts,
}

func openPuts(o Options) (*Workload, error) {
	changes, err := putChanges(o)
	if err != nil {
		return nil, err
	}
	schema := memtable.NewSchema([]string{"S0"}, []string{"C0", "C1", "C2", "C3", "C4"})
	mutations := pool.MutationStage.Start(4)
	flushers, compactors := pool.MemtableFlushWriter.Start(1), pool.CompactionExecutor.Start(1)
	gossip := pool.GossipStage.Start(1)
	store := memtable.NewStore(schema, changes, mutations.Threads(), putFlush, flushers, compactors)
	gossiper := pool.NewGossiper(gossip, putGossip)
	w := &Workload{Pools: pool.Set{mutations, flushers, compactors, gossip}}
	w.Facts = func() []Fact {
		stats := store.Stats()
		return []Fact{
			{"memtable flushes", float64(stats.Flushes), ""},
			{"flushed", float64(stats.FlushedBytes), "B"},
			{"compactions", float64(stats.Compactions), ""},
			{"compacted", float64(stats.CompactedBytes), "B"},
		}
	}
	for range o.Threads {
		w.Clients = append(w.Clients, newPutClient(schema, store, mutations, gossiper))
	}
	return w, nil
}

// putChanges are the parts of the change that are made.
func putChanges(o Options) (memtable.Changes, error) {
	switch {
	case o.Variant != "after" && o.Only != nil:
		return memtable.Changes{}, errors.New("--only chooses among the parts of --variant after")
	case o.Variant != "after":
		return memtable.Changes{}, nil
	case o.Only == nil:
		return memtable.AllChanges, nil
	}
	return memtable.ParseChanges(o.Only)
}

// putClient is one client connection.
type putClient struct {
	mutations *pool.Pool
	gossip    *pool.Gossiper
	write     writeTask
	done      chan struct{}
}

func newPutClient(s *memtable.Schema, store *memtable.Store, mutations *pool.Pool, g *pool.Gossiper) *putClient {
	u := newUpdate(s, putRows, 34)
	for _, r := range u.Rows {
		cells := r.Cells()
		c := cells[expiringCell]
		cells[expiringCell] = memtable.NewBufferCell(c.Column(), 1, 86_400, 1_700_086_400, c.Value())
		*r = *memtable.NewRow(r.Clustering, 1, cells)
	}
	return &putClient{mutations: mutations, gossip: g, write: writeTask{store: store, update: u}, done: make(chan struct{}, 1)}
}

// Do writes ten rows side by side somewhere in a partition.
func (c *putClient) Do(op int) stress.Result {
	c.gossip.Op(op)
	u := c.write.update
	u.Key = uint64(op % putPartitions)
	// Multiplying by an odd number scatters the batches and keeps them apart.
	batch := int64(uint32(op/putPartitions) * 2654435761)
	for i, r := range u.Rows {
		r.Clustering = batch*putRows + int64(i)
		r.Timestamp = int64(op)
	}
	c.mutations.Do(&c.write, c.done)
	return stress.Result{Rows: putRows}
}
