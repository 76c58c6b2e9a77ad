package profiletest

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"
)

const example = `
// all syntax at once
# period space/bytes 524288
# time 2026-11-30T12:00:00Z
# duration 30s
# comment allocdiff.ops=1000
# comment allocdiff.ticket=X
# default alloc_space
# drop runtime\..*
# mapping 0x400000-0x500000 /bin/app 5f2e
alloc_objects/count alloc_space/bytes

main.run;main.build;bytes.growSlice [pool=read;bytes:bytes=128] 3 384
main.run;main.build @build.go:12 > main.fill @fill.go:7 1 64
[w tid=1];0x4010ff;0x9000ff -1 -64
(no stack) [thread=[es[n][T#3] tid=42];thread=b;pprof::base=true] 1 16
Map[int];a\;b;C\D [bytes:=8] 0 0
`

func TestProfile(t *testing.T) {
	p, err := Profile(example)
	if err != nil {
		t.Fatal(err)
	}
	if p.Period != 524288 || p.PeriodType.Type != "space" || p.TimeNanos != 1796040000000000000 ||
		p.DurationNanos != 30e9 || p.DefaultSampleType != "alloc_space" || p.DropFrames != `runtime\..*` ||
		len(p.Comments) != 2 || p.Comments[1] != "allocdiff.ticket=X" || p.Mapping[0].BuildID != "5f2e" {
		t.Errorf("directives: got %v", p)
	}
	want := []struct {
		stack  string // leaf first
		values []int64
		label  map[string][]string
		num    map[string][]int64
		unit   map[string][]string
	}{
		{"bytes.growSlice main.build main.run", []int64{3, 384}, map[string][]string{"pool": {"read"}}, map[string][]int64{"bytes": {128}}, map[string][]string{"bytes": {"bytes"}}},
		{"main.fill:fill.go:7+main.build:build.go:12 main.run", []int64{1, 64}, nil, nil, nil},
		{"0x9000ff /bin/app!0x4010ff [w_tid=1]", []int64{-1, -64}, nil, nil, nil},
		{"", []int64{1, 16}, map[string][]string{"thread": {"[es[n][T#3] tid=42]", "b"}, "pprof::base": {"true"}}, nil, nil},
		{`C\D a;b Map[int]`, []int64{0, 0}, nil, map[string][]int64{"bytes": {8}}, map[string][]string{"bytes": {""}}},
	}
	if len(p.Sample) != len(want) {
		t.Fatalf("got %d samples, want %d", len(p.Sample), len(want))
	}
	for i, w := range want {
		s := p.Sample[i]
		if got := stackText(s); got != w.stack {
			t.Errorf("sample %d: got stack %q, want %q", i, got, w.stack)
		}
		if !reflect.DeepEqual(s.Value, w.values) || !reflect.DeepEqual(s.Label, w.label) ||
			!reflect.DeepEqual(s.NumLabel, w.num) || !reflect.DeepEqual(s.NumUnit, w.unit) {
			t.Errorf("sample %d: got %v %v %v %v, want %+v", i, s.Value, s.Label, s.NumLabel, s.NumUnit, w)
		}
	}
	if a, b := p.Sample[0].Location[2], p.Sample[1].Location[1]; a != b {
		t.Errorf("equal frames: got locations %d and %d, want one", a.ID, b.ID)
	}
}

// stackText names every location, leaf first; inlined lines are joined by +.
func stackText(s *pprof.Sample) string {
	var b strings.Builder
	for _, loc := range s.Location {
		b.WriteByte(' ')
		if len(loc.Line) == 0 {
			if loc.Mapping != nil {
				b.WriteString(loc.Mapping.File + "!")
			}
			fmt.Fprintf(&b, "%#x", loc.Address)
		}
		for i, l := range loc.Line {
			if i > 0 {
				b.WriteByte('+')
			}
			b.WriteString(strings.ReplaceAll(l.Function.Name, " ", "_"))
			if l.Function.Filename != "" {
				fmt.Fprintf(&b, ":%s:%d", l.Function.Filename, l.Line)
			}
		}
	}
	return strings.TrimSpace(b.String())
}

func TestProfileErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", "no line names the sample types"},
		{"a/count\nmain x", "line 2: value 1"},
		{"a/count b/bytes\nmain 3", "line 2: want a stack and 2 values"},
		{"a/count\nmain;;x 3", "line 2: empty frame"},
		{"a/count\nmain [x] 3", `line 2: label "x"`},
		{"# colour red", `line 1: colour "red": unknown directive`},
		{"# period space 1", `"space" is not of the form type/unit`},
		{"# time yesterday", "line 1: time"},
		{"# mapping zero", "line 1: mapping"},
		{"alloc\nmain 3", `line 1: "alloc" is not of the form type/unit`},
	} {
		_, err := Profile(tt.text)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Profile(%q): got error %v, want one with %q", tt.text, err, tt.want)
		}
	}
}

func TestBytes(t *testing.T) {
	a, b := Bytes(example), Bytes(example)
	if !bytes.Equal(a, b) {
		t.Error("two calls of Bytes differ")
	}
	data, err := os.ReadFile(File(t, example))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, data) {
		t.Errorf("File wrote %d bytes that differ from Bytes (%d)", len(data), len(a))
	}
	p, err := pprof.ParseData(a)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(p.Sample); got != 5 {
		t.Errorf("read back: got %d samples, want 5", got)
	}
	if got := stackText(p.Sample[1]); got != "main.fill:fill.go:7+main.build:build.go:12 main.run" {
		t.Errorf("read back: got stack %q", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("Bytes of malformed text did not panic")
		}
	}()
	Bytes("nonsense")
}

func TestHeap(t *testing.T) {
	p := Heap(524288,
		HeapRow{Stack: "main.run;main.build", Size: 128, Allocs: 3, Frees: 1},
		HeapRow{Stack: "main.run;main.big", Labels: "pool=read", Size: 1 << 20, Allocs: 100},
		HeapRow{Stack: "main.idle"},
	)
	if err := p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	// 128 B: 1/(1-exp(-128/524288)) = 4096.50002; 1 MiB: 1/(1-exp(-2)) = 1.15651764.
	want := [][]int64{
		{12289, 1573056, 8193, 1048704},
		{115, 121269664, 115, 121269664},
		{0, 0, 0, 0},
	}
	for i, s := range p.Sample {
		if !reflect.DeepEqual(s.Value, want[i]) {
			t.Errorf("row %d: got %v, want %v", i, s.Value, want[i])
		}
	}
	if got := p.Sample[0].NumLabel["bytes"]; len(got) != 1 || got[0] != 128 {
		t.Errorf("label bytes: got %v, want [128]", got)
	}
	if got := p.Sample[2].NumLabel; got != nil {
		t.Errorf("labels of a row without objects: got %v, want none", got)
	}
	if got := p.Sample[1].Label["pool"]; len(got) != 1 || got[0] != "read" {
		t.Errorf("label pool: got %v, want [read]", got)
	}
	if o, s := ScaleHeap(3, 384, 1); o != 3 || s != 384 {
		t.Errorf("ScaleHeap with period 1: got %d, %d, want 3, 384", o, s)
	}
}
