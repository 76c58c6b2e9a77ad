package main

import (
	"fmt"
	"html"
	"io"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/allocdiff/allocdiff/profile"
)

// printMarkdown writes the report in GitHub flavoured Markdown, to be pasted in
// a pull request: picture, verdict and the main tables, the rest folded.
//
// Names, labels and messages come from profiles, so none of them can start
// markup: names are code, the rest is escaped.
func printMarkdown(w io.Writer, r *profile.Report, o printOptions) error {
	var b strings.Builder
	b.WriteString("### " + markdownText(profile.Typographic(r.Title)) + "\n\n")
	picture(&b, r, o.images)
	if v := strings.TrimSpace(r.Verdict); v != "" {
		b.WriteString("**" + markdownText(profile.Typographic(v)) + "**\n\n")
	}
	for _, warning := range r.Warnings {
		b.WriteString("- warning: " + markdownText(profile.Typographic(warning)) + "\n")
	}
	if len(r.Warnings) > 0 {
		b.WriteByte('\n')
	}
	list := sections(r, o)
	for i := range list {
		if !list[i].detail {
			list[i].markdown(&b)
		}
	}
	for i := range list {
		if list[i].detail {
			fold(&b, list[i].heading, func() { list[i].body(&b) })
		}
	}
	fold(&b, "Profiles", func() {
		g := inputs(r)
		g.markdown(&b)
		b.WriteByte('\n')
	})
	for _, n := range footer(r, list) {
		b.WriteString("<sub>" + markdownText(profile.Typographic(n)) + "</sub>  \n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (s *section) markdown(b *strings.Builder) {
	b.WriteString("#### " + markdownText(s.heading) + "\n\n")
	s.body(b)
}

func (s *section) body(b *strings.Builder) {
	s.grid.markdown(b)
	b.WriteByte('\n')
	for _, l := range s.lines {
		b.WriteString(markdownText(profile.Typographic(l)) + "\n\n")
	}
}

// fold writes what body writes under a heading that opens by a click. The blank
// lines around the body make it Markdown again.
func fold(b *strings.Builder, heading string, body func()) {
	b.WriteString("<details><summary>" + html.EscapeString(heading) + "</summary>\n\n")
	body()
	b.WriteString("</details>\n\n")
}

// pictureAdvice is for who pastes the report, and shows in its source alone.
const pictureAdvice = "<!-- The two pictures below lie beside this file. Where the text is pasted they have to come along: commit them, " +
	"or drag them into the comment and put the addresses that they get in place of their names. -->\n"

// picture shows the first image, and the second to readers with a dark theme.
func picture(b *strings.Builder, r *profile.Report, images []string) {
	if len(images) == 0 {
		return
	}
	// An HTML block ends at a blank line: no text in it may hold one.
	alt := html.EscapeString(printable(profile.Typographic(r.Verdict)))
	file := func(name string) string { return html.EscapeString((&url.URL{Path: name}).String()) }
	img := fmt.Sprintf("<img alt=\"%s\" src=\"%s\">", alt, file(images[0]))
	if len(images) == 1 {
		b.WriteString(img + "\n\n")
		return
	}
	b.WriteString(pictureAdvice)
	fmt.Fprintf(b, "<picture>\n  <source media=\"(prefers-color-scheme: dark)\" srcset=\"%s\">\n  %s\n</picture>\n\n", file(images[1]), img)
}

// inputs is the table of the loaded profiles.
func inputs(r *profile.Report) grid {
	g := grid{columns: []column{
		{head: "Side", left: true},
		{head: "Profile", left: true, code: true},
		{head: "Kind", left: true},
		{head: "Sampling", left: true},
		{head: "Stacks"},
		{head: "Taken", left: true},
		{head: "Seconds"},
		{head: "Operations"},
		{head: "SHA-256", left: true, code: true},
		{head: "Build", left: true, code: true},
	}}
	for _, s := range []*profile.SideInfo{&r.Before, &r.After} {
		for i := range s.Inputs {
			in := &s.Inputs[i]
			var taken, seconds, ops string
			if in.Time != 0 {
				taken = time.Unix(0, in.Time).UTC().Format("2006-01-02 15:04:05Z")
			}
			if in.Duration > 0 {
				seconds = strconv.FormatFloat(float64(in.Duration)/1e9, 'f', 2, 64)
			}
			if in.Ops > 0 {
				ops = profile.Count(in.Ops)
			}
			g.rows = append(g.rows, line{cells: []string{
				printable(s.Label), printable(in.Name), kindText(in.Kind), printable(profile.FormatRate(in.PeriodType, float64(in.Period))),
				profile.Count(float64(in.Samples)), taken, seconds, ops, hash(in.SHA256), hash(in.BuildID),
			}})
		}
	}
	g.compact()
	return g
}

// hash is the start of a hash: enough to tell two files apart.
func hash(s string) string {
	r := []rune(printable(s))
	return string(r[:min(12, len(r))])
}

// A name of nothing but these can stand in a code span within a table cell
// without any escape.
var plainCode = regexp.MustCompile("^[^`|\\\\]+$")

// markdownCode shows a printable name as code. Renderers disagree on backslashes
// before the bar that parts table cells, so a name that holds one, or a
// backtick, is written with entities.
func markdownCode(s string) string {
	if s == "" {
		return ""
	}
	if plainCode.MatchString(s) && strings.TrimSpace(s) == s {
		return "`" + s + "`"
	}
	var b strings.Builder
	b.WriteString("<code>")
	for _, r := range s {
		if r < 0x80 && strings.ContainsRune("`|\\<>&*_[]~$#@!", r) {
			fmt.Fprintf(&b, "&#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	b.WriteString("</code>")
	return b.String()
}

// The forms below are those that every renderer shows as the character and
// nothing else: a backslash does not stop GitHub from reading $ as mathematics
// or @ as a mention.
var markdownEscapes = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;",
	"`", "&#96;", "|", "&#124;", `\`, "&#92;", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "#", `\#`,
	"$", "<span>$</span>", "@", "@<!-- -->",
)

// markdownText shows s as the text it is.
func markdownText(s string) string {
	s = printable(s)
	if s == "~" {
		return s // alone in a cell it strikes nothing out
	}
	return strings.ReplaceAll(markdownEscapes.Replace(s), "~", `\~`)
}
