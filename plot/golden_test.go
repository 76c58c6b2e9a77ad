package plot

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/plot/cmpimg"

	"github.com/allocdiff/allocdiff/profile"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// panels are drawn alone, on a page of the least width.
var panels = []struct {
	name string
	draw func(*page, *profile.Report)
}{
	{"header", func(p *page, _ *profile.Report) { p.header(); p.tiles() }},
	{"pools", func(p *page, r *profile.Report) { p.pools(&r.Metrics[0], poolRows) }},
	{"functions", func(p *page, r *profile.Report) { p.functions(&r.Metrics[0], functionRows) }},
	{"sizes", func(p *page, r *profile.Report) { p.sizes(&r.Metrics[0]) }},
	{"cpu", func(p *page, r *profile.Report) { p.cpu(&r.Metrics[3]) }},
	{"live", func(p *page, _ *profile.Report) { p.live() }},
	{"stress", func(p *page, _ *profile.Report) { p.stress() }},
	{"footer", func(p *page, _ *profile.Report) { p.footer() }},
}

func TestPanelGolden(t *testing.T) {
	for _, c := range panels {
		r := perOp()
		p := &page{measurer: newMeasurer(), palette: palettes[Light], report: r, width: minWidth}
		c.draw(p, r)
		got, err := encode(p, 1, r.Verdict)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		golden(t, "panel-"+c.name+".png", got)
	}
}

func TestPageGolden(t *testing.T) {
	for _, theme := range []Theme{Light, Dark} {
		var buf bytes.Buffer
		if err := PNG(&buf, ticket(), Options{Theme: theme}); err != nil {
			t.Errorf("PNG(ticket, %s): %v", theme, err)
			continue
		}
		golden(t, "page-"+string(theme)+".png", buf.Bytes())
	}
}

// golden compares a picture with one in testdata. Floating point may differ
// in the last bit between architectures, so edges of letters may differ a
// little; a moved pixel of a bar or a letter is far beyond the tolerance.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	const tolerance = 0.1
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Errorf("reading golden file (make it with -update): %v", err)
		return
	}
	same, err := cmpimg.EqualApprox("png", got, want, tolerance)
	if err != nil {
		t.Errorf("comparing %s: %v", name, err)
		return
	}
	if !same {
		out := filepath.Join("testdata", name+".got-png")
		t.Errorf("%s differs from the golden file; see %s, or run with -update and look at it", name, out)
		if err := os.WriteFile(out, got, 0o666); err != nil {
			t.Error(err)
		}
	}
}

// The comparison must see what a reader would.
func TestGoldenSees(t *testing.T) {
	draw := func(change func(*page)) []byte {
		r := perOp()
		p := &page{measurer: newMeasurer(), palette: palettes[Light], report: r, width: minWidth}
		p.sizes(&r.Metrics[0])
		change(p)
		raw, err := encode(p, 1, "")
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	want := draw(func(*page) {})
	for _, c := range []struct {
		name   string
		change func(*page)
		same   bool
	}{
		{"nothing", func(*page) {}, true},
		{"one pixel more of a bar", func(p *page) { p.rect(100, 40, 1, 1, p.less) }, false},
		{"a dot of text", func(p *page) { p.text(100, 40, ".", smallLetter, p.muted) }, false},
		{"a higher page", func(p *page) { p.y++ }, false},
	} {
		got, err := cmpimg.EqualApprox("png", draw(c.change), want, 0.1)
		if err != nil || got != c.same {
			t.Errorf("%s: equal is %v (error %v), want %v", c.name, got, err, c.same)
		}
	}
}
