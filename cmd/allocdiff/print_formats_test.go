package main

import (
	"encoding/csv"
	"html"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/allocdiff/allocdiff/profile"
)

// oddNames would break a format that does not escape them.
var oddNames = []string{
	"a|b", "`tick`", "<script>alert(1)</script>", "two\nlines", `back\slash|bar`, `"quoted", comma`, "=1+2", "",
	" spaces ", "**bold** _it_ [x](http://y)", "~~gone~~", "$a$ @user #1 &amp;", "\x1b[31m", "\xff\xfe", "-->", strings.Repeat("n", 5000),
}

func odd() *profile.Report {
	r := server()
	m := &r.Metrics[0]
	m.Owner.Rows = nil
	for i, name := range oddNames {
		m.Owner.Rows = append(m.Owner.Rows, rowOf(name, float64(i+10), 1, 50, 5, profile.Down))
	}
	m.Pools.Rows = m.Owner.Rows
	r.Before.Label = strings.Join(oddNames, "")
	r.Title, r.Verdict = r.Before.Label, r.Before.Label
	r.Warnings, r.Notes = oddNames, oddNames
	return r
}

func TestOddNamesInText(t *testing.T) {
	got := text(t, odd(), printOptions{rows: 100})
	for i, l := range strings.Split(got, "\n") {
		if l != printable(l) {
			t.Errorf("line %d is not printable: %q", i+1, l)
		}
	}
}

// cells splits a line of a Markdown table as GitHub does, at bars that no
// backslash precedes.
func cells(l string) []string {
	return strings.Split(strings.Trim(strings.ReplaceAll(l, `\|`, ""), "|"), "|")
}

func TestOddNamesInMarkdown(t *testing.T) {
	got := printed(t, printers["server.md"], odd())
	columns, tables := 0, 0
	for l := range strings.Lines(got) {
		l = strings.TrimSuffix(l, "\n")
		if !strings.HasPrefix(l, "| ") {
			columns = 0
			continue
		}
		if columns == 0 {
			columns = len(cells(l))
			tables++
		}
		if n := len(cells(l)); n != columns {
			t.Errorf("%d cells, want %d: %q", n, columns, l)
		}
	}
	if tables < 5 {
		t.Errorf("%d tables, want 5 or more:\n%s", tables, got)
	}
	// Outside of code spans, the only tags are our own.
	own := regexp.MustCompile(`<!-- [^<>]* -->|</?(picture|source|img|details|summary|sub|code|span)\b[^<>]*>|<!-- -->`)
	code := regexp.MustCompile("`[^`\n]*`")
	if rest := own.ReplaceAllString(code.ReplaceAllString(got, ""), ""); strings.ContainsAny(rest, "<") {
		i := strings.IndexByte(rest, '<')
		t.Errorf("a name came through as HTML: %q", rest[max(0, i-40):min(len(rest), i+40)])
	}
}

// Whatever the form, a name reads as itself.
func TestMarkdownCode(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"pkg.(*T).Method[...]", "`pkg.(*T).Method[...]`"},
		{"java.util.Map.<init>", "`java.util.Map.<init>`"},
		{"a|b", "<code>a&#124;b</code>"},
		{`a\b`, "<code>a&#92;b</code>"},
		{"a`b*", "<code>a&#96;b&#42;</code>"},
		{" a ", "<code> a </code>"}, // a code span would drop the spaces
		{"", ""},
	} {
		if got := markdownCode(c.in); got != c.want {
			t.Errorf("markdownCode(%q) = %q, want %q", c.in, got, c.want)
		}
	}
	for _, name := range oddNames {
		name = printable(name)
		got := markdownCode(name)
		if s, ok := strings.CutPrefix(got, "<code>"); ok {
			got = html.UnescapeString(strings.TrimSuffix(s, "</code>"))
		} else {
			got = strings.Trim(got, "`")
		}
		if got != name {
			t.Errorf("markdownCode(%q) reads %q", name, got)
		}
	}
}

