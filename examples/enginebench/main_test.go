package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"
)

// asProgram, when set, makes the test binary behave as enginebench: recording
// runs its own executable again.
const asProgram = "ENGINEBENCH_TEST_MAIN"

func TestMain(m *testing.M) {
	// The tests look at what is written, not at what it says.
	for i := range tickets {
		tickets[i].Warm = min(tickets[i].Warm, 100)
	}
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// enginebench runs the command and returns what it printed.
func enginebench(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(context.Background(), &out, &errs, args)
	return status, out.String(), errs.String()
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"--list", 0, "CASSANDRA-21285"},
		{"--help", 0, "--alloc-profile"},
		{"", 2, "no --ticket"},
		{"--ticket CASSANDRA-1", 2, "use one of"},
		{"--ticket 21285 --variant fast", 2, "before, after"},
		{"--ticket 21285 --mix fast", 2, "paging"},
		{"--ticket 21285 --ops -1", 2, "negative"},
		{"--ticket 21285 --interval 0s", 2, "positive"},
		{"--ticket all", 2, "--out"},
		{"--ticket all --out x --variant after", 2, "one ticket"},
		{"--ticket 21285 --alloc-profile a --cpu-profile b", 2, "one a run"},
		{"--ticket 21088 --only iter", 1, "--variant after"},
		{"--ticket 21088 --variant after --only lambda", 1, "iter"},
		{"--ticket 21285 --ops 1 more", 2, "more"},
	} {
		status, stdout, stderr := enginebench(t, strings.Fields(c.args)...)
		if status != c.status || !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("enginebench %s: status %d, %q, want %d and %q", c.args, status, stdout+stderr, c.status, c.want)
		}
	}
}

// TestEveryVariantRuns runs every variant of every ticket for a few operations.
func TestEveryVariantRuns(t *testing.T) {
	for _, ticket := range tickets {
		for _, variant := range ticket.Variants {
			status, stdout, stderr := enginebench(t, "--ticket", ticket.Name, "--variant", variant, "--ops", "100", "--threads", "4")
			if status != 0 || !strings.Contains(stdout, "B/op") {
				t.Errorf("%s %s: status %d, %s", ticket.Name, variant, status, stderr)
			}
		}
	}
}

func TestRecord(t *testing.T) {
	t.Setenv(asProgram, "1")
	dir := t.TempDir()
	status, stdout, stderr := enginebench(t, "--ticket", "21285", "--mix", "paging", "--ops", "500", "--runs", "2", "--out", dir)
	if status != 0 {
		t.Fatalf("status %d: %s", status, stderr)
	}
	if !strings.Contains(stdout, filepath.Join(dir, "before")+" "+filepath.Join(dir, "after")) {
		t.Errorf("output %q does not name the folders", stdout)
	}
	for _, side := range []string{"before", "after"} {
		for _, name := range []string{"alloc-1", "alloc-2", "cpu-1", "cpu-2"} {
			checkProfile(t, filepath.Join(dir, side, name+".pb.gz"), side)
		}
		var sum struct {
			Ticket, Variant, Command string
			Ops                      int
			Runs                     []runSummary
		}
		data, err := os.ReadFile(filepath.Join(dir, side, "summary.json"))
		if err == nil {
			err = json.Unmarshal(data, &sum)
		}
		if err != nil || sum.Ticket != "CASSANDRA-21285" || sum.Variant != side || sum.Ops != 500 || len(sum.Runs) != 2 {
			t.Fatalf("%s: summary %+v, %v, want 2 runs of 500 operations", side, sum, err)
		}
		if want := "--variant " + side + " --mix paging"; !strings.Contains(sum.Command, want) || !strings.Contains(sum.Command, "--ops 500 --threads ") {
			t.Errorf("%s: command %q does not repeat the run", side, sum.Command)
		}
		if r := sum.Runs[1]; r.Ops != 500 || r.Errors != 0 || r.BytesPerOp < 10_000 || len(r.Threads) < 6 {
			t.Errorf("%s: run %+v, want 500 operations that allocate", side, r)
		}
		text, err := os.ReadFile(filepath.Join(dir, side, "stress.txt"))
		if err != nil || bytes.Count(text, []byte("Total operation time")) != 2 {
			t.Errorf("%s: stress.txt %q, %v, want two summaries", side, text, err)
		}
	}
}

// poolFrame matches a stage's entry function.
var poolFrame = regexp.MustCompile(`engine/pool\.run[A-Z]\w+$`)

// checkProfile checks what every profile must have: the comments, sources that
// name no machine, a pool on every stack that belongs to one, and nothing of
// the recorder.
func checkProfile(t *testing.T, name, variant string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := pprof.Parse(f)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, want := range []string{
		"allocdiff.ops=500", "allocdiff.ticket=CASSANDRA-21285", "allocdiff.variant=" + variant,
		"allocdiff.threads.Native-Transport-Requests=10", "allocdiff.threads.stress client=16", "allocdiff.threads.GossipStage=1",
	} {
		if !slices.Contains(p.Comments, want) {
			t.Errorf("%s: comments %q have no %q", name, p.Comments, want)
		}
	}
	for _, fn := range p.Function {
		if filepath.IsAbs(fn.Filename) {
			t.Errorf("%s: function %s is in %s, want no path of this machine", name, fn.Name, fn.Filename)
		}
	}
	if p.Mapping[0].File != "enginebench" {
		t.Errorf("%s: program %q, want enginebench", name, p.Mapping[0].File)
	}
	if p.PeriodType.Type == "space" {
		checkHeap(t, name, p)
	}
}

// checkHeap checks a heap profile: almost all that was allocated has a pool.
func checkHeap(t *testing.T, name string, p *pprof.Profile) {
	t.Helper()
	if p.Period != allocRate {
		t.Errorf("%s: period %d, want %d", name, p.Period, allocRate)
	}
	var total, pooled int64
	for _, s := range p.Sample {
		total += s.Value[1]
		for _, l := range s.Location {
			for _, line := range l.Line {
				if poolFrame.MatchString(line.Function.Name) {
					pooled += s.Value[1]
				}
			}
		}
		if len(s.NumLabel["bytes"]) != 1 {
			t.Errorf("%s: a row has sizes %v, want one", name, s.NumLabel["bytes"])
		}
		if calls(s, snapshotFunc) {
			t.Errorf("%s: the recorder's own allocations are in the profile", name)
		}
	}
	// 500 operations of at least 100 kB, nothing of the pages made before them.
	if total < 500*100_000 || total > 500*500_000 || float64(pooled) < 0.97*float64(total) {
		t.Errorf("%s: %d bytes, %d in pools, want 100 to 500 kB an operation and nearly all in pools", name, total, pooled)
	}
}
