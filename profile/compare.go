package profile

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Diff is two sides whose rows have been paired by name. Its tables are made
// one at a time, because all of them together can be larger than the profiles.
type Diff struct {
	Before, After *Side

	metrics []metricPair
	names   []name
	pools   []poolInfo
	partner map[int32]int32 // names that exist after only -> before only, where they are one function in two builds
	alone   [2][]bool       // by name: stands in stacks of that side only, and is paired with no other name
}

// metricPair is a metric that both sides have.
type metricPair struct {
	Metric
	b, a   *Costs
	ib, ia int // index of the metric in each
}

// pair is one row of a table before it is judged.
type pair struct {
	pool, name int32
	was        int32   // name on the before side when it differs; noName
	q          float64 // set by judge.family
	b, a       Sum
	delta      float64 // after less before, per T
}

// delta is after less before, each divided as the metric is.
func (m *metricPair) delta(p *pair) float64 {
	return float64(p.a.Value)/m.a.per(m.ia) - float64(p.b.Value)/m.b.per(m.ib)
}

const noName = int32(-1)

// Compare pairs the rows of two sides. It is an error if they have no sample
// type in common.
func Compare(before, after *Side) (*Diff, error) {
	d := &Diff{Before: before, After: after, names: before.names.snapshot(), pools: before.pools.snapshot()}
	var typesB, typesA []Metric
	for _, b := range before.Costs {
		typesB = append(typesB, b.Metrics...)
		for ib, m := range b.Metrics {
			if slices.Index(b.Metrics, m) != ib {
				continue // a sample type that occurs twice
			}
			for _, a := range after.Costs {
				if ia := slices.Index(a.Metrics, m); ia >= 0 && a.Kind == b.Kind {
					d.metrics = append(d.metrics, metricPair{m, b, a, ib, ia})
					break
				}
			}
		}
	}
	for _, a := range after.Costs {
		typesA = append(typesA, a.Metrics...)
	}
	if len(d.metrics) == 0 {
		return nil, fmt.Errorf("nothing to compare: %s has %s, %s has %s; give two profiles with a sample type in common",
			before.Label, metricList(typesB), after.Label, metricList(typesA))
	}
	main := before.opts.Metric
	order := func(m metricPair) int { return importance(m.Metric, main, before.Profiles[0].Default) }
	slices.SortStableFunc(d.metrics, func(x, y metricPair) int { return cmp.Compare(order(x), order(y)) })
	if main != "" && d.metrics[0].Type != main {
		return nil, fmt.Errorf("no sample type %q on both sides; there is %s", main, metricList(typesB))
	}
	d.match()
	return d, nil
}

// importance orders metrics for people: the one asked for, allocated bytes,
// then what the profile itself wants shown.
func importance(m Metric, wish, byDefault string) int {
	switch {
	case m.Type == wish:
		return -1
	case m == AllocSpace || m == Metric{"allocations", "bytes"}:
		return 0
	case m == AllocObjects:
		return 1
	case m == InuseSpace || m == Metric{"space", "bytes"}:
		return 2
	case m == InuseObjects || m == Metric{"objects", "count"}:
		return 3
	case m.Type == byDefault:
		return 4
	case m == CPU:
		return 5
	case m == CPUSamples:
		return 7
	}
	return 6
}

// match pairs names that exist on one side only but are the same function in
// another build: equal but for closure numbers, type arguments or addresses.
// Where several compete they are paired in the order of their names.
func (d *Diff) match() {
	var has [2][]bool
	for side, s := range []*Side{d.Before, d.After} {
		has[side] = make([]bool, len(d.names))
		d.alone[side] = make([]bool, len(d.names))
		for _, c := range s.Costs {
			for name, present := range c.present {
				has[side][name] = has[side][name] || present
			}
		}
	}
	var left [2]map[string][]int32
	for side := range has {
		left[side] = make(map[string][]int32)
		for id := range d.names {
			if has[side][id] && !has[1-side][id] {
				d.alone[side][id] = true
				key := canonical(d.names[id].text)
				left[side][key] = append(left[side][key], int32(id))
			}
		}
	}
	d.partner = make(map[int32]int32)
	byName := func(x, y int32) int { return cmp.Compare(d.names[x].text, d.names[y].text) }
	for key, after := range left[1] {
		before := left[0][key]
		if len(before) == 0 {
			continue
		}
		slices.SortFunc(after, byName)
		slices.SortFunc(before, byName)
		for i := range min(len(before), len(after)) {
			d.partner[after[i]] = before[i]
			d.alone[0][before[i]], d.alone[1][after[i]] = false, false
		}
	}
}

