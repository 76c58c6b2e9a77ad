package main

import (
	"encoding/csv"
	"encoding/json"
	"html"
	"math"
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
	own := regexp.MustCompile(`</?(picture|source|img|details|summary|sub|code|span)\b[^<>]*>|<!-- -->`)
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
		{[]string{"l.png", "d.png"}, "<picture>\n  <source media=\"(prefers-color-scheme: dark)\" srcset=\"d.png\">\n" +
			`  <img alt="fell &#34;-5%&#34; &lt;b&gt;\n\nx" src="l.png">` + "\n</picture>\n\n"},
	} {
		var b strings.Builder
		picture(&b, r, c.images)
		if got := b.String(); got != c.want {
			t.Errorf("images %q:\n%s\nwant\n%s", c.images, got, c.want)
		}
	}
}

// The JSON reads back as the same report, but for the rounding.
func TestJSONReadsBack(t *testing.T) {
	r := server()
	got := printed(t, printJSON, r)
	var back profile.Report
	d := json.NewDecoder(strings.NewReader(got))
	d.DisallowUnknownFields()
	if err := d.Decode(&back); err != nil {
		t.Fatal(err)
	}
	if again := printed(t, printJSON, &back); again != got {
		t.Errorf("read back and printed again: %s", firstDifference(again, got))
	}
	if back.Metrics[0].Total.Before != r.Metrics[0].Total.Before || back.Before.Inputs[0].Time != r.Before.Inputs[0].Time {
		t.Errorf("whole numbers changed: %+v, want %+v", back.Metrics[0].Total.Before, r.Metrics[0].Total.Before)
	}
	if strings.Contains(got, `\u003c`) {
		t.Error("JSON is escaped for HTML")
	}
}

func TestJSONNumbers(t *testing.T) {
	for _, c := range []struct {
		in   float64
		want string
	}{
		{1.0 / 3, "0.333333333333"},
		{0.1 + 0.2, "0.3"},
		{9007199254740991, "9007199254740991"},
		{math.Copysign(0, -1), "0"},
		{-1.5, "-1.5"},
	} {
		r := &profile.Report{Tau: 1, Metrics: []profile.MetricReport{{Total: profile.Row{Delta: c.in}}}}
		if got := printed(t, printJSON, r); !strings.Contains(got, `"delta": `+c.want+",\n") {
			t.Errorf("delta of %v is not written as %s:\n%s", c.in, c.want, got)
		}
	}
}

func TestNotFinite(t *testing.T) {
	for _, c := range []struct {
		field string
		spoil func(*profile.Report)
	}{
		{"tau", func(r *profile.Report) { r.Tau = math.NaN() }},
		{"metrics[0].pools.rows[1].before.value", func(r *profile.Report) { r.Metrics[0].Pools.Rows[1].Before.Value = math.Inf(1) }},
		{"metrics[0].owner.other.delta", func(r *profile.Report) { r.Metrics[0].Owner.Other.Delta = math.Inf(-1) }},
		{"metrics[2].total.p", func(r *profile.Report) { r.Metrics[2].Total.P = ref(math.NaN()) }},
		{"stress[0].after", func(r *profile.Report) { r.Stress[0].After = math.NaN() }},
	} {
		for _, name := range []string{"server.json", "server.csv"} {
			r := server()
			c.spoil(r)
			var b strings.Builder
			err := printers[name](&b, r)
			if err == nil || !strings.Contains(err.Error(), c.field+" ") {
				t.Errorf("%s: error %v, want one that names %s", name, err, c.field)
			}
			if b.Len() > 0 {
				t.Errorf("%s: %d bytes written in spite of %v", name, b.Len(), err)
			}
		}
	}
}

// Each type of the report has its block in schema.txt, with its fields in order.
func TestJSONSchemaText(t *testing.T) {
	blocks := map[string][]string{}
	for block := range strings.SplitSeq(jsonSchemaText, "\n\n") {
		head, fields, ok := strings.Cut(block, "\n  ")
		if ok {
			blocks[head] = strings.Split(strings.TrimSpace(fields), "\n  ")
		}
	}
	seen := map[reflect.Type]bool{}
	var check func(reflect.Type)
	check = func(typ reflect.Type) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct || seen[typ] {
			return
		}
		seen[typ] = true
		name := typ.Name()
		var want, got []string
		for f := range typ.NumField() {
			field := typ.Field(f)
			tag, option, _ := strings.Cut(field.Tag.Get("json"), ",")
			if strings.HasPrefix(option, "omit") {
				tag += "?"
			}
			want = append(want, tag+" "+jsonType(field.Type))
			check(field.Type)
		}
		for _, l := range blocks[name] {
			words := strings.Fields(l)
			if len(words) < 3 {
				t.Errorf("%s: line %q has no meaning", name, l)
				continue
			}
			got = append(got, words[0]+" "+words[1])
		}
		if !slices.Equal(got, want) {
			t.Errorf("schema.txt says %s is\n  %s\nbut it is\n  %s", name, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
		}
	}
	check(reflect.TypeFor[profile.Report]())
	if len(seen) < 10 {
		t.Errorf("only %d types were checked", len(seen))
	}
}

func jsonType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return jsonType(t.Elem())
	case reflect.Slice:
		return "[]" + jsonType(t.Elem())
	case reflect.Struct:
		return t.Name()
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	}
	return "number"
}

func TestCSVReadsBack(t *testing.T) {
	r := odd()
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
		"ratio": "", "ratio_lo": "2", "ratio_hi": "inf",
		"n_before": "0", "n_after": "", // nothing and no events is known, 5 and no events is not
		"share_before": "0", "share_after": "0", "threads_before": "", "threads_after": "",
		"phi": "", "p": "", "q": "", "verdict": "new", "need_samples": "100", "need_bytes": "", "need_rate": "",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}
