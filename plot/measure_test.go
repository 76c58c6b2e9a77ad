package plot

import (
	"image"
	"image/color"
	"strings"
	"testing"
)

func TestFit(t *testing.T) {
	m := newMeasurer()
	for _, c := range []struct {
		text string
		max  float64
		want string
	}{
		{"short", 100, "short"},
		{"0123456789", 85, "0123456789"}, // 10 characters of 8.4 pixels
		{"0123456789", 80, "0123…6789"},
		{"0123456789", 30, "0…9"},
		{"0123456789", 9, "…"},
		{"0123456789", 0, "…"},
		{"", 0, ""},
	} {
		if got := m.fit(codeLetter, c.text, c.max); got != c.want {
			t.Errorf("fit(%q, %v) = %q, want %q", c.text, c.max, got, c.want)
		}
	}
}

// Wrapping keeps every word, in order, and no line is too wide.
func TestWrap(t *testing.T) {
	m := newMeasurer()
	text := strings.Repeat("Allocated bytes fell by 8.13 GiB, ", 20)
	lines := m.wrap(verdictLetter, text, 400)
	if got, want := strings.Join(lines, " "), strings.TrimSpace(text); got != want {
		t.Errorf("wrapped text is %q, want %q", got, want)
	}
	if len(lines) < 2 {
		t.Errorf("got %d lines, want several", len(lines))
	}
	for _, line := range lines {
		if w := m.measure(verdictLetter, line); w > 400 {
			t.Errorf("line %q is %v wide, want at most 400", line, w)
		}
	}
}

// What is measured is what is drawn: no ink beyond the measured box.
func TestMeasureMatchesInk(t *testing.T) {
	for _, l := range []letter{titleLetter, bodyLetter, deltaLetter, codeLetter} {
		for _, text := range []string{"Allocated bytes", "−11.11 → 11,111.11 µs", "Δ % ≤ …", "线程 🚀", "WAVE To"} {
			p := &page{measurer: newMeasurer(), palette: palettes[Light], width: 800, y: 60}
			end := p.text(100, 40, text, l, p.ink)
			c := newRaster(p, 1)
			p.replay(c)
			ink := inked(c.img, p.back)
			const slack = 2 // sides of a letter may overhang a little
			if ink.Empty() || float64(ink.Min.X) < 100-slack || float64(ink.Max.X) > end+slack {
				t.Errorf("%q at %v px: ink from %d to %d, measured 100 to %.1f", text, l.size, ink.Min.X, ink.Max.X, end)
			}
		}
	}
}

// inked is the smallest rectangle around all that is not background.
func inked(img *image.RGBA, back color.NRGBA) image.Rectangle {
	var r image.Rectangle
	for y := img.Rect.Min.Y; y < img.Rect.Max.Y; y++ {
		for x := img.Rect.Min.X; x < img.Rect.Max.X; x++ {
			if c := img.RGBAAt(x, y); c.R != back.R || c.G != back.G || c.B != back.B {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return r
}

func TestClean(t *testing.T) {
	for _, c := range [][2]string{
		{"pkg.(*T).Method", "pkg.(*T).Method"},
		{"a\tb\nc", "a b c"},
		{"nul\x00 bell\x07", "nul\ufffd bell\ufffd"},
		{"right\u202eleft", "right\ufffdleft"},
		{"bad \xff\xfe utf-8", "bad \ufffd\ufffd utf-8"},
		{"not xml \uffff", "not xml \ufffd"},
		{"日本 🚀 é", "日本 🚀 é"},
	} {
		if got := clean(c[0]); got != c[1] {
			t.Errorf("clean(%q) = %q, want %q", c[0], got, c[1])
		}
	}
}

// With up to 256 colours nothing is lost; with more, the frequent ones stay
// and the others go to the nearest.
func TestReduce(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 300, 2))
	for x := range 300 {
		img.SetRGBA(x, 0, color.RGBA{R: uint8(x), G: uint8(x >> 8), A: 0xFF})
		img.SetRGBA(x, 1, color.RGBA{B: 0xFF, A: 0xFF})
	}
	out := reduce(img)
	if len(out.Palette) != 256 {
		t.Errorf("got %d colours, want 256", len(out.Palette))
	}
	if got := out.At(7, 1); got != (color.RGBA{B: 0xFF, A: 0xFF}) {
		t.Errorf("the most frequent colour became %v", got)
	}
	few := img.SubImage(image.Rect(0, 1, 300, 2)).(*image.RGBA)
	exact := image.NewRGBA(image.Rect(0, 0, 300, 1))
	copy(exact.Pix, few.Pix)
	if got := reduce(exact); len(got.Palette) != 1 || got.At(299, 0) != (color.RGBA{B: 0xFF, A: 0xFF}) {
		t.Errorf("one colour became %v", got.Palette)
	}
	for x := range 300 {
		got := color.RGBAModel.Convert(out.At(x, 0)).(color.RGBA)
		want := img.RGBAAt(x, 0)
		least := distance(packed(got), packed(want))
		for _, c := range out.Palette {
			if d := distance(packed(c.(color.RGBA)), packed(want)); d < least {
				t.Errorf("%v became %v, but %v is nearer", want, got, c)
			}
		}
	}
}

func packed(c color.RGBA) uint32 { return uint32(c.R)<<16 | uint32(c.G)<<8 | uint32(c.B) }

// All colours of a page fit the palette.
func TestPageColours(t *testing.T) {
	for _, f := range fixtures {
		for _, theme := range []Theme{Light, Dark} {
			p, err := compose(f.report(), Options{Theme: theme, Width: defaultWidth})
			if err != nil {
				t.Fatal(err)
			}
			c := newRaster(p, 1)
			p.replay(c)
			if got := len(reduce(c.img).Palette); got >= 256 {
				t.Errorf("%s, %s: %d colours, want under 256", f.name, theme, got)
			}
		}
	}
}
