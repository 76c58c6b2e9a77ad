package profile

// prefixTree learns pool names from the labels of CPU profiles. Go heap
// profiles carry no labels (golang.org/issue/23458), but their stacks start
// with the same frames: a root-to-leaf prefix whose CPU samples carry one pool
// label names every sample that starts with it.
type prefixTree struct {
	edges map[prefixEdge]int32
	nodes []prefixNode
}

type prefixEdge struct {
	parent int32
	name   int32
}

type prefixNode struct {
	samples map[int32]float64 // CPU samples by labelled pool; noPool for none
	pool    int32             // learned; noPool if the prefix tells nothing
}

const (
	noPool = int32(-1)

	prefixDepth  = 24   // frames from the root that are looked at
	prefixPurity = 0.95 // share of one label that makes a name
	// A named function that starts a pool seldom starts another, but a closure
	// is often a helper that starts them all: it needs more evidence.
	closureSamples = 10
)

func newPrefixTree() *prefixTree {
	return &prefixTree{edges: make(map[prefixEdge]int32), nodes: make([]prefixNode, 1)}
}

// add counts one CPU row, given its frames from the root.
func (t *prefixTree) add(frames []int32, pool int32, samples float64) {
	at := int32(0)
	for _, f := range frames[:min(len(frames), prefixDepth)] {
		next, ok := t.edges[prefixEdge{at, f}]
		if !ok {
			next = int32(len(t.nodes))
			t.nodes = append(t.nodes, prefixNode{samples: make(map[int32]float64)})
			t.edges[prefixEdge{at, f}] = next
		}
		t.nodes[next].samples[pool] += samples
		at = next
	}
}

// merge adds the counts of o.
func (t *prefixTree) merge(o *prefixTree) {
	children := make(map[int32][]prefixEdge)
	for e := range o.edges {
		children[e.parent] = append(children[e.parent], e)
	}
	var walk func(from, to int32)
	walk = func(from, to int32) {
		for _, e := range children[from] {
			src := o.edges[e]
			dst, ok := t.edges[prefixEdge{to, e.name}]
			if !ok {
				dst = int32(len(t.nodes))
				t.nodes = append(t.nodes, prefixNode{samples: make(map[int32]float64)})
				t.edges[prefixEdge{to, e.name}] = dst
			}
			for pool, n := range o.nodes[src].samples {
				t.nodes[dst].samples[pool] += n
			}
			walk(src, dst)
		}
	}
	walk(0, 0)
}

// decide fixes what each prefix teaches.
func (t *prefixTree) decide(names []name) {
	t.nodes[0].pool = noPool
	for e, at := range t.edges {
		node := &t.nodes[at]
		node.pool = noPool
		total, best, bestPool := 0.0, 0.0, noPool
		for pool, n := range node.samples {
			total += n
			if pool != noPool && n > best {
				best, bestPool = n, pool
			}
		}
		if best < prefixPurity*total {
			continue
		}
		if total < closureSamples && closure.MatchString(names[e.name].text) {
			continue
		}
		node.pool = bestPool
	}
}

// find returns the pool learned for the shortest prefix of the frames (from the
// root) that has one, and how many frames it looked at; one more than there are
// if a longer stack could find another.
func (t *prefixTree) find(frames []int32) (pool int32, looked int) {
	at := int32(0)
	for i, f := range frames[:min(len(frames), prefixDepth)] {
		next, ok := t.edges[prefixEdge{at, f}]
		if !ok {
			return noPool, i + 1
		}
		if p := t.nodes[next].pool; p != noPool {
			return p, i + 1
		}
		at = next
	}
	return noPool, min(len(frames)+1, prefixDepth)
}
