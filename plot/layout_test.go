package plot

import (
	"fmt"
	"testing"
)

// No text may overlap another one or leave the page, at any width.
func TestLayout(t *testing.T) {
	for _, f := range fixtures {
		for _, width := range []int{1000, 1200, 1400, 1600} {
			p, err := compose(f.report(), Options{Theme: Light, Width: width})
			if err != nil {
				t.Errorf("%s: %v", f.name, err)
				continue
			}
			if err := checkLayout(p); err != nil {
				t.Errorf("%s, %d wide: %v", f.name, width, err)
			}
		}
	}
}

// checkLayout examines the boxes of all texts, from ascent to descent.
func checkLayout(p *page) error {
	const ascent, descent = 0.74, 0.21 // of the size: capitals and g
	var texts []mark
	for _, m := range p.marks {
		if m.text == "" {
			if m.x < 0 || m.y < 0 || m.x+m.w > p.width || m.y+m.h > p.y {
				return fmt.Errorf("rectangle %+v leaves the page of %v x %v", m, p.width, p.y)
			}
			continue
		}
		m.y, m.h = m.y-ascent*m.letter.size, (ascent+descent)*m.letter.size
		if m.x < margin-1 || m.y < 0 || m.x+m.w > p.width-margin+1 || m.y+m.h > p.y {
			return fmt.Errorf("text %q at x %.1f to %.1f, y %.1f to %.1f leaves the page of %v x %v", m.text, m.x, m.x+m.w, m.y, m.y+m.h, p.width, p.y)
		}
		if m.letter.size < 13 {
			return fmt.Errorf("text %q is %v px, want at least 13", m.text, m.letter.size)
		}
		for _, o := range texts {
			if m.x < o.x+o.w && o.x < m.x+m.w && m.y < o.y+o.h && o.y < m.y+m.h {
				return fmt.Errorf("texts overlap: %q at (%.1f, %.1f) and %q at (%.1f, %.1f)", o.text, o.x, o.y, m.text, m.x, m.y)
			}
		}
		texts = append(texts, m)
	}
	return nil
}
