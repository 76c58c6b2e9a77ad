package pool

import "slices"

// gossipEndpoints is the size of the cluster that the node gossips about. Its
// digest list is 32 KiB, large enough for a heap profile to count every one.
const gossipEndpoints = 1024

// A Gossiper is the node's failure detector at rest: each tick it raises its
// own heartbeat and makes the digest list of a SYN message. Ticks are counted
// by operations instead of seconds, so that the pool does the same work per
// operation in every run.
type Gossiper struct {
	stage    *Pool
	every    int
	versions []int64
	sum      int64
}

// gossipDigest is what a SYN message says of one endpoint.
type gossipDigest struct {
	endpoint, generation, version int64
	age                           int64
}

// NewGossiper returns a gossiper that ticks on stage once in every operations.
// It panics if every is less than 1. The stage needs a single thread, as in
// Cassandra.
func NewGossiper(stage *Pool, every int) *Gossiper {
	if every < 1 {
		panic("pool: gossip needs a positive number of operations between ticks")
	}
	return &Gossiper{stage: stage, every: every, versions: make([]int64, gossipEndpoints)}
}

// Op tells the gossiper that operation op has been done, op counted from 0.
func (g *Gossiper) Op(op int) {
	if op%g.every == 0 {
		g.stage.Submit(g)
	}
}

// Run is one tick.
func (g *Gossiper) Run(*Worker) {
	g.versions[0]++
	digests := make([]gossipDigest, len(g.versions))
	for i := range digests {
		// The order of endpoints in a SYN is shuffled; here by a fixed stride.
		e := (i*389 + int(g.versions[0])) % len(digests)
		digests[i] = gossipDigest{endpoint: int64(e), generation: 1, version: g.versions[e], age: g.versions[0] - g.versions[e]}
	}
	slices.SortFunc(digests, func(a, b gossipDigest) int { return int(b.age - a.age) })
	for _, d := range digests[:3] {
		g.versions[d.endpoint] = g.versions[0]
	}
	g.sum += digests[0].endpoint
}
