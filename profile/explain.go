package profile

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// PoolReport explains how the samples of one side found their pools.
type PoolReport struct {
	Label string
	Kinds []PoolKind
	Notes []string // rules that matched nothing, names that were cut
}

// PoolKind explains the pools of one kind of profile.
type PoolKind struct {
	Kind     Kind
	Metric   Metric  // that values are of
	Runs     int     // profiles; values are the mean of one
	Total    float64 // base units
	Ways     []PoolWay
	Pools    []PoolRow // by |Value|, then Name
	Profiles []string
}

// PoolWay is one way of finding pools, with what it has placed.
type PoolWay struct {
	Name  string
	Share float64 // of Total, in [0,1]
}

// PoolRow is one pool: what it holds and why it exists.
type PoolRow struct {
	Name      string
	Value     float64  // base units, mean per run
	N         float64  // sampled events, all runs together; 0 unknown
	Share     float64  // of the total, in [0,1]
	Threads   int      // declared, or seen with a sample; 0 unknown
	Rule      string   // that led to it
	Anonymous bool     // its name says nothing of its purpose
	Raw       []string // up to three raw names that were folded into it
}

// Explain tells how the pools of a side were found.
func Explain(s *Side) *PoolReport {
	r := &PoolReport{Label: s.Label}
	pools := s.pools.snapshot()
	used := make(map[string]bool)
	for _, c := range s.Costs {
		k := PoolKind{Kind: c.Kind, Runs: c.Runs}
		main := c.main()
		k.Metric = c.Metrics[main]
		k.Total = float64(c.totalOf(main).Value) / float64(c.Runs)
		for _, p := range s.Profiles {
			if slices.Equal(p.Metrics, c.Metrics) {
				k.Profiles = append(k.Profiles, p.Name)
			}
		}
		for way, by := range c.reasons {
			if by[main] != 0 {
				k.Ways = append(k.Ways, PoolWay{poolReasons[way], share(float64(by[main]), float64(c.totalOf(main).Value))})
			}
		}
		for i, key := range c.pools.keys {
			es, id := c.pools.at(i), int(key.name)
			if es[main].zero() {
				continue
			}
			in := &pools[id]
			used[in.rule] = true
			k.Pools = append(k.Pools, PoolRow{
				Name:      in.name,
				Value:     float64(es[main].Value) / float64(c.Runs),
				N:         es[main].N,
				Share:     share(float64(es[main].Value), float64(c.totalOf(main).Value)),
				Threads:   s.threads(in.name, c, id),
				Rule:      in.rule,
				Anonymous: in.anonymous,
				Raw:       in.rawNames(),
			})
		}
		slices.SortFunc(k.Pools, func(x, y PoolRow) int {
			return cmp.Or(cmp.Compare(math.Abs(y.Value), math.Abs(x.Value)), cmp.Compare(x.Name, y.Name))
		})
		r.Kinds = append(r.Kinds, k)
	}
	for i := range s.opts.Pools.Rules {
		if rule := s.opts.Pools.Rules[i].String(); !used["rule "+rule] {
			r.Notes = append(r.Notes, fmt.Sprintf("rule %s placed no sample", rule))
		}
	}
	s.doubts(func(format string, args ...any) { r.Notes = append(r.Notes, fmt.Sprintf(format, args...)) })
	return r
}

// main is the index of the metric that people look at first.
func (c *Costs) main() int {
	main := 0
	for i, m := range c.Metrics {
		if importance(m, "", c.Default) < importance(c.Metrics[main], "", c.Default) {
			main = i
		}
	}
	return main
}

func share(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}
