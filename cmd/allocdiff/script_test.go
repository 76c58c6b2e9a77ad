package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/allocdiff/allocdiff/profile/profiletest"
)

var updateScripts = flag.Bool("update", false, "rewrite the expected files in testdata/script")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"allocdiff": main})
}

// TestScript runs testdata/script, one script a subject. Beside testscript's own
// commands the scripts have
//
//	profile OUT FOLDED        make a profile from folded text (see package profiletest)
//	heap OUT PERIOD FOLDED    make a heap profile as the Go runtime writes it, from lines
//	                          STACK SIZE ALLOCS FREES: sampled objects of one size
//	truncate FILE BYTES       keep the start of a file
//	status N COMMAND...       run a command that has to end with exit status N
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *updateScripts,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"profile":  makeProfile,
			"heap":     makeHeap,
			"truncate": truncate,
			"status":   status,
		},
	})
}

// usageOf ends the script unless it calls a command with n arguments, or at
// least -n of them.
func usageOf(ts *testscript.TestScript, neg bool, args []string, n int, usage string) {
	if neg || n >= 0 && len(args) != n || len(args) < -n {
		ts.Fatalf("usage: %s", usage)
	}
}

func makeProfile(ts *testscript.TestScript, neg bool, args []string) {
	usageOf(ts, neg, args, 2, "profile OUT FOLDED")
	p, err := profiletest.Profile(ts.ReadFile(args[1]))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), profiletest.Encode(p), 0o666))
}

func makeHeap(ts *testscript.TestScript, neg bool, args []string) {
	usageOf(ts, neg, args, 3, "heap OUT PERIOD FOLDED")
	period, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	var rows []profiletest.HeapRow
	var comments []string
	for line := range strings.Lines(ts.ReadFile(args[2])) {
		line = strings.TrimSpace(line)
		if comment, ok := strings.CutPrefix(line, "# comment "); ok {
			comments = append(comments, comment)
			continue
		}
		if line == "" {
			continue
		}
		fields := strings.Fields(line)
		n := len(fields) - 3
		if n < 1 {
			ts.Fatalf("%s: got %q, want STACK SIZE ALLOCS FREES", args[2], line)
		}
		row := profiletest.HeapRow{Stack: strings.Join(fields[:n], " ")}
		for i, number := range []*int64{&row.Size, &row.Allocs, &row.Frees} {
			*number, err = strconv.ParseInt(fields[n+i], 10, 64)
			ts.Check(err)
		}
		rows = append(rows, row)
	}
	p := profiletest.Heap(period, rows...)
	p.Comments = comments
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), profiletest.Encode(p), 0o666))
}

func truncate(ts *testscript.TestScript, neg bool, args []string) {
	usageOf(ts, neg, args, 2, "truncate FILE BYTES")
	n, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	if size := int64(len(ts.ReadFile(args[0]))); n >= size {
		ts.Fatalf("%s has only %d bytes", args[0], size)
	}
	ts.Check(os.Truncate(ts.MkAbs(args[0]), n))
}

func status(ts *testscript.TestScript, neg bool, args []string) {
	usageOf(ts, neg, args, -2, "status N COMMAND...")
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status: got %d, want %d", got, want)
	}
}
