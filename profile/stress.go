package profile

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/allocdiff/allocdiff/profile/internal/noise"
)

// Stress is what a benchmark says of itself: the summary of cassandra-stress,
// which the bundled engine writes too. Several summaries in one text are runs.
type Stress struct {
	order  []string // names as first written
	values map[string]*stressValue
}

type stressValue struct {
	unit string
	runs []float64
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
			v.runs = append(v.runs, value)
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

func (v *stressValue) mean() float64 {
	sum := 0.0
	for _, x := range v.runs {
		sum += x
	}
	return sum / float64(len(v.runs))
}

// Measures lists the figures that both sides have in the same unit, in the
// order of the before side; several runs are averaged and compared by rank.
func Measures(before, after *Stress) []Measure {
	var list []Measure
	for _, name := range before.order {
		b, a := before.values[strings.ToLower(name)], after.values[strings.ToLower(name)]
		if a == nil || a.unit != b.unit {
			continue
		}
		m := Measure{Name: clean(name), Unit: b.unit, Before: b.mean(), After: a.mean()}
		if p, ok := noise.CompareRanks(b.runs, a.runs); ok {
			m.P = &p
		}
		list = append(list, m)
	}
	return list
}
