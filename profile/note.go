package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// noiseNote says in a few words how differences were judged.
func (d *Diff) noiseNote() string {
	m := &d.metrics[0]
	j := newJudge(m, &d.Before.opts.Judge)
	switch {
	case !j.known && m.b.Runs >= 3 && m.a.Runs >= 3:
		return fmt.Sprintf("the scatter between %d and %d runs alone (Welch's t test): the profiles do not tell how they were sampled", m.b.Runs, m.a.Runs)
	case !j.known:
		return "the profile does not tell how it was sampled, so nothing is called real or noise"
	case j.before.Period == 1 && j.after.Period == 1 || exact(m):
		return "every event was recorded: differences are exact"
	case m.b.Runs >= 2 && m.a.Runs >= 2:
		return fmt.Sprintf("sampling noise and the scatter between %d and %d runs; changes are real at a false discovery rate of %g%%", m.b.Runs, m.a.Runs, 100*j.method.FDR)
	}
	return fmt.Sprintf("sampling noise and an assumed run-to-run scatter of %g%%; one profile a side cannot tell real changes from run-to-run noise", 100*j.method.RunCV)
}

func exact(m *metricPair) bool {
	b, a := m.b.totalOf(m.ib), m.a.totalOf(m.ia)
	return m.b.events[m.ib].heap && m.a.events[m.ia].heap && b.Variance == 0 && a.Variance == 0
}

// notes say how to read the report: where the pools come from, what is
// estimated, what exists on one side only.
func (d *Diff) notes() []string {
	var notes []string
	for _, b := range d.Before.Costs {
		for _, a := range d.After.Costs {
			if slices.Equal(a.Metrics, b.Metrics) {
				notes = append(notes, d.coverage(b, a))
			}
		}
	}
	m := &d.metrics[0]
	for _, x := range []struct {
		s *Side
		e *eventModel
	}{{d.Before, &m.b.events[m.ib]}, {d.After, &m.a.events[m.ia]}} {
		if x.e.inferred && !x.e.unknown {
			notes = append(notes, fmt.Sprintf("%s: sampling interval of %s inferred from its values: %s", x.s.Label, m.Noun(), ScaleOf(m.Unit, x.e.interval).Format(x.e.interval)))
		}
	}
	noun := cmp.Or(d.Before.opts.By, "function")
	if b, a := d.onlyIn(m.b, 0), d.onlyIn(m.a, 1); b+a > 0 {
		notes = append(notes, fmt.Sprintf("%s of %s before only, %s after only", counted(b, noun), m.Noun(), Count(float64(a))))
	}
	if n := len(d.partner); n > 0 {
		notes = append(notes, counted(n, noun)+" paired with names that differ only in closure numbers, type arguments or addresses")
	}
	if b, a := d.Before.Profiles[0].BuildID, d.After.Profiles[0].BuildID; b != "" && a != "" && b != a {
		notes = append(notes, "the two sides are different builds; rows were matched by function name")
	}
	return notes
}

// onlyIn counts the names of a metric's stacks that the other side has nowhere.
func (d *Diff) onlyIn(c *Costs, side int) int {
	n := 0
	for name, present := range c.present {
		if present && d.alone[side][name] {
			n++
		}
	}
	return n
}

// coverage says by what the pools of a kind of profile were found, as shares of
// its main metric on both sides.
func (d *Diff) coverage(b, a *Costs) string {
	main := b.main()
	var parts []string
	labelled := false
	for way, name := range poolReasons {
		vb, va := b.reasons[way][main], a.reasons[way][main]
		if vb == 0 && va == 0 {
			continue
		}
		labelled = labelled || way == byRule || way == byPoolLabel || way == byThread
		parts = append(parts, fmt.Sprintf("%s %.1f%% → %.1f%%", name,
			100*share(float64(vb), float64(b.totalOf(main).Value)), 100*share(float64(va), float64(a.totalOf(main).Value))))
	}
	text := fmt.Sprintf("pools of %s by %s", b.Metrics[main].Noun(), strings.Join(parts, ", "))
	switch {
	case labelled:
	case b.Kind == Heap && d.Before.golang():
		text += " (Go heap profiles carry no thread labels, golang.org/issue/23458)"
	default:
		text += " (no thread label in this profile)"
	}
	return text
}

func (s *Side) golang() bool {
	return slices.ContainsFunc(s.Profiles, func(p *Profile) bool { return p.Go })
}
