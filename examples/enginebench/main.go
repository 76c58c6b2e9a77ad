// Command enginebench runs the bundled storage engine the way a ticket's
// author ran Cassandra or HBase, before and after the ticket's change, and
// records profiles for allocdiff.
//
//	enginebench --list
//	enginebench --ticket CASSANDRA-21285 --variant after
//	enginebench --ticket CASSANDRA-21285 --out DIR
//	enginebench --ticket all --out DIR --quick
//
// Without --out it runs one variant in this process and prints what
// cassandra-stress would. With --out it runs every variant several times in
// fresh processes, before and after in turn, and fills DIR/before and
// DIR/after (DIR/TICKET/before and so on for --ticket all) with allocation
// profiles, CPU profiles, summary.json and stress.txt.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// allocRate is the sampling rate in bytes of allocation runs. At the default
// of 512 KiB the error is as large as the effects that the tickets are about.
const allocRate = 4096

func main() {
	// Before anything else: the rate must not change while a program runs.
	// The other runs take no heap samples at all.
	runtime.MemProfileRate = 0
	for _, arg := range os.Args[1:] {
		if strings.HasPrefix(arg, "--alloc-profile") {
			runtime.MemProfileRate = allocRate
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Stdout, os.Stderr, os.Args[1:]))
}

// run is the command; the result is its exit status.
func run(ctx context.Context, stdout, stderr io.Writer, args []string) int {
	opts, err := parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		fmt.Fprint(stdout, opts.usage)
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "enginebench: %v\nenginebench: hint: --help shows the flags, --list the tickets\n", err)
		return 2
	case opts.list:
		err = list(stdout)
	case opts.out != "":
		err = record(ctx, stdout, stderr, opts)
	default:
		err = direct(stdout, stderr, opts)
	}
	if err != nil {
		fmt.Fprintf(stderr, "enginebench: %v\n", err)
		return 1
	}
	return 0
}

// options are the command line.
type options struct {
	ticket, variant, mix               string
	only                               []string
	limit                              int
	ops, threads, runs                 int
	interval                           time.Duration
	out                                string
	quick, list                        bool
	allocProfile, cpuProfile, sumStore string
	usage                              string
}

// parse reads the command line and checks it against the tickets.
func parse(args []string) (options, error) {
	var o options
	f := pflag.NewFlagSet("enginebench", pflag.ContinueOnError)
	f.SortFlags = false
	f.Usage = func() {}
	f.StringVar(&o.ticket, "ticket", "", "ticket to run, or all")
	f.StringVar(&o.variant, "variant", "", "variant to run (default before), or with --out the one to set against before (default after)")
	f.StringVar(&o.mix, "mix", "", "workload to run (default: the ticket's first; with --out, those that it records)")
	f.StringSliceVar(&o.only, "only", nil, "parts of the change that variant after makes (default all)")
	f.IntVar(&o.limit, "max", 0, "cap in bytes of whatever the change may grow (default: the ticket's)")
	f.IntVar(&o.ops, "ops", 0, "operations to measure (default: the ticket's)")
	f.IntVar(&o.threads, "threads", 0, "client threads (default: the ticket's)")
	f.DurationVar(&o.interval, "interval", time.Second, "time between two lines of output")
	f.StringVar(&o.out, "out", "", "folder to record profiles in")
	f.IntVar(&o.runs, "runs", 0, "with --out, runs of each kind and variant (default 5, with --quick 2)")
	f.BoolVar(&o.quick, "quick", false, "with --out, a fifth of the operations, first workload only")
	f.BoolVar(&o.list, "list", false, "list tickets, variants and workloads")
	f.StringVar(&o.allocProfile, "alloc-profile", "", "write an allocation profile of this run to a file")
	f.StringVar(&o.cpuProfile, "cpu-profile", "", "write a CPU profile of this run to a file")
	f.StringVar(&o.sumStore, "summary", "", "write this run's summary as JSON to a file")
	o.usage = "usage: enginebench --ticket NAME [flags]\n\n" + f.FlagUsages()
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("argument %q is not a flag", f.Arg(0))
	}
	if o.list {
		return o, nil
	}
	if o.runs == 0 {
		o.runs = 5
		if o.quick {
			o.runs = 2
		}
	}
	return o, o.check()
}

// check finds what the flags cannot mean.
func (o options) check() error {
	switch {
	case o.ticket == "":
		return errors.New("no --ticket given")
	case o.ops < 0 || o.threads < 0 || o.runs < 0 || o.limit < 0:
		return errors.New("--ops, --threads, --runs and --max cannot be negative")
	case o.interval <= 0:
		return errors.New("--interval must be positive")
	case o.allocProfile != "" && o.cpuProfile != "":
		return errors.New("--alloc-profile and --cpu-profile disturb each other, use one a run")
	case o.ticket == "all" && o.out == "":
		return errors.New("--ticket all needs --out")
	case o.ticket == "all" && (o.variant != "" || o.mix != "" || o.only != nil):
		return errors.New("--variant, --mix and --only belong to one ticket, not to all")
	case o.ticket == "all":
		return nil
	}
	t, err := findTicket(o.ticket)
	if err != nil {
		return err
	}
	if err := oneOf("variant", o.variant, t.Variants); err != nil {
		return err
	}
	return oneOf("mix", o.mix, t.mixNames())
}

// oneOf checks a flag that takes one of several names; empty means default.
func oneOf(flag, value string, names []string) error {
	if slices.Contains(append(names, ""), value) {
		return nil
	}
	return fmt.Errorf("--%s %s is unknown, use one of: %s", flag, value, strings.Join(names, ", "))
}
