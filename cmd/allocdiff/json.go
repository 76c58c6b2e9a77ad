package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/allocdiff/allocdiff/profile"
)

// jsonSchemaText describes what printJSON writes, field by field.
//
//go:embed schema.txt
var jsonSchemaText string

// printJSON writes the whole report as indented JSON; schema.txt describes it.
// Whole numbers are exact, others are rounded to 12 significant digits, lists
// that are not omitted are never null. A number that is not finite is an error
// that names its field. Invalid UTF-8 in a name becomes U+FFFD.
func printJSON(w io.Writer, r *profile.Report) error {
	return writeJSON(w, reflect.ValueOf(*r))
}

func writeJSON(w io.Writer, report reflect.Value) error {
	v, err := tidy(report, "")
	if err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v.Interface())
}

// tidy returns a copy of v that is ready to be encoded; path names it in errors.
func tidy(v reflect.Value, path string) (reflect.Value, error) {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	switch v.Kind() {
	case reflect.Float64:
		f, err := tidyFloat(v.Float(), path)
		c.SetFloat(f)
		return c, err
	case reflect.Pointer:
		if v.IsNil() {
			return c, nil
		}
		e, err := tidy(v.Elem(), path)
		c.Set(reflect.New(v.Type().Elem()))
		c.Elem().Set(e)
		return c, err
	case reflect.Slice:
		c.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			e, err := tidy(v.Index(i), fmt.Sprintf("%s[%d]", path, i))
			if err != nil {
				return c, err
			}
			c.Index(i).Set(e)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			f, err := tidy(v.Field(i), strings.TrimPrefix(path+"."+name, "."))
			if err != nil {
				return c, err
			}
			c.Field(i).Set(f)
		}
	}
	return c, nil
}

// tidyFloat rounds a fraction to 12 digits: what is left of a sum beyond them
// depends on the processor.
func tidyFloat(f float64, path string) (float64, error) {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return f, fmt.Errorf("%s is %v, not a number that can be written", path, f)
	case f == 0:
		return 0, nil // never -0
	case f == math.Trunc(f):
		return f, nil
	}
	return strconv.ParseFloat(strconv.FormatFloat(f, 'g', 12, 64), 64)
}
