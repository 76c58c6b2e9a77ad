package plot

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"

	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/allocdiff/allocdiff/profile"
)

// PNG writes r as a picture. The verdict is in its Description chunk. It
// returns an error when the options are out of range or writing fails, never
// because of what is in r.
func PNG(w io.Writer, r *profile.Report, o Options) error {
	o, err := o.withDefaults()
	if err != nil {
		return fmt.Errorf("drawing PNG: %w", err)
	}
	p, err := compose(r, o)
	if err != nil {
		return fmt.Errorf("drawing PNG: %w", err)
	}
	return p.png(w, o.Scale, r.Verdict)
}

// png writes a page that has been laid out; words describe it.
func (p *page) png(w io.Writer, scale float64, words string) error {
	out, err := encode(p, scale, words)
	if err != nil {
		return fmt.Errorf("encoding PNG: %w", err)
	}
	if _, err := w.Write(out); err != nil {
		return fmt.Errorf("writing PNG: %w", err)
	}
	return nil
}

// encode draws a page and describes it in words.
func encode(p *page, scale float64, words string) ([]byte, error) {
	c := newRaster(p, scale)
	p.replay(c)
	var buf bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := enc.Encode(&buf, reduce(c.img)); err != nil {
		return nil, err
	}
	return describe(buf.Bytes(), clean(words)), nil
}

// raster is gonum's image canvas with its own text: glyphs go straight to the
// pixels, as wide as the layout measured them. vgimg makes a new face for each
// string and puts each glyph through a bilinear transform.
type raster struct {
	*vgimg.Canvas
	img   *image.RGBA
	faces map[font.Font]xfont.Face
	buf   sfnt.Buffer
	ink   color.NRGBA
}

func newRaster(p *page, scale float64) *raster {
	c := vgimg.NewWith(
		vgimg.UseWH(px(p.width), px(p.y)),
		vgimg.UseDPI(int(math.Round(96*scale))),
		vgimg.UseBackgroundColor(p.back),
	)
	return &raster{Canvas: c, img: c.Image().(*image.RGBA), faces: make(map[font.Font]xfont.Face)}
}

// SetColor implements vg.Canvas.
func (c *raster) SetColor(clr color.Color) {
	c.Canvas.SetColor(clr)
	c.ink = color.NRGBAModel.Convert(clr).(color.NRGBA)
}

// FillString implements vg.Canvas.
func (c *raster) FillString(f font.Face, pt vg.Point, s string) {
	face := c.faces[f.Font]
	if face == nil {
		face = f.FontFace(c.DPI())
		c.faces[f.Font] = face
	}
	em := f.Font.Size.Dots(c.DPI())
	x := pt.X.Dots(c.DPI())
	y := math.Round(float64(c.img.Rect.Dy()) - pt.Y.Dots(c.DPI()))
	for _, r := range s {
		advance := glyphAdvance(&c.buf, f.Face, r) * em
		if missing(&c.buf, f.Face, r) {
			r = '□'
		}
		dot := fixed.Point26_6{X: fixed.Int26_6(math.Round(x * 64)), Y: fixed.Int26_6(y * 64)}
		if where, mask, at, _, ok := face.Glyph(dot, r); ok {
			c.glyph(where, mask, at)
		}
		x += advance
	}
}

// glyph blends the ink into the pixels of where, as much as mask says, in
// steps of a sixteenth: then all mixtures of a page fit a palette (see reduce).
func (c *raster) glyph(where image.Rectangle, mask image.Image, at image.Point) {
	const step = 17 // 255 is 15 steps
	at = at.Sub(where.Min)
	where = where.Intersect(c.img.Rect)
	for y := where.Min.Y; y < where.Max.Y; y++ {
		for x := where.Min.X; x < where.Max.X; x++ {
			_, _, _, a := mask.At(x+at.X, y+at.Y).RGBA()
			cover := (a>>8 + step/2) / step * step
			if cover == 0 {
				continue
			}
			pix := c.img.Pix[c.img.PixOffset(x, y):]
			mix := func(i int, ink uint8) {
				pix[i] = uint8((uint32(pix[i])*(255-cover) + uint32(ink)*cover + 127) / 255)
			}
			mix(0, c.ink.R)
			mix(1, c.ink.G)
			mix(2, c.ink.B)
		}
	}
}

// describe puts text into the PNG as an iTXt chunk behind the header chunk.
func describe(raw []byte, text string) []byte {
	const header = 8 + 25 // signature and IHDR
	data := append([]byte("iTXtDescription\x00\x00\x00\x00\x00"), text...)
	out := make([]byte, 0, len(raw)+len(data)+8)
	out = append(out, raw[:header]...)
	out = binary.BigEndian.AppendUint32(out, uint32(len(data)-4))
	out = append(out, data...)
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(data))
	return append(out, raw[header:]...)
}
