package plot

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"hash/crc32"
	"image/color"
	"image/png"
	"io"
	"strings"
	"testing"

	"github.com/allocdiff/allocdiff/profile"
)

func drawPNG(t *testing.T, r *profile.Report, o Options) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := PNG(&buf, r, o); err != nil {
		t.Fatalf("PNG(%q, %+v): %v", r.Title, o, err)
	}
	return buf.Bytes()
}

func drawSVG(t *testing.T, r *profile.Report, o Options) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := SVG(&buf, r, o); err != nil {
		t.Fatalf("SVG(%q, %+v): %v", r.Title, o, err)
	}
	return buf.Bytes()
}

// Every picture is opaque, as wide as asked, small, and the same each time.
func TestPNG(t *testing.T) {
	for _, f := range fixtures {
		raw := drawPNG(t, f.report(), Options{})
		if again := drawPNG(t, f.report(), Options{}); !bytes.Equal(raw, again) {
			t.Errorf("%s: two drawings differ", f.name)
		}
		if len(raw) > 400_000 {
			t.Errorf("%s: %d bytes, want at most 400,000", f.name, len(raw))
		}
		img, err := png.Decode(bytes.NewReader(raw))
		if err != nil {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		if w := img.Bounds().Dx(); w != 1400 {
			t.Errorf("%s: %d pixels wide, want 1400", f.name, w)
		}
		if o, ok := img.(interface{ Opaque() bool }); !ok || !o.Opaque() {
			t.Errorf("%s: not opaque", f.name)
		}
	}
}

func TestPNGOptions(t *testing.T) {
	for _, c := range []struct {
		o     Options
		width int
		back  color.Color
	}{
		{Options{}, 1400, palettes[Light].back},
		{Options{Theme: Dark}, 1400, palettes[Dark].back},
		{Options{Width: 1000, Scale: 2}, 2000, palettes[Light].back},
		{Options{Width: 1001, Scale: 1.5}, 1502, palettes[Light].back},
	} {
		img, err := png.Decode(bytes.NewReader(drawPNG(t, ticket(), c.o)))
		if err != nil {
			t.Fatal(err)
		}
		if got := img.Bounds().Dx(); got != c.width {
			t.Errorf("PNG(%+v) is %d wide, want %d", c.o, got, c.width)
		}
		if got := color.NRGBAModel.Convert(img.At(0, 0)); got != c.back {
			t.Errorf("PNG(%+v) has background %v, want %v", c.o, got, c.back)
		}
	}
	for _, o := range []Options{{Theme: "blue"}, {Width: 999}, {Width: 1601}, {Scale: 0.1}, {Scale: 5}, {Scale: -1}} {
		if err := PNG(io.Discard, ticket(), o); err == nil {
			t.Errorf("PNG(%+v) gave no error", o)
		}
		if err := SVG(io.Discard, ticket(), o); err == nil {
			t.Errorf("SVG(%+v) gave no error", o)
		}
	}
	if err := PNG(io.Discard, nil, Options{}); err == nil {
		t.Error("PNG(nil) gave no error")
	}
}

var errFull = errors.New("disk full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWriteError(t *testing.T) {
	if err := PNG(full{}, ticket(), Options{}); !errors.Is(err, errFull) {
		t.Errorf("PNG on a full disk: got error %v, want %v", err, errFull)
	}
	if err := SVG(full{}, ticket(), Options{}); !errors.Is(err, errFull) {
		t.Errorf("SVG on a full disk: got error %v, want %v", err, errFull)
	}
}

// The verdict is in the Description chunk, whose checksum holds.
func TestDescription(t *testing.T) {
	r := ticket()
	raw := drawPNG(t, r, Options{})
	for at := 8; at+12 <= len(raw); {
		n := int(binary.BigEndian.Uint32(raw[at:]))
		body := raw[at+4 : at+8+n]
		if sum := binary.BigEndian.Uint32(raw[at+8+n:]); sum != crc32.ChecksumIEEE(body) {
			t.Errorf("chunk %s has checksum %x, want %x", body[:4], sum, crc32.ChecksumIEEE(body))
		}
		if string(body[:4]) == "iTXt" {
			if got, want := string(body[4:]), "Description\x00\x00\x00\x00\x00"+r.Verdict; got != want {
				t.Errorf("description: got %q, want %q", got, want)
			}
			return
		}
		at += 12 + n
	}
	t.Error("no iTXt chunk")
}

// An SVG is well formed and shows hostile names as text, whatever they hold.
func TestSVG(t *testing.T) {
	for _, f := range fixtures {
		raw := drawSVG(t, f.report(), Options{})
		if again := drawSVG(t, f.report(), Options{}); !bytes.Equal(raw, again) {
			t.Errorf("%s: two drawings differ", f.name)
		}
		texts := svgTexts(t, f.name, raw)
		if f.name == "long-names" && !strings.Contains(texts, "</text><script>alert(1)</script>") {
			t.Errorf("%s: the hostile name is not shown", f.name)
		}
	}
}

// svgTexts are the texts of an SVG, which must be well formed and hold no
// element that runs or loads anything.
func svgTexts(t *testing.T, name string, raw []byte) string {
	t.Helper()
	var texts strings.Builder
	dec := xml.NewDecoder(bytes.NewReader(raw))
	for {
		tok, err := dec.Token()
		if err == io.EOF {
			return texts.String()
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			switch tok.Name.Local {
			case "script", "image", "a", "foreignObject":
				t.Errorf("%s: the SVG holds a <%s>", name, tok.Name.Local)
			}
		case xml.CharData:
			texts.Write(tok)
			texts.WriteByte('\n')
		}
	}
}
