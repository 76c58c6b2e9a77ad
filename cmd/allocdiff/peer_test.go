package main

import (
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/allocdiff/allocdiff/profile/profiletest"
)

// tier is a size of profiles.
type tier struct {
	name     string
	before   profiletest.Config
	after    int                  // samples of the after profile, before some are dropped
	layouts  []profiletest.Layout // that are measured
	repeats  int                  // runs of each program in a round
	pairs    int
	peerDies bool // the peer needs more memory than a machine has
	minutes  bool // the peer takes longer than go test gives by default
}

var bothLayouts = []profiletest.Layout{profiletest.Runtime, profiletest.Written}

// tiers are the profiles of BenchmarkPeer. Small and realbig are of the shape of
// profiles recorded from one program, at a rate of 64 KiB and of 512 B.
var tiers = []tier{
	{
		name:   "small",
		before: profiletest.Config{Samples: 4000, Funcs: 600, DepthMin: 20, DepthMax: 42, Period: 64 << 10},
		after:  6900, layouts: bothLayouts, repeats: 10, pairs: usualPairs,
	},
	{
		name:   "realbig",
		before: profiletest.Config{Samples: 58000, Funcs: 900, DepthMin: 20, DepthMax: 42, Period: 512},
		after:  93000, layouts: bothLayouts, repeats: 1, pairs: usualPairs,
	},
	{
		name:   "medium",
		before: profiletest.Config{Samples: 20000, Funcs: 8000, DepthMin: 20, DepthMax: 45, Period: 512 << 10},
		after:  20000, layouts: bothLayouts, repeats: 1, pairs: usualPairs,
	},
	{
		name:   "large",
		before: profiletest.Config{Samples: 200000, Funcs: 50000, DepthMin: 30, DepthMax: 60, Period: 512 << 10},
		after:  200000, layouts: bothLayouts[:1], repeats: 1, pairs: 3, minutes: true,
	},
	{
		name:   "huge",
		before: profiletest.Config{Samples: 2000000, Funcs: 50000, DepthMin: 20, DepthMax: 45, Period: 512 << 10},
		after:  2000000, layouts: bothLayouts, repeats: 1, pairs: usualPairs, peerDies: true,
	},
}

func layoutName(l profiletest.Layout) string {
	if l == profiletest.Written {
		return "written"
	}
	return "runtime"
}

// pair writes the profiles of a tier.
func (tier *tier) pair(tb testing.TB, dir string, layout profiletest.Layout) (before, after string) {
	tb.Helper()
	c := tier.before
	c.Seed, c.Pools, c.Layout = 1, 8, layout
	name := tier.name + "-" + layoutName(layout)
	before = generate(tb, dir, name+"-before.pb.gz", c)
	c.After, c.Perturb, c.Samples = true, 0.1, tier.after
	return before, generate(tb, dir, name+"-after.pb.gz", c)
}

// BenchmarkPeer compares allocdiff's text report of two profiles with that of
// go tool pprof -top -diff_base, and with gunzip alone, after it has checked
// that both find the same in every function:
//
//	go test -run '^$' -bench Peer -timeout 2h ./cmd/allocdiff
//
// peer/ours-cpu and peer/ours-rss are how many times the CPU (user and system)
// and the peak memory of allocdiff the peer takes, ours/gunzip-cpu how many
// times the CPU of compress/gzip inflating both files allocdiff takes. Runtime
// and written are the orders in which the Go runtime and google/pprof write a
// profile.
func BenchmarkPeer(b *testing.B) {
	t := newTools(b)
	peer := peerPath(b)
	for i := range tiers {
		tier := &tiers[i]
		for _, layout := range tier.layouts {
			b.Run(tier.name+"/"+layoutName(layout), func(b *testing.B) { tier.benchmark(b, t, peer, layout) })
		}
	}
}

func (tier *tier) benchmark(b *testing.B, t *tools, peer string, layout profiletest.Layout) {
	if limit := flag.Lookup("test.timeout").Value.(flag.Getter).Get().(time.Duration); tier.minutes && 0 < limit && limit < time.Hour {
		b.Fatalf("the peer takes longer than -timeout %v here; add -timeout 2h", limit)
	}
	before, after := tier.pair(b, b.TempDir(), layout)
	equal := 0
	commands := [][]string{
		{t.allocdiff, before, after},
		{t.child, "gunzip", before, after},
	}
	if !tier.peerDies {
		equal = checkPeer(b, t, peer, before, after)
		commands = append(commands, []string{peer, "-symbolize=none", "-top", "-diff_base=" + before, after})
	}
	r := t.inTurn(b, tier.pairs, tier.repeats, commands...)
	r.reportOurs(b, 0, tier.repeats)
	b.ReportMetric(r.cpuRatio(0, 1), "ours/gunzip-cpu")
	if !tier.peerDies {
		b.ReportMetric(float64(equal), "equal-rows")
		b.ReportMetric(r.cpuRatio(2, 0), "peer/ours-cpu")
		b.ReportMetric(r.rssRatio(2, 0), "peer/ours-rss")
	}
}

// peerPath finds the program that go tool pprof runs, compiled if need be: what
// the go command takes is not counted.
func peerPath(b *testing.B) string {
	b.Helper()
	out, err := exec.Command("go", "tool", "-n", "pprof").Output()
	if err != nil {
		b.Fatalf("go tool -n pprof: %v\n%s", err, stderrOf(err))
	}
	path := strings.TrimSpace(string(out))
	if _, err := os.Stat(path); err != nil {
		b.Fatalf("%v; run go tool pprof once", err)
	}
	return path
}

// checkPeer fails the benchmark unless both programs give the same difference
// for every function and sample type. It returns the number of rows.
func checkPeer(b *testing.B, t *tools, peer, before, after string) int {
	b.Helper()
	ours := exec.Command(t.allocdiff, "-f", "csv", before, after)
	ours.Env = t.env
	out, err := ours.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := ours.Start(); err != nil {
		b.Fatal(err)
	}
	got, err := ourDeltas(out)
	if err != nil {
		b.Fatalf("allocdiff -f csv: %v", err)
	}
	if err := ours.Wait(); err != nil {
		b.Fatalf("allocdiff -f csv: %v", err)
	}
	all := 0
	for _, metric := range []string{"alloc_objects", "alloc_space", "inuse_objects", "inuse_space"} {
		unit := "count"
		if strings.HasSuffix(metric, "space") {
			unit = "bytes"
		}
		data := t.output(b, peer, "-symbolize=none", "-sample_index="+metric, "-unit="+unit, "-topproto",
			"-nodefraction=0", "-edgefraction=0", "-diff_base="+before, after)
		want, err := peerDeltas(data)
		if err != nil {
			b.Fatalf("pprof -topproto: %v", err)
		}
		diff, rows := differ(got[metric], want)
		if diff != "" {
			b.Fatalf("%s: rows differ from those of pprof:\n%s", metric, diff)
		}
		if rows == 0 {
			b.Fatalf("%s: no rows", metric)
		}
		all += rows
	}
	return all
}
