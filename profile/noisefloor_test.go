package profile

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/allocdiff/allocdiff/profile/profiletest"
)

// heapRun is a heap profile in which main.read and main.write have kept so many
// sampled objects of 64 bytes.
func heapRun(period, reads, writes int64) []byte {
	return profiletest.Encode(profiletest.Heap(period,
		profiletest.HeapRow{Stack: "runtime.goexit;main.readers;main.read", Size: 64, Allocs: reads, Frees: reads},
		profiletest.HeapRow{Stack: "runtime.goexit;main.writers;main.write", Size: 64, Allocs: writes, Frees: writes},
	))
}

func cpuRun(reads, writes int) []byte {
	return profiletest.Bytes(fmt.Sprintf("# period cpu/nanoseconds 10000000\nsamples/count cpu/nanoseconds\nruntime.goexit;main.readers;main.read %d %d\nruntime.goexit;main.writers;main.write %d %d\n",
		reads, reads*10_000_000, writes, writes*10_000_000))
}

func lockRun(delay int) []byte {
	return profiletest.Bytes(fmt.Sprintf("contentions/count delay/nanoseconds\nruntime.goexit;main.readers;main.read 3 %d\nruntime.goexit;main.writers;main.write 4 %d\n", delay, delay+1))
}

// noiseOf measures runs that are named a, b, c, ...
func noiseOf(t *testing.T, o Options, runs ...[]byte) *NoiseReport {
	t.Helper()
	source := Source{Label: "runs"}
	for i, data := range runs {
		source.Inputs = append(source.Inputs, Input{
			Name: string(rune('a' + i)),
			open: func() (io.ReadSeekCloser, error) { return bytesReader(data), nil },
		})
	}
	side, err := Read(source, &o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewNoiseReport(side, ReportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Split, err = CheckSplit(source, side); err != nil {
		t.Fatal(err)
	}
	return r
}

func percentOfRow(v *float64) string {
	if v == nil {
		return "nil"
	}
	return fmt.Sprintf("%.1f%%", 100**v)
}

func TestNoiseRows(t *testing.T) {
	const rate = 512 << 10
	for _, c := range []struct {
		name string
		o    Options
		runs [][]byte
		want string // total: basis, events a run, sampling, scatter, down, up
	}{
		// z = 2.447+0.842 with t of 6 degrees of freedom; x^2 = z^2/2 * (1+exp(x))/1000.
		{"two equal runs", Options{}, [][]byte{heapRun(rate, 700, 300), heapRun(rate, 700, 300)}, "replicates 1000 3.2% 0.0% -10.1% 10.7%"},
		{"one run", Options{}, [][]byte{heapRun(rate, 700, 300)}, "sampling 1000 3.2% nil -16.2% 18.4%"},
		{"one run, sampling alone", Options{Judge: JudgeOptions{RunCV: new(float64)}}, [][]byte{heapRun(rate, 700, 300)}, "sampling 1000 3.2% nil -12.2% 12.9%"},
		{"every event, one run", Options{}, [][]byte{heapRun(1, 70000, 30000)}, "exact 100000 0.0% nil -0.1% 0.1%"},
		// All noise is that between runs: x = z*0.067.
		{"every event, runs that differ", Options{}, [][]byte{heapRun(1, 70000, 30000), heapRun(1, 77000, 33000)}, "replicates 105000 0.0% 6.7% -25.4% 34.0%"},
		{"CPU, one run", Options{}, [][]byte{cpuRun(80, 20)}, "sampling 100 10.0% nil -46.1% 70.0%"},
		// Welch with 2 degrees of freedom: z = 4.303+0.842.
		{"CPU, two runs", Options{}, [][]byte{cpuRun(80, 20), cpuRun(84, 18)}, "scatter 101 10.0% 1.4% -6.9% 7.5%"},
		{"unknown rate, two runs", Options{}, [][]byte{lockRun(1001), lockRun(1011)}, "unknown 0 nil 0.7% nil nil"},
		{"unknown rate, three runs", Options{}, [][]byte{lockRun(1001), lockRun(1011), lockRun(1021)}, "scatter 0 nil 1.0% -2.9% 3.0%"},
	} {
		r := noiseOf(t, c.o, c.runs...)
		row := &r.Metrics[0].Total
		got := fmt.Sprintf("%s %.0f %s %s %s %s", row.Basis, row.N, percentOfRow(row.Sampling), percentOfRow(row.Scatter), percentOfRow(row.Down), percentOfRow(row.Up))
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
		for _, table := range []NoiseTable{r.Metrics[0].Pools, r.Metrics[0].Functions} {
			if len(table.Rows) != 2 || table.Count != 2 || math.Abs(table.Rows[0].Value+table.Rows[1].Value-row.Value) > 1e-6*row.Value {
				t.Errorf("%s: rows %+v do not add up to %v", c.name, table.Rows, row.Value)
			}
		}
	}
}

func TestNoiseAdvice(t *testing.T) {
	const rate = 512 << 10
	run := heapRun(rate, 700, 300)
	for _, c := range []struct {
		name string
		o    Options
		runs [][]byte
		want string
	}{
		{
			"two runs",
			Options{},
			[][]byte{run, run},
			"Two sides of 2 runs like these would show a change in allocated bytes from -10.1% or +10.7% on. " +
				"To see -9%: 1 more run a side, or MemProfileRate 262144. To see -2%: 38 more runs a side, or MemProfileRate 16384.",
		},
		{
			"enough for one",
			Options{Judge: JudgeOptions{Detect: 0.3}},
			[][]byte{run, run},
			"Two sides of 2 runs like these would show a change in allocated bytes from -10.1% or +10.7% on. " +
				"That is enough to see -30% of the total, and -30% in functions that hold 100% of it. To see -2%: 38 more runs a side, or MemProfileRate 16384.",
		},
		{
			"one run",
			Options{},
			[][]byte{run},
			"Against one more run like it, this one would show a change in allocated bytes from -16.2% or +18.4% on, if runs scatter by 3%: one run cannot tell. " +
				"Sampling alone would show it from -12.2% or +12.9% on. To see -9%: 4 more runs a side (no sampling rate alone). To see -2%: 74 more runs a side (no sampling rate alone).",
		},
		{
			"CPU",
			Options{Judge: JudgeOptions{RunCV: new(float64)}},
			[][]byte{cpuRun(80, 20)},
			"Against one more run like it, this one would show a change in CPU time from -36.2% or +44.0% on. " +
				"To see -9%: 19 more runs a side, or runs 19 times as long. To see -2%: 389 more runs a side, or runs 389 times as long.",
		},
		{
			"every event",
			Options{},
			[][]byte{heapRun(1, 70000, 30000)},
			"Every event of allocated bytes was recorded and there is one run: a change of -0.10% or +0.10% would be seen.",
		},
		{
			"no model",
			Options{},
			[][]byte{lockRun(1001)},
			"The noise of delay is unknown: the profile does not tell how it was sampled, and one run has no scatter; give 3 runs or more.",
		},
	} {
		r := noiseOf(t, c.o, c.runs...)
		if r.Advice != c.want || r.Metrics[0].Advice != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, r.Advice, c.want)
		}
	}
	if r := noiseOf(t, Options{}, run); !slices.ContainsFunc(r.Notes, func(n string) bool {
		return strings.Contains(n, "one profile shows sampling noise only; the scatter between runs cannot be seen")
	}) {
		t.Errorf("one run: notes %q do not say that run noise cannot be seen", r.Notes)
	}
}

