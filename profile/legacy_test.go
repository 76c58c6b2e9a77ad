package profile

import (
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"
)

type regularFile struct{ fs.FileInfo }

func (regularFile) Mode() fs.FileMode { return 0 }

// normalised reads what normalise makes of the data with google/pprof.
func normalised(t *testing.T, data []byte) (*pprof.Profile, []string) {
	t.Helper()
	r, warnings, err := memoryInput(data).normalise()
	if err != nil {
		t.Fatalf("normalise(%q): %v", cutText(string(data)), err)
	}
	defer func() { _ = r.Close() }()
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	p, err := pprof.ParseData(out)
	if err != nil {
		t.Fatalf("reading what normalise(%q) gave: %v", cutText(string(data)), err)
	}
	return p, warnings
}

// summary names the sample types with their totals.
func summary(p *pprof.Profile) string {
	var b strings.Builder
	for i, st := range p.SampleType {
		total := int64(0)
		for _, s := range p.Sample {
			total += s.Value[i]
		}
		fmt.Fprintf(&b, "%s/%s %d ", st.Type, st.Unit, total)
	}
	return strings.TrimSpace(b.String())
}

const four = "alloc_objects/count %d alloc_space/bytes %d inuse_objects/count %d inuse_space/bytes %d"

func TestNormaliseLegacy(t *testing.T) {
	for _, tt := range []struct {
		name, text, want string
		warnings         []string
	}{
		{
			name: "Go heap whose header has equal columns",
			text: "heap profile: 1: 1024 [1: 1024] @ heap/2\n1: 1024 [1: 1024] @ 0x401000\n",
			want: fmt.Sprintf(four, 1, 1024, 1, 1024),
		},
		{
			name: "Go heap",
			text: "\r\nheap profile: 1: 1024 [3: 4096] @ heap/2\r\n1: 1024 [3: 4096] @ 0x401000\r\n",
			want: fmt.Sprintf(four, 3, 4096, 1, 1024),
		},
		{
			name: "gperftools heap with equal columns stays at two",
			text: "heap profile: 1: 1024 [ 1: 1024] @ heapprofile\n 1: 1024 [ 1: 1024] @ 0x401000\n",
			want: "objects/count 1 space/bytes 1024",
		},
		{
			name: "no record",
			text: "heap profile:      0:        0 [     0:        0] @ heap/524288\n\nMAPPED_LIBRARIES:\n00400000-00500000 r-xp 00000000 08:01 1 /bin/app\n",
			want: "objects/count 0 space/bytes 0",
		},
		{
			name:     "wrapped counter",
			text:     "heap profile: 7: 99 [-2147316050: 188867582594] @ heapprofile\n 1: 1024 [ 2: 2048] @ 0x401000 0x402000\n",
			want:     fmt.Sprintf(four, 2, 2048, 1, 1024),
			warnings: []string{"line 1: a counter of the heap profile overflowed 32 bits (-2147316050); the records are used"},
		},
		{
			name:     "one record without objects",
			text:     "# comment\nheap profile: 2: 5 [3: 6] @ heapprofile\n 0: 536870912 [ 1: 536875008] @ 0x1\n 1: 1024 [ 2: 2048] @ 0x2\n",
			want:     fmt.Sprintf(four, 2, 2048, 1, 1024),
			warnings: []string{"line 3: a record of 0 objects with 536870912 bytes is left out"},
		},
		{
			name:     "several records without objects",
			text:     "heap profile: 2: 5 [3: 6] @ heapprofile\n 1: 1024 [ 2: 2048] @ 0x2\n 0: 10 [ 1: 10] @ 0x1\n 0: 0 [0: 5] @ 0x1\n",
			want:     fmt.Sprintf(four, 2, 2048, 1, 1024),
			warnings: []string{"line 3 and 1 more: records of 0 objects with 15 bytes in all are left out"},
		},
		{
			name: "unread columns do not count",
			text: "heap profile: 1: 8 [0: 0] @ heapprofile\n 1: 8 [0: 5] @ 0x1\n",
			want: "objects/count 1 space/bytes 8",
		},
		{
			name: "threads",
			text: "threadcreate profile: total 7\n6 @ 0x44cb3 0x45045\n1 @ 0x440e2\n",
			want: "threadcreate/count 7",
		},
		{
			name: "CPU, 8-byte words",
			text: words(8, 0, 3, 0, 10000, 0, 5, 1, 0x401000, 2, 2, 0x402000, 0x403000, 0, 1, 0),
			want: "samples/count 7 cpu/nanoseconds 70000000",
		},
		{
			name: "CPU, 4-byte words",
			text: words(4, 0, 3, 0, 10000, 0, 5, 1, 0x401000, 2, 2, 0x402000, 0x403000, 0, 1, 0),
			want: "samples/count 7 cpu/nanoseconds 70000000",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, data := range [][]byte{[]byte(tt.text), gzipped(t, []byte(tt.text))} {
				p, warnings := normalised(t, data)
				if got := summary(p); got != tt.want {
					t.Errorf("got %s, want %s", got, tt.want)
				}
				if !slices.Equal(warnings, tt.warnings) {
					t.Errorf("got warnings %q, want %q", warnings, tt.warnings)
				}
			}
		})
	}
	cut := gzipped(t, []byte("threadcreate profile: total 7\n"+strings.Repeat("6 @ 0x44cb3 0x45045\n", 100)))
	if _, _, err := memoryInput(cut[:len(cut)-9]).normalise(); err == nil || !strings.Contains(err.Error(), "ends inside its compressed stream") {
		t.Errorf("truncated gzip of a legacy text: got error %v", err)
	}
}

