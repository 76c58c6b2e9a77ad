package profile

import (
	"math"
	"reflect"
	"strconv"
	"testing"
)

// checkFinite checks that a report holds no number that JSON cannot, that rows
// without a noise model carry no interval, and that intervals hold what they are
// for.
func checkFinite(t *testing.T, what string, r *Report) {
	t.Helper()
	finite(t, what, reflect.ValueOf(r))
	for i := range r.Metrics {
		m := &r.Metrics[i]
		checkJudged(t, what+": "+m.Metric.String()+" total", &m.Total)
		for _, table := range []*Table{&m.Pools, &m.Owner, &m.Flat, &m.Cum, &m.ByPool, &m.Sizes} {
			for j := range table.Rows {
				checkJudged(t, what+": "+m.Metric.String()+" "+table.Rows[j].Name, &table.Rows[j])
			}
		}
	}
}

func finite(t *testing.T, path string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			t.Errorf("%s: got %v", path, f)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			finite(t, path, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			finite(t, path+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			finite(t, path+"["+strconv.Itoa(i)+"]", v.Index(i))
		}
	}
}

func checkJudged(t *testing.T, what string, r *Row) {
	t.Helper()
	if r.Verdict == "" {
		t.Errorf("%s: no verdict", what)
	}
	if r.Verdict == Unknown && (r.DeltaCI != nil || r.RatioCI != nil || r.P != nil || r.Q != nil || r.Need != nil) {
		t.Errorf("%s: unknown, but has an interval, p or need: %+v", what, r)
	}
	for name, p := range map[string]*float64{"p": r.P, "q": r.Q} {
		if p != nil && (*p < 0 || *p > 1) {
			t.Errorf("%s: %s: got %v, want 0 to 1", what, name, *p)
		}
	}
	if d := r.DeltaCI; d != nil && (d.Lo > d.Hi || r.Delta < d.Lo-slackOf(r) || r.Delta > d.Hi+slackOf(r)) {
		t.Errorf("%s: interval %v .. %v does not hold the difference %v", what, d.Lo, d.Hi, r.Delta)
	}
	if q := r.RatioCI; q != nil && !q.Unbounded && r.Before.Value > 0 {
		ratio := r.After.Value / r.Before.Value
		if q.Lo > q.Hi || ratio < q.Lo*(1-1e-9) || ratio > q.Hi*(1+1e-9) {
			t.Errorf("%s: interval %v .. %v does not hold the ratio %v", what, q.Lo, q.Hi, ratio)
		}
	}
}

// slackOf is what rounding may do to the difference of a row.
func slackOf(r *Row) float64 {
	return 1e-9 * max(1, math.Abs(r.Before.Value), math.Abs(r.After.Value))
}