func TestMarkdownText(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a*b_c [x](y) ~~z~~", `a\*b\_c \[x\](y) \~\~z\~\~`},
		{"<b>&amp;", "&lt;b&gt;&amp;amp;"},
		{"Foo$$Lambda$1 @user", "Foo<span>$</span><span>$</span>Lambda<span>$</span>1 @<!-- -->user"},
		{"one\n\n# two", `one&#92;n&#92;n\# two`},
		{"~", "~"},
	} {
		if got := markdownText(c.in); got != c.want {
			t.Errorf("markdownText(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestMarkdownPicture(t *testing.T) {
	r := &profile.Report{Verdict: `fell "-5%" <b>` + "\n\nx"}
	for _, c := range []struct {
		images []string
		want   string
	}{
		{nil, ""},
		{[]string{"a b#1.png"}, `<img alt="fell &#34;-5%&#34; &lt;b&gt;\n\nx" src="a%20b%231.png">` + "\n\n"},
		{[]string{"l.png", "d.png"}, pictureAdvice + "<picture>\n  <source media=\"(prefers-color-scheme: dark)\" srcset=\"d.png\">\n" +
			`  <img alt="fell &#34;-5%&#34; &lt;b&gt;\n\nx" src="l.png">` + "\n</picture>\n\n"},
	} {
		var b strings.Builder
		picture(&b, r, c.images)
		if got := b.String(); got != c.want {
			t.Errorf("images %q:\n%s\nwant\n%s", c.images, got, c.want)
		}
	}
}

func TestCSVReadsBack(t *testing.T) {
	r := odd()
	r.Metrics[0].Owner.Other.Name = "Other"
	lines, err := csv.NewReader(strings.NewReader(printed(t, printCSV, r))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := func(name string) int { return slices.Index(lines[0], name) }
	var names []string
	for _, l := range lines[1:] {
		if l[column("table")] == "owner" && l[column("metric")] == "alloc_space" {
			names = append(names, l[column("name")])
		}
	}
	if want := append(slices.Clone(oddNames), profile.OtherName); !slices.Equal(names, want) {
		t.Errorf("names read back as %q, want %q", names, want)
	}
	for _, c := range []struct{ table, name, column, want string }{
		{"total", csvTotal, "before", "99288906465"},
		{"total", csvTotal, "ratio_lo", "0.901"},
		{"total", csvTotal, "delta_hi", "-8500000000"},
		{"total", csvTotal, "n_after", "437803"},
		{"total", csvTotal, "q", ""},
		{"total", csvTotal, "verdict", "down"},
		{"total", csvTotal, "check_p", "0.00216"},
		{"total", csvTotal, "check_n", "6"},
		{"poolFunctions", "org/apache/cassandra/io/util/DataOutputBuffer.expandToFit", "pool", "Native-Transport-Requests"},
		{"sizes", "≤64 B", "threads_before", ""},
		{"stress", "total gc count", "percent", "-2.5"},
		{"stress", "total gc count", "n_before", ""},
	} {
		i := slices.IndexFunc(lines, func(l []string) bool { return l[column("table")] == c.table && l[column("name")] == c.name })
		if i < 0 {
			t.Errorf("no line %s %s", c.table, c.name)
		} else if got := lines[i][column(c.column)]; got != c.want {
			t.Errorf("%s %s: %s is %q, want %q", c.table, c.name, c.column, got, c.want)
		}
	}
}

func TestCSVUnknowns(t *testing.T) {
	r := rowOf("x", 0, 5, 0, 0, profile.New)
	r.RatioCI = &profile.Interval{Lo: 2, Unbounded: true}
	r.Need = &profile.Need{Samples: 100}
	got := map[string]string{}
	for i, v := range csvRow([]string{"m", "u", "op", "flat"}, "x", &r, true) {
		got[csvHeader[i]] = v
	}
	want := map[string]string{
		"metric": "m", "unit": "u", "per": "op", "table": "flat", "pool": "", "name": "x", "note": "",
		"before": "0", "after": "5", "delta": "5", "percent": "", "delta_lo": "", "delta_hi": "",
		"ratio": "", "ratio_lo": "2", "ratio_hi": "",
		"n_before": "0", "n_after": "", // nothing and no events is known, 5 and no events is not
		"share_before": "0", "share_after": "0", "threads_before": "", "threads_after": "",
		"phi": "", "p": "", "q": "", "verdict": "new", "need_samples": "100", "need_bytes": "", "need_rate": "", "need_runs": "", "check_p": "", "check_n": "",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}