func TestNoiseDoubts(t *testing.T) {
	build := func(id string, reads int) []byte {
		return profiletest.Bytes(fmt.Sprintf("# mapping 0x400000-0x500000 /bin/app %s\n# period cpu/nanoseconds 10000000\nsamples/count cpu/nanoseconds\nmain.read;0x4010ff %d %d\n", id, reads, reads*10_000_000))
	}
	lasting := func(duration, ops string) []byte {
		return profiletest.Bytes("# duration " + duration + "\n# comment allocdiff.ops=" + ops + "\n# period cpu/nanoseconds 10000000\nsamples/count cpu/nanoseconds\nmain.read 100 1000000000\n")
	}
	for _, c := range []struct {
		name string
		o    Options
		runs [][]byte
		want string
	}{
		{"two builds", Options{}, [][]byte{build("aaaa", 100), build("bbbb", 101)}, "these are profiles of 2 builds (aaaa, bbbb): their differences are not noise alone"},
		{"two rates", Options{}, [][]byte{heapRun(4096, 100, 100), heapRun(8192, 50, 50)}, "heap profiles were sampled at different rates: 1 per 4 KiB and 1 per 8 KiB"},
		{"one file twice", Options{}, [][]byte{cpuRun(80, 20), cpuRun(80, 20)}, "a and b are the same file"},
		{"other work", Options{}, [][]byte{cpuRun(80, 20), cpuRun(180, 60)}, "the total of CPU time scatters by 58% between the runs: are these runs of the same work?"},
		{"times", Options{}, [][]byte{lasting("10s", "5"), lasting("12s", "5")}, ""},
		{"times, not scaled", Options{Per: PerRun}, [][]byte{lasting("10s", "5"), lasting("12s", "5")}, "CPU profiles cover different times, 10.00 s to 12.00 s, and are not scaled (--per second)"},
		{"operations", Options{Per: PerRun}, [][]byte{lasting("10s", "5"), lasting("10s", "6")}, "CPU profiles tell different numbers of operations, 5 to 6, and are not scaled"},
	} {
		got := noiseOf(t, c.o, c.runs...).Warnings
		if c.want == "" && slices.ContainsFunc(got, func(w string) bool { return strings.Contains(w, "times") }) || c.want != "" && !slices.Contains(got, c.want) {
			t.Errorf("%s: got warnings %q, want %q", c.name, got, c.want)
		}
	}
	if got := noiseOf(t, Options{}, heapRun(4096, 500, 500), heapRun(4096, 510, 490)).Warnings; len(got) > 0 {
		t.Errorf("runs that are alike: got warnings %q, want none", got)
	}
}

