package profile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/allocdiff/allocdiff/profile/profiletest"
)

// cleanHeap is a heap profile of 4000 sampled objects that nothing is to be
// said about.
const cleanHeap = `# period space/bytes 4096
# time 2026-11-30T12:00:00Z
alloc_objects/count alloc_space/bytes
runtime.main;main.main;main.read [bytes:=4096] 3163 12956
`

// cleanCPU is the same for CPU.
const cleanCPU = `# period cpu/nanoseconds 10000000
# time 2026-11-30T12:00:00Z
# duration 10s
samples/count cpu/nanoseconds
runtime.main;main.main;main.read 900 9000000000
`

// heapProfile is a clean heap profile with other stacks beside its own.
func heapProfile(period int64, rows ...profiletest.HeapRow) []byte {
	rows = append(rows, profiletest.HeapRow{Stack: "runtime.main;main.main;main.read", Size: 512, Allocs: 4000})
	return profiletest.Encode(profiletest.Heap(period, rows...))
}

func warningsOf(t *testing.T, before, after Source, o Options) []string {
	t.Helper()
	return NewReport(diffOf(t, before, after, o), ReportOptions{}).Warnings
}

// Two clean profiles have no warning at all.
func TestNoWarnings(t *testing.T) {
	later := strings.Replace(cleanCPU, "12:00:00Z", "12:01:00Z", 1)
	more := profiletest.HeapRow{Stack: "runtime.main;main.main;main.write", Size: 64, Allocs: 300}
	tests := []struct {
		name          string
		before, after Source
		o             Options
	}{
		{"heap", sideOf("b", heapProfile(4096)), sideOf("a", heapProfile(4096, more)), Options{}},
		{"heap, every object", sideOf("b", heapProfile(1)), sideOf("a", heapProfile(1, more)), Options{}},
		{"cpu", sideOf("b", texts(cleanCPU)...), sideOf("a", texts(later)...), Options{}},
		{"the same file", sideOf("b", heapProfile(4096)), sideOf("a", heapProfile(4096)), Options{}},
		{
			"both kinds", sideOf("b", heapProfile(4096), texts(cleanCPU)[0]), sideOf("a", heapProfile(4096, more), texts(later)[0]),
			Options{},
		},
		{"operations given", sideOf("b", heapProfile(4096)), sideOf("a", heapProfile(4096, more)), Options{OpsBefore: 7, OpsAfter: 8}},
	}
	for _, tt := range tests {
		if got := warningsOf(t, tt.before, tt.after, tt.o); len(got) > 0 {
			t.Errorf("%s: got warnings %q, want none", tt.name, got)
		}
	}
}

