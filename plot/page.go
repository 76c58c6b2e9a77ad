package plot

import (
	"errors"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"

	"github.com/allocdiff/allocdiff/profile"
)

// Options say how a page looks. The zero value is a light page, 1400 pixels
// wide.
type Options struct {
	Theme Theme   // Light or Dark; "" is Light
	Width int     // in pixels before Scale, 1000 to 1600; 0 is 1400
	Scale float64 // device pixels per pixel, 0.5 to 4; 0 is 1, 2 suits dense screens
}

func (o Options) withDefaults() (Options, error) {
	if o.Theme == "" {
		o.Theme = Light
	}
	if o.Width == 0 {
		o.Width = defaultWidth
	}
	if o.Scale == 0 {
		o.Scale = 1
	}
	switch {
	case palettes[o.Theme] == nil:
		return o, fmt.Errorf("theme %q is neither %q nor %q", o.Theme, Light, Dark)
	case o.Width < minWidth || o.Width > maxWidth:
		return o, fmt.Errorf("page width %d is not within %d to %d", o.Width, minWidth, maxWidth)
	case !(o.Scale >= 0.5 && o.Scale <= 4):
		return o, fmt.Errorf("page scale %v is not within 0.5 to 4", o.Scale)
	}
	return o, nil
}

// page collects the marks of a report. Coordinates are pixels, y grows
// downwards.
type page struct {
	*measurer
	*palette
	report *profile.Report
	width  float64
	y      float64 // top of the next panel; in the end the page's height
	marks  []mark
}

// mark is a filled rectangle, or a line of text when text is set: then x is
// its left edge, y the baseline, w the width and h unused.
type mark struct {
	x, y, w, h float64
	color      color.NRGBA
	text       string
	letter     letter
}

// compose lays the whole page out.
func compose(r *profile.Report, o Options) (*page, error) {
	if r == nil {
		return nil, errors.New("no report to draw")
	}
	p := &page{measurer: newMeasurer(), palette: palettes[o.Theme], report: r, width: float64(o.Width)}
	p.header()
	p.tiles()
	for i := range r.Metrics {
		m := &r.Metrics[i]
		switch {
		case i == 0:
			p.pools(m, poolRows)
			p.functions(m, functionRows)
			p.sizes(m)
		case m.Metric == profile.CPU:
			p.cpu(m)
		}
	}
	p.live()
	p.stress()
	p.footer()
	return p, nil
}

// left and right are the edges of the content.
func (p *page) left() float64  { return margin }
func (p *page) right() float64 { return p.width - margin }

// rect fills a rectangle, snapped to whole pixels. What has any extent is
// drawn at least one pixel wide and high.
func (p *page) rect(x, y, w, h float64, c color.NRGBA) {
	if w < 0 {
		x, w = x+w, -w
	}
	if h < 0 {
		y, h = y+h, -h
	}
	x1, y1 := math.Round(x+w), math.Round(y+h)
	x, y = math.Round(x), math.Round(y)
	p.marks = append(p.marks, mark{x: x, y: y, w: max(x1-x, 1), h: max(y1-y, 1), color: c})
}

// rule draws a thin line across the content.
func (p *page) rule(y float64) { p.rect(p.left(), y, p.right()-p.left(), 1, p.grid) }

// text draws s with its left edge at x and its baseline at y, and returns its
// right edge.
func (p *page) text(x, y float64, s string, l letter, c color.NRGBA) float64 {
	s = clean(s)
	if s == "" {
		return x
	}
	w := p.measure(l, s)
	p.marks = append(p.marks, mark{x: x, y: math.Round(y), w: w, color: c, text: s, letter: l})
	return x + w
}

// textRight draws s with its right edge at x.
func (p *page) textRight(x, y float64, s string, l letter, c color.NRGBA) {
	p.text(x-p.textWidth(l, s), y, s, l, c)
}

// textCentre draws s centred at x.
func (p *page) textCentre(x, y float64, s string, l letter, c color.NRGBA) {
	p.text(x-p.textWidth(l, s)/2, y, s, l, c)
}

// textWidth is the width of s as text draws it.
func (p *page) textWidth(l letter, s string) float64 { return p.measure(l, clean(s)) }

// paragraph draws s wrapped at the content's width with its first baseline at
// y, and returns the baseline of the line that would follow.
func (p *page) paragraph(y float64, s string, l letter, c color.NRGBA) float64 {
	for _, line := range p.wrap(l, clean(s), p.right()-p.left()) {
		p.text(p.left(), y, line, l, c)
		y += l.lineHeight()
	}
	return y
}

// replay draws the marks on a canvas of the page's size.
func (p *page) replay(c vg.Canvas) {
	for _, m := range p.marks {
		c.SetColor(m.color)
		if m.text != "" {
			c.FillString(m.letter.face(), vg.Point{X: px(m.x), Y: px(p.y - m.y)}, m.text)
			continue
		}
		c.Fill(vg.Rectangle{
			Min: vg.Point{X: px(m.x), Y: px(p.y - m.y - m.h)},
			Max: vg.Point{X: px(m.x + m.w), Y: px(p.y - m.y)},
		}.Path())
	}
}
