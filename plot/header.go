package plot

import (
	"fmt"

	"github.com/allocdiff/allocdiff/profile"
)

// header draws the title, the verdict, the doubts and the gates.
func (p *page) header() {
	r := p.report
	y := p.paragraph(56, r.Title, titleLetter, p.ink)
	y = p.paragraph(y-4, profile.Typographic(r.Verdict), verdictLetter, p.ink)
	for i, w := range r.Warnings {
		if i == maxWarnings {
			w = plural(len(r.Warnings)-i, "more warning") + ": see the text report"
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
		y = p.paragraph(y, fmt.Sprintf("Gate %s: %s. %s", g.Gate, g.Outcome, profile.Typographic(g.Reason)), bodyLetter, c)
	}
	p.y = y - 4
}