// Every doubt has a pair of profiles that raises it, and it alone.
func TestWarnings(t *testing.T) {
	const plain = "runtime.main;main.main;main.read 900 9000000000\n"
	cpu := func(changes ...string) Source { // pairs of what is replaced and by what
		return sideOf("cpu", profiletest.Bytes(strings.NewReplacer(changes...).Replace(cleanCPU)))
	}
	heap := func(rows ...profiletest.HeapRow) Source { return sideOf("heap", heapProfile(4096, rows...)) }
	more := profiletest.HeapRow{Stack: "runtime.main;main.main;main.write", Size: 64, Allocs: 300}
	bytes := func(text string) Source { return sideOf("side", profiletest.Bytes(text)) }
	deep := strings.Repeat("main.deep;", 127) + "main.deep"
	delta := profiletest.Heap(4096, profiletest.HeapRow{Stack: "main.main;main.read", Size: 512, Allocs: 4000})
	delta.DurationNanos = 5e9
	tests := []struct {
		name          string
		before, after Source
		o             Options
		want          string
	}{
		{
			"same file twice", sideOf("b", heapProfile(4096), heapProfile(4096)), heap(more),
			Options{},
			"b/00.pb.gz and b/01.pb.gz are the same file",
		},
		{"rates", heap(), sideOf("a", heapProfile(8192)), Options{}, "heap profiles were sampled at different rates: 1 per 4 KiB before, 1 per 8 KiB after"},
		{
			"no counterpart", sideOf("b", heapProfile(4096), texts(cleanCPU)[0]), heap(more),
			Options{},
			"b has a profile of samples/count, cpu/nanoseconds, heap has none",
		},
		{
			"sample types", cpu(), bytes("# period cpu/nanoseconds 10000000\n# duration 10s\ncpu/nanoseconds\nruntime.main;main.main;main.read 8000000000\n"),
			Options{},
			"side has no samples/count: what cpu has of it is left out",
		},
		{
			"sample type twice", bytes(strings.Replace(cleanCPU, "cpu/nanoseconds\nr", "samples/count\nr", 1)), bytes(strings.Replace(cleanCPU, "cpu/nanoseconds\nr", "samples/count\nr", 1) + " "),
			Options{},
			"sample type samples/count occurs twice",
		},
		{"durations", cpu(), cpu("10s", "11s"), Options{}, "CPU profiles cover different times: 10.00 s before, 11.00 s after, and are not scaled"},
		{"reversed", cpu("12:00", "13:00"), cpu("900 9", "901 9"), Options{}, "the after CPU profile is older than the before one"},
		{"delta and snapshot", heap(), sideOf("a", profiletest.Encode(delta)), Options{}, "a/00.pb.gz is a delta (taken over a time), heap/00.pb.gz is a snapshot"},
		{
			"operations differ", cpu("# dur", "# comment allocdiff.ops=100\n# dur"), cpu("# dur", "# comment allocdiff.ops=2000\n# dur"),
			Options{Per: PerRun},
			"the sides did different numbers of operations (100 before, 2,000 after) and are not scaled",
		},
		{
			"operations of one side", cpu(), cpu("# dur", "# comment allocdiff.ops=2000\n# dur"),
			Options{},
			"not all profiles tell their number of operations",
		},
		{
			"operations of one profile", sideOf("b", texts(cleanCPU, strings.Replace(cleanCPU, "# dur", "# comment allocdiff.ops=5\n# dur", 1))...), cpu("900 9", "901 9"),
			Options{},
			"not all profiles tell their number of operations",
		},
		{"broken comment", cpu("# dur", "# comment allocdiff.ops=many\n# dur"), cpu(), Options{}, `comment "allocdiff.ops=many" does not hold a number of operations`},
		{"difference", cpu("read 900", "read [pprof::base=true] 900"), cpu(), Options{}, "is itself a difference of two profiles"},
		{"empty", cpu(plain, ""), cpu(), Options{}, "cpu/00.pb.gz holds 0 samples"},
		{
			"unsymbolised", cpu("main.read 900 9000000000", "main.read 880 8800000000\nruntime.main;main.main;0x4010ff 20 200000000"), cpu(),
			Options{},
			"cpu: 2.2% of CPU time is in code without function names",
		},
		{
			"cut stacks", heap(profiletest.HeapRow{Stack: deep, Size: 512, Allocs: 100}), heap(),
			Options{},
			"heap: 2.4% of allocated bytes is in stacks that the profiler cut",
		},
		{
			"profile writer", heap(profiletest.HeapRow{Stack: "runtime/pprof.profileWriter;runtime/pprof.(*profileBuilder).build;main.x", Size: 512, Allocs: 400}), heap(profiletest.HeapRow{Stack: "main.x", Size: 512, Allocs: 90}),
			Options{},
			"heap: 9.1% of allocated bytes was allocated by the profiler itself, in runtime/pprof.profileWriter",
		},
		{
			"comm", cpu("read 900", "read [thread=Native-Transpor;tid:=1] 900"), cpu("read 900", "read [thread=Native-Transport-Requests-1] 901"),
			Options{},
			"thread names are cut at 15 bytes",
		},
		{
			"labels lost", cpu("read 900", "read [thread=read-1] 900"), cpu("900 9", "901 9"),
			Options{},
			"100% of cpu has a pool or thread label, cpu has none: their pools do not line up",
		},
		{"too rare", sideOf("b", heapProfile(0x8000000)), sideOf("a", heapProfile(0x8000000, more)), Options{}, "the Go runtime does not sample as rarely as 1 per 134217728 bytes"},
		{
			"rescaled", bytes(cleanHeap), bytes(strings.Replace(cleanHeap, "12956", "9000", 1)),
			Options{},
			"1 rows of alloc_space/bytes are not what the Go runtime writes at this rate",
		},
		{"few", cpu("900 9000000000", "90 900000000"), cpu("900 9000000000", "91 910000000"), Options{}, "only 90 and 91 sampled events before and after"},
		{
			"two programs", cpu(), cpu("main.read 900", "main.other 900"),
			Options{},
			"are these two builds of one program?",
		},
	}
	for _, tt := range tests {
		got := warningsOf(t, tt.before, tt.after, tt.o)
		found := 0
		for _, w := range got {
			if strings.Contains(w, tt.want) {
				found++
			}
		}
		if found == 0 {
			t.Errorf("%s: got warnings %q, want %q among them", tt.name, got, tt.want)
		}
		// Some doubts imply another.
		allowed := 1
		switch tt.name {
		case "empty", "too rare", "rescaled", "sample type twice", "delta and snapshot":
			allowed = 2
		}
		if len(got) > allowed {
			t.Errorf("%s: got %d warnings, want %d: %q", tt.name, len(got), allowed, got)
		}
	}
}

// What is below one percent is not worth a warning, and labels are not the
// profile writer's work.
func TestSmallShares(t *testing.T) {
	small := []profiletest.HeapRow{
		{Stack: "runtime/pprof.profileWriter;main.x", Size: 512, Allocs: 20},
		{Stack: "main.main;0x4010ff", Size: 512, Allocs: 20},
		{Stack: "main.worker;runtime/pprof.Do;main.work", Size: 512, Allocs: 4000},
	}
	if got := warningsOf(t, sideOf("b", heapProfile(4096, small...)), sideOf("a", heapProfile(4096, small[:2]...)), Options{Flat: true}); len(got) > 0 {
		for _, w := range got {
			if !strings.Contains(w, "are these two builds") {
				t.Errorf("got warning %q, want none", w)
			}
		}
	}
}

// Profiles of other programs raise no doubts that are not there.
func TestWarningsAreFinite(t *testing.T) {
	for seed := range uint64(randomKinds) {
		before, after := randomSides(seed)
		for _, w := range warningsOf(t, before, after, Options{}) {
			if strings.Contains(w, "NaN") || strings.Contains(w, "Inf") || strings.Contains(w, "%!") {
				t.Errorf("seed %d: got warning %q", seed, fmt.Sprint(w))
			}
		}
	}
}
