package plot

import (
	"math"
	"strconv"

	"github.com/allocdiff/allocdiff/profile"
)

// pools draws the thread pools of a metric as a table with two charts: a
// bullet (grey bar before, tick after) that shows the weight of a pool, and a
// bar of the change on its own scale.
func (p *page) pools(m *profile.MetricReport, n int) {
	title := "Thread pools: " + quantity(m.Metric, m.Per)
	if len(m.Pools.Rows) == 0 {
		p.heading(title, "")
		p.y = p.paragraph(p.y+8, p.noPools(m), bodyLetter, p.muted) - 14 + panelGap
		return
	}
	s := fold(&m.Pools, n, "pool", every)
	rows := s.rows
	if s.other != nil {
		rows = append(rows[:len(rows):len(rows)], *s.other)
	}
	p.heading(title, "grey bar = before, tick = after; coloured bar = change, on its own scale; sorted by |Δ|", p.barKeys(rows, withinNoise)...)
	p.poolTable(m, rows)
	p.y += panelGap
}

// noPools says why there is no table.
func (p *page) noPools(m *profile.MetricReport) string {
	switch {
	case m.Total.Before.Value == 0 && m.Total.After.Value == 0:
		return "No samples, so no pools."
	case m.Kind == profile.Heap:
		return "No pools: these profiles name no threads. Go heap profiles carry no labels; pools come from goroutine entry functions, from a CPU profile of the same program, or from --pool rules."
	}
	return "No pools: these profiles name no threads. Label the work with pprof.Do, or name pools with --pool rules."
}

func (p *page) poolTable(m *profile.MetricReport, rows []profile.Row) {
	names := poolNames(rows)
	nameW := p.nameWidth("Pool", names, bodyLetter, nameShare)
	all := append(rows[:len(rows):len(rows)], m.Total)
	fields, edge := p.place(p.poolFields(m, all), p.left()+nameW, p.right(), 2*minChart)

	base := p.y + 16
	p.text(p.left(), base, "Pool", columnLetter, p.muted)
	p.heads(fields, base)
	left := p.left() + nameW + columnGap
	mid := left + math.Round((edge-left)*0.55)
	bullet := newAxis(left, mid-zonePad, rows, amounts)
	change := newAxis(mid+zonePad, edge, rows, deltas)
	p.y += 24
	top := p.y
	for i := range rows {
		r := &rows[i]
		if i%2 == 0 {
			p.rect(p.left()-12, p.y, p.right()-p.left()+24, rowHeight, p.panel)
		}
		base := p.y + 19
		p.text(p.left(), base, names[i], bodyLetter, p.ink)
		p.bullet(bullet, r)
		p.cells(fields, i, base)
		p.y += rowHeight
	}
	p.rect(bullet.zero(), top, 1, p.y-top, p.grid)
	p.rect(change.zero(), top, 1, p.y-top, p.muted)
	for i := range rows {
		p.changeBar(change, &rows[i], top+float64(i)*rowHeight+rowHeight/2)
	}
	p.rule(p.y)
	p.text(p.left(), p.y+20, "Total", deltaLetter, p.ink)
	p.cells(fields, len(rows), p.y+20)
	p.y += rowHeight
}

// bullet draws both sides of a pool into the row at the cursor.
func (p *page) bullet(a axis, r *profile.Row) {
	mid := p.y + rowHeight/2
	if b := r.Before.Value; b > 0 {
		p.rect(a.zero(), mid-bulletSize/2, a.at(b)-a.zero(), bulletSize, p.before)
	}
	p.rect(a.at(max(r.After.Value, 0))-1, mid-tickSize/2, 3, tickSize, p.ink)
}

// poolFields fills the columns; the last of rows is the total.
func (p *page) poolFields(m *profile.MetricReport, rows []profile.Row) []field {
	c := p.column(m, largest(rows, amounts))
	d := p.column(m, largest(rows, deltas))
	before := field{head: "Before " + c.unit}
	after := field{head: "After " + c.unit}
	delta := field{head: "Δ " + d.unit}
	pct := field{head: "Δ %"}
	threads := field{head: "Threads", rank: 2}
	count := field{head: "Sampled events", rank: 3}
	share := field{head: "Share", rank: 4}
	var anyThreads, anyCount bool
	for i := range rows {
		row := &rows[i]
		plain := cell{letter: bodyLetter, color: p.ink}
		change := cell{letter: deltaLetter, color: p.deltaColor(row)}
		add := func(f *field, c cell, text string) {
			c.text = text
			f.cells = append(f.cells, c)
		}
		add(&before, plain, c.amount(row.Before.Value))
		add(&after, plain, c.amount(row.After.Value))
		add(&delta, change, d.delta(row.Delta))
		change.letter = bodyLetter
		add(&pct, change, percent(row))
		total := i == len(rows)-1
		b, a := row.Before, row.After
		add(&threads, plain, known(b.Threads+a.Threads > 0, !total, func() string {
			return arrow(threadText(b.Threads), threadText(a.Threads))
		}))
		add(&count, plain, known(b.N+a.N > 0, true, func() string { return arrow(events(b.N), events(a.N)) }))
		add(&share, plain, known(true, !total, func() string { return arrow(shareText(b.Share), shareText(a.Share)) + " %" }))
		anyThreads = anyThreads || b.Threads+a.Threads > 0
		anyCount = anyCount || b.N+a.N > 0
	}
	fields := []field{before, after, delta, pct}
	if anyThreads {
		fields = append(fields, threads)
	}
	if anyCount {
		fields = append(fields, count)
	}
	return append(fields, share)
}

// known is the text of a cell that may be unknown, or out of place.
func known(ok, apt bool, text func() string) string {
	switch {
	case !apt:
		return ""
	case !ok:
		return "–"
	}
	return text()
}

func threadText(n int) string {
	if n <= 0 {
		return "–"
	}
	return profile.Count(float64(n))
}

func shareText(s float64) string {
	return narrow(strconv.FormatFloat(100*finite(s), 'f', 1, 64), 100*s)
}

// poolNames are the names as the table has them.
func poolNames(rows []profile.Row) []string {
	names := make([]string, len(rows))
	for i := range rows {
		names[i] = rows[i].Name
	}
	names = profile.Short(names, poolChars)
	for i := range rows {
		if rows[i].Note == "anonymous" {
			names[i] += " (unnamed)"
		}
	}
	return names
}
