package profile

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/allocdiff/allocdiff/profile/internal/noise"
)

// slowRate is the heap sampling period below which the profiler is felt, in
// bytes: at 4 KiB its cost is lost in the noise, at 512 B it is half as much
// again, and every allocation recorded is ten times as slow.
const slowRate = 4096

// advice says what would be seen of the total, and what to do to see more.
func (m *NoiseMetric) advice() string {
	t := &m.Total
	noun := m.Metric.Noun()
	switch {
	case t.Value == 0 && t.N == 0:
		return fmt.Sprintf("No %s: nothing to see.", noun)
	case t.Basis == BasisUnknown:
		return fmt.Sprintf("The noise of %s is unknown: the profile does not tell how it was sampled, and %s; give 3 runs or more.", noun, m.runsText())
	case t.Basis == BasisExact:
		return fmt.Sprintf("Every event of %s was recorded and %s: a change of %s would be seen.", noun, m.alike(), percents(*t.Down, *t.Up))
	}
	text := fmt.Sprintf("Two sides of %d runs like these would show a change in %s from %s on.", m.Runs, noun, percents(*t.Down, *t.Up))
	if m.Runs == 1 {
		text = fmt.Sprintf("Against one more run like it, this one would show a change in %s from %s on", noun, percents(*t.Down, *t.Up))
		if m.Assumed > 0 && m.SamplingDown != nil {
			text += fmt.Sprintf(", if runs scatter by %g%%: one run cannot tell. Sampling alone would show it from %s on",
				100*m.Assumed, percents(*m.SamplingDown, *m.SamplingUp))
		}
		text += "."
	}
	if s := m.reachText(); s != "" {
		text += " " + s
	}
	return text
}

// reachText says what the falls that are planned for take.
func (m *NoiseMetric) reachText() string {
	var seen, rest []string
	for i := range m.Total.Reach {
		r := &m.Total.Reach[i]
		if r.Seen {
			seen = append(seen, FormatFall(r.Change))
		} else {
			rest = append(rest, fmt.Sprintf("To see %s: %s.", FormatFall(r.Change), r.Advice))
		}
	}
	text := ""
	if len(seen) > 0 {
		text = fmt.Sprintf("That is enough to see %s of the total", strings.Join(seen, " and "))
		if m.Total.Reach[0].Seen && m.Functions.Count > 0 {
			text += fmt.Sprintf(", and %s in functions that hold %s of it", FormatFall(m.Total.Reach[0].Change), shareWord(m.Functions.Seen))
		}
		text += "."
	}
	return strings.TrimSpace(text + " " + strings.Join(rest, " "))
}

// needText says what any one of would let the change be seen: "3 more runs a
// side, or MemProfileRate 65536"; "" when it would be already.
func (b *floorBuilder) needText(r *NoiseReach, basis noise.Basis) string {
	if r.Seen {
		return ""
	}
	var ways []string
	if more := r.Runs - b.m.b.Runs; more > 0 {
		ways = append(ways, counted(more, "more run")+" a side")
	} else {
		ways = append(ways, "more than 10,000 runs a side")
	}
	limit := ""
	switch {
	case r.Rate > 0 && b.s.golang():
		ways = append(ways, fmt.Sprintf("MemProfileRate %d", r.Rate))
	case r.Rate > 0:
		ways = append(ways, "one sample per "+ScaleOf("bytes", float64(r.Rate)).trim(float64(r.Rate)))
	case r.Longer > 0:
		ways = append(ways, "runs "+factor(r.Longer)+" times as long")
	case basis != noise.Scatter:
		limit = " (no sampling rate alone)"
	}
	return strings.Join(ways, ", or ") + limit
}

// Short is Advice in a few words for a table with its number of runs a side:
// "+3 runs or rate 65536"; "yes" when the change would be seen already.
func (r *NoiseReach) Short(runs int) string {
	if r.Seen {
		return "yes"
	}
	var ways []string
	if r.Runs > runs {
		ways = append(ways, "+"+counted(r.Runs-runs, "run"))
	}
	switch {
	case r.Rate > 0:
		ways = append(ways, fmt.Sprintf("rate %d", r.Rate))
	case r.Longer > 0:
		ways = append(ways, factor(r.Longer)+"x as long")
	}
	return cmp.Or(strings.Join(ways, " or "), "no")
}

