// Allocdiff compares heap and CPU profiles taken before and after a change: what
// changed per function and per thread pool, which differences are real, as text,
// Markdown, JSON, CSV, PNG and SVG.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/pflag"
)

// The exit statuses.
const (
	exitDone         = 0
	exitFailed       = 1 // could not: I/O
	exitUsage        = 2 // usage, or unusable input
	exitGate         = 3 // a --fail-on gate tripped
	exitInconclusive = 4 // a gate could not tell or names what is not there, and none tripped
)

func main() {
	// Most of the heap is sums without pointers, which cost the collector next
	// to nothing: let it run more often and keep the process small. GOGC wins.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(30)
	}
	os.Exit(run(os.Stdin, os.Stdout, os.Stderr, os.Args[1:]))
}

// run is the whole command: arguments in, exit status out.
func run(stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	command := compare
	if len(args) > 0 {
		switch args[0] {
		case "pools":
			command, args = explainPools, args[1:]
		case "noise":
			command, args = measureNoise, args[1:]
		}
	}
	status, err := command(streams{stdin, stdout, stderr}, args)
	switch {
	case err == nil:
		return status
	case errors.Is(err, pflag.ErrHelp):
		return exitDone
	}
	fmt.Fprintf(stderr, "allocdiff: %v\n", err)
	var w *writeError
	if errors.As(err, &w) {
		return exitFailed
	}
	return exitUsage
}

type streams struct {
	in       io.Reader
	out, err io.Writer
}

// writeError is a failure to write a result, as opposed to unusable input.
type writeError struct{ err error }

func (e *writeError) Error() string { return e.err.Error() }
func (e *writeError) Unwrap() error { return e.err }
