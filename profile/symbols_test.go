package profile

import (
	"bytes"
	"maps"
	"regexp"
	"runtime"
	"runtime/debug"
	goprof "runtime/pprof"
	"slices"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"
)

var kept [][]byte

// allocate keeps n buffers from each of an inlined, a generic and a growing
// call.
//
//go:noinline
func allocate(n int) {
	for range n {
		kept = append(kept, buffer(), fill[byte](4096), bytes.Repeat([]byte("x"), 4096))
	}
}

func buffer() []byte { return make([]byte, 4096) }

//go:noinline
func fill[T any](n int) []T { return make([]T, n) }

var writtenTypeArguments = regexp.MustCompile(`\[.*\]`) // the text has [...]

// weights are the flat and cumulative values of one sample type below
// allocate, by function, without zeros. Other stacks are not compared: Go
// leaves out other frames of some standard functions in its two formats.
func weights(p *pprof.Profile, typ string) (flat, cum map[string]int64) {
	index := 0
	for i, st := range p.SampleType {
		if st.Type == typ {
			index = i
		}
	}
	flat, cum = map[string]int64{}, map[string]int64{}
	for _, s := range p.Sample {
		if !below(s, "profile.allocate") {
			continue
		}
		seen := map[string]bool{}
		for i, loc := range s.Location {
			for j, l := range loc.Line {
				name := writtenTypeArguments.ReplaceAllString(l.Function.Name, "[...]")
				if i == 0 && j == 0 {
					flat[name] += s.Value[index]
				}
				if !seen[name] {
					seen[name] = true
					cum[name] += s.Value[index]
				}
			}
		}
	}
	zero := func(_ string, v int64) bool { return v == 0 }
	maps.DeleteFunc(flat, zero)
	maps.DeleteFunc(cum, zero)
	return flat, cum
}

// A Go profile as text, read by way of the comments, is the same as the
// protobuf of that moment.
func TestSymboliseRuntime(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	allocate(10000)
	for range 2 { // a collection publishes what was allocated before the last
		runtime.GC()
	}
	var proto, text bytes.Buffer
	heap := goprof.Lookup("allocs")
	if err := heap.WriteTo(&proto, 0); err != nil {
		t.Fatal(err)
	}
	if err := heap.WriteTo(&text, 1); err != nil {
		t.Fatal(err)
	}
	kept = nil
	want, err := pprof.ParseData(proto.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	got, warnings := normalised(t, text.Bytes())
	if len(warnings) > 0 {
		t.Errorf("got warnings %q", warnings)
	}
	for _, typ := range []string{"alloc_objects", "alloc_space", "inuse_objects", "inuse_space"} {
		gotFlat, gotCum := weights(got, typ)
		wantFlat, wantCum := weights(want, typ)
		checkWeights(t, typ+", flat", gotFlat, wantFlat)
		checkWeights(t, typ+", cum", gotCum, wantCum)
	}
	flat, cum := weights(got, "alloc_space")
	const pkg = "github.com/allocdiff/allocdiff/profile."
	for name, n := range map[string]int64{
		pkg + "buffer": flat[pkg+"buffer"], pkg + "fill[...]": flat[pkg+"fill[...]"], "bytes.Repeat": cum["bytes.Repeat"],
	} {
		if n < 10<<20 { // more if the test ran before: profiles start with the process
			t.Errorf("got %d bytes for %s, want about 40 MiB or more", n, name)
		}
	}
}

func below(s *pprof.Sample, function string) bool {
	for _, loc := range s.Location {
		for _, l := range loc.Line {
			if strings.HasSuffix(l.Function.Name, function) {
				return true
			}
		}
	}
	return false
}

func checkWeights(t *testing.T, what string, got, want map[string]int64) {
	t.Helper()
	for name := range want {
		if _, ok := got[name]; !ok {
			t.Errorf("%s: nothing for %s, want %d", what, name, want[name])
		}
	}
	for name, v := range got {
		if want[name] != v {
			t.Errorf("%s: got %d for %s, want %d", what, v, name, want[name])
		}
	}
}

func TestSymbolise(t *testing.T) {
	const text = `heap profile: 2: 16 [2: 16] @ heap/2
1: 8 [1: 8] @ 0x11 0x21 0x31 0x41
#	0x20	main.Map[go.shape.struct { X int }]+0x1f	/src/a dir/a.go:12
#	0x30

1: 8 [1: 8] @ 0x11 0x51
1: 8 [1: 8] @ 0x11 0x21
#	0x10	runtime.mallocgc+0xf	/go/malloc.go:3
#	0x20	main.Map[go.shape.struct { X int }]+0x1f	/src/a dir/a.go:12
`
	p, _ := normalised(t, []byte(text))
	var got []string
	for _, s := range p.Sample {
		var stack []string
		for _, loc := range s.Location {
			name := "?"
			if len(loc.Line) > 0 {
				name = loc.Line[0].Function.Name + " " + loc.Line[0].Function.Filename
			}
			stack = append(stack, name)
		}
		got = append(got, strings.Join(stack, "; "))
	}
	const caller = "main.Map[go.shape.struct { X int }] /src/a dir/a.go"
	const allocator = "runtime.mallocgc /go/malloc.go"
	want := []string{caller + "; ?", allocator + "; ?", allocator + "; " + caller}
	if !slices.Equal(got, want) || p.Sample[0].Location[0].Line[0].Line != 12 {
		t.Errorf("got stacks %q, want %q", got, want)
	}
}
