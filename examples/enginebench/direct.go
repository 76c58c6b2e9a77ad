package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/pprof"

	"github.com/allocdiff/allocdiff/examples/engine/pool"
	"github.com/allocdiff/allocdiff/examples/engine/stress"
)

// runSummary is one run's entry in summary.json.
type runSummary struct {
	stress.Summary
	BytesPerOp   float64       `json:"bytes_per_op"`
	ObjectsPerOp float64       `json:"objects_per_op"`
	OpsPerSecond float64       `json:"ops_per_second"`
	Facts        []Fact        `json:"facts,omitempty"`
	Threads      []poolThreads `json:"threads"`
}

// poolThreads is the size of a pool.
type poolThreads struct {
	Pool    string `json:"pool"`
	Threads int    `json:"threads"`
}

// direct runs one variant in this process, once.
func direct(stdout, stderr io.Writer, o options) error {
	t, err := findTicket(o.ticket)
	if err != nil {
		return err
	}
	o.fill(t)
	work, err := t.Open(Options{Variant: o.variant, Mix: o.mix, Only: o.only, Max: o.limit, Threads: o.threads, Ops: o.ops})
	if err != nil {
		return fmt.Errorf("%s: %w", t.Name, err)
	}
	cfg := stress.Config{Clients: work.Clients, Kinds: t.Kinds, Format: t.Format, Interval: o.interval, Settle: work.Pools.Drain}
	profiled := o.allocProfile != "" || o.cpuProfile != ""
	if !profiled {
		// Lines and their clock would be in the profile.
		cfg.Lines = stdout
		if !terminal(stdout) { // else the lines show progress and a bar would be in their way
			bar := newProgress(stderr, t.Name+" "+sideName(t, o.variant, o.mix), o.ops)
			cfg.Progress = bar.set
			defer bar.done()
		}
	}
	runner := stress.New(cfg)
	if err := runner.Warm(0, t.Warm); err != nil {
		return fmt.Errorf("%s: warming up: %w", t.Name, err)
	}
	notes := comments{ticket: t.Name, variant: sideName(t, o.variant, o.mix), ops: o.ops}
	notes.pools = append(pool.Set{runner.Threads()}, work.Pools...)
	sum, err := measure(runner, t, o, notes)
	// What the engine retains belongs in the profile just taken.
	runtime.KeepAlive(work)
	if err != nil {
		return fmt.Errorf("%s: %w", t.Name, err)
	}
	if profiled {
		return nil
	}
	return report(stdout, o, t, work, sum, notes)
}

// fill puts the ticket's defaults where no flag was given.
func (o *options) fill(t Ticket) {
	if o.variant == "" {
		o.variant = t.Variants[0]
	}
	if o.mix == "" {
		o.mix = t.firstMix()
	}
	if o.ops == 0 {
		o.ops = t.Ops
	}
	if o.threads == 0 {
		o.threads = t.Threads
	}
}

// measure runs the operations under the profiler asked for, if any.
func measure(runner *stress.Runner, t Ticket, o options, notes comments) (stress.Summary, error) {
	switch {
	case o.allocProfile != "":
		base, err := snapshot()
		if err != nil {
			return stress.Summary{}, err
		}
		sum, err := runner.Run(t.Warm, o.ops)
		if err != nil {
			return sum, err
		}
		p, err := snapshot()
		if err != nil {
			return sum, err
		}
		subtract(p, base)
		return sum, writeProfile(o.allocProfile, p, notes)
	case o.cpuProfile != "":
		var buf bytes.Buffer
		if err := pprof.StartCPUProfile(&buf); err != nil {
			return stress.Summary{}, fmt.Errorf("starting the CPU profile: %w", err)
		}
		sum, err := runner.Run(t.Warm, o.ops)
		pprof.StopCPUProfile()
		if err != nil {
			return sum, err
		}
		p, err := parseProfile(&buf)
		if err != nil {
			return sum, err
		}
		return sum, writeProfile(o.cpuProfile, p, notes)
	}
	return runner.Run(t.Warm, o.ops)
}

// report prints the summary and writes it as JSON if asked to.
func report(stdout io.Writer, o options, t Ticket, work *Workload, sum stress.Summary, notes comments) error {
	if err := sum.WriteText(stdout, t.Format); err != nil {
		return err
	}
	r := runSummary{Summary: sum, BytesPerOp: sum.BytesPerOp(), ObjectsPerOp: sum.ObjectsPerOp(), OpsPerSecond: sum.Rate()}
	if work.Facts != nil {
		r.Facts = work.Facts()
	}
	for _, f := range r.Facts {
		fmt.Fprintf(stdout, "%-26s: %.6g %s\n", f.Name, f.Value, f.Unit)
	}
	for _, p := range notes.pools {
		r.Threads = append(r.Threads, poolThreads{p.Name(), p.Threads()})
	}
	if o.sumStore == "" {
		return nil
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding the summary: %w", err)
	}
	if err := os.WriteFile(o.sumStore, append(data, '\n'), 0o644); err != nil {
		return fmt.Errorf("writing the summary: %w", err)
	}
	return nil
}
