package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/allocdiff/allocdiff/profile"
)

func TestChangeText(t *testing.T) {
	for _, c := range []struct {
		verdict       profile.Verdict
		before, after float64
		change, note  string
	}{
		{profile.Down, 200, 100, "-50.0%", ""},
		{profile.Up, 100, 200, "+100.0%", ""},
		{profile.Up, 100, 2000, "x20.0", ""},
		{profile.New, 0, 100, "new", ""},
		{profile.Gone, 100, 0, "gone", ""},
		{profile.Same, 100, 101, "~", ""},
		{profile.Unclear, 100, 150, "~", ""},
		{profile.Unclear, 0, 150, "~", ""},
		{profile.Few, 0, 150, "~", "few"},
		{profile.Unknown, 100, 150, "+50.0%", "?"},
		{profile.Unknown, 0, 150, "new", "?"},
		{"", 100, 150, "+50.0%", "?"},
	} {
		r := rowOf("", c.before, c.after, 0, 0, c.verdict)
		if change, note := changeText(&r), noteText(&r, true); change != c.change || note != c.note {
			t.Errorf("%q %v → %v: %q %q, want %q %q", c.verdict, c.before, c.after, change, note, c.change, c.note)
		}
	}
}

func TestPText(t *testing.T) {
	for _, c := range []struct {
		p    float64
		want string
	}{{0, "p<0.001"}, {0.00049, "p<0.001"}, {0.0005, "p=0.001"}, {0.0499, "p=0.050"}, {1, "p=1.000"}} {
		if got := pText("p", c.p); got != c.want {
			t.Errorf("p of %v = %q, want %q", c.p, got, c.want)
		}
	}
}

func TestIntervalText(t *testing.T) {
	for _, c := range []struct {
		ci   *profile.Interval
		want string
	}{
		{nil, ""},
		{&profile.Interval{Lo: 0.88, Hi: 1.03}, "[-12.0%, +3.0%]"},
		{&profile.Interval{Lo: 0.5, Unbounded: true}, "[-50.0%, ∞)"},
		{&profile.Interval{Lo: 2, Hi: 40}, "[+100.0%, x40.0]"},
	} {
		r := profile.Row{RatioCI: c.ci}
		if got := intervalText(&r, printOptions{confidence: true}); got != c.want {
			t.Errorf("%+v: %q, want %q", c.ci, got, c.want)
		}
		if got := intervalText(&r, printOptions{}); got != "" {
			t.Errorf("%+v: %q without being asked", c.ci, got)
		}
	}
}

func TestMeasureText(t *testing.T) {
	for _, c := range []struct {
		unit          string
		before, after float64
		want          string
	}{
		{"op/s", 192020, 193566.4, "192,020.0 op/s 193,566.4 op/s"},
		{"ms", 1.5, 1.25, "1.50 ms 1.25 ms"},
		{"ms", 1.0 / 3, 2, "0.333 ms 2.000 ms"},
		{"", 40, 1e6, "40 1,000,000"},
		{"B", 412870911197, 0, "384.5 GiB 0 GiB"},
	} {
		m := profile.Measure{Unit: c.unit, Before: c.before, After: c.after}
		before, after := measureText(&m)
		if got := before + " " + after; got != c.want {
			t.Errorf("%+v: %q, want %q", m, got, c.want)
		}
	}
}

