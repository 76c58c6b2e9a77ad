package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// info describes a side for the report.
func (s *Side) info() SideInfo {
	in := SideInfo{Label: s.Label}
	for _, p := range s.Profiles {
		in.Inputs = append(in.Inputs, p.InputInfo)
	}
	if s.opts.Merge && len(s.Profiles) > 1 {
		in.Merged = len(s.Profiles)
	}
	if s.per == PerOp && len(s.Costs) > 0 {
		in.Ops = s.Costs[0].T
	}
	return in
}

// identical reports whether both sides are the same bytes in the same order.
func identical(b, a []InputInfo) bool {
	return slices.EqualFunc(b, a, func(x, y InputInfo) bool { return x.SHA256 == y.SHA256 })
}

// preflight lists what makes the comparison doubtful, most serious first.
func (d *Diff) preflight(same bool) []string {
	var w []string
	add := func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); !slices.Contains(w, text) { // both sides may be one file
			w = append(w, text)
		}
	}
	if !same {
		d.sameFile(add)
	}
	d.kinds(add)
	for _, b := range d.Before.Costs {
		for _, a := range d.After.Costs {
			if a.Kind == b.Kind && a.Kind != Other {
				d.headers(b.Kind, add)
				d.labels(b, a, add)
			}
		}
	}
	d.operations(add)
	for _, s := range []*Side{d.Before, d.After} {
		s.doubts(add)
	}
	d.few(add)
	d.strangers(add)
	return w
}

// strangers warns when most of a side stands in functions that the other side
// does not know: two programs, or one of them renamed.
func (d *Diff) strangers(add adder) {
	m := &d.metrics[0]
	if d.Before.opts.By != "" || m.b.totalOf(m.ib).Value == 0 || m.a.totalOf(m.ia).Value == 0 {
		return
	}
	strange := func(c *Costs, metric, side int) float64 {
		value := int64(0)
		for i, k := range c.owner.keys {
			if d.alone[side][k.name] {
				value += c.owner.at(i)[metric].Value
			}
		}
		return float64(value) / float64(c.totalOf(metric).Value)
	}
	before, after := strange(m.b, m.ib, 0), strange(m.a, m.ia, 1)
	if before > 0.5 || after > 0.5 {
		add("%.0f%% of %s before and %.0f%% after are in functions that the other side does not have: are these two builds of one program?",
			100*before, m.Noun(), 100*after)
	}
}

type adder func(format string, args ...any)

// sameFile finds a file that was given twice.
func (d *Diff) sameFile(add adder) {
	seen := make(map[string]string)
	for _, s := range []*Side{d.Before, d.After} {
		for _, p := range s.Profiles {
			if first, ok := seen[p.SHA256]; ok {
				add("%s and %s are the same file", first, p.Name)
			}
			seen[p.SHA256] = p.Name
		}
	}
}

// kinds finds profiles and sample types that have no counterpart.
func (d *Diff) kinds(add adder) {
	for _, x := range []struct{ has, lacks *Side }{{d.Before, d.After}, {d.After, d.Before}} {
		for _, c := range x.has.Costs {
			var lone []Metric
			for _, m := range c.Metrics {
				if !slices.ContainsFunc(x.lacks.Costs, func(o *Costs) bool { return o.Kind == c.Kind && slices.Index(o.Metrics, m) >= 0 }) {
					lone = append(lone, m)
				}
			}
			switch len(lone) {
			case 0:
			case len(c.Metrics):
				add("%s has a profile of %s, %s has none: it is left out", x.has.Label, metricList(lone), x.lacks.Label)
			default:
				add("%s has no %s: what %s has of it is left out", x.lacks.Label, metricList(lone), x.has.Label)
			}
		}
	}
}

// labels warns when one side's pools come from labels and the other has none:
// the same pool then stands in two rows.
func (d *Diff) labels(b, a *Costs, add adder) {
	labelled := func(c *Costs) float64 {
		i := c.main()
		return share(float64(c.reasons[byPoolLabel][i]+c.reasons[byThread][i]), float64(c.totalOf(i).Value))
	}
	has, lacks := d.Before, d.After
	with, without := labelled(b), labelled(a)
	if without > with {
		has, lacks, with, without = lacks, has, without, with
	}
	if with > 0.5 && without == 0 && b.totalOf(b.main()).Value != 0 && a.totalOf(a.main()).Value != 0 {
		add("%.0f%% of %s has a pool or thread label, %s has none: their pools do not line up", 100*with, has.Label, lacks.Label)
	}
}

