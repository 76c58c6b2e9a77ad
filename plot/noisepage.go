package plot

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/allocdiff/allocdiff/profile"
)

// NoisePNG writes r as a picture, with the advice in its Description chunk.
// Errors are those of PNG.
func NoisePNG(w io.Writer, r *profile.NoiseReport, o Options) error {
	p, scale, err := composeNoise(r, o)
	if err != nil {
		return fmt.Errorf("drawing PNG: %w", err)
	}
	return p.png(w, scale, r.Advice)
}

// NoiseSVG writes r as a scalable picture with the same layout as NoisePNG. The
// advice is its title. Errors are those of PNG.
func NoiseSVG(w io.Writer, r *profile.NoiseReport, o Options) error {
	p, _, err := composeNoise(r, o)
	if err != nil {
		return fmt.Errorf("drawing SVG: %w", err)
	}
	return p.svg(w, r.Advice)
}

// composeNoise lays the whole page out: the advice, a panel of intervals for
// the totals and for the pools and functions of each metric, the check of equal
// halves, the footer.
func composeNoise(r *profile.NoiseReport, o Options) (*page, float64, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, 0, err
	}
	if r == nil {
		return nil, 0, errors.New("no report to draw")
	}
	head := &profile.Report{Title: r.Title, Verdict: r.Advice, Warnings: r.Warnings}
	p := &page{measurer: newMeasurer(), palette: palettes[o.Theme], report: head, width: float64(o.Width)}
	p.header()
	p.y += panelGap / 2
	p.floors(r)
	p.split(r.Split)
	p.noiseFooter(r)
	return p, o.Scale, nil
}

// split says how the odd and the even runs compare.
func (p *page) split(c *profile.SplitCheck) {
	if c == nil {
		return
	}
	p.heading("A/A check", "")
	color := p.ink
	if len(c.Flagged) > 0 {
		color = p.moreTx
	}
	y := p.paragraph(p.y+8, c.Sentence(), bodyLetter, color)
	for i := range c.Flagged {
		f := &c.Flagged[i]
		if i == maxWarnings {
			y = p.paragraph(y, fmt.Sprintf("%d more: see the text report", len(c.Flagged)-i), smallLetter, p.muted)
			break
		}
		change, pct := "new", 0.0
		if f.Percent != nil {
			pct = *f.Percent
			change = profile.FormatPercent(pct)
		}
		y = p.paragraph(y, fmt.Sprintf("%s of %s (%s): %s", f.Name, f.Metric.Noun(), f.Table, narrow(change, pct)), smallLetter, p.muted)
	}
	p.y = y - 14 + panelGap
}

// noiseFooter says where the numbers come from and how to read them.
func (p *page) noiseFooter(r *profile.NoiseReport) {
	p.rule(p.y)
	y := p.y + 22
	for _, line := range provenance(&r.Side) {
		y = p.footLine(y, "runs    ", line)
	}
	for _, note := range r.Notes {
		y = p.footLine(y, "note    ", []string{note})
	}
	y = p.footLine(y, "made by ", []string{strings.TrimSpace("allocdiff " + r.Version), r.Command})
	p.y = y + 8
}
