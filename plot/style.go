package plot

import (
	"image/color"

	xfont "golang.org/x/image/font"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
)

// Sizes in pixels at scale 1.
const (
	defaultWidth = 1400
	minWidth     = 1000
	maxWidth     = 1600

	margin     = 32
	panelGap   = 24 // between panels
	columnGap  = 18 // between columns of a table
	rowHeight  = 28
	barRow     = 24  // row of a bar chart without a table
	barBase    = 17  // baseline in it
	bulletSize = 14  // height of the grey before bar
	tickSize   = 20  // height of the after tick
	barSize    = 16  // height of a change bar
	whiskerCap = 9   // height of the end of a whisker
	sizeBars   = 110 // height of the object size bars
	widestSize = 160 // room of one of them, at most
	sizeName   = 90  // longest name of one that is not cut
	sizeGap    = 8   // more than a line between a name and the value below
	stressGap  = 44  // between two columns of figures
	tileHeight = 88
	tileExtra  = 20 // for the line of the interval
	tileGap    = 20
	tilePad    = 16
	zonePad    = 8 // between the zones of a chart

	unitWidth   = 110  // longest unit in the heading of a column
	nameChars   = 46   // longest function name, in characters
	poolChars   = 44   // longest pool name
	nameShare   = 0.30 // of the page's width, at most, for a column of names
	codeShare   = 0.39 // the same where bars follow and few columns
	minChart    = 150  // narrowest chart zone before columns are dropped
	minTick     = 56   // between two axis ticks
	maxWarnings = 6
)

// Rows drawn before the rest is folded into Other.
const (
	poolRows     = 10
	cpuRows      = 5
	functionRows = 12
	liveRows     = 5
	sizeColumns  = 16
	stressRows   = 16 // in two columns
)

// letter is a kind of type: size in pixels, and which of the fonts.
type letter struct {
	size       float64
	bold, mono bool
}

var (
	titleLetter   = letter{size: 24, bold: true}
	verdictLetter = letter{size: 16}
	headLetter    = letter{size: 17, bold: true}
	bodyLetter    = letter{size: 14}
	deltaLetter   = letter{size: 14, bold: true}
	codeLetter    = letter{size: 14, mono: true}
	smallLetter   = letter{size: 13}
	columnLetter  = letter{size: 13, bold: true}
	footLetter    = letter{size: 13, mono: true}
	tileLetter    = letter{size: 20, bold: true}
	tileDelta     = letter{size: 15, bold: true}
)

// lineHeight is the distance between baselines of wrapped text.
func (l letter) lineHeight() float64 { return float64(int(l.size*1.4 + 0.5)) }

var fonts = font.NewCache(liberation.Collection())

// face is the gonum face of the letter. A pixel is 0.75 point.
func (l letter) face() font.Face {
	f := font.Font{Typeface: "Liberation", Variant: "Sans"}
	if l.mono {
		f.Variant = "Mono"
	}
	if l.bold {
		f.Weight = xfont.WeightBold
	}
	return fonts.Lookup(f, px(l.size))
}

// px turns pixels at scale 1 into gonum's points.
func px(v float64) font.Length { return font.Length(v) * font.Inch / 96 }

// Theme is the set of colours of a page.
type Theme string

// The themes. The zero value is Light.
const (
	Light Theme = "light"
	Dark  Theme = "dark"
)

// palette holds the colours of a theme. Less and more are Okabe-Ito blue and
// vermillion (or orange on dark), which stay apart in every common form of
// colour blindness; on white the text of more is darker than its areas, to
// reach a contrast of 4.5:1.
type palette struct {
	back, panel    color.NRGBA // opaque: a transparent page would vanish on dark pages
	ink, muted     color.NRGBA // text
	grid, before   color.NRGBA // lines; the bar of the before side
	noise          color.NRGBA // bars within noise
	whiskerInk     color.NRGBA
	less, more     color.NRGBA // areas
	lessTx, moreTx color.NRGBA // text
}

var palettes = map[Theme]*palette{
	Light: {
		back: rgb(0xFFFFFF), panel: rgb(0xF6F8FA),
		ink: rgb(0x1F2328), muted: rgb(0x59636E),
		grid: rgb(0xD1D9E0), before: rgb(0xC6CFD8),
		noise: rgb(0x9AA4AF), whiskerInk: rgb(0x1F2328),
		less: rgb(0x0072B2), more: rgb(0xD55E00),
		lessTx: rgb(0x0072B2), moreTx: rgb(0xB34F00),
	},
	Dark: {
		back: rgb(0x0D1117), panel: rgb(0x151B23),
		ink: rgb(0xE6EDF3), muted: rgb(0x9198A1),
		grid: rgb(0x3D444D), before: rgb(0x4A525C),
		noise: rgb(0x6E7681), whiskerInk: rgb(0xE6EDF3),
		less: rgb(0x56B4E9), more: rgb(0xE69F00),
		lessTx: rgb(0x56B4E9), moreTx: rgb(0xE69F00),
	},
}

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xFF}
}