func TestNeedText(t *testing.T) {
	const within, tell = "allocated bytes: the change lies within [-12.0%, +20.0%]; ", "to see the change looked for (--detect): "
	for _, c := range []struct {
		name   string
		need   profile.Need
		merged int
		want   string
	}{
		{"runs and rate", profile.Need{Runs: 38, Rate: 13330}, 0, tell + "38 runs a side, or a sampling rate of 1 per 13 KiB"},
		{"more runs than anybody makes", profile.Need{Runs: 1001, Rate: 70000}, 0, tell + "a sampling rate of 1 per 68 KiB"},
		{"more samples than anybody takes", profile.Need{Runs: 1000, Rate: 511}, 0, tell + "1,000 runs a side"},
		{"the least rate", profile.Need{Runs: 1001, Rate: 700}, 0, tell + "a sampling rate of 1 per 512 B"},
		{"a rate above that of the profiles", profile.Need{Runs: 7, Rate: 600 << 10}, 0, tell + "7 runs a side"},
		{"no more than there is", profile.Need{Runs: 2, Rate: 600 << 10}, 0, "the change looked for (--detect) would most likely have been seen"},
		{"two runs, where there is one", profile.Need{Runs: 2}, 2, tell + "2 runs a side"},
		{"nothing reasonable", profile.Need{Runs: 4000, Rate: 70}, 0, "no reasonable number of runs would show the change looked for (--detect)"},
		{"nothing known", profile.Need{Samples: 1852}, 0, "no reasonable number of runs would show the change looked for (--detect)"},
	} {
		r := server()
		r.Before.Merged = c.merged
		m := &r.Metrics[0]
		m.Total.RatioCI, m.Total.Need = &profile.Interval{Lo: 0.88, Hi: 1.2}, &c.need
		if got := needText(r, m); got != within+c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, within+c.want)
		}
	}
}

func TestSentence(t *testing.T) {
	for _, c := range []struct{ in, text, markdown string }{
		{"fell −5.93 GiB (−8.7%)", "fell -5.93 GiB (-8.7%)", "fell −5.93 GiB (−8.7%)"},
		{"fell -5.93 GiB (-8.7%)", "fell -5.93 GiB (-8.7%)", "fell −5.93 GiB (−8.7%)"},
		{"[-12%, -3%] -<0.01", "[-12%, -3%] -<0.01", "[−12%, −3%] −<0.01"},
		{"Native-Transport-1 x-1-2", "Native-Transport-1 x-1-2", "Native-Transport-1 x-1-2"},
	} {
		if got := sentence(c.in); got != c.text {
			t.Errorf("sentence(%q) = %q, want %q", c.in, got, c.text)
		}
		if got := profile.Typographic(c.in); got != c.markdown {
			t.Errorf("Typographic(%q) = %q, want %q", c.in, got, c.markdown)
		}
	}
}

