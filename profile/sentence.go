package profile

import (
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// subject names what a report is about.
func (m *metricPair) subject() string {
	switch m.Metric {
	case AllocSpace, AllocObjects, Metric{"allocations", "bytes"}, Metric{"allocations", "count"}:
		return "allocations"
	case InuseSpace, InuseObjects, Metric{"space", "bytes"}, Metric{"objects", "count"}:
		return "live heap"
	case CPU, CPUSamples, Metric{"cpu", "count"}:
		return "CPU"
	}
	return m.Type
}

func capital(s string) string {
	if s == "" {
		return s
	}
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// amount formats a value of the metric with its unit and divisor.
func (m *MetricReport) amount(v float64) string {
	return ScaleOf(m.Metric.Unit, v).Format(v) + m.Per.Suffix()
}

// sentence is the verdict on the main metric, made from the numbers.
func (r *Report) sentence() string {
	m := &r.Metrics[0]
	t := &m.Total
	noun := capital(m.Metric.Noun())
	sc := ScaleOf(m.Metric.Unit, math.Max(t.Before.Value, t.After.Value))
	both := fmt.Sprintf("%s → %s%s", sc.Number(t.Before.Value), sc.Format(t.After.Value), m.Per.Suffix())
	switch {
	case r.Identical && len(r.Before.Inputs) == 1:
		return fmt.Sprintf("Before and after are the same file: nothing changed (%s %s).", m.Metric.Noun(), m.amount(t.Before.Value))
	case r.Identical:
		return fmt.Sprintf("Before and after are the same files: nothing changed (%s %s).", m.Metric.Noun(), m.amount(t.Before.Value))
	case t.Before.Value == 0 && t.After.Value == 0:
		return fmt.Sprintf("No %s on either side.", m.Metric.Noun())
	case t.Before.N == 0 && t.Before.Value == 0:
		return fmt.Sprintf("No %s before; everything is new: %s.", m.Metric.Noun(), m.amount(t.After.Value))
	case t.After.N == 0 && t.After.Value == 0:
		return fmt.Sprintf("No %s after; everything is gone: %s before.", m.Metric.Noun(), m.amount(t.Before.Value))
	case t.Delta == 0 && t.Verdict != Unknown && !anyReal(m.Functions()):
		return fmt.Sprintf("No difference in %s: %s.", m.Metric.Noun(), m.amount(t.Before.Value))
	}
	s := ""
	switch {
	case t.Verdict.Real():
		s = fmt.Sprintf("%s %s %s (%s), %s.", noun, moved(t.Delta), m.amount(math.Abs(t.Delta)), t.PercentText(), r.beyond(m))
	case t.Verdict == Unknown:
		if t.Delta == 0 {
			s = fmt.Sprintf("No difference in %s: %s.", m.Metric.Noun(), both)
		} else {
			s = fmt.Sprintf("%s %s %s (%s); the profile does not tell its sampling noise.", noun, moved(t.Delta), m.amount(math.Abs(t.Delta)), t.PercentText())
		}
	default:
		s = fmt.Sprintf("No change of %s above the noise%s: %s.", m.Metric.Noun(), noiseBar(t), both)
	}
	if p := r.largest(m); p != "" {
		s += " " + p
	}
	return s + r.besides()
}

// besides tells of the other metrics that people care about and that changed
// beyond noise: what stays live, and CPU time.
func (r *Report) besides() string {
	var s strings.Builder
	for i := range r.Metrics {
		m := &r.Metrics[i]
		t := &m.Total
		if i > 0 && t.Verdict.Real() && (m.Metric == InuseSpace || m.Metric == CPU) {
			fmt.Fprintf(&s, " %s %s %s (%s), %s.", capital(m.Metric.Noun()), moved(t.Delta), m.amount(math.Abs(t.Delta)), t.PercentText(), r.beyond(m))
		}
	}
	return s.String()
}

// beyond is the claim that a verdict may make: only repeated runs can tell a
// real change from the scatter between runs.
func (r *Report) beyond(m *MetricReport) string {
	if r.Replicated(m.Kind) {
		return "real"
	}
	return "beyond sampling noise"
}

// Replicated reports whether both sides have repeated runs of a kind of profile.
func (r *Report) Replicated(kind Kind) bool {
	return r.Before.Runs(kind) >= 2 && r.After.Runs(kind) >= 2
}

// Runs is the number of runs of a kind of profile on a side.
func (s *SideInfo) Runs(kind Kind) int {
	n := 0
	for i := range s.Inputs {
		if s.Inputs[i].Kind == kind {
			n++
		}
	}
	if s.Merged > 0 && n > 0 {
		return 1
	}
	return n
}

func anyReal(t *Table) bool {
	for i := range t.Rows {
		if t.Rows[i].Verdict.Real() {
			return true
		}
	}
	return false
}

// noiseBar is the half width of the total's interval in percent.
func noiseBar(t *Row) string {
	if t.RatioCI == nil || t.RatioCI.Unbounded {
		return ""
	}
	half := 50 * (t.RatioCI.Hi - t.RatioCI.Lo)
	if half < 0.05 {
		return fmt.Sprintf(" (±%.2g%%)", half)
	}
	return fmt.Sprintf(" (±%.1f%%)", half)
}

func moved(delta float64) string {
	if delta < 0 {
		return "fell by"
	}
	return "rose by"
}

// largest names the pool, or else the function, that changed most beyond noise.
func (r *Report) largest(m *MetricReport) string {
	pools := 0
	for i := range m.Pools.Rows {
		if n := m.Pools.Rows[i].Name; n != noThreadName && n != allPools {
			pools++
		}
	}
	kind, t := "pool", &m.Pools
	if pools < 2 {
		kind, t = "function", m.Functions()
	}
	for i := range t.Rows {
		row := &t.Rows[i]
		if row.Verdict.Real() || row.Verdict == Unknown && row.Delta != 0 {
			sc := ScaleOf(m.Metric.Unit, row.Delta)
			return fmt.Sprintf("Largest change: %s %s, %s%s (%s).", kind, Short([]string{row.Name}, 60)[0], sc.Signed(row.Delta), m.Per.Suffix(), row.PercentText())
		}
	}
	return ""
}
