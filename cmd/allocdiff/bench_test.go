package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/allocdiff/allocdiff/profile/profiletest"
)

// The benchmarks of this package run whole processes and report ratios of what
// they took, because seconds drift with the load of a machine: programs to be
// compared are run in turn, and a ratio is the median of those of the rounds.
var pairsFlag = flag.Int("pairs", 0, "benchmarks: how often at least the programs are run in turn (0: 5, and 3 where the peer takes minutes)")

const (
	usualPairs = 5
	mib        = 1 << 20
)

// tools are the programs that the benchmarks start, and their environment.
type tools struct {
	allocdiff, child string
	env              []string
}

// newTools builds the programs. Their PATH and their home are empty folders:
// pprof would run objdump if it found it, read a configuration and look for
// binaries, none of which belongs to a comparison.
func newTools(b *testing.B) *tools {
	b.Helper()
	dir, empty := b.TempDir(), b.TempDir()
	t := &tools{allocdiff: filepath.Join(dir, "allocdiff"), child: filepath.Join(dir, "child")}
	for _, name := range []string{"PATH", "HOME", "XDG_CONFIG_HOME", "PPROF_BINARY_PATH", "PPROF_TMPDIR", "PPROF_TOOLS"} {
		t.env = append(t.env, name+"="+empty)
	}
	for out, pkg := range map[string]string{t.allocdiff: ".", t.child: "./testdata/child"} {
		if text, err := exec.Command("go", "build", "-o", out, pkg).CombinedOutput(); err != nil {
			b.Fatalf("go build %s: %v\n%s", pkg, err, text)
		}
	}
	return t
}

// output runs a command and returns its standard output.
func (t *tools) output(b *testing.B, command ...string) []byte {
	b.Helper()
	c := exec.Command(command[0], command[1:]...)
	c.Env = t.env
	out, err := c.Output()
	if err != nil {
		b.Fatalf("%s: %v\n%s", shortened(command), err, stderrOf(err))
	}
	return out
}

// shortened is a command that may name thousands of files.
func shortened(command []string) string {
	return strings.Join(command[:min(len(command), 10)], " ")
}

func stderrOf(err error) []byte {
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		return e.Stderr
	}
	return nil
}

// cost is what the runs of a program took; see testdata/child.
type cost struct {
	CPU     time.Duration
	RSS     int64
	Written int64
}

// measure runs a command n times.
func (t *tools) measure(b *testing.B, n int, command []string) cost {
	b.Helper()
	var u cost
	out := t.output(b, slices.Concat([]string{t.child, "measure", strconv.Itoa(n)}, command)...)
	if err := json.Unmarshal(out, &u); err != nil {
		b.Fatalf("%s: %v in %q", shortened(command), err, out)
	}
	return u
}

// rounds are the costs of several commands that were run in turn: by round,
// then by command.
type rounds [][]cost

// inTurn runs every command n times in each of the rounds.
func (t *tools) inTurn(b *testing.B, count, n int, commands ...[]string) rounds {
	b.Helper()
	if *pairsFlag > 0 {
		count = *pairsFlag
	}
	var r rounds
	round := func() {
		costs := make([]cost, len(commands))
		for i, c := range commands {
			costs[i] = t.measure(b, n, c)
		}
		r = append(r, costs)
	}
	for b.Loop() {
		round()
	}
	for len(r) < count {
		round()
	}
	b.ReportMetric(0, "ns/op") // of a round: means nothing
	for i, c := range commands {
		if strings.HasPrefix(filepath.Base(c[0]), "allocdiff") && r[0][i].Written == 0 && !slices.Contains(c, "-q") {
			b.Fatalf("%s wrote nothing", shortened(c))
		}
	}
	return r
}

// median of what is computed from the costs of each round.
func (r rounds) median(of func(round []cost) float64) float64 {
	values := make([]float64, len(r))
	for i, round := range r {
		values[i] = of(round)
	}
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

// cpuRatio is the CPU of command i for that of command j.
func (r rounds) cpuRatio(i, j int) float64 {
	return r.median(func(u []cost) float64 { return u[i].CPU.Seconds() / u[j].CPU.Seconds() })
}

// rssRatio is the peak memory of command i for that of command j.
func (r rounds) rssRatio(i, j int) float64 {
	return r.median(func(u []cost) float64 { return float64(u[i].RSS) / float64(u[j].RSS) })
}

// reportOurs reports what command i took, which was run n times a round.
func (r rounds) reportOurs(b *testing.B, i, n int) {
	b.ReportMetric(r.median(func(u []cost) float64 { return u[i].CPU.Seconds() / float64(n) }), "ours-cpu-s")
	b.ReportMetric(r.median(func(u []cost) float64 { return float64(u[i].RSS) / mib }), "ours-MiB")
}

// generate writes a generated profile into a new file of the folder.
func generate(b testing.TB, dir, name string, c profiletest.Config) string {
	b.Helper()
	path := filepath.Join(dir, name)
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := profiletest.Generate(c, f); err != nil {
		b.Fatalf("%s: %v", name, err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

// BenchmarkPNG measures what a picture costs on top of the text: png-cpu-ms.
func BenchmarkPNG(b *testing.B) {
	t := newTools(b)
	example := filepath.Join("..", "..", "examples", "CASSANDRA-21285")
	sides := []string{filepath.Join(example, "before"), filepath.Join(example, "after")}
	png := filepath.Join(b.TempDir(), "x.png")
	const n = 5
	r := t.inTurn(b, 2*usualPairs, n,
		slices.Concat([]string{t.allocdiff, "-o", png}, sides),
		slices.Concat([]string{t.allocdiff}, sides))
	if data, err := os.ReadFile(png); err != nil || !bytes.HasPrefix(data, []byte("\x89PNG")) {
		b.Fatalf("got error %v, %d bytes, want a PNG", err, len(data))
	}
	b.ReportMetric(r.median(func(u []cost) float64 { return 1000 * (u[0].CPU - u[1].CPU).Seconds() / n }), "png-cpu-ms")
	b.ReportMetric(r.median(func(u []cost) float64 { return 1000 * u[1].CPU.Seconds() / n }), "text-cpu-ms")
	b.ReportMetric(r.median(func(u []cost) float64 { return float64(u[0].RSS) / mib }), "png-MiB")
}

// TestMedian checks the arithmetic of the benchmarks.
func TestMedian(t *testing.T) {
	of := func(cpu ...time.Duration) rounds {
		var r rounds
		for _, c := range cpu {
			r = append(r, []cost{{CPU: c * time.Second, RSS: 2 * mib}, {CPU: time.Second, RSS: mib}})
		}
		return r
	}
	for _, c := range []struct {
		r    rounds
		want float64
	}{
		{of(4), 4},
		{of(9, 1, 4), 4},
		{of(9, 1, 4, 5), 4.5},
	} {
		if got := c.r.cpuRatio(0, 1); got != c.want {
			t.Errorf("CPU ratio of %v: got %v, want %v", c.r, got, c.want)
		}
		if got := c.r.rssRatio(0, 1); got != 2 {
			t.Errorf("RSS ratio of %v: got %v, want 2", c.r, got)
		}
	}
	if got := fmt.Sprint(shortened(strings.Fields("a b c d e f g h i j k l"))); got != "a b c d e f g h i j" {
		t.Errorf("shortened: got %q", got)
	}
}
