// Package plot draws a profile.Report as one page, PNG or SVG.
//
// A page is made in two steps. Each panel (header, tiles, pools, functions,
// sizes, stress, footer: one file each) appends marks, that is rectangles and
// texts in pixels with the origin at the top left, and moves the page's cursor
// down. Only then is the height known, a gonum canvas of that size made, and
// the marks are replayed onto it. So the layout is written once, both formats
// share it, and tests can examine every text box without reading pixels.
//
// Texts are measured with the fonts that draw them (Liberation, embedded by
// gonum), and columns are as wide as what stands in them: nothing overlaps,
// whatever the names and numbers are. Names and labels come from profiles and
// are not trusted: control characters are replaced, SVG is escaped.
//
// All sizes, fonts and colours are in style.go. Colour only repeats what a
// sign or a side of an axis says already. The same Report and Options give the
// same bytes.
package plot