func TestPrintable(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain (*T).Method[...] é 日本 ~`|<>", "plain (*T).Method[...] é 日本 ~`|<>"},
		{"a\nb\tc\r", `a\nb\tc\r`},
		{"\x1b[31mred\a", `\x1b[31mred\a`},
		{"\u202egpj.exe", `\u202egpj.exe`},
		{"bad\xff\xfeutf", `bad\xff\xfeutf`},
		{"kept\ufffd", "kept\ufffd"},
		{"zero\u200bwidth\u00a0space", `zero\u200bwidth\u00a0space`},
		{"", ""},
	} {
		if got := printable(c.in); got != c.want {
			t.Errorf("printable(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestMiddle(t *testing.T) {
	long := strings.Repeat("é", 40) + ".handleTheLongestRequestsEver"
	got := middle(long, 46)
	if n := len([]rune(got)); n != 46 {
		t.Errorf("middle(%q, 46) has %d characters", long, n)
	}
	if !strings.HasSuffix(got, "LongestRequestsEver") || !strings.Contains(got, "…") {
		t.Errorf("middle(%q, 46) = %q lost the end or does not show the cut", long, got)
	}
	if got := middle("short", 46); got != "short" {
		t.Errorf("middle(short) = %q", got)
	}
}

func TestNames(t *testing.T) {
	long := "github.com/allocdiff/allocdiff/examples/engine/pool.runNativeTransportRequests"
	for _, c := range []struct {
		v    view
		rest int
		want []string
	}{
		{
			view{head: "Pool", heads: "Pools", total: &profile.Row{}, table: profile.Table{Rows: []profile.Row{
				{Name: "pool-*-thread-*", Note: "anonymous"}, {Name: "evil\x1b[2J\nname"}, {Name: long},
			}}},
			1234,
			[]string{"pool-*-thread-* (anonymous)", `evil\x1b[2J\nname`, "pool.runNativeTransportRequests", "Other (1,234 pools)", "Total"},
		},
		{
			view{head: "Class", heads: "Classes", table: profile.Table{Rows: []profile.Row{{Name: "java.lang.String"}}}},
			1,
			[]string{"java.lang.String", "Other (1 class)"},
		},
		{
			view{head: "File", heads: "Files", path: true, table: profile.Table{Rows: []profile.Row{{Name: "a/b.go"}, {Name: long + ".go:12"}}}},
			2,
			[]string{"a/b.go", "github.com/allocdiff/allocdiff/exam…eTransportRequests.go:12", "Other (2 files)"},
		},
	} {
		c.v.table.Other, c.v.table.Count = &profile.Row{}, len(c.v.table.Rows)+c.rest
		if got := c.v.names(); !slices.Equal(got, c.want) {
			t.Errorf("names = %q, want %q", got, c.want)
		}
	}
}

// Text after a mark that is not its value is not the mark.
func TestMarked(t *testing.T) {
	for _, c := range []struct {
		cell, mark string
		want       bool
	}{
		{"~", "~", true},
		{"p=0.03", "p", true},
		{"p<0.001", "p", true},
		{"q=0.03", "p", false},
		{"passed", "p", false},
		{"", "p", false},
		{"p<0.001, Mann-Whitney p=0.002 n=6", "Mann-Whitney", true},
		{"few", "f", false},
		{"too few", "few", false},
	} {
		if got := marked(c.cell, c.mark); got != c.want {
			t.Errorf("%q marked %q: got %v, want %v", c.cell, c.mark, got, c.want)
		}
	}
}

// The rows set the scale, however much was cut: their numbers must be readable.
func TestScaleIsOfTheRows(t *testing.T) {
	v := view{metric: profile.AllocSpace, table: tableOf(rowOf("f", 3<<20, 2<<20, 9, 9, profile.Down))}
	other := rowOf(profile.OtherName, 4096*gib, 4095*gib, 9, 9, "")
	v.table.Other = &other
	g := v.grid(printOptions{})
	for i, want := range [][]string{
		{"3.00 MiB", "2.00 MiB", "-1.00 MiB"},
		{"4,194,304.00 MiB", "4,193,280.00 MiB", "-1,024.00 MiB"},
	} {
		if got := g.rows[i].cells[1:4]; !slices.Equal(got, want) {
			t.Errorf("row %d is %q, want %q", i, got, want)
		}
	}
}

// A column that knows nothing is not shown; one unknown among others is.
func TestUnknownThreads(t *testing.T) {
	known := rowOf("a", 2, 1, 1, 1, profile.Down)
	known.After.Threads = 3
	none := rowOf("b", 2, 1, 1, 1, profile.Down)
	for _, c := range []struct {
		row  profile.Row
		want bool
	}{{known, true}, {none, false}} {
		v := view{head: "Pool", table: tableOf(c.row, none)}
		g := v.grid(printOptions{})
		var b strings.Builder
		g.text(&b)
		if got := strings.Contains(b.String(), "Threads"); got != c.want {
			t.Errorf("threads %d: column shown is %v, want %v, in\n%s", c.row.After.Threads, got, c.want, b.String())
		}
		if c.want && !strings.Contains(b.String(), "– → 3") {
			t.Errorf("no unknown before in\n%s", b.String())
		}
	}
}

func TestCountPairs(t *testing.T) {
	for _, c := range []struct {
		rows []profile.Row
		want []string
	}{
		{[]profile.Row{rowOf("", 5, 0, 1200, 0, ""), rowOf("", 5, 5, 0, 3, "")}, []string{"1,200 → 0", "    – → 3"}},
		{[]profile.Row{rowOf("", 5, 0, 0, 0, ""), rowOf("", 0, 5, 0, 0, "")}, []string{"", ""}},
		{[]profile.Row{rowOf("", 0, 5, 0, 1, ""), rowOf("", 5, 5, 0, 0, "")}, []string{"0 → 1", ""}},
	} {
		if got := countPairs(c.rows); !slices.Equal(got, c.want) {
			t.Errorf("counts of %+v: %q, want %q", c.rows, got, c.want)
		}
	}
}
