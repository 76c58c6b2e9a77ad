package profile

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// Stress is what a benchmark says of itself: the summary of cassandra-stress,
// which the bundled engine writes too. Several summaries in one text are runs.
type Stress struct {
	order  []string // names as first written
	values map[string]*stressValue
}

type stressValue struct {
	unit string
	sum  float64
	runs int
}

// "Op rate : 192,020 op/s [insert: 192,020 op/s]"
var stressLine = regexp.MustCompile(`^([A-Za-z][^:]*?)\s*:\s*([0-9][0-9,]*(?:\.[0-9]+)?|[0-9]+:[0-9]{2}:[0-9]{2}|NaN)\s*([A-Za-z][A-Za-z/]*)?\s*(?:\[.*\])?\s*$`)

// ParseStress reads the summary lines of a text: "name : value unit". Other
// lines, such as those of intervals, are passed over. It is an error if there
// is no summary line at all.
func ParseStress(r io.Reader) (*Stress, error) {
	s := &Stress{values: make(map[string]*stressValue)}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		m := stressLine.FindStringSubmatch(strings.TrimSpace(lines.Text()))
		if m == nil {
			continue
		}
		value, unit, ok := stressNumber(m[2], m[3])
		if !ok {
			continue
		}
		key := strings.ToLower(m[1])
		v := s.values[key]
		if v == nil {
			v = &stressValue{unit: unit}
			s.values[key] = v
			s.order = append(s.order, m[1])
		}
		if v.unit == unit {
			v.sum += value
			v.runs++
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading the stress summary: %w", err)
	}
	if len(s.order) == 0 {
		return nil, fmt.Errorf("no summary line such as %q in it", "op rate : 192,020 op/s")
	}
	return s, nil
}

func stressNumber(text, unit string) (float64, string, bool) {
	if parts := strings.Split(text, ":"); len(parts) == 3 {
		seconds := 0.0
		for _, p := range parts {
			n, _ := strconv.Atoi(p) // digits only, by the pattern
			seconds = 60*seconds + float64(n)
		}
		return seconds, "s", true
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	if unit == "seconds" {
		unit = "s"
	}
	return v, unit, err == nil && v == v
}

// mean is a figure averaged over the runs.
func (s *Stress) mean(name string) (v float64, unit string, ok bool) {
	e := s.values[strings.ToLower(name)]
	if e == nil {
		return 0, "", false
	}
	return e.sum / float64(e.runs), e.unit, true
}

// Measures lists the figures that both sides have in the same unit, in the
// order of the before side; several runs are averaged.
func Measures(before, after *Stress) []Measure {
	var list []Measure
	for _, name := range before.order {
		b, unit, _ := before.mean(name)
		a, unitAfter, ok := after.mean(name)
		if ok && unit == unitAfter {
			list = append(list, Measure{Name: clean(name), Unit: unit, Before: b, After: a})
		}
	}
	return list
}