// pairs lists the rows of one view that hold anything, in no order.
func (d *Diff) pairs(m *metricPair, pick func(*Costs) *view) []pair {
	vb, va := pick(m.b), pick(m.a)
	seen := make([]bool, len(vb.keys))
	rows := make([]pair, 0, max(len(vb.keys), len(va.keys)))
	add := func(p pair) {
		if p.b.zero() && p.a.zero() {
			return
		}
		p.delta = m.delta(&p)
		rows = append(rows, p)
	}
	for i, k := range va.keys {
		p := pair{pool: va.poolOf(k), name: k.name, was: noName, a: va.sum(i, m.ia, m.a)}
		c := vb.find(k.pool, k.name)
		if c < 0 {
			if was, ok := d.partner[k.name]; ok {
				if c = vb.find(k.pool, was); c >= 0 {
					p.was = was
				}
			}
		}
		if c >= 0 {
			seen[c] = true
			p.b = vb.sum(c, m.ib, m.b)
		}
		add(p)
	}
	for i, k := range vb.keys {
		if !seen[i] {
			add(pair{pool: vb.poolOf(k), name: k.name, was: noName, b: vb.sum(i, m.ib, m.b)})
		}
	}
	return rows
}

// poolPairs lists the pools that hold anything of the metric.
func (d *Diff) poolPairs(m *metricPair) []pair {
	return listPairs(m, &m.b.pools, &m.a.pools)
}

// sizePairs lists the object size classes that hold anything, ascending.
func (d *Diff) sizePairs(m *metricPair) []pair {
	return listPairs(m, &m.b.sizes, &m.a.sizes)
}

// listPairs lists the rows of a view without functions, by number: that of the
// row takes the place of the pool's.
func listPairs(m *metricPair, b, a *view) []pair {
	var rows []pair
	for n := range int32(max(b.length(), a.length())) {
		p := pair{pool: n, name: noName, was: noName}
		if c := b.find(0, n); c >= 0 {
			p.b = b.sum(c, m.ib, m.b)
		}
		if c := a.find(0, n); c >= 0 {
			p.a = a.sum(c, m.ia, m.a)
		}
		if p.b.zero() && p.a.zero() {
			continue
		}
		p.delta = m.delta(&p)
		rows = append(rows, p)
	}
	return rows
}

// total reports whether the row is the total.
func (p *pair) total() bool { return p.name == noName && p.pool == noPool }

func (d *Diff) totalPair(m *metricPair) pair {
	p := pair{pool: noPool, name: noName, was: noName, b: m.b.totalOf(m.ib), a: m.a.totalOf(m.ia)}
	p.delta = m.delta(&p)
	return p
}

// text is the name that a row is sorted and printed by.
func (d *Diff) text(p *pair) string {
	if p.name == noName {
		return d.pools[p.pool].name
	}
	return d.names[p.name].text
}

// size is what the row holds on the side that holds more.
func (p *pair) size() int64 { return max(p.b.Value, -p.b.Value, p.a.Value, -p.a.Value) }

// largest returns the n rows (0: all) that moved most, by |delta|, then size (so
// that a report of no change shows what there is), name and pool.
func (d *Diff) largest(rows []pair, n int) []pair {
	if n <= 0 || n > len(rows) {
		n = len(rows)
	}
	if n == 0 {
		return nil
	}
	moved := make([]float64, len(rows))
	for i := range rows {
		moved[i] = math.Abs(rows[i].delta)
	}
	slices.Sort(moved)
	least := moved[len(moved)-n]
	top := make([]int, 0, n)
	for i := range rows {
		if math.Abs(rows[i].delta) >= least {
			top = append(top, i)
		}
	}
	slices.SortFunc(top, func(i, j int) int {
		x, y := &rows[i], &rows[j]
		if c := cmp.Compare(math.Abs(y.delta), math.Abs(x.delta)); c != 0 {
			return c
		}
		if c := cmp.Compare(y.size(), x.size()); c != 0 {
			return c
		}
		if c := cmp.Compare(d.text(x), d.text(y)); c != 0 {
			return c
		}
		return cmp.Compare(d.pools[max(x.pool, 0)].name, d.pools[max(y.pool, 0)].name)
	})
	list := make([]pair, n)
	for i := range list {
		list[i] = rows[top[i]]
	}
	return list
}
