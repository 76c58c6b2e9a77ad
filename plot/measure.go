package plot

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// measurer tells how wide texts are, in pixels at scale 1. It is made for one
// page and not safe for concurrent use.
type measurer struct {
	buf      sfnt.Buffer
	advances map[letterRune]float64
}

type letterRune struct {
	letter
	r rune
}

func newMeasurer() *measurer { return &measurer{advances: make(map[letterRune]float64)} }

// advance is the width of one character. There is no kerning, so that figures
// line up in columns.
func (m *measurer) advance(l letter, r rune) float64 {
	key := letterRune{l, r}
	if a, ok := m.advances[key]; ok {
		return a
	}
	a := glyphAdvance(&m.buf, l.face().Face, r) * l.size
	m.advances[key] = a
	return a
}

// glyphAdvance is the width of r in em. A character that the font lacks comes
// from some other font when an SVG is shown: room is left for a wide one.
func glyphAdvance(buf *sfnt.Buffer, f *opentype.Font, r rune) float64 {
	const emoji, wide = 1.4, 1.0
	idx, err := f.GlyphIndex(buf, r)
	switch {
	case err == nil && idx != 0:
	case r >= 0x1F000:
		return emoji
	default:
		return wide
	}
	em := fixed.Int26_6(f.UnitsPerEm())
	adv, err := f.GlyphAdvance(buf, idx, em, 0)
	if err != nil {
		return wide
	}
	return float64(adv) / float64(em)
}

// missing reports whether the font has no picture of r.
func missing(buf *sfnt.Buffer, f *opentype.Font, r rune) bool {
	idx, err := f.GlyphIndex(buf, r)
	return err != nil || idx == 0
}

// measure is the width of a line of text.
func (m *measurer) measure(l letter, s string) float64 {
	w := 0.0
	for _, r := range s {
		w += m.advance(l, r)
	}
	return w
}

// fit cuts s in the middle so that it is no wider than max, keeping more of
// its end, where names differ.
func (m *measurer) fit(l letter, s string, max float64) string {
	if m.measure(l, s) <= max {
		return s
	}
	runes := []rune(s)
	for keep := len(runes) - 1; keep > 0; keep-- {
		tail := (keep + 1) / 2
		t := string(runes[:keep-tail]) + "…" + string(runes[len(runes)-tail:])
		if m.measure(l, t) <= max {
			return t
		}
	}
	return "…"
}

// wrap breaks s at spaces into lines no wider than max. A word that is wider
// than a line is cut.
func (m *measurer) wrap(l letter, s string, max float64) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(s) {
		word = m.fit(l, word, max)
		switch {
		case line == "":
			line = word
		case m.measure(l, line+" "+word) <= max:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// clean replaces what must not reach a page: control and format characters,
// which could break lines, turn the direction of the text or be illegal in
// XML, and bytes that are not UTF-8.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case r == utf8.RuneError, unicode.In(r, unicode.C, unicode.Zl, unicode.Zp), r&0xFFFE == 0xFFFE:
			return utf8.RuneError
		}
		return r
	}, s)
}
