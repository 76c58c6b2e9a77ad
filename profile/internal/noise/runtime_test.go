package noise

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	rpprof "runtime/pprof"
	"testing"

	pprof "github.com/google/pprof/profile"
)

// workEnv names the file to which the test binary, run as a program that
// allocates, writes its heap profile.
const workEnv = "NOISE_TEST_PROFILE"

func TestMain(m *testing.M) {
	if file := os.Getenv(workEnv); file != "" {
		if err := work(file, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// counts are the sampled objects of each size, as the runtime counted them.
type counts map[int64]struct{ Alloc, InUse int64 }

var kept [][]byte

// work allocates objects of many sizes, then writes its heap profile and, as
// JSON, the counts of runtime.MemProfile behind it.
func work(file string, out io.Writer) error {
	for i := range 200_000 {
		b := make([]byte, 16<<(i%8)) // 16 B to 2 KiB
		if i%16 < 8 {
			kept = append(kept, b)
		}
	}
	for i := range 300 {
		kept = append(kept, make([]byte, (i%40+1)*8000)) // to 320,000 B
	}
	for range 20 {
		kept = append(kept, make([]byte, 2<<20))
	}
	runtime.GC()
	debug.SetGCPercent(-1) // nothing is published any more

	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := rpprof.Lookup("heap").WriteTo(f, 0); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	records := make([]runtime.MemProfileRecord, 100_000)
	n, ok := runtime.MemProfile(records, true)
	if !ok {
		return fmt.Errorf("%d heap profile records, more than expected", n)
	}
	sum := make(counts)
	for _, r := range records[:n] {
		if r.AllocObjects == 0 {
			continue
		}
		size := r.AllocBytes / r.AllocObjects
		c := sum[size]
		c.Alloc += r.AllocObjects
		c.InUse += r.InUseObjects()
		sum[size] = c
	}
	return json.NewEncoder(out).Encode(sum)
}

// TestRuntime: the counts recovered from the heap profile of a real program
// are those that the runtime had, at any rate.
func TestRuntime(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, period := range []int64{512 << 10, 64 << 10, 4 << 10} {
		file := filepath.Join(t.TempDir(), "heap.pb.gz")
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), workEnv+"="+file, fmt.Sprintf("GODEBUG=memprofilerate=%d", period))
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("period %d: running the program: %v", period, err)
		}
		want := make(counts)
		if err := json.Unmarshal(out, &want); err != nil {
			t.Fatalf("period %d: reading its counts: %v", period, err)
		}
		got := recovered(t, file, period)
		var objects int64
		for size, w := range want {
			objects += w.Alloc
			if got[size] != w {
				t.Errorf("period %d, objects of %d bytes: got %+v, want %+v", period, size, got[size], w)
			}
		}
		if len(got) != len(want) {
			t.Errorf("period %d: got %d sizes, want %d", period, len(got), len(want))
		}
		t.Logf("period %d: %d sampled objects of %d sizes", period, objects, len(want))
		// The program allocates 95 MiB and more.
		if least := int64(math.Floor(0.7 * 95 * (1 << 20) / float64(period))); objects < least {
			t.Errorf("period %d: only %d sampled objects, want %d for the test to mean anything", period, objects, least)
		}
	}
}

// recovered returns the counts that the profile gives away.
func recovered(t *testing.T, file string, period int64) counts {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := pprof.Parse(f)
	if err != nil {
		t.Fatal(err)
	}
	if p.Period != period {
		t.Fatalf("got period %d, want %d", p.Period, period)
	}
	const allocSpace, inuseSpace = 1, 3
	if p.SampleType[allocSpace].Type != "alloc_space" || p.SampleType[inuseSpace].Type != "inuse_space" {
		t.Fatalf("unexpected sample types %v", p.SampleType)
	}
	got := make(counts)
	for _, s := range p.Sample {
		size := s.NumLabel["bytes"]
		if len(size) == 0 {
			continue // a stack without allocations: all values are zero
		}
		scale, _ := Heap(size[0], period)
		alloc, ok := scale.Estimate(s.Value[allocSpace])
		inuse, ok2 := scale.Estimate(s.Value[inuseSpace])
		if !ok || !ok2 {
			t.Errorf("period %d, size %d: %d bytes are no whole number of samples", period, size[0], s.Value[allocSpace])
		}
		c := got[size[0]]
		c.Alloc += int64(alloc.Events)
		c.InUse += int64(inuse.Events)
		got[size[0]] = c
	}
	return got
}
