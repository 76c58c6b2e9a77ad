package profile

import (
	"fmt"
	"slices"
)

// splitRuns is the least number of runs whose halves have a scatter each.
const splitRuns = 4

// CheckSplit compares the odd runs of a side with its even ones. s is what
// Read made of the source, with the same options. It returns nil if there are
// fewer than 4 runs of every kind of profile.
func CheckSplit(source Source, s *Side) (*SplitCheck, error) {
	odd, even := Source{Label: "odd runs"}, Source{Label: "even runs"}
	for _, c := range s.Costs {
		if c.Runs < splitRuns {
			continue
		}
		n := 0
		for i, p := range s.Profiles {
			if p.Kind != c.Kind || !slices.Equal(p.Metrics, c.Metrics) {
				continue
			}
			if n++; n%2 == 1 {
				odd.Inputs = append(odd.Inputs, source.Inputs[i])
			} else {
				even.Inputs = append(even.Inputs, source.Inputs[i])
			}
		}
	}
	if odd.Inputs == nil {
		return nil, nil
	}
	o := *s.opts
	o.Metric = "" // the metric to show first may have fewer runs
	before, after, err := Sides(odd, even, &o)
	if err != nil {
		return nil, fmt.Errorf("comparing odd with even runs: %w", err)
	}
	d, err := Compare(before, after)
	if err != nil {
		return nil, fmt.Errorf("comparing odd with even runs: %w", err)
	}
	check := &SplitCheck{Odd: inputNames(before), Even: inputNames(after)}
	shown, err := s.noiseMetrics()
	if err != nil {
		return nil, err
	}
	for _, m := range shown {
		for i := range d.metrics {
			if x := &d.metrics[i]; x.Metric == m.Metric && x.b.Kind == m.b.Kind {
				check.test(d, x)
			}
		}
	}
	return check, nil
}

func inputNames(s *Side) []string {
	var names []string
	for _, p := range s.Profiles {
		names = append(names, p.Name)
	}
	return names
}

// test judges the total, the pools and the owners of one metric as NewReport
// does.
func (c *SplitCheck) test(d *Diff, m *metricPair) {
	j := newJudge(m, &d.Before.opts.Judge)
	j.runNoise(d.pairs(m, func(c *Costs) *view { return &c.flat }))
	c.add(d, j, "total", []pair{d.totalPair(m)})
	c.add(d, j, "pools", d.poolPairs(m))
	c.add(d, j, "functions", d.pairs(m, func(c *Costs) *view { return &c.owner }))
}

// add counts the rows of a table that were tested, and notes those flagged in
// the order of a report.
func (c *SplitCheck) add(d *Diff, j *judge, table string, pairs []pair) {
	var flagged []pair
	j.family(pairs)
	for i := range pairs {
		v := Verdict(j.method.Verdict(j.judged(&pairs[i])))
		if v != Unknown && v != Few {
			c.Tested++
		}
		if v.Real() {
			flagged = append(flagged, pairs[i])
		}
	}
	for _, p := range d.largest(flagged, 0) {
		r := d.row(j.m, &p)
		if table == "total" {
			r.Name = table
		}
		c.Flagged = append(c.Flagged, SplitRow{Metric: j.m.Metric, Table: table, Name: r.Name, Percent: r.Percent, Q: p.q})
	}
}
