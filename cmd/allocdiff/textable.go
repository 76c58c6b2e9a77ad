package main

import (
	"html"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/allocdiff/allocdiff/profile"
)

// unknown is printed for what is not known, never for zero.
const unknown = "–"

// grid is a table of finished text, printed as plain text or as Markdown.
type grid struct {
	columns []column
	rows    []line
}

type column struct {
	head string
	left bool // words, aligned left; numbers are aligned right
	code bool // names from a profile, shown as code in Markdown
}

// line is a row of a grid, a cell for each of its columns.
type line struct {
	cells []string
	sum   bool // a sum over rows: its name is a word of ours, never code
	total bool // the sum of all: set off by a rule, bold in Markdown
}

// compact drops the columns that say nothing in any row.
func (g *grid) compact() {
	var keep []int
	for c := range g.columns {
		for _, row := range g.rows {
			if row.cells[c] != "" {
				keep = append(keep, c)
				break
			}
		}
	}
	columns := make([]column, len(keep))
	for i, c := range keep {
		columns[i] = g.columns[c]
	}
	for r, row := range g.rows {
		cells := make([]string, len(keep))
		for i, c := range keep {
			cells[i] = row.cells[c]
		}
		g.rows[r].cells = cells
	}
	g.columns = columns
}

// text writes the grid with its columns aligned by spaces and no space at the
// end of a line. A grid without any heading gets no heading line.
func (g *grid) text(b *strings.Builder) {
	width := make([]int, len(g.columns))
	headed := false
	for c, col := range g.columns {
		width[c] = utf8.RuneCountInString(col.head)
		headed = headed || col.head != ""
		for _, row := range g.rows {
			width[c] = max(width[c], utf8.RuneCountInString(row.cells[c]))
		}
	}
	write := func(cell func(int) string) {
		var l strings.Builder
		for c, col := range g.columns {
			if c > 0 {
				l.WriteString("  ")
			}
			l.WriteString(pad(cell(c), width[c], col.left))
		}
		b.WriteString(strings.TrimRight(l.String(), " "))
		b.WriteByte('\n')
	}
	if headed {
		write(func(c int) string { return g.columns[c].head })
	}
	for _, row := range g.rows {
		if row.total {
			write(func(c int) string { return strings.Repeat("-", width[c]*min(1, len(g.columns[c].head))) })
		}
		write(func(c int) string { return row.cells[c] })
	}
}

// markdown writes the grid as a table of GitHub flavoured Markdown.
func (g *grid) markdown(b *strings.Builder) {
	write := func(cell func(int) string) {
		for c := range g.columns {
			b.WriteString("| ")
			b.WriteString(cell(c))
			b.WriteByte(' ')
		}
		b.WriteString("|\n")
	}
	write(func(c int) string { return g.columns[c].head })
	write(func(c int) string {
		if g.columns[c].left {
			return ":--"
		}
		return "--:"
	})
	for _, row := range g.rows {
		write(func(c int) string {
			cell := row.markdown(c, g.columns[c])
			if row.total && cell != "" {
				return "**" + cell + "**"
			}
			return cell
		})
	}
}

func (l line) markdown(c int, col column) string {
	switch {
	case !col.left:
		// Spaces that align a pair in text are of no use here.
		return html.EscapeString(profile.Typographic(strings.Join(strings.Fields(l.cells[c]), " ")))
	case col.code && !l.sum:
		return markdownCode(l.cells[c])
	}
	return markdownText(profile.Typographic(l.cells[c]))
}

func pad(s string, width int, left bool) string {
	fill := strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
	if left {
		return s + fill
	}
	return fill + s
}

// pairs joins the amounts of the two sides as "before → after", the arrows of
// all rows one under the other. Where neither is known there is nothing.
func pairs(before, after []string) []string {
	var wb, wa int
	for i := range before {
		wb = max(wb, utf8.RuneCountInString(before[i]))
		wa = max(wa, utf8.RuneCountInString(after[i]))
	}
	joined := make([]string, len(before))
	for i := range before {
		if strings.Trim(before[i]+after[i], unknown) == "" {
			continue
		}
		joined[i] = pad(before[i], wb, false) + " → " + pad(after[i], wa, false)
	}
	return joined
}

// printable returns s, a text that comes from a profile or a file name, with
// everything escaped that could move the cursor, colour or reorder a terminal's
// text, or break a line.
func printable(s string) string {
	clean := true
	for _, r := range s {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1, !unicode.IsPrint(r):
			q := strconv.QuoteToASCII(s[i : i+n])
			b.WriteString(q[1 : len(q)-1])
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

// middle cuts s in the middle to limit runes, keeping the last 24, which tell a
// method or a thread best.
func middle(s string, limit int) string {
	const tail = 24
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	return string(runes[:limit-tail-1]) + "…" + string(runes[len(runes)-tail:])
}
