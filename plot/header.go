package plot

import (
	"fmt"

	"github.com/allocdiff/allocdiff/profile"
)

// header draws the title, the verdict, the doubts and the gates.
func (p *page) header() {
	r := p.report
	wide := p.right() - p.left()
	p.text(p.left(), 56, p.fit(titleLetter, clean(r.Title), wide), titleLetter, p.ink)
	y := p.paragraph(86, r.Verdict, verdictLetter, p.ink)
	for i, w := range r.Warnings {
		if i == maxWarnings {
			w = fmt.Sprintf("%d more warnings: see the text report", len(r.Warnings)-i)
			y = p.paragraph(y, w, smallLetter, p.moreTx)
			break
		}
		y = p.paragraph(y, "Warning: "+w, bodyLetter, p.moreTx)
	}
	for _, g := range r.Gates {
		c := p.muted
		if g.Outcome == "failed" {
			c = p.moreTx
		}
		y = p.paragraph(y, fmt.Sprintf("Gate %s: %s. %s", g.Gate, g.Outcome, g.Reason), bodyLetter, c)
	}
	p.y = y - 4
}

// tile is a figure of the whole comparison.
type tile struct {
	label    string
	values   string // "before → after" with the unit
	delta    string
	interval string       // of the change in percent; "" when there is none
	row      *profile.Row // for the colour of delta; nil is muted
}

// tiles draws up to four figures of the whole comparison, side by side.
func (p *page) tiles() {
	ts := p.figures()
	if len(ts) == 0 {
		return
	}
	n := float64(len(ts))
	w := (p.right() - p.left() - tileGap*(n-1)) / n
	for i, t := range ts {
		x := p.left() + float64(i)*(w+tileGap)
		inner := w - 2*tilePad
		p.rect(x, p.y, w, tileHeight, p.panel)
		x += tilePad
		p.text(x, p.y+24, p.fit(smallLetter, clean(t.label), inner), smallLetter, p.muted)
		p.text(x, p.y+50, p.fit(tileLetter, clean(t.values), inner), tileLetter, p.ink)
		c := p.muted
		if t.row != nil {
			c = p.deltaColor(t.row)
		}
		end := p.text(x, p.y+74, p.fit(tileDelta, clean(t.delta), inner), tileDelta, c) + 10
		if end+p.textWidth(smallLetter, t.interval) <= x+inner {
			p.text(end, p.y+74, t.interval, smallLetter, p.muted)
		}
	}
	p.y += tileHeight + panelGap
}
