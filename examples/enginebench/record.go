package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// quickPart is the part of the operations that --quick does.
const quickPart = 5

// side is one folder to be filled: a variant under a workload.
type side struct {
	ticket Ticket
	opts   options
	dir    string
	stress bytes.Buffer
	runs   []json.RawMessage
}

// pair is what is recorded in turn.
type pair [2]*side

// sideName is the name of a variant's folder: before and after for the two that
// the ticket is about, whatever they are called.
func sideName(t Ticket, variant, mix string) string {
	switch variant {
	case t.Variants[0]:
		variant = "before"
	case t.Variants[1]:
		variant = "after"
	}
	if mix == t.firstMix() {
		return variant
	}
	return variant + "-" + mix
}

// record fills the folders of the tickets that o names.
func record(ctx context.Context, stdout, stderr io.Writer, o options) error {
	exe, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program to run it again: %w", err)
	}
	chosen := tickets
	if o.ticket != "all" {
		t, err := findTicket(o.ticket)
		if err != nil {
			return err
		}
		chosen = []Ticket{t}
	}
	var pairs []pair
	for _, t := range chosen {
		dir := o.out
		if o.ticket == "all" {
			dir = filepath.Join(o.out, t.Name)
		}
		pairs = append(pairs, plan(t, o, dir)...)
	}
	bar := newProgress(stderr, "", len(pairs)*2*o.runs*len(runKinds))
	defer bar.done()
	done := 0
	for _, p := range pairs {
		if err := p.record(ctx, exe, o.runs, func(what string) {
			bar.label = what
			bar.set(done)
			done++
		}); err != nil {
			return err
		}
		fmt.Fprintf(stdout, "recorded: allocdiff %s %s\n", p[0].dir, p[1].dir)
	}
	return nil
}

// plan returns the pairs of sides of a ticket.
func plan(t Ticket, o options, dir string) []pair {
	after := o.variant
	if after == "" {
		after = t.Variants[1]
	}
	mixes := []string{o.mix}
	if o.mix == "" {
		mixes = []string{t.firstMix()}
		for i, m := range t.Mixes {
			if i > 0 && m.Record && !o.quick {
				mixes = append(mixes, m.Name)
			}
		}
	}
	if o.ops == 0 && o.quick {
		o.ops = t.Ops / quickPart
	}
	var pairs []pair
	for _, mix := range mixes {
		var p pair
		for i, variant := range []string{t.Variants[0], after} {
			s := &side{ticket: t, opts: o, dir: filepath.Join(dir, sideName(t, variant, mix))}
			s.opts.variant, s.opts.mix = variant, mix
			if i == 0 {
				s.opts.only = nil
			}
			s.opts.fill(t)
			p[i] = s
		}
		pairs = append(pairs, p)
	}
	return pairs
}

// runKinds are the runs of a side: one thing is measured at a time.
var runKinds = []string{"alloc", "cpu", "time"}

// record does the runs of both sides in turn. Which side goes first changes
// from round to round, so that neither always has the cooler machine.
func (p pair) record(ctx context.Context, exe string, runs int, step func(what string)) error {
	for _, s := range p {
		if err := s.prepare(); err != nil {
			return err
		}
	}
	for n := 1; n <= runs; n++ {
		for _, kind := range runKinds {
			for i := range p {
				s := p[(i+n+1)%2]
				step(fmt.Sprintf("%s %s %s %d", s.ticket.Name, filepath.Base(s.dir), kind, n))
				if err := s.child(ctx, exe, kind, n); err != nil {
					return err
				}
			}
		}
	}
	for _, s := range p {
		if err := s.finish(); err != nil {
			return err
		}
	}
	return nil
}

// prepare makes the folder and removes the profiles of an earlier recording.
func (s *side) prepare() error {
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return fmt.Errorf("making the folder for profiles: %w", err)
	}
	for _, kind := range runKinds {
		stale, err := filepath.Glob(filepath.Join(s.dir, kind+"-*.pb.gz"))
		if err != nil {
			return fmt.Errorf("looking for earlier profiles: %w", err)
		}
		for _, name := range stale {
			if err := os.Remove(name); err != nil {
				return fmt.Errorf("removing an earlier profile: %w", err)
			}
		}
	}
	return nil
}

// args are the flags that make one run.
func (s *side) args() []string {
	o := s.opts
	args := []string{
		"--ticket", s.ticket.Name, "--variant", o.variant, "--mix", o.mix, "--max", strconv.Itoa(o.limit),
		"--ops", strconv.Itoa(o.ops), "--threads", strconv.Itoa(o.threads), "--interval", o.interval.String(),
	}
	if o.only != nil {
		args = append(args, "--only", strings.Join(o.only, ","))
	}
	return args
}

// child does one run in a fresh process.
func (s *side) child(ctx context.Context, exe, kind string, n int) error {
	args := s.args()
	sumStore := filepath.Join(s.dir, "summary.json.part")
	switch kind {
	case "time":
		args = append(args, "--summary", sumStore)
	default:
		args = append(args, "--"+kind+"-profile", filepath.Join(s.dir, fmt.Sprintf("%s-%d.pb.gz", kind, n)))
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("run %d of %s for %s: %w\n%s", n, s.dir, kind, err, stderr.Bytes())
	}
	if kind != "time" {
		return nil
	}
	run, err := os.ReadFile(sumStore)
	if err != nil {
		return fmt.Errorf("reading a run's summary: %w", err)
	}
	if err := os.Remove(sumStore); err != nil {
		return fmt.Errorf("removing a run's summary: %w", err)
	}
	s.runs = append(s.runs, run)
	fmt.Fprintf(&s.stress, "# %s %s run %d\n%s\n", s.ticket.Name, filepath.Base(s.dir), n, stdout.Bytes())
	return nil
}

// sideSummary is summary.json. Numbers are in operations, bytes, nanoseconds.
type sideSummary struct {
	Ticket  string `json:"ticket"`
	Variant string `json:"variant"`
	Mix     string `json:"mix,omitempty"`
	Ops     int    `json:"ops"`
	Warm    int    `json:"warm_up_ops"`
	Clients int    `json:"client_threads"`
	Go      string `json:"go"`
	Procs   int    `json:"gomaxprocs"`
	GOGC    string `json:"gogc"`
	Limit   string `json:"gomemlimit,omitempty"`
	// Command repeats one timing run.
	Command string `json:"command"`
	// Runs are the timing runs in order.
	Runs []json.RawMessage `json:"runs"`
}

// finish writes what the timing runs printed.
func (s *side) finish() error {
	if len(s.runs) == 0 {
		return errors.New("no run was recorded, --runs must be positive")
	}
	o := s.opts
	sum := sideSummary{
		Ticket: s.ticket.Name, Variant: o.variant, Mix: o.mix, Ops: o.ops, Warm: s.ticket.Warm, Clients: o.threads,
		Go: runtime.Version(), Procs: runtime.GOMAXPROCS(0), GOGC: "100", Limit: os.Getenv("GOMEMLIMIT"),
		Command: "go run ./examples/enginebench " + strings.Join(s.args(), " "),
		Runs:    s.runs,
	}
	if gogc := os.Getenv("GOGC"); gogc != "" {
		sum.GOGC = gogc
	}
	data, err := json.MarshalIndent(sum, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding the summary: %w", err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, "summary.json"), append(data, '\n'), 0o644); err != nil {
		return fmt.Errorf("writing the summary: %w", err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, "stress.txt"), s.stress.Bytes(), 0o644); err != nil {
		return fmt.Errorf("writing stress.txt: %w", err)
	}
	return nil
}
