package profile

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/allocdiff/allocdiff/profile/profiletest"
)

// A pair of sides in both directions: every difference changes its sign, ratios
// invert, verdicts swap, p and q stay. Also with replicates and with operations.
func TestAntisymmetry(t *testing.T) {
	for seed := range uint64(randomKinds) {
		before, after := randomSides(seed)
		for _, o := range []Options{{}, {OpsBefore: 1000, OpsAfter: 1700}, {Merge: true}} {
			what := fmt.Sprintf("seed %d, ops %g, merge %t", seed, o.OpsBefore, o.Merge)
			there := NewReport(diffOf(t, before, after, o), ReportOptions{All: true})
			o.OpsBefore, o.OpsAfter = o.OpsAfter, o.OpsBefore
			back := NewReport(diffOf(t, after, before, o), ReportOptions{All: true})
			checkFinite(t, what, there)
			if len(there.Metrics) != len(back.Metrics) {
				t.Fatalf("%s: got %d metrics, want %d", what, len(back.Metrics), len(there.Metrics))
			}
			for i := range there.Metrics {
				checkMirrored(t, what, &there.Metrics[i], &back.Metrics[i])
			}
		}
	}
}

// randomSides are one to three profiles of one make on each side.
func randomSides(seed uint64) (before, after Source) {
	r := rand.New(rand.NewPCG(seed, 4))
	files := func() (list [][]byte) {
		for range 1 + r.IntN(3) {
			list = append(list, profiletest.Encode(randomProfile(r, int(seed))))
		}
		return list
	}
	return sideOf("before", files()...), sideOf("after", files()...)
}

func checkMirrored(t *testing.T, what string, there, back *MetricReport) {
	t.Helper()
	what += ", " + there.Metric.String()
	if there.Metric != back.Metric {
		t.Fatalf("%s: got metric %s on the way back", what, back.Metric)
	}
	mirroredRow(t, what+" total", &there.Total, &back.Total)
	tables := map[string][2]*Table{
		"pools": {&there.Pools, &back.Pools}, "owner": {&there.Owner, &back.Owner}, "flat": {&there.Flat, &back.Flat},
		"cum": {&there.Cum, &back.Cum}, "pool x function": {&there.ByPool, &back.ByPool}, "sizes": {&there.Sizes, &back.Sizes},
	}
	for name, pair := range tables {
		x, y := pair[0], pair[1]
		if len(x.Rows) != len(y.Rows) {
			t.Errorf("%s %s: got %d rows on the way back, want %d", what, name, len(y.Rows), len(x.Rows))
			continue
		}
		rows := map[[2]string]*Row{}
		for i := range y.Rows {
			rows[[2]string{y.Rows[i].Pool, nameBefore(&y.Rows[i])}] = &y.Rows[i]
		}
		for i := range x.Rows {
			row := &x.Rows[i]
			other := rows[[2]string{row.Pool, row.Name}]
			if other == nil {
				t.Errorf("%s %s: no row %s on the way back", what, name, row.Name)
				continue
			}
			mirroredRow(t, what+" "+name+" "+row.Name, row, other)
		}
	}
}

// nameBefore is the name that a row has on its before side.
func nameBefore(r *Row) string {
	if len(r.Note) > 4 && r.Note[:4] == "was " {
		return r.Note[4:]
	}
	return r.Name
}

var mirrored = map[Verdict]Verdict{
	Up: Down, Down: Up, New: Gone, Gone: New, Same: Same, Unclear: Unclear, Few: Few, Unknown: Unknown,
}

func mirroredRow(t *testing.T, what string, x, y *Row) {
	t.Helper()
	if x.Delta != -y.Delta || x.Before != y.After || x.After != y.Before {
		t.Errorf("%s: got %+v, %+v, delta %v on the way back, want %+v, %+v, %v", what, y.Before, y.After, y.Delta, x.After, x.Before, -x.Delta)
	}
	// Same within a tolerance of before is not quite the same within one of after.
	if y.Verdict != mirrored[x.Verdict] && !(x.Verdict == Same && y.Verdict == Unclear || x.Verdict == Unclear && y.Verdict == Same) {
		t.Errorf("%s: got verdict %s on the way back, want %s of %s", what, y.Verdict, mirrored[x.Verdict], x.Verdict)
	}
	if !nearPointer(x.P, y.P) || !nearPointer(x.Q, y.Q) {
		t.Errorf("%s: got p %v, q %v on the way back, want %v, %v", what, show(y.P), show(y.Q), show(x.P), show(x.Q))
	}
	if (x.DeltaCI == nil) != (y.DeltaCI == nil) || x.DeltaCI != nil && !(near(x.DeltaCI.Lo, -y.DeltaCI.Hi) && near(x.DeltaCI.Hi, -y.DeltaCI.Lo)) {
		t.Errorf("%s: got interval %+v on the way back, want minus %+v", what, y.DeltaCI, x.DeltaCI)
	}
	if a, b := x.RatioCI, y.RatioCI; a != nil && b != nil && !a.Unbounded && !b.Unbounded && a.Lo > 0 && b.Lo > 0 {
		if math.Abs(a.Lo*b.Hi-1) > 1e-6 || math.Abs(a.Hi*b.Lo-1) > 1e-6 {
			t.Errorf("%s: got ratios %+v on the way back, want the inverse of %+v", what, *b, *a)
		}
	}
}

func nearPointer(a, b *float64) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return math.Abs(*a-*b) <= 1e-9+1e-6*max(*a, *b)
}

func show(p *float64) any {
	if p == nil {
		return nil
	}
	return *p
}

// A side against itself: no difference anywhere, no verdict that something
// changed, and the report says that the files are the same.
func TestIdentity(t *testing.T) {
	for seed := range uint64(2 * randomKinds) {
		side, _ := randomSides(seed)
		r := NewReport(diffOf(t, side, side, Options{}), ReportOptions{All: true})
		what := fmt.Sprintf("seed %d", seed)
		checkFinite(t, what, r)
		if !r.Identical {
			t.Errorf("%s: got Identical false, want true", what)
		}
		for i := range r.Metrics {
			m := &r.Metrics[i]
			noChange(t, what+" total", &m.Total)
			for _, table := range []*Table{&m.Pools, &m.Owner, &m.Flat, &m.Cum, &m.ByPool, &m.Sizes} {
				for j := range table.Rows {
					noChange(t, what+" "+table.Rows[j].Name, &table.Rows[j])
				}
			}
		}
	}
}

func noChange(t *testing.T, what string, r *Row) {
	t.Helper()
	if r.Delta != 0 || r.Before != r.After || r.Verdict.Real() || r.Note != "" && r.Note != "anonymous" {
		t.Errorf("%s: got %+v, want no change", what, *r)
	}
}