// factor is how many times, rounded up.
func factor(f float64) string {
	if f < 10 {
		return fmt.Sprintf("%g", math.Ceil(f*10)/10)
	}
	return Count(math.Ceil(f))
}

func (m *NoiseMetric) alike() string {
	if m.Runs == 1 {
		return "there is one run"
	}
	return fmt.Sprintf("the %d runs do not differ", m.Runs)
}

func (m *NoiseMetric) runsText() string {
	if m.Runs == 1 {
		return "one run has no scatter"
	}
	return fmt.Sprintf("%d runs are too few to show their scatter", m.Runs)
}

func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Count(float64(n)) + " " + thing + "s"
}

// percents are the smallest changes in both directions.
func percents(down, up float64) string { return FormatSmallest(down) + " or " + FormatSmallest(up) }

// FormatSmallest formats the smallest change that would be seen, a fraction, in
// percent: as FormatPercent, but with two decimals below 1%.
func FormatSmallest(change float64) string {
	switch {
	case math.Abs(change) < 0.01:
		return fmt.Sprintf("%+.2f%%", 100*change)
	case change > 1000:
		return ">x1000"
	}
	return FormatPercent(100 * change)
}

// FormatFall formats a fall that is planned for, a fraction, in percent: "-9%".
func FormatFall(f float64) string {
	return strconv.FormatFloat(math.Round(1e6*f)/1e4, 'g', -1, 64) + "%"
}

// shareWord is a share, rounded down so that 100% means all.
func shareWord(s float64) string { return fmt.Sprintf("%.0f%%", math.Floor(100*s+1e-9)) }

// notes say how to read the report.
func (r *NoiseReport) notes() []string {
	notes := []string{fmt.Sprintf("changes given would be seen with a power of %.0f%% at a confidence of %g%% in one row looked at alone; to stand out among many rows a change must be larger",
		100*r.Power, math.Round(1e4*r.Confidence)/100)}
	var slow, limited bool
	for i := range r.Metrics {
		m := &r.Metrics[i]
		switch {
		case m.Tau > 0:
			notes = append(notes, fmt.Sprintf("%s: the functions scatter by %.2g%% between runs beyond sampling; this widens rows that happened to scatter less, as in a comparison", m.Metric.Noun(), 100*m.Tau))
		case m.Runs > 1:
		case m.Assumed > 0:
			notes = append(notes, fmt.Sprintf("%s: one profile shows sampling noise only; the scatter between runs cannot be seen and is assumed to be %g%%, as in a comparison of one profile a side (--run-cv)",
				m.Metric.Noun(), 100*m.Assumed))
		default:
			notes = append(notes, m.Metric.Noun()+": one profile says nothing of the scatter between runs")
		}
		for _, rows := range [][]NoiseRow{{m.Total}, m.Pools.Rows, m.Functions.Rows} {
			for j := range rows {
				slow, limited = slow || rows[j].slow(), limited || rows[j].limited()
			}
		}
	}
	if limited {
		notes = append(notes, "where neither a sampling rate nor longer runs are named, the scatter between runs is the limit, and more runs are what helps")
	}
	if slow {
		notes = append(notes, "a heap sampling period below 4096 bytes slows a Go program down, and 1 slows it ten times")
	}
	return notes
}

// slow reports whether a rate is advised that slows the program down.
func (r *NoiseRow) slow() bool {
	return slices.ContainsFunc(r.Reach, func(n NoiseReach) bool { return n.Rate > 0 && n.Rate < slowRate })
}

// limited reports whether a change is hidden by the scatter between runs.
func (r *NoiseRow) limited() bool {
	return slices.ContainsFunc(r.Reach, func(n NoiseReach) bool { return !n.Seen && n.Rate == 0 && n.Longer == 0 })
}

// Sentence says what the check found, in words.
func (c *SplitCheck) Sentence() string {
	head := fmt.Sprintf("Odd against even runs (%d and %d profiles): ", len(c.Odd), len(c.Even))
	switch n := len(c.Flagged); {
	case c.Tested == 0:
		return head + "no row could be judged."
	case n == 0:
		return head + fmt.Sprintf("none of %s differs beyond noise, as it should be.", counted(c.Tested, "row"))
	default:
		return head + fmt.Sprintf("%s of %s called changed though nothing was: by chance this happens to 1 total in 20 and hardly to others, so the runs may not be alike.",
			Count(float64(n)), counted(c.Tested, "row"))
	}
}
