package profile

import (
	"math"
	"reflect"
	"testing"
)

// topTable has rows in which everything that Top sums differs, and a verdict.
func topTable(n int, other *Row) Table {
	t := Table{Other: other, Count: n + 7, Moved: 0.8}
	for i := range n {
		f := float64(n - i)
		before, after := Amount{10 * f, 3 * f, 0.01 * f, 2 * i}, Amount{10*f - f*f, 2 * f, 0.02 * f, i}
		p := 0.01
		t.Rows = append(t.Rows, Row{
			Name: string(rune('a' + i)), Before: before, After: after, Delta: -f * f, Verdict: Down,
			P: &p, Q: &p, Phi: 2, DeltaCI: &Interval{Lo: -1, Hi: 1}, RatioCI: &Interval{Lo: 0.5, Hi: 1},
		})
	}
	return t
}

func sumOf(t Table) Row {
	var sum Row
	for i := range t.Rows {
		sum.add(&t.Rows[i])
	}
	if t.Other != nil {
		sum.add(t.Other)
	}
	return sum
}

func TestTopConserves(t *testing.T) {
	others := map[string]*Row{
		"without Other": nil,
		"with Other":    {Name: "the rest", Before: Amount{100, 10, 0.1, 1}, After: Amount{90, 9, 0.2, 0}, Delta: -10, Verdict: Down},
	}
	for name, other := range others {
		for rows := range 6 {
			table := topTable(rows, other)
			want := sumOf(table)
			for n := -1; n < 8; n++ {
				top := table.Top(n)
				got := sumOf(top)
				for _, v := range [][2]float64{
					{got.Before.Value, want.Before.Value},
					{got.After.Value, want.After.Value},
					{got.Before.N, want.Before.N},
					{got.After.N, want.After.N},
					{got.Before.Share, want.Before.Share},
					{got.After.Share, want.After.Share},
					{got.Delta, want.Delta},
				} {
					if math.Abs(v[0]-v[1]) > 1e-12*math.Abs(v[1]) {
						t.Errorf("%s, %d rows: Top(%d) adds up to %+v, want %+v", name, rows, n, got, want)
						break
					}
				}
				if got.Before.Threads != want.Before.Threads || got.After.Threads != want.After.Threads {
					t.Errorf("%s, %d rows: Top(%d) adds up to %+v, want %+v", name, rows, n, got, want)
				}
				want := min(max(n, 0), rows)
				if want == rows-1 && other == nil {
					want = rows // Other would hold one row
				}
				if len(top.Rows) != want {
					t.Errorf("%s, %d rows: Top(%d) has %d rows, want %d", name, rows, n, len(top.Rows), want)
				}
				if top.Count != table.Count {
					t.Errorf("%s, %d rows: Top(%d).Count = %d, want %d", name, rows, n, top.Count, table.Count)
				}
			}
		}
	}
}

func TestTopOther(t *testing.T) {
	table := topTable(3, nil) // deltas -9, -4, -1
	before := topTable(3, nil)
	top := table.Top(1)
	want := Row{
		Name: OtherName, Before: Amount{30, 9, 0.03, 6}, After: Amount{25, 6, 0.06, 3}, Delta: -5,
		Percent: top.Other.Percent,
	}
	if !reflect.DeepEqual(*top.Other, want) {
		t.Errorf("Other = %+v, want %+v", *top.Other, want)
	}
	if p := top.Other.Percent; p == nil || math.Abs(*p+100.0/6) > 1e-12 {
		t.Errorf("Percent = %v, want -16.67", p)
	}
	if want := 0.8 * 9 / 14; math.Abs(top.Moved-want) > 1e-12 {
		t.Errorf("Moved = %v, want %v", top.Moved, want)
	}
	if !reflect.DeepEqual(table, before) {
		t.Errorf("Top changed its table: %+v, want %+v", table, before)
	}
	if again := top.Top(1); !reflect.DeepEqual(again, top) {
		t.Errorf("Top(1) of Top(1) = %+v, want %+v", again, top)
	}

	// Appending to the rows of the cut table must not write into the whole one.
	_ = append(top.Rows, Row{Name: "x"})
	if table.Rows[1].Name != "b" {
		t.Errorf("rows of the cut table reach into the whole one: %q, want b", table.Rows[1].Name)
	}
}

func TestTopKeepsOther(t *testing.T) {
	judged := &Row{Name: "the rest", Before: Amount{Value: 8}, After: Amount{Value: 4}, Delta: -4, Verdict: Down, Phi: 2}
	table := topTable(2, judged)
	if got := table.Top(2); got.Other != judged {
		t.Errorf("Top of all rows made a new Other %+v", got.Other)
	}
	got := table.Top(1)
	if got.Other.Name != "the rest" || got.Other.Verdict != "" || got.Other.Phi != 0 {
		t.Errorf("Other = %+v, want the old name and no judgement", got.Other)
	}
	if judged.Delta != -4 {
		t.Errorf("Top changed the Other of its table: %+v", judged)
	}
}

func TestTopOfNothingMoved(t *testing.T) {
	table := Table{Rows: []Row{{Name: "a"}, {Name: "b"}, {Name: "c"}}, Count: 3, Moved: 1}
	got := table.Top(1)
	if got.Moved != 1 {
		t.Errorf("Moved = %v, want 1", got.Moved)
	}
	if got.Other.Percent != nil {
		t.Errorf("Percent of 0 before = %v, want nil", *got.Other.Percent)
	}
	table = topTable(3, nil)
	if got := table.Top(0); got.Moved != 0 {
		t.Errorf("Moved of no rows = %v, want 0", got.Moved)
	}
}

func TestMeasureRow(t *testing.T) {
	for _, c := range []struct {
		before, after float64
		percent       string
	}{
		{200, 190, "-5.0%"},
		{0, 3, "new"},
		{3, 0, "gone"},
		{0, 0, "0"},
	} {
		m := Measure{Name: "op rate", Unit: "op/s", Before: c.before, After: c.after}
		r := m.Row()
		if r.Name != m.Name || r.Delta != c.after-c.before || r.Verdict != "" {
			t.Errorf("%+v: row %+v", m, r)
		}
		if got := r.PercentText(); got != c.percent {
			t.Errorf("%+v: percent %q, want %q", m, got, c.percent)
		}
	}
}
