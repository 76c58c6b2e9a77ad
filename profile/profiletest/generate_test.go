package profiletest

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"
)

var small = Config{Seed: 1, Samples: 4000, Funcs: 2000, DepthMin: 20, DepthMax: 42, Pools: 4, Period: 524288, Perturb: 0.1}

func generate(t *testing.T, c Config) (Truth, []byte) {
	t.Helper()
	var buf bytes.Buffer
	truth, err := Generate(c, &buf)
	if err != nil {
		t.Fatalf("Generate(%+v): %v", c, err)
	}
	return truth, buf.Bytes()
}

func parse(t *testing.T, data []byte) *pprof.Profile {
	t.Helper()
	p, err := pprof.ParseData(data) // runs CheckValid
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// flats is the value at index of each leaf function.
func flats(p *pprof.Profile, index int) map[string]int64 {
	m := map[string]int64{}
	for _, s := range p.Sample {
		m[s.Location[0].Line[0].Function.Name] += s.Value[index]
	}
	return m
}

// pools is the value at index of each root function.
func roots(p *pprof.Profile, index int) map[string]int64 {
	m := map[string]int64{}
	for _, s := range p.Sample {
		root := s.Location[len(s.Location)-1]
		m[root.Line[len(root.Line)-1].Function.Name] += s.Value[index]
	}
	return m
}

func TestGenerateTruth(t *testing.T) {
	for _, layout := range []Layout{Runtime, Written} {
		for _, after := range []bool{false, true} {
			c := small
			c.Layout, c.After = layout, after
			truth, data := generate(t, c)
			p := parse(t, data)
			if len(p.Sample) != truth.Samples || p.Period != c.Period {
				t.Errorf("layout %d, after %t: got %d samples, period %d, want %d, %d", layout, after, len(p.Sample), p.Period, truth.Samples, c.Period)
			}
			for i, want := range truth.Total {
				byRoot := roots(p, i)
				sum := int64(0)
				for _, pool := range truth.Pools {
					sum += byRoot[pool.Entry]
					if got := byRoot[pool.Entry]; got != pool.Total[i] {
						t.Errorf("layout %d, after %t, value %d: got %d for pool %s, want %d", layout, after, i, got, pool.Name, pool.Total[i])
					}
				}
				if sum != want || len(byRoot) > c.Pools {
					t.Errorf("layout %d, after %t, value %d: got %d in %d pools, want %d in %d", layout, after, i, sum, len(byRoot), want, c.Pools)
				}
			}
			checkShape(t, c, truth, p)
		}
	}
}

// checkShape compares with real Go heap profiles: about 31 frames, 22 or 23 of
// them shared with the sample before.
func checkShape(t *testing.T, c Config, truth Truth, p *pprof.Profile) {
	t.Helper()
	depth := float64(truth.Frames) / float64(truth.Samples)
	shared := float64(truth.Shared) / float64(truth.Samples)
	if depth < 30 || depth > 32 || shared < 21 || shared > 24 {
		t.Errorf("got %.1f frames a stack and %.1f shared, want 31 and 22 to 23", depth, shared)
	}
	inlined := 0
	for _, loc := range p.Location {
		inlined += len(loc.Line) - 1
	}
	if inlined < len(p.Location)/5 || inlined > len(p.Location)/2 {
		t.Errorf("got %d inlined calls in %d locations, want one in three", inlined, len(p.Location))
	}
	for _, s := range p.Sample {
		size := s.NumLabel["bytes"][0]
		rest := s.Value[1] - s.Value[0]*size // objects are rounded down
		if len(s.Location) > c.DepthMax+1 || size < 8 || rest < 0 || rest > size {
			t.Fatalf("got a sample of %d frames, size %d, values %v", len(s.Location), size, s.Value)
		}
	}
}

func TestGenerateSameBytes(t *testing.T) {
	for _, c := range []Config{small, func() Config { c := small; c.After, c.Layout = true, Written; return c }()} {
		_, a := generate(t, c)
		_, b := generate(t, c)
		if !bytes.Equal(a, b) {
			t.Errorf("two runs of %+v differ", c)
		}
		c.Seed++
		if _, other := generate(t, c); bytes.Equal(a, other) {
			t.Errorf("seeds %d and %d give the same bytes", c.Seed-1, c.Seed)
		}
	}
}

// Without perturbation the leaks are the only difference between before and
// after, to the byte; the layouts hold the same.
func TestGenerateLeaks(t *testing.T) {
	c := small
	c.Perturb = 0
	_, data := generate(t, c)
	before := parse(t, data)
	c.After, c.Layout = true, Written
	truth, data := generate(t, c)
	after := parse(t, data)
	for i := range truth.Total {
		want := flats(before, i)
		for _, leak := range truth.Leaks {
			if objects, space := ScaleHeap(100, 100<<20, c.Period); leak.Flat != [4]int64{objects, space, objects, space} {
				t.Errorf("leak %s: got %v, want %d objects of %d bytes", leak.Func, leak.Flat, objects, space)
			}
			want[leak.Func] += leak.Flat[i]
		}
		got := flats(after, i)
		for fn, v := range want {
			if got[fn] != v {
				t.Errorf("value %d of %s: got %d, want %d", i, fn, got[fn], v)
			}
		}
		if len(got) != len(want) {
			t.Errorf("value %d: got %d functions, want %d", i, len(got), len(want))
		}
	}
	if len(truth.Leaks) != 3 || truth.Samples != c.Samples+3 || truth.Dropped+truth.Changed != 0 {
		t.Errorf("got %d leaks, %d samples, %d dropped, %d changed", len(truth.Leaks), truth.Samples, truth.Dropped, truth.Changed)
	}
}

func TestGeneratePerturb(t *testing.T) {
	c := small
	c.After = true
	truth, _ := generate(t, c)
	if truth.Samples != c.Samples-truth.Dropped+3 {
		t.Errorf("got %d samples, want %d - %d dropped + 3 leaks", truth.Samples, c.Samples, truth.Dropped)
	}
	for what, n := range map[string]int{"dropped": truth.Dropped, "changed": truth.Changed} {
		if n < 150 || n > 250 {
			t.Errorf("got %d of %d samples %s, want about 5 %%", n, c.Samples, what)
		}
	}
}

func TestGenerateLabel(t *testing.T) {
	c := small
	c.Samples, c.Label, c.Threads = 500, "thread", 3
	truth, data := generate(t, c)
	got := map[string]int64{}
	for _, s := range parse(t, data).Sample {
		pool, thread, _ := strings.Cut(s.Label["thread"][0], "-")
		if thread < "1" || thread > "3" {
			t.Fatalf("got label %q, want a thread 1 to 3", s.Label["thread"])
		}
		got[pool] += s.Value[1]
	}
	for _, pool := range truth.Pools {
		if got[pool.Name] != pool.Total[1] {
			t.Errorf("pool %s: got %d bytes by label, want %d", pool.Name, got[pool.Name], pool.Total[1])
		}
	}
	c.Label, c.Threads = "pool", 0
	_, data = generate(t, c)
	for _, s := range parse(t, data).Sample {
		if pool := s.Label["pool"][0]; pool != "read" && pool != "mutation" && pool != "compaction" && pool != "flush" {
			t.Fatalf("got label %q, want the name of a pool", pool)
		}
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errFull }

var errFull = errors.New("disk full")

func TestGenerateErrors(t *testing.T) {
	for _, change := range []func(*Config){
		func(c *Config) { c.Samples = -1 },
		func(c *Config) { c.Pools = 0 },
		func(c *Config) { c.Funcs = 8*c.Pools - 1 },
		func(c *Config) { c.DepthMin = 1 },
		func(c *Config) { c.DepthMax = c.DepthMin - 1 },
		func(c *Config) { c.Perturb = 1.5 },
		func(c *Config) { c.Level = 10 },
	} {
		c := small
		change(&c)
		if _, err := Generate(c, &bytes.Buffer{}); err == nil {
			t.Errorf("Generate(%+v): got no error", c)
		}
	}
	if _, err := Generate(small, failingWriter{}); !errors.Is(err, errFull) {
		t.Errorf("a full disk: got error %v", err)
	}
	c := small
	c.Samples, c.After = 0, true
	if truth, data := generate(t, c); truth.Samples != 3 || len(parse(t, data).Sample) != 3 {
		t.Errorf("an after profile without other samples: got %+v, want the 3 leaks", truth)
	}
	c.Funcs, c.Pools = 8, 1
	c.Samples = 100
	if truth, data := generate(t, c); len(parse(t, data).Sample) != truth.Samples {
		t.Errorf("the fewest functions: got %d samples", truth.Samples)
	}
}

// BenchmarkGenerate makes the largest tier: 2 million samples.
func BenchmarkGenerate(b *testing.B) {
	for b.Loop() {
		c := Config{Seed: 1, Samples: 2_000_000, Funcs: 50_000, DepthMin: 20, DepthMax: 42, Pools: 8, Period: 524288}
		var size countingWriter
		truth, err := Generate(c, &size)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(size)/1e6, "MB")
		b.ReportMetric(float64(truth.Frames)/float64(truth.Samples), "frames/stack")
		b.ReportMetric(float64(truth.Shared)/float64(truth.Samples), "shared/stack")
	}
}

type countingWriter int

func (w *countingWriter) Write(p []byte) (int, error) {
	*w += countingWriter(len(p))
	return len(p), nil
}