// headers compares what the profiles of one kind say of how they were taken.
func (d *Diff) headers(kind Kind, add adder) {
	b, a := d.Before.of(kind), d.After.of(kind)
	name := kindName(kind)
	if pb, pa := distinct(b, func(p *Profile) int64 { return p.Period }), distinct(a, func(p *Profile) int64 { return p.Period }); len(pb) != 1 || len(pa) != 1 || pb[0] != pa[0] {
		add("%s profiles were sampled at different rates: %s before, %s after", name, rates(b), rates(a))
	}
	if kind == Heap {
		if delta, snapshot := split(b, a); delta != "" && snapshot != "" {
			add("%s is a delta (taken over a time), %s is a snapshot since the start: they do not cover the same work", delta, snapshot)
		}
	}
	db, da := meanDuration(b), meanDuration(a)
	if db > 0 && da > 0 && (da > 1.05*db || db > 1.05*da) && d.Before.per == PerRun {
		sc := ScaleOf("nanoseconds", db)
		remedy := ""
		if meanDuration(d.Before.Profiles) > 0 && meanDuration(d.After.Profiles) > 0 {
			remedy = " (--per second)"
		}
		add("%s profiles cover different times: %s before, %s after, and are not scaled%s", name, sc.Format(db), sc.Format(da), remedy)
	}
	if a[0].Time > 0 && slices.MaxFunc(a, byTime).Time < slices.MinFunc(b, byTime).Time {
		add("the after %s profile is older than the before one: are the sides swapped?", name)
	}
}

func byTime(x, y *Profile) int { return cmp.Compare(x.Time, y.Time) }

func (s *Side) of(kind Kind) []*Profile {
	var list []*Profile
	for _, p := range s.Profiles {
		if p.Kind == kind {
			list = append(list, p)
		}
	}
	return list
}

// distinct lists the different values, in the order of the profiles.
func distinct[T comparable](list []*Profile, value func(*Profile) T) []T {
	var seen []T
	for _, p := range list {
		if v := value(p); !slices.Contains(seen, v) {
			seen = append(seen, v)
		}
	}
	return seen
}

func rates(list []*Profile) string { return strings.Join(distinct(list, (*Profile).Rate), " and ") }

// split returns a profile that is a delta and one that is not, "" for none.
func split(sides ...[]*Profile) (delta, snapshot string) {
	for _, list := range sides {
		for _, p := range list {
			switch {
			case p.Delta && delta == "":
				delta = p.Name
			case !p.Delta && snapshot == "":
				snapshot = p.Name
			}
		}
	}
	return delta, snapshot
}

func meanDuration(list []*Profile) float64 {
	sum := 0.0
	for _, p := range list {
		if p.Duration <= 0 {
			return 0
		}
		sum += float64(p.Duration)
	}
	return sum / float64(len(list))
}

// operations warns when the amount of work is known and differs, or is known of
// some profiles only, and nothing was scaled.
func (d *Diff) operations(add adder) {
	if d.Before.per != PerRun {
		return
	}
	b, a := d.Before.operations(), d.After.operations()
	unknown := slices.Contains(b, 0) || slices.Contains(a, 0)
	switch {
	case slices.Equal(b, a) && len(b) == 1:
	case unknown:
		add("not all profiles tell their number of operations: nothing is scaled (--ops BEFORE,AFTER)")
	case !slices.Equal(b, a):
		add("the sides did different numbers of operations (%s before, %s after) and are not scaled", counts(b), counts(a))
	}
}

// operations are the different numbers of operations of the runs, ascending; 0
// for a run that does not tell.
func (s *Side) operations() []float64 {
	return slices.Sorted(slices.Values(distinct(s.Profiles, func(p *Profile) float64 { return p.Ops })))
}

func counts(list []float64) string {
	var words []string
	for _, n := range list {
		words = append(words, Count(n))
	}
	return strings.Join(words, " and ")
}

// few warns when too little was sampled to say much.
func (d *Diff) few(add adder) {
	m := &d.metrics[0]
	b, a := m.b.totalOf(m.ib), m.a.totalOf(m.ia)
	if n := b.N + a.N; n > 0 && n < 200 && b.Value != 0 && a.Value != 0 {
		add("only %s and %s sampled events before and after: only large changes can be seen; sample more often or record longer", Count(b.N), Count(a.N))
	}
}