// words writes little-endian words of the given size.
func words(size int, values ...uint64) string {
	var b strings.Builder
	for _, v := range values {
		for range size {
			b.WriteByte(byte(v))
			v >>= 8
		}
	}
	return b.String()
}

const jemallocText = `heap_v2/1000
  t*: 5: 5000 [0: 0]
  t0: 3: 3000 [0: 0]
  t1: 2: 2000 [0: 0] io worker
@ 0x401001 0x402001
  t*: 4: 4000 [0: 0]
  t0: 3: 3000 [0: 0]
  t1: 1: 1000 [0: 0]
@ 0x401001 0x403001
  t*: 1: 100 [0: 0]

MAPPED_LIBRARIES:
00400000-00500000 r-xp 00000000 08:01 1 /bin/app
`

func TestNormaliseJemalloc(t *testing.T) {
	p, warnings := normalised(t, []byte(jemallocText))
	// 1/(1-exp(-1)) = 1.581976 and 1/(1-exp(-0.1)) = 10.508331.
	if got, want := summary(p), fmt.Sprintf("objects/count %d space/bytes %d", 6+10, 6327+1050); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if len(warnings) != 2 || !strings.Contains(warnings[0], "jemalloc heap_v2") || !strings.Contains(warnings[0], "t*: 5 objects, 5000 bytes") ||
		!strings.Contains(warnings[1], "not symbolised") {
		t.Errorf("got warnings %q", warnings)
	}
	want := []struct {
		thread  string
		values  []int64
		size    int64
		address uint64 // of the root
	}{
		{"t0", []int64{4, 4745}, 1000, 0x402000}, // 6*3/4 = 4, 6327*3/4 = 4745
		{"io worker", []int64{2, 1582}, 1000, 0x402000},
		{"", []int64{10, 1050}, 100, 0x403000},
	}
	if len(p.Sample) != len(want) {
		t.Fatalf("got %d samples, want %d", len(p.Sample), len(want))
	}
	for i, w := range want {
		s := p.Sample[i]
		thread := strings.Join(s.Label["thread"], ",")
		if thread != w.thread || !slices.Equal(s.Value, w.values) || s.NumLabel["bytes"][0] != w.size ||
			s.Location[1].Address != w.address || s.Location[1].Mapping.File != "/bin/app" {
			t.Errorf("sample %d: got %q %v %v %v, want %+v", i, thread, s.Value, s.NumLabel, s.Location[1], w)
		}
	}
	if p.Period != 1000 || p.PeriodType.Type != "space" {
		t.Errorf("got period %v %d, want space 1000", p.PeriodType, p.Period)
	}
	text := strings.ReplaceAll(jemallocText, "[0: 0]", "[8: 8000]")
	p, _ = normalised(t, []byte(text))
	if got, want := summary(p), fmt.Sprintf(four, 12+12, 12655+12655, 6+10, 6327+1050); got != want {
		t.Errorf("with allocated counts: got %s, want %s", got, want)
	}
}
