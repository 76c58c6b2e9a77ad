package plot

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"

	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/allocdiff/allocdiff/profile"
)

// svgFonts names fonts of the same metrics for viewers without Liberation.
const svgFonts = `<style>
text{font-family:"Liberation Sans",Arimo,Arial,Helvetica,sans-serif!important;font-kerning:none}
text[style*="Liberation Mono"]{font-family:"Liberation Mono",Cousine,"Courier New",monospace!important}
</style>
`

// SVG writes r as a scalable picture with the same layout as PNG; Scale
// means nothing here. The verdict is its title. Errors are those of PNG.
func SVG(w io.Writer, r *profile.Report, o Options) error {
	o, err := o.withDefaults()
	if err != nil {
		return fmt.Errorf("drawing SVG: %w", err)
	}
	p, err := compose(r, o)
	if err != nil {
		return fmt.Errorf("drawing SVG: %w", err)
	}
	return p.svg(w, r.Verdict)
}

// svg writes a page that has been laid out; words are its title.
func (p *page) svg(w io.Writer, words string) error {
	p.marks = append([]mark{{w: p.width, h: p.y, color: p.back}}, p.marks...)
	c := vgsvg.NewWith(vgsvg.UseWH(px(p.width), px(p.y)))
	p.replay(c)
	var buf bytes.Buffer
	if _, err := c.WriteTo(&buf); err != nil {
		return fmt.Errorf("encoding SVG: %w", err)
	}
	out, err := withHead(buf.Bytes(), words)
	if err != nil {
		return fmt.Errorf("encoding SVG: %w", err)
	}
	if _, err := w.Write(out); err != nil {
		return fmt.Errorf("writing SVG: %w", err)
	}
	return nil
}

// withHead puts the title and the fonts behind the opening svg tag.
func withHead(raw []byte, verdict string) ([]byte, error) {
	var head bytes.Buffer
	head.WriteString("<title>")
	if err := xml.EscapeText(&head, []byte(clean(verdict))); err != nil {
		return nil, err
	}
	head.WriteString("</title>\n" + svgFonts)
	open := bytes.Index(raw, []byte("<svg"))
	if open < 0 {
		return nil, fmt.Errorf("no svg element")
	}
	end := open + bytes.IndexByte(raw[open:], '>') + 1
	return bytes.Join([][]byte{raw[:end], head.Bytes(), raw[end:]}, []byte("\n")), nil
}