func TestNoiseMetrics(t *testing.T) {
	live := profiletest.Encode(profiletest.Heap(4096, profiletest.HeapRow{Stack: "main.main", Size: 64, Allocs: 100, Frees: 50}))
	for _, c := range []struct {
		name, wish, want string
		run              []byte
	}{
		{"counts stand behind amounts", "", "[alloc_space inuse_space]", live},
		{"nothing is live", "", "[alloc_space]", heapRun(4096, 5, 5)},
		{"asked for", "alloc_objects", "[alloc_objects alloc_space inuse_space]", live},
		{"CPU", "", "[cpu]", cpuRun(3, 4)},
	} {
		var got []string
		for _, m := range noiseOf(t, Options{Metric: c.wish}, c.run).Metrics {
			got = append(got, m.Metric.Type)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: got %v, want %s", c.name, got, c.want)
		}
	}
	source := Source{Label: "runs", Inputs: []Input{{Name: "a", open: func() (io.ReadSeekCloser, error) { return bytesReader(live), nil }}}}
	side, err := Read(source, &Options{Metric: "lock"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewNoiseReport(side, ReportOptions{}); err == nil || !strings.Contains(err.Error(), `no sample type "lock" in runs; there is alloc_objects/count`) {
		t.Errorf("a metric that is not there: got error %v", err)
	}
}

func TestCheckSplit(t *testing.T) {
	run := func(reads int64) []byte { return heapRun(512<<10, reads, 400) }
	for _, c := range []struct {
		name  string
		runs  [][]byte
		found string
	}{
		{"three runs", [][]byte{run(500), run(510), run(490)}, "nil"},
		{"four runs", [][]byte{run(500), run(510), run(490), run(505)}, "[a c] [b d] []"},
		{"five runs, and CPU too few", [][]byte{run(500), cpuRun(8, 2), run(510), run(490), run(505), run(499), cpuRun(9, 3)}, "[a d f] [c e] []"},
		{"every second run reads half", [][]byte{run(800), run(400), run(810), run(405), run(790), run(395)}, "[a c e] [b d f] [total total pools main.readers functions main.read]"},
	} {
		r := noiseOf(t, Options{}, c.runs...)
		got := "nil"
		if s := r.Split; s != nil {
			flagged := []string{}
			for _, f := range s.Flagged {
				flagged = append(flagged, f.Table+" "+f.Name)
				if f.Percent == nil || *f.Percent > -30 || *f.Percent < -55 || f.Q > 0.05 {
					t.Errorf("%s: got %+v, want a fall by a third to a half", c.name, f)
				}
			}
			got = fmt.Sprint(s.Odd, s.Even, flagged)
			if s.Tested != 5 {
				t.Errorf("%s: got %d rows tested, want a total, 2 pools and 2 functions", c.name, s.Tested)
			}
		}
		if got != c.found {
			t.Errorf("%s: got %s, want %s", c.name, got, c.found)
		}
	}
}
