package plot

import (
	"image/color"
	"math"
	"slices"

	"github.com/allocdiff/allocdiff/profile"
)

// cell is a text of a table, set at the right edge of its column.
type cell struct {
	text   string
	letter letter
	color  color.NRGBA
}

// field is a column of cells. Its rank says how soon it is left out where the
// page is too narrow: the highest first, 0 never.
type field struct {
	head  string
	cells []cell
	rank  int
	width float64
	right float64 // edge; set by place
}

// place sets the columns side by side against right, wide enough for all that
// stands in them, and drops columns until chart pixels are left from left on.
// It returns the columns kept and the left edge of the first.
func (p *page) place(fields []field, left, right, chart float64) ([]field, float64) {
	for i := range fields {
		f := &fields[i]
		f.width = p.textWidth(columnLetter, f.head)
		for _, c := range f.cells {
			f.width = max(f.width, p.textWidth(c.letter, c.text))
		}
		f.width = math.Ceil(f.width)
	}
	for {
		edge, worst := right, -1
		for i := len(fields) - 1; i >= 0; i-- {
			fields[i].right = edge
			edge -= fields[i].width + columnGap
			if fields[i].rank > 0 && (worst < 0 || fields[i].rank > fields[worst].rank) {
				worst = i
			}
		}
		if edge-left >= chart || worst < 0 {
			return fields, edge
		}
		fields = slices.Delete(fields, worst, worst+1)
	}
}

// heads draws the column headings on the baseline y.
func (p *page) heads(fields []field, y float64) {
	for i := range fields {
		p.textRight(fields[i].right, y, fields[i].head, columnLetter, p.muted)
	}
}

// cells draws row i of all columns on the baseline y.
func (p *page) cells(fields []field, i int, y float64) {
	for _, f := range fields {
		c := f.cells[i]
		p.textRight(f.right, y, c.text, c.letter, c.color)
	}
}

// nameWidth fits names to a share of the page's width, in place, and returns
// the width of their column.
func (p *page) nameWidth(head string, names []string, l letter, share float64) float64 {
	w := p.measure(columnLetter, head)
	for i, name := range names {
		names[i] = p.fit(l, clean(name), share*p.width)
		w = max(w, p.measure(l, names[i]))
	}
	return math.Ceil(w)
}

// heading draws the title of a panel with the remark and the keys behind it,
// or below where they do not fit, and moves the cursor below.
func (p *page) heading(title, remark string, keys ...key) {
	const line, gap = 22, 18
	base := p.y + 18
	x := p.text(p.left(), base, p.fit(headLetter, clean(title), p.right()-p.left()), headLetter, p.ink)
	x += 16
	words := p.textWidth(smallLetter, remark)
	if x+words+gap+p.keysWidth(keys) > p.right() {
		x = p.left()
		base += line
	}
	if remark != "" {
		x = p.text(x, base, p.fit(smallLetter, clean(remark), p.right()-x), smallLetter, p.muted) + gap
	}
	if x+p.keysWidth(keys) > p.right() {
		x = p.left()
		base += line
	}
	for _, k := range keys {
		p.rect(x, base-10, 11, 11, k.color)
		x = p.text(x+16, base, k.text, smallLetter, p.muted) + gap
	}
	p.y = base + 12
}

// key explains a colour.
type key struct {
	text  string
	color color.NRGBA
}

func (p *page) keysWidth(keys []key) float64 {
	w := 0.0
	for _, k := range keys {
		w += 16 + p.textWidth(smallLetter, k.text) + 18
	}
	return max(w-18, 0)
}

// withinNoise explains grey bars and the sign in the place of their percent.
const withinNoise = "~ within noise"

// barKeys explains the colours of change bars, as far as rows use them, grey in
// the words given.
func (p *page) barKeys(rows []profile.Row, grey string) []key {
	var less, more, noise, few bool
	for i := range rows {
		few = few || rows[i].Verdict == profile.Few
		switch p.barColor(&rows[i]) {
		case p.less:
			less = less || rows[i].Delta < 0
		case p.more:
			more = more || rows[i].Delta > 0
		default:
			noise = noise || rows[i].Delta != 0
		}
	}
	var keys []key
	if less {
		keys = append(keys, key{"less", p.less})
	}
	if more {
		keys = append(keys, key{"more", p.more})
	}
	if few {
		grey += "; few: too few samples to judge"
	}
	if noise || few {
		keys = append(keys, key{grey, p.noise})
	}
	return keys
}

// barColor is the area colour of a change.
func (p *page) barColor(r *profile.Row) color.NRGBA {
	switch {
	case !r.Verdict.Real() && r.Verdict != profile.Unknown:
		return p.noise
	case r.Delta < 0:
		return p.less
	}
	return p.more
}

// deltaColor is the text colour of a change.
func (p *page) deltaColor(r *profile.Row) color.NRGBA {
	switch {
	case !r.Verdict.Real() && r.Verdict != profile.Unknown, r.Delta == 0:
		return p.muted
	case r.Delta < 0:
		return p.lessTx
	}
	return p.moreTx
}

// percent is the change of a row in percent, ~ when it is within noise, few when
// there are too few samples to judge. A row without a verdict is a sum: nobody
// judged it.
func percent(r *profile.Row) string {
	switch {
	case r.Verdict == profile.Few:
		return "few"
	case r.Delta == 0:
		return "0.0%"
	case r.Verdict == profile.Same, r.Verdict == profile.Unclear:
		return "~"
	}
	pct := 0.0
	if r.Percent != nil {
		pct = *r.Percent
	}
	return narrow(r.PercentText(), pct)
}
