package plot

import (
	"fmt"
	"math"
	"slices"

	"github.com/allocdiff/allocdiff/profile"
)

// shown is the part of a table that is drawn.
type shown struct {
	rows  []profile.Row
	other *profile.Row // the rest, summed and named; nil when there is none
	count int          // rows of the whole table
	moved float64      // share of all movement that rows hold
}

// fold keeps the first n rows of t that keep is true of, by their index, and
// sums the rest into other. A single row is never folded: it takes no more room
// than Other.
func fold(t *profile.Table, n int, thing string, keep func(int) bool) shown {
	s := shown{count: max(t.Count, len(t.Rows)), moved: t.Moved}
	var rest []profile.Row
	for i, r := range t.Rows {
		if len(s.rows) < n && keep(i) {
			s.rows = append(s.rows, r)
		} else {
			rest = append(rest, r)
		}
	}
	if t.Other == nil && len(rest) <= 1 {
		s.rows = t.Rows
		return s
	}
	if len(rest) > 0 {
		s.moved = finite(t.Moved * movement(s.rows) / movement(t.Rows))
	}
	s.other = sum(rest, t.Other)
	s.other.Name = "Other"
	if hidden := s.count - len(s.rows); hidden > 0 {
		s.other.Name = fmt.Sprintf("Other (%s)", plural(hidden, thing))
	}
	return s
}

// every keeps all rows.
func every(int) bool { return true }

// visible keeps rows whose bar can be seen beside the longest, those whose
// change is real, and a few in any case.
func visible(rows []profile.Row) func(int) bool {
	const least, few = 0.005, 5
	longest := largest(rows, deltas)
	return func(i int) bool {
		r := &rows[i]
		return i < few || math.Abs(finite(r.Delta)) > least*longest || r.Verdict.Real()
	}
}

// plural counts things: "1 pool", "1,192 functions".
func plural(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return profile.Count(float64(n)) + " " + thing
}

// movement is the sum of |Delta|, never 0.
func movement(rows []profile.Row) float64 {
	total := 0.0
	for i := range rows {
		total += math.Abs(finite(rows[i].Delta))
	}
	return max(total, math.SmallestNonzeroFloat64)
}

// sum adds rows to a copy of other, which may be nil. A sum of rows that were
// judged one by one has no verdict of its own, unless there is none to have.
func sum(rows []profile.Row, other *profile.Row) *profile.Row {
	var s profile.Row
	if other != nil {
		s = *other
	}
	if len(rows) == 0 {
		return &s
	}
	s.Verdict, s.DeltaCI, s.RatioCI, s.P, s.Q = "", nil, nil, nil, nil
	for i := range rows {
		r := &rows[i]
		s.Before = add(s.Before, r.Before)
		s.After = add(s.After, r.After)
		s.Delta = finite(s.Delta + r.Delta)
		if r.Verdict == profile.Unknown {
			s.Verdict = profile.Unknown
		}
	}
	s.Percent = nil
	if s.Before.Value != 0 {
		pct := 100 * s.Delta / s.Before.Value
		s.Percent = &pct
	}
	return &s
}

func add(a, b profile.Amount) profile.Amount {
	return profile.Amount{
		Value:   finite(a.Value + b.Value),
		N:       finite(a.N + b.N),
		Share:   finite(a.Share + b.Share),
		Threads: a.Threads + b.Threads,
	}
}

// anyRow reports whether is holds for one of rows.
func anyRow(rows []profile.Row, is func(*profile.Row) bool) bool {
	return slices.ContainsFunc(rows, func(r profile.Row) bool { return is(&r) })
}

// moves reports whether r says something moved: its difference is real, or
// there is one and nothing to judge it by.
func moves(r *profile.Row) bool {
	return r.Verdict.Real() || r.Verdict == profile.Unknown && r.Delta != 0
}
