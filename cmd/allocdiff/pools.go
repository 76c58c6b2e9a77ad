package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/allocdiff/allocdiff/profile"
)

// explainPools is `allocdiff pools FILE...`: how the pools of one side were found.
func explainPools(s streams, args []string) (int, error) {
	c, err := parse(s, args)
	if err != nil {
		return 0, err
	}
	if len(c.before) == 0 || c.after != nil {
		return 0, errors.New("pools: want FILE..., the profiles of one side; see allocdiff --help")
	}
	if len(c.outputs) > 0 || len(c.gates) > 0 || c.format != "text" || c.quiet || c.strict {
		return 0, errors.New("pools: writes text to standard output; -o, -f, -q, --strict and --fail-on are for comparisons")
	}
	_, side, err := c.oneSide(s)
	if err != nil {
		return 0, err
	}
	if err := printPools(s.out, profile.Explain(side)); err != nil {
		return 0, &writeError{fmt.Errorf("writing the pools: %w", err)}
	}
	return exitDone, nil
}

// oneSide reads the profiles that the arguments name as one side.
func (c *config) oneSide(s streams) (source profile.Source, side *profile.Side, err error) {
	f := profile.Finder{Stdin: s.in, Recursive: c.recursive}
	if source, err = f.Source(c.before...); err != nil {
		return source, nil, err
	}
	done := watch(s.err, &c.opts)
	side, err = profile.Read(source, &c.opts)
	done()
	return source, side, err
}

// printPools writes a table of pools for each kind of profile.
func printPools(w io.Writer, r *profile.PoolReport) error {
	var b strings.Builder
	for i := range r.Kinds {
		k := &r.Kinds[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		runs := "1 profile"
		if k.Runs > 1 {
			runs = fmt.Sprintf("mean of %d profiles", k.Runs)
		}
		fmt.Fprintf(&b, "%s: %s of %s, %s\n", printable(r.Label), profile.ScaleOf(k.Metric.Unit, k.Total).Format(k.Total), k.Metric.Noun(), runs)
		for _, way := range k.Ways {
			fmt.Fprintf(&b, "  %.1f%% by %s\n", 100*way.Share, way.Name)
		}
		b.WriteByte('\n')
		g := poolGrid(k)
		g.compact()
		g.text(&b)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "\nwarning: %s\n", printable(n))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func poolGrid(k *profile.PoolKind) grid {
	g := grid{columns: []column{
		{head: "Pool", left: true},
		{head: "Threads"},
		{head: k.Metric.Type},
		{head: "Share"},
		{head: "Count"},
		{head: "Rule", left: true},
		{head: "Raw names", left: true},
	}}
	sc := profile.ScaleOf(k.Metric.Unit, k.Total)
	for i := range k.Pools {
		p := &k.Pools[i]
		name := printable(p.Name)
		if p.Anonymous {
			name += " (anonymous)"
		}
		threads, count := "", ""
		if p.Threads > 0 {
			threads = fmt.Sprint(p.Threads)
		}
		if p.N > 0 {
			count = profile.Count(p.N)
		}
		g.rows = append(g.rows, line{cells: []string{
			name, threads, sc.Format(p.Value), fmt.Sprintf("%.1f%%", 100*p.Share), count,
			printable(p.Rule), printable(strings.Join(p.Raw, ", ")),
		}})
	}
	return g
}
