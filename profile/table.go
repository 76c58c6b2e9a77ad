package profile

import "math"

// OtherName is the name of the row that sums the rows cut from a table.
const OtherName = "(other)"

// Top returns the table cut to its first n rows; what is cut is added to Other,
// so that rows and Other still add up to what they did. Count stays, Moved is
// that of the rows left. A table of n rows or fewer comes back as it is, and so
// does one of a single row more, whose Other would take the room of that row; a
// negative n counts as 0. The rows are shared with t, Other is a new row.
//
// A sum of rows has not been tested, so an Other that rows were added to has no
// verdict, interval, p or q. Cum rows overlap: the Other of a cut cum table means
// nothing and should not be shown.
func (t *Table) Top(n int) Table {
	n = max(n, 0)
	if n >= len(t.Rows) || n == len(t.Rows)-1 && t.Other == nil {
		return *t
	}
	other := Row{Name: OtherName}
	if t.Other != nil {
		other.Name = t.Other.Name
		other.add(t.Other)
	}
	var kept, cut float64
	for i := range t.Rows {
		r := &t.Rows[i]
		if i < n {
			kept += math.Abs(r.Delta)
			continue
		}
		cut += math.Abs(r.Delta)
		other.add(r)
	}
	other.Percent = percentOf(other.Before.Value, other.Delta)
	top := Table{Rows: t.Rows[:n:n], Other: &other, Count: t.Count, Moved: t.Moved}
	if kept+cut > 0 {
		top.Moved *= kept / (kept + cut)
	}
	return top
}

// add adds the amounts and the difference of s to those of r.
func (r *Row) add(s *Row) {
	r.Before.add(s.Before)
	r.After.add(s.After)
	r.Delta += s.Delta
}

func (a *Amount) add(b Amount) {
	a.Value += b.Value
	a.N += b.N
	a.Share += b.Share
	a.Threads += b.Threads
}

// percentOf is delta in percent of before; nil when before is 0, or below it as
// in the difference of two profiles.
func percentOf(before, delta float64) *float64 {
	if before <= 0 {
		return nil
	}
	p := 100 * delta / before
	return &p
}

// Row returns the measure as a row. It is called up or down where the runs of
// the two sides differ at p < 0.05, as benchstat does, and has no verdict where
// there are too few runs to tell.
func (m *Measure) Row() Row {
	delta := m.After - m.Before
	r := Row{
		Name:    m.Name,
		Before:  Amount{Value: m.Before},
		After:   Amount{Value: m.After},
		Delta:   delta,
		Percent: percentOf(m.Before, delta),
		P:       m.P,
	}
	switch {
	case m.P == nil:
	case *m.P >= 0.05:
		r.Verdict = Unclear
	case delta > 0:
		r.Verdict = Up
	default:
		r.Verdict = Down
	}
	return r
}
