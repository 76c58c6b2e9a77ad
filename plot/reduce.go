package plot

import (
	"cmp"
	"encoding/binary"
	"image"
	"image/color"
	"slices"
)

// reduce turns the page into an image with a palette: a third of the bytes to
// compress. A page has a few colours and their mixtures at the edges of
// letters, under 256 in all. Should there be more, the rarest are replaced by
// the nearest of the others.
func reduce(img *image.RGBA) *image.Paletted {
	count := make(map[uint32]int)
	pixels(img, func(_, n int, c uint32) { count[c] += n })
	type entry struct {
		c uint32
		n int
	}
	entries := make([]entry, 0, len(count))
	for c, n := range count {
		entries = append(entries, entry{c, n})
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.c, b.c))
	})
	kept := entries[:min(len(entries), 256)]
	index := make(map[uint32]uint8, len(entries))
	colors := make(color.Palette, len(kept))
	for i, e := range kept {
		index[e.c] = uint8(i)
		colors[i] = color.RGBA{R: uint8(e.c >> 16), G: uint8(e.c >> 8), B: uint8(e.c), A: 0xFF}
	}
	for _, e := range entries[len(kept):] {
		best, least := 0, 1<<30
		for i, k := range kept {
			if d := distance(e.c, k.c); d < least {
				best, least = i, d
			}
		}
		index[e.c] = uint8(best)
	}
	out := image.NewPaletted(img.Rect, colors)
	pixels(img, func(at, n int, c uint32) {
		i := index[c]
		for j := at; j < at+n; j++ {
			out.Pix[j] = i
		}
	})
	return out
}

// pixels calls f for each run of n pixels of one colour that starts at pixel
// number at.
func pixels(img *image.RGBA, f func(at, n int, c uint32)) {
	pix := img.Pix
	start, last := 0, uint32(0)
	for i := 0; i+4 <= len(pix); i += 4 {
		c := binary.BigEndian.Uint32(pix[i:]) >> 8
		if i == 0 {
			last = c
		}
		if c != last {
			f(start, i/4-start, last)
			start, last = i/4, c
		}
	}
	f(start, len(pix)/4-start, last)
}

func distance(a, b uint32) int {
	d := 0
	for shift := 0; shift < 24; shift += 8 {
		x := int(a>>shift&0xFF) - int(b>>shift&0xFF)
		d += x * x
	}
	return d
}
