package wire_test

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"github.com/allocdiff/allocdiff/profile/internal/wire"
)

// TestMemory makes sure that what a file costs depends on its tables, not on
// how many samples it has.
func TestMemory(t *testing.T) {
	visit := func(*wire.Sample) error { return nil }
	bytesFor := func(samples int) uint64 {
		data := zip(t, heap(shape{samples: samples, functions: 300, depth: deep.depth, shared: deep.shared}))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f, err := wire.Open(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Walk(visit); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	few, many := bytesFor(20000), bytesFor(80000)
	if many > few+64<<10 {
		t.Errorf("got %d bytes allocated for 20000 samples and %d for 80000, want the same", few, many)
	}
}

// TestReuse makes sure that the second file costs next to nothing.
func TestReuse(t *testing.T) {
	for _, s := range []shape{
		{name: "kept whole", samples: 1000, functions: 300, depth: deep.depth, shared: deep.shared},
		{name: "read twice", samples: 20000, functions: 300, depth: deep.depth, shared: deep.shared},
	} {
		file := bytes.NewReader(zip(t, heap(s)))
		var r wire.Reader
		allocs := testing.AllocsPerRun(5, func() {
			f, err := r.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Walk(func(*wire.Sample) error { return nil }); err != nil {
				t.Fatal(err)
			}
		})
		// The strings of sample types and the like.
		if allocs > 20 {
			t.Errorf("%s: got %v allocations a file, want 20 at most", s.name, allocs)
		}
	}
}

// TestLargeMessages reads messages that do not fit the window.
func TestLargeMessages(t *testing.T) {
	name := strings.Repeat("long", 1<<19) // 2 MiB
	deep := make([]uint64, 700000)
	for i := range deep {
		deep[i] = uint64(1 + i%2)
	}
	data := valid().text(6, name).bytes(2, stackOf(deep...)).bytes(99, make([]byte, 3<<20)).
		bytes(2, stackOf(deep[1:]...)).bytes(5, message{}.number(1, 3).number(2, 6))
	for _, data := range [][]byte{data, zip(t, data)} {
		p, f, err := read(usual, data)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Function[2].Name; got != name {
			t.Errorf("got a name of %d bytes, want %d", len(got), len(name))
		}
		if n := f.NumSamples(); n != 3 || len(p.Sample[1].Location) != len(deep) || len(p.Sample[2].Location) != len(deep)-1 {
			t.Errorf("got %d samples, want 3; stacks of %d and %d, want %d and %d", n,
				len(p.Sample[1].Location), len(p.Sample[2].Location), len(deep), len(deep)-1)
		}
	}
	ones := bytes.Repeat([]byte{1}, 1<<24+1)
	for want, data := range map[string]message{
		"more than 16777216 locations in a sample": valid().bytes(2, message{}.bytes(1, ones).packed(2, 5)),
		"more than 16777216 comments":              valid().bytes(13, ones),
		"has 16777217 values for 1 sample types":   valid().bytes(2, message{}.bytes(2, ones)),
	} {
		if _, _, err := read(usual, data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	_, _, err := read(usual, valid().bytes(6, make([]byte, 64<<20+1)))
	if err == nil || !strings.Contains(err.Error(), "a field of 67108865 bytes, more than 67108864 can be held, at byte") {
		t.Errorf("string above the limit: got %v", err)
	}
	// A field that nobody knows may be of any length.
	if _, _, err := read(usual, valid().bytes(99, make([]byte, 64<<20+1))); err != nil {
		t.Errorf("unknown field: got %v", err)
	}
}

// TestShared pins that the common part of stacks is found in full.
func TestShared(t *testing.T) {
	for _, s := range []shape{deep, scattered} {
		s.samples = 2000
		f, err := wire.Open(bytes.NewReader(heap(s)))
		if err != nil {
			t.Fatal(err)
		}
		var before []int32
		if err := f.Walk(func(s *wire.Sample) error {
			if want := shared(before, s.Locations); s.Shared != want {
				t.Fatalf("got %d shared, want %d, for %v after %v", s.Shared, want, s.Locations, before)
			}
			before = append(before[:0], s.Locations...)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestGrowingStack reads ever deeper stacks, packed and not: what is shared
// must be right after the stack had to grow. It uses a Reader of its own, which
// has no room yet.
func TestGrowingStack(t *testing.T) {
	for _, packed := range []bool{false, true} {
		m := tables()
		for depth := 1; depth < 2000; depth *= 3 {
			ids := make([]uint64, depth)
			var s message
			for i := range ids {
				ids[i] = 1 // position 0, which fresh memory also holds
				s = s.number(1, 1)
			}
			if packed {
				s = message{}.packed(1, ids...)
			}
			m = m.bytes(2, s.number(2, 1))
		}
		agree(t, new(wire.Reader), m)
	}
}

// TestWalkAgain walks a file several times, and stops when told to.
func TestWalkAgain(t *testing.T) {
	for _, r := range []*wire.Reader{usual, narrow} {
		f, err := r.Open(bytes.NewReader(zip(t, tables().bytes(2, stackOf(2, 1)).bytes(2, stackOf(1, 1)).bytes(2, stackOf(1)))))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			n := 0
			if err := f.Walk(func(*wire.Sample) error { n++; return nil }); err != nil || n != 3 {
				t.Errorf("got %d samples and error %v, want 3 and none", n, err)
			}
			n = 0
			if err := f.Walk(func(*wire.Sample) error { n++; return errDisk }); err != errDisk || n != 1 {
				t.Errorf("got %d samples and error %v, want 1 and %v", n, err, errDisk)
			}
		}
	}
}

// TestStringsOutlive makes sure that strings do not change with the next file.
func TestStringsOutlive(t *testing.T) {
	f, err := usual.Open(bytes.NewReader(valid()))
	if err != nil {
		t.Fatal(err)
	}
	name := f.String(f.Functions[0].Name)
	if _, err := usual.Open(bytes.NewReader(heap(shape{samples: 1, functions: 9, depth: deep.depth, shared: deep.shared}))); err != nil {
		t.Fatal(err)
	}
	if name != "main.main" {
		t.Errorf("got %q after the next file, want %q", name, "main.main")
	}
}

// TestForget makes sure that the samples of a large file can be walked without
// its tables.
func TestForget(t *testing.T) {
	data := zip(t, heap(shape{samples: 70000, functions: 70000, depth: deep.depth, shared: deep.shared}))
	walk := func(forget bool) (n, locations int) {
		f, err := wire.Open(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if forget {
			f.Forget()
			if len(f.Locations) != 0 || len(f.Functions) != 0 {
				t.Errorf("got %d locations and %d functions after Forget, want none", len(f.Locations), len(f.Functions))
			}
		}
		if err := f.Walk(func(s *wire.Sample) error {
			n++
			locations += len(s.Locations)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return n, locations
	}
	wantSamples, wantLocations := walk(false)
	if n, l := walk(true); n != wantSamples || l != wantLocations {
		t.Errorf("got %d samples with %d locations after Forget, want %d with %d", n, l, wantSamples, wantLocations)
	}
}
