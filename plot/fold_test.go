package plot

import (
	"fmt"
	"math"
	"testing"

	"github.com/allocdiff/allocdiff/profile"
)

// What is folded away must still be in the sum.
func TestFold(t *testing.T) {
	rows := make([]profile.Row, 20)
	for i := range rows {
		rows[i] = row(fmt.Sprint("f", i), float64(100-i), float64(50+i), 0.01)
		rows[i].Before.Threads, rows[i].After.Threads = 1, 2
	}
	other := row("", 1000, 900, 0.01)
	for _, c := range []struct {
		about string
		rows  int
		other *profile.Row
		count int
		n     int
		shown int
		name  string // of other; "" when there must be none
	}{
		{"all fit", 12, nil, 12, 12, 12, ""},
		{"one too many takes no more room than Other", 13, nil, 13, 12, 13, ""},
		{"two too many", 14, nil, 14, 12, 12, "Other (2 things)"},
		{"one cut before, whose name is lost", 12, &other, 13, 12, 12, "Other (1 thing)"},
		{"cut before", 12, &other, 1204, 12, 12, "Other (1,192 things)"},
		{"cut before and here", 20, &other, 1204, 12, 12, "Other (1,192 things)"},
		{"a count that cannot be", 2, &other, 0, 12, 2, "Other"},
		{"no rows", 0, nil, 0, 12, 0, ""},
	} {
		table := profile.Table{Rows: rows[:c.rows], Other: c.other, Count: c.count, Moved: 0.9}
		got := fold(&table, c.n, "thing", every)
		if len(got.rows) != c.shown {
			t.Errorf("%s: %d rows shown, want %d", c.about, len(got.rows), c.shown)
		}
		name := ""
		if got.other != nil {
			name = got.other.Name
		}
		if name != c.name {
			t.Errorf("%s: other is %q, want %q", c.about, name, c.name)
		}
		all, kept := table.Rows, got.rows
		if c.other != nil {
			all = append(all[:len(all):len(all)], *c.other)
		}
		if got.other != nil {
			kept = append(kept[:len(kept):len(kept)], *got.other)
		}
		want, have := sum(all, nil), sum(kept, nil)
		if have.Before != want.Before || have.After != want.After || have.Delta != want.Delta {
			t.Errorf("%s: rows add up to %+v, want %+v", c.about, have, want)
		}
	}
	if c := fold(&profile.Table{Rows: rows, Count: 20, Moved: 1}, 5, "thing", every); c.moved <= 0 || c.moved >= 1 {
		t.Errorf("5 of 20 rows hold %v of the movement, want a share", c.moved)
	}
}

// Rows too small to be seen are folded, unless they are real or among the first.
func TestVisible(t *testing.T) {
	table := func(deltas ...float64) *profile.Table {
		var rows []profile.Row
		for i, d := range deltas {
			r := row(fmt.Sprint("f", i), 100, 100+d, 0)
			if d != math.Trunc(d) {
				r.Verdict = profile.Unclear
			}
			rows = append(rows, r)
		}
		return &profile.Table{Rows: rows, Count: len(rows), Moved: 1}
	}
	for _, c := range []struct {
		about string
		table *profile.Table
		shown int
		other string
	}{
		{"small ones", table(-1000, .1, .1, .1, .1, .1, .1), 5, "Other (2 functions)"},
		{"a real one between them", table(-1000, .1, .1, .1, .1, .1, 1, .1), 6, "Other (2 functions)"},
		{"one is drawn", table(-1000, .1, .1, .1, .1, .1), 6, ""},
		{"large enough", table(-1000, 5.5, 5.5, 5.5, 5.5, 5.5, 5.5), 7, ""},
		{"nothing moved", table(0, 0, 0, 0, 0, 0, 0, 0), 5, "Other (3 functions)"},
		{"more than there is room for", table(9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9), 12, "Other (2 functions)"},
	} {
		got := fold(c.table, functionRows, "function", visible(c.table.Rows))
		other := ""
		if got.other != nil {
			other = got.other.Name
		}
		if len(got.rows) != c.shown || other != c.other {
			t.Errorf("%s: %d rows and %q, want %d and %q", c.about, len(got.rows), other, c.shown, c.other)
		}
	}
}

// A sum of judged rows is not judged; percent is of its own before.
func TestSumVerdict(t *testing.T) {
	a, b := row("a", 100, 50, 0.01), row("b", 100, 150, 0.01)
	s := sum([]profile.Row{a, b}, &a)
	if s.Verdict != "" || s.DeltaCI != nil || s.RatioCI != nil {
		t.Errorf("sum has verdict %q and intervals %v, %v; want none", s.Verdict, s.DeltaCI, s.RatioCI)
	}
	if s.Percent == nil || math.Abs(*s.Percent- -50.0/3) > 1e-9 {
		t.Errorf("sum changed by %v %%, want %v", s.Percent, -50.0/3)
	}
	a.Verdict = profile.Unknown
	if s := sum([]profile.Row{a, a}, nil); s.Verdict != profile.Unknown {
		t.Errorf("sum of rows without a noise model has verdict %q, want %q", s.Verdict, profile.Unknown)
	}
}

func TestPercent(t *testing.T) {
	for _, c := range []struct {
		before, after float64
		verdict       profile.Verdict
		want          string
	}{
		{100, 50, profile.Down, "−50.0%"},
		{100, 50, profile.Unclear, "~"},
		{100, 50, profile.Same, "~"},
		{100, 50, profile.Few, "few"},
		{100, 50, profile.Unknown, "−50.0%"},
		{100, 50, "", "−50.0%"},
		{100, 100, profile.Same, "0.0%"},
		{0, 50, profile.New, "new"},
		{0, 50, profile.Few, "few"},
		{0, 0, profile.Few, "few"},
		{0, 0, profile.Unclear, "0.0%"},
		{100, 100.01, profile.Unclear, "~"},
		{100, 100.01, profile.Up, "+0.0%"},
		{50, 0, profile.Gone, "gone"},
		{1, 50, profile.Up, "x50.0"},
	} {
		r := row("r", c.before, c.after, 0)
		r.Verdict = c.verdict
		if got := percent(&r); got != c.want {
			t.Errorf("percent(%v to %v, %q) = %q, want %q", c.before, c.after, c.verdict, got, c.want)
		}
	}
}
