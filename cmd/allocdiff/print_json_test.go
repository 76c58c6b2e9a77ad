package main

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/allocdiff/allocdiff/profile"
)

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
		{"metrics[2].total.p", func(r *profile.Report) { r.Metrics[2].Total.P = new(math.NaN()) }},
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
		for field := range typ.Fields() {
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
