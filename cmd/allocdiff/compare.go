package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/allocdiff/allocdiff/profile"
)

// compare is the main job: two sides in, a report out.
func compare(s streams, args []string) (int, error) {
	c, err := parse(s, args)
	if err != nil {
		return 0, err
	}
	if err := c.checkOutputs(); err != nil {
		return 0, err
	}
	c.opts.Lean = !c.machine()
	before, after, err := c.sides(s)
	if err != nil {
		return 0, err
	}
	done := watch(s.err, &c.opts)
	b, a, err := profile.Sides(before, after, &c.opts)
	done()
	if err != nil {
		return 0, err
	}
	d, err := profile.Compare(b, a)
	if err != nil {
		return 0, err
	}
	if err := c.checkGates(d); err != nil {
		return 0, err
	}
	r := reports{people: profile.NewReport(d, profile.ReportOptions{Rows: c.peopleRows(), Title: c.title})}
	if c.machine() {
		r.machines = profile.NewReport(d, profile.ReportOptions{All: true, Title: c.title})
	}
	if r.people.Empty() {
		return 0, fmt.Errorf("no samples: neither %s nor %s holds any; record longer or sample more often", before.Label, after.Label)
	}
	if doubts := r.people.Warnings; c.strict && len(doubts) > 0 {
		return 0, fmt.Errorf("%s (--strict)", doubts[0])
	}
	if c.strict && r.people.Identical {
		return 0, fmt.Errorf("%s and %s are the same file (--strict)", before.Label, after.Label)
	}
	if err := c.stress(r); err != nil {
		return 0, err
	}
	status := c.check(s, d, r)
	return status, c.deliver(s, r)
}

// peopleRows is one row more than is shown of each table: a single row is kept
// rather than summed as Other.
func (c *config) peopleRows() int {
	if c.rows == 0 {
		return 0
	}
	return c.rows + 1
}

// stress adds the benchmark's own figures that lie beside the profiles of both
// sides.
func (c *config) stress(r reports) error {
	before, err := readStress(c.before)
	if err != nil || before == nil {
		return err
	}
	after, err := readStress(c.after)
	if err != nil || after == nil {
		return err
	}
	r.people.Stress = profile.Measures(before, after)
	if r.machines != nil {
		r.machines.Stress = r.people.Stress
	}
	return nil
}

// readStress reads stress.txt in the first folder that has one; nil for none.
func readStress(sides []string) (*profile.Stress, error) {
	for _, side := range sides {
		_, folder := profile.CutLabel(side)
		name := filepath.Join(folder, "stress.txt")
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			continue // no folder, or nothing beside the profiles
		}
		if err != nil {
			return nil, fmt.Errorf("stress.txt beside the profiles: %w", err)
		}
		defer f.Close()
		s, err := profile.ParseStress(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w; remove or rename the file", name, err)
		}
		return s, nil
	}
	return nil, nil
}

// checkGates refuses gates on sample types that the profiles do not have: nothing
// in them could ever trip those.
func (c *config) checkGates(d *profile.Diff) error {
	for _, g := range c.gates {
		if !d.HasMetric(g.Metric()) {
			return fmt.Errorf("--fail-on: no sample type %q on both sides; there is %s", g.Metric(), strings.Join(d.MetricNames(), ", "))
		}
	}
	return nil
}

// check evaluates the gates. Those that did not pass are told on standard error
// too, where a build's log shows them whatever the format of the report.
func (c *config) check(s streams, d *profile.Diff, r reports) int {
	status := exitDone
	var results []profile.GateResult
	for _, g := range c.gates {
		result := d.Check(g)
		results = append(results, result)
		if result.Outcome != profile.Passed {
			fmt.Fprintf(s.err, "allocdiff: gate %q %s: %s\n", result.Gate, result.Outcome, result.Reason)
		}
		switch {
		case result.Outcome == profile.Failed:
			status = exitGate
		case result.Outcome == profile.Inconclusive && status == exitDone:
			status = exitInconclusive
		}
	}
	r.people.Gates = results
	if r.machines != nil {
		r.machines.Gates = results
	}
	return status
}

// deliver writes the results.
func (c *config) deliver(s streams, r reports) error {
	for _, rep := range []*profile.Report{r.people, r.machines} {
		if rep != nil {
			rep.Version, rep.Command = version(), c.command
		}
	}
	files, err := c.render(r)
	if err != nil {
		return err
	}
	if err := save(files); err != nil {
		return err
	}
	if c.quiet {
		return nil
	}
	if err := c.print(s.out, r, c.format, nil); err != nil {
		return &writeError{fmt.Errorf("writing the report: %w", err)}
	}
	return nil
}

// sides finds the inputs that the arguments name.
func (c *config) sides(s streams) (before, after profile.Source, err error) {
	if c.after == nil {
		if len(c.before) != 2 {
			given := counted(float64(len(c.before)), "argument", "arguments")
			return before, after, fmt.Errorf("%s given: want BEFORE AFTER, or BEFORE... -- AFTER...; see allocdiff --help", given)
		}
		c.before, c.after = c.before[:1], c.before[1:]
	}
	if len(c.before) == 0 || len(c.after) == 0 {
		return before, after, errors.New("nothing on one side of --: want BEFORE... -- AFTER...; see allocdiff --help")
	}
	f := profile.Finder{Stdin: s.in, Recursive: c.recursive}
	if before, err = f.Source(c.before...); err != nil {
		return before, after, err
	}
	after, err = f.Source(c.after...)
	return before, after, err
}
