package plot

import (
	"image/color"
	"math"
	"unicode"
	"unicode/utf8"

	"github.com/allocdiff/allocdiff/profile"
)

const maxTiles = 4

// tile is a figure of the whole comparison.
type tile struct {
	label  string
	values string // "before → after" with the unit
	delta  string
	remark string       // the interval of the change, if there is one
	row    *profile.Row // for the colour of delta; nil is muted
}

// tiles draws up to four figures of the whole comparison, side by side as far
// as their texts allow.
func (p *page) tiles() {
	ts := p.figures()
	if len(ts) == 0 {
		return
	}
	height, widest := float64(tileHeight), 0.0
	for _, t := range ts {
		if t.remark != "" {
			height = tileHeight + tileExtra
		}
		widest = max(widest, p.textWidth(smallLetter, t.label), p.textWidth(tileLetter, t.values),
			p.textWidth(tileDelta, t.delta), p.textWidth(smallLetter, t.remark))
	}
	each := len(ts) // in a row
	width := func() float64 { return (p.right() - p.left() - tileGap*float64(each-1)) / float64(each) }
	for each > 1 && width() < widest+2*tilePad {
		each = (each + 1) / 2
	}
	for i, t := range ts {
		if i > 0 && i%each == 0 {
			p.y += height + tileGap
		}
		p.tile(t, p.left()+float64(i%each)*(width()+tileGap), width(), height)
	}
	p.y += height + panelGap
}

// tile draws one figure at x.
func (p *page) tile(t tile, x, width, height float64) {
	p.rect(x, p.y, width, height, p.panel)
	line := func(y float64, s string, l letter, c color.NRGBA) {
		p.text(x+tilePad, p.y+y, p.fit(l, clean(s), width-2*tilePad), l, c)
	}
	c := p.muted
	if t.row != nil {
		c = p.deltaColor(t.row)
	}
	line(24, t.label, smallLetter, p.muted)
	line(50, t.values, tileLetter, p.ink)
	line(74, t.delta, tileDelta, c)
	line(94, t.remark, smallLetter, p.muted)
}

// figures picks the figures: the main metric, then the others that people ask
// for, as far as there are profiles for them.
func (p *page) figures() []tile {
	r := p.report
	if len(r.Metrics) == 0 {
		return nil
	}
	main := &r.Metrics[0]
	ts := []tile{p.total(main)}
	add := func(metrics ...profile.Metric) {
		for _, m := range metrics {
			if mr := p.metric(m); mr != nil && mr != main {
				ts = append(ts, p.total(mr))
			}
		}
	}
	add(profile.AllocSpace, profile.AllocObjects, profile.CPU)
	live := p.metric(profile.InuseSpace)
	grown := live != nil && live.Total.Verdict.Real()
	if grown {
		add(profile.InuseSpace)
	}
	if t, ok := p.meanSize(); ok {
		ts = append(ts, t)
	}
	if !grown {
		add(profile.InuseSpace)
	}
	add(profile.InuseObjects)
	if main.Kind == profile.Heap && p.metric(profile.CPU) == nil && len(ts) < maxTiles {
		ts = append(ts, tile{label: "CPU time", values: "–", delta: "no CPU profile"})
	}
	if b, a := main.Total.Before.N, main.Total.After.N; b+a > 0 && len(ts) < maxTiles {
		ts = append(ts, tile{label: "Evidence", values: arrow(events(b), events(a)), delta: "sampled events"})
	}
	return ts[:min(len(ts), maxTiles)]
}

// metric finds the tables of m; nil when there are none.
func (p *page) metric(m profile.Metric) *profile.MetricReport {
	for i := range p.report.Metrics {
		if p.report.Metrics[i].Metric == m {
			return &p.report.Metrics[i]
		}
	}
	return nil
}

func (p *page) total(m *profile.MetricReport) tile {
	return figure(capital(quantity(m.Metric, m.Per)), m.Metric, m.Per, &m.Total)
}

// meanSize is the size of the average allocation, which no profile states.
func (p *page) meanSize() (tile, bool) {
	space, objects := p.metric(profile.AllocSpace), p.metric(profile.AllocObjects)
	if space == nil || objects == nil {
		return tile{}, false
	}
	b, o := &space.Total, &objects.Total
	if o.Before.Value <= 0 || o.After.Value <= 0 {
		return tile{}, false
	}
	row := profile.Row{Verdict: profile.Unknown}
	row.Before.Value = b.Before.Value / o.Before.Value
	row.After.Value = b.After.Value / o.After.Value
	row.Delta = row.After.Value - row.Before.Value
	if row.Before.Value != 0 {
		pct := 100 * row.Delta / row.Before.Value
		row.Percent = &pct
	}
	t := figure("Mean object size", profile.AllocSpace, profile.PerRun, &row)
	t.row = nil // no colour without a test
	t.remark = "a ratio of two estimates, not judged"
	return t, true
}

// figure makes a tile of a row.
func figure(label string, m profile.Metric, per profile.Per, r *profile.Row) tile {
	c := columnOf(m, per, max(math.Abs(r.Before.Value), math.Abs(r.After.Value)))
	d := columnOf(m, per, r.Delta)
	return tile{
		label:  label,
		values: c.with(arrow(c.amount(r.Before.Value), c.amount(r.After.Value))),
		delta:  d.with(d.delta(r.Delta)) + " (" + percent(r) + ")",
		row:    r,
		remark: intervalText(r),
	}
}

// intervalText is the interval of a change in percent, "confidence interval
// −9.2% … −8.4%": that of the ratio, or where there is none that of the
// difference.
func intervalText(r *profile.Row) string {
	var lo, hi float64
	switch {
	case r.RatioCI != nil && !r.RatioCI.Unbounded:
		lo, hi = 100*(r.RatioCI.Lo-1), 100*(r.RatioCI.Hi-1)
	case r.RatioCI == nil && r.DeltaCI != nil && !r.DeltaCI.Unbounded && r.Before.Value > 0:
		lo, hi = 100*r.DeltaCI.Lo/r.Before.Value, 100*r.DeltaCI.Hi/r.Before.Value
	default:
		return ""
	}
	return "confidence interval " + narrow(profile.FormatPercent(lo), lo) + " … " + narrow(profile.FormatPercent(hi), hi)
}

// capital sets the first letter of a noun as a heading has it.
func capital(s string) string {
	if s == "" {
		return s
	}
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
