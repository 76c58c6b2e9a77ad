package main

import (
	"errors"
	"sync/atomic"

	"github.com/allocdiff/allocdiff/examples/engine/cellblock"
	"github.com/allocdiff/allocdiff/examples/engine/pool"
	"github.com/allocdiff/allocdiff/examples/engine/stress"
)

// The scans of HBASE-13142: ten rows each, values zipfian from 0 to 8 kB.
const (
	scanRows    = 10
	regionRows  = 1000
	rpcHandlers = 16
)

var ticket13142 = Ticket{
	Name:     "HBASE-13142",
	Title:    "reuse the buffer of IPCUtil#buildCellBlock",
	Variants: cellblock.Variants,
	Mixes: []Mix{
		{Name: "wide", Title: "rows of 32 columns, 190 kB a reply"},
		{Name: "narrow", Title: "rows of 8 columns, 50 kB a reply"},
	},
	Kinds:   []string{"SCAN"},
	Ops:     10_000,
	Warm:    1_000,
	Threads: 16,
	Open:    openScans,
}

// scans is the engine of this ticket.
type scans struct {
	region   *cellblock.Region
	ipc      *cellblock.IPC
	scanners []cellblock.Scanner // one a handler
	handlers *pool.Pool
	gossip   *pool.Gossiper
	blocks   atomic.Int64 // replies sent and the bytes of their cell blocks
	bytes    atomic.Int64
}

func openScans(o Options) (*Workload, error) {
	shape := cellblock.Shape{Rows: regionRows, Columns: 32, Seed: 1}
	if o.Mix == "narrow" {
		shape.Columns = 8
	}
	ipc, err := cellblock.NewIPC(o.Variant, rpcHandlers)
	if err != nil {
		return nil, err
	}
	e := &scans{region: cellblock.NewRegion(shape), ipc: ipc, scanners: make([]cellblock.Scanner, rpcHandlers)}
	e.handlers = pool.RPCServerHandler.Start(rpcHandlers)
	gossip := pool.GossipStage.Start(1)
	e.gossip = pool.NewGossiper(gossip, gossipEvery)
	w := &Workload{Pools: pool.Set{e.handlers, gossip}, Facts: e.facts}
	for range o.Threads {
		conn, err := cellblock.NewConn()
		if err != nil {
			return nil, err
		}
		w.Clients = append(w.Clients, newScanClient(e, conn))
	}
	return w, nil
}

// facts are the sizes of the replies and the pool's own counters, which look
// well in variant broken.
func (e *scans) facts() []Fact {
	facts := []Fact{{"cell block mean", float64(e.bytes.Load()) / float64(e.blocks.Load()), "B"}}
	if s, ok := e.ipc.Stats(); ok {
		facts = append(facts,
			Fact{"pool hits", float64(s.Hits), ""},
			Fact{"pool misses", float64(s.Misses), ""},
			Fact{"pool dropped, too large", float64(s.TooLarge), ""},
			Fact{"pool dropped, full", float64(s.Full), ""},
			Fact{"pool running average", float64(s.Average), "B"},
			Fact{"pool holds", float64(s.Buffers), "buffers"},
			Fact{"pool holds in all", float64(s.HeldBytes), "B"},
		)
	}
	return facts
}

// scanClient is one client and its connection.
type scanClient struct {
	engine *scans
	conn   *cellblock.Conn
	call   scanCall
}

func newScanClient(e *scans, conn *cellblock.Conn) *scanClient {
	return &scanClient{engine: e, conn: conn, call: scanCall{engine: e, conn: conn, done: make(chan struct{}, 1)}}
}

// Do scans ten rows. The client reads the reply while the handler sends it.
func (c *scanClient) Do(op int) stress.Result {
	c.engine.gossip.Op(op)
	c.call.first = int(scatter(op) % (regionRows - scanRows))
	c.engine.handlers.Submit(&c.call)
	n, err := c.conn.Discard()
	// The reply is here, but Go's memory model knows nothing of sockets.
	<-c.call.done
	if err == nil && n == 0 {
		err = errors.New("reply to a scan is empty")
	}
	return stress.Result{Rows: scanRows, Err: err}
}

// scatter gives each operation a number that looks random (splitmix64).
func scatter(op int) uint64 {
	x := (uint64(op) + 1) * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// scanCall is a scan in a handler's hands.
type scanCall struct {
	engine *scans
	conn   *cellblock.Conn
	first  int
	done   chan struct{}
}

// Run merges the rows, encodes them and sends them.
func (c *scanCall) Run(w *pool.Worker) {
	e := c.engine
	s := &e.scanners[w.ID]
	s.Scan(e.region, c.first, scanRows)
	block := e.ipc.BuildCellBlock(s)
	err := s.Err()
	if err == nil {
		err = c.conn.Reply(block)
	}
	if err != nil {
		// The client, which is waiting for the rest, sees the end instead.
		_ = c.conn.Close()
	}
	e.blocks.Add(1)
	e.bytes.Add(int64(len(block)))
	e.ipc.Done(block)
	c.done <- struct{}{}
}
