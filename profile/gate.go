package profile

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/allocdiff/allocdiff/profile/internal/noise"
)

// A Gate is a change that must not happen: --fail-on.
type Gate struct {
	text   string
	pool   string         // exact name; "" for none
	fn     *regexp.Regexp // functions; nil for none; with neither, the total
	metric string
	above  bool    // trips above the limit, else below
	limit  float64 // relative change, as a fraction
}

// The outcomes of a gate.
const (
	Passed       = "passed"       // the change is shown not to be beyond the limit
	Failed       = "failed"       // it is beyond the limit, and beyond noise
	Inconclusive = "inconclusive" // too little was sampled, or there is no such row
)

// ParseGate reads "[total | pool:NAME | func:REGEXP] METRIC >|< PERCENT", such as
// "total alloc_space > +2%". Functions are owners.
func ParseGate(text string) (Gate, error) {
	wrong := func(what string) (Gate, error) {
		return Gate{}, fmt.Errorf("gate %q: %s; want [total | pool:NAME | func:REGEXP] METRIC > PERCENT, such as 'total alloc_space > +2%%'", text, what)
	}
	f := strings.Fields(text)
	if len(f) < 3 {
		return wrong("too short")
	}
	g := Gate{text: text, metric: f[len(f)-3]}
	switch f[len(f)-2] {
	case ">":
		g.above = true
	case "<":
	default:
		return wrong("no > or < before the percentage")
	}
	number, ok := strings.CutSuffix(f[len(f)-1], "%")
	percent, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || math.IsNaN(percent) || math.IsInf(percent, 0) {
		return wrong("no percentage at the end")
	}
	g.limit = percent / 100
	subject := strings.Join(f[:len(f)-3], " ")
	if pool, ok := strings.CutPrefix(subject, "pool:"); ok && pool != "" {
		g.pool = pool
		return g, nil
	}
	if pattern, ok := strings.CutPrefix(subject, "func:"); ok && pattern != "" {
		if g.fn, err = regexp.Compile(pattern); err != nil {
			return wrong(err.Error())
		}
		return g, nil
	}
	if subject != "" && subject != "total" {
		return wrong("unknown subject " + strconv.Quote(subject))
	}
	return g, nil
}

// Check evaluates a gate. It trips only on a change that is both larger than
// the limit and beyond noise.
func (d *Diff) Check(g Gate) GateResult {
	r := GateResult{Gate: g.text, Outcome: Inconclusive}
	m := d.find(g.metric)
	if m == nil {
		r.Reason = fmt.Sprintf("no %s on both sides", g.metric)
		return r
	}
	rows, reason := d.subjects(g, m)
	if len(rows) == 0 {
		r.Reason = reason
		return r
	}
	j := newJudge(m, &d.Before.opts.Judge)
	j.runNoise(d.pairs(m, func(c *Costs) *view { return &c.flat }))
	j.family(rows)
	for i := range rows {
		outcome, reason := g.decide(j, j.judged(&rows[i]))
		if worse(outcome, r.Outcome) || i == 0 {
			r.Outcome, r.Reason = outcome, d.subject(&rows[i])+" "+reason
		}
	}
	return r
}

// MetricNames are the sample types that both sides have, as gates name them.
func (d *Diff) MetricNames() []string {
	var names []string
	for _, m := range d.metrics {
		names = append(names, m.Type)
	}
	return names
}

// Metric is the sample type that a gate is about.
func (g Gate) Metric() string { return g.metric }

// HasMetric reports whether both sides have a sample type, given as
// "alloc_space" or "alloc_space/bytes".
func (d *Diff) HasMetric(name string) bool { return d.find(name) != nil }

func (d *Diff) find(metric string) *metricPair {
	for i := range d.metrics {
		if d.metrics[i].Type == metric || d.metrics[i].String() == metric {
			return &d.metrics[i]
		}
	}
	return nil
}

// subjects are the rows that a gate is about, in the order of their names.
func (d *Diff) subjects(g Gate, m *metricPair) (rows []pair, reason string) {
	switch {
	case g.pool != "":
		var names []string
		for _, p := range d.poolPairs(m) {
			if name := d.text(&p); name == g.pool {
				return []pair{p}, ""
			} else {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		return nil, fmt.Sprintf("no pool %q; there is %s", g.pool, strings.Join(names, ", "))
	case g.fn != nil:
		for _, p := range d.pairs(m, func(c *Costs) *view { return &c.owner }) {
			if g.fn.MatchString(d.text(&p)) {
				rows = append(rows, p)
			}
		}
		slices.SortFunc(rows, func(x, y pair) int { return strings.Compare(d.text(&x), d.text(&y)) })
		return rows, fmt.Sprintf("no function matches %q", g.fn)
	}
	return []pair{d.totalPair(m)}, ""
}

func (d *Diff) subject(p *pair) string {
	if p.total() {
		return "total"
	}
	return d.text(p)
}

func worse(a, b string) bool {
	rank := func(o string) int { return slices.Index([]string{Passed, Inconclusive, Failed}, o) }
	return rank(a) > rank(b)
}

// decide is the outcome for one row. The change must be beyond the limit; and
// its interval must exclude no change, or the limit itself where the limit asks
// for an improvement.
func (g Gate) decide(j *judge, t noise.Test) (outcome, reason string) {
	b, a := t.Before.Rate(), t.After.Rate()
	if t.Basis == noise.Unknown {
		return Inconclusive, "has no noise model: the profile does not tell how it was sampled"
	}
	if t.Basis == noise.Exact && b == 0 && a > 0 {
		return g.outcome(g.above, !g.above), "is new"
	}
	ci, ok := j.method.Ratio(t)
	if !ok && b == 0 && a == 0 {
		return g.outcome(beyond(g.above, 0, g.limit), !beyond(g.above, 0, g.limit)), "is nothing on both sides"
	}
	if t.Few() || !ok {
		return Inconclusive, fmt.Sprintf("rests on %.0f and %.0f sampled events: too few to tell", t.Before.Events, t.After.Events)
	}
	change, what := math.Inf(1), "is new"
	if b > 0 {
		change = a/b - 1
		what = "changed by " + percentWord(change)
	}
	lo, hi := ci.Lo-1, ci.Hi-1
	if ci.Open {
		hi = math.Inf(1)
	}
	reason = fmt.Sprintf("%s, interval %s .. %s", what, percentWord(lo), percentWord(hi))
	near, far := lo, hi // the end of the interval next to no change, and the other
	if !g.above {
		near, far = hi, lo
	}
	still := math.Min(g.limit, 0) // what the interval must exclude: no change, or the improvement asked for
	if !g.above {
		still = math.Max(g.limit, 0)
	}
	trips := beyond(g.above, change, g.limit) && beyond(g.above, near, still) && (still != 0 || t.Q <= j.method.FDR)
	return g.outcome(trips, !beyond(g.above, far, g.limit)), reason
}

func beyond(above bool, x, limit float64) bool {
	if above {
		return x > limit
	}
	return x < limit
}

func (g Gate) outcome(trips, clear bool) string {
	switch {
	case trips:
		return Failed
	case clear:
		return Passed
	}
	return Inconclusive
}

func percentWord(x float64) string {
	if math.IsInf(x, 1) {
		return "no upper bound"
	}
	return FormatPercent(100 * x)
}
