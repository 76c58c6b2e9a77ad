package profile

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"
	"github.com/klauspost/compress/zstd"

	"github.com/allocdiff/allocdiff/profile/profiletest"
)

func memoryInput(data []byte) Input {
	return Input{Name: "test", open: func() (io.ReadSeekCloser, error) { return bytesReader(data), nil }}
}

func gzipped(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zstded(t *testing.T, data []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(data, nil)
}

func TestNormaliseRefuses(t *testing.T) {
	for _, tt := range []struct{ name, data, want string }{
		{"empty", "", "empty file"},
		{"ELF", "\x7fELF\x02\x01\x01", "this is an ELF executable, not a profile"},
		{"Mach-O", "\xcf\xfa\xed\xfe\x07\x00", "this is a Mach-O executable, not a profile"},
		{"PE", "MZ\x90\x00\x03\x00", "this is a Windows executable, not a profile"},
		{"JFR", "FLR\x00\x00\x02", "this is a JFR recording, not a pprof profile; convert it with: jfrconv -o pprof --total -t"},
		{"hprof", "JAVA PROFILE 1.0.2\x00\x00", "Java heap dump"},
		{"perf", "PERFILE2h\x00", "recording of Linux perf"},
		{"trace", "go 1.26 trace\x00\x00\x00", "Go execution trace"},
		{"zip", "PK\x03\x04", "zip archive"},
		{"UTF-16", "\xff\xfep\x00", "UTF-16 text"},
		{"LFS", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3666\n", "Git LFS pointer, not the profile (run git lfs pull)"},
		{"HTML", "\n  <!DOCTYPE html> \n<html><body>Sign in</body></html>\n", `this is HTML text, not a profile (a login or error page? save the profile itself): "<!DOCTYPE html>"`},
		{"XML", "<?xml version=\"1.0\"?>\n<Error/>\n", `XML or HTML text, not a profile (save the profile itself): "<?xml version=\"1.0\"?>"`},
		{"JSON", `{"head":{"id":1,"children":[`, "this is JSON, not a pprof profile"},
		{"long JSON", `{"a":"` + strings.Repeat("x", 2*headSize) + `"}`, "this is JSON, not a pprof profile"},
		{"JSON array", "[1,\n2]", "this is JSON"},
		{"folded", "[main tid=1];a;b 12\n[main tid=1];a 3\n", "text with folded (collapsed) stacks"},
		{"long folded", strings.Repeat("a;b;c 12\n", headSize), "text with folded (collapsed) stacks"},
		{"goroutines", "goroutine 1 [running]:\nmain.main()\n", "goroutine stacks (debug=2)"},
		{"fuzz corpus", "go test fuzz v1\n[]byte(\"h0\")\n", `this is text, not a profile: "go test fuzz v1"`},
		{"Latin-1 log", "caf\xe9\nnoir\n", `this is text, not a profile: "caf\xe9"`},
		{"long line", strings.Repeat("é", 200), "this is text, not a profile: \"" + strings.Repeat("é", 80) + "…\""},
		{"blank", "\n \n", "text without any content"},
		{"banner", "====\ncollected by x\n\nheap profile: 1: 8 [1: 8] @ heap/1048576\n1: 8 [1: 8] @ 0x1\n", "a heap profile header starts at line 4; there is text before it"},
		{"banner of threads", "collected\nthreadcreate profile: total 7\n", "a threadcreate profile header starts at line 2; there is text before it"},
		{"zero record", "--- heapz 1 ---\n0 0 @ 0\n", "this is a legacy profile that cannot be read: parsing sample"},
		{"jemalloc record", "heap_v2/524288\n  t*: 1: 8 [0: 0]\n@ 0x1\n  nonsense\n", `line 4 of a jemalloc heap_v2 profile: neither a stack nor counts: "nonsense"`},
		{"jemalloc count", "heap_v2/524288\n@ 0x1\n  t*: 0: 8 [0: 0]\n", "line 3 of a jemalloc heap_v2 profile: 8 bytes without objects"},
		{"jemalloc size", "heap_v2/524288\n@ 0x1\n  t*: 1: 9223372036854775807 [0: 0]\n", "more than any memory holds"},
		{"jemalloc period", "heap_v2/99999999999999999999\n", "line 1: sampling period"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			packings := map[string][]byte{
				"plain": []byte(tt.data), "gzip": gzipped(t, []byte(tt.data)), "zstd": zstded(t, []byte(tt.data)),
			}
			for packing, data := range packings {
				r, _, err := memoryInput(data).normalise()
				if err == nil {
					_ = r.Close()
				}
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%s, %q: got error %v, want one with %q", packing, cutText(tt.data), err, tt.want)
				} else if strings.Contains(err.Error(), "\n") {
					t.Errorf("%s: got an error of several lines: %v", packing, err)
				}
			}
		})
	}
	if _, _, err := memoryInput(gzipped(t, gzipped(t, []byte("x")))).normalise(); err == nil || !strings.Contains(err.Error(), "gzip inside gzip") {
		t.Errorf("gzip twice: got error %v", err)
	}
}

func cutText(s string) string { return s[:min(len(s), 60)] }

// What is a protobuf, or might be one, is handed on untouched.
func TestNormaliseProto(t *testing.T) {
	packed := profiletest.Bytes("alloc_space/bytes\nmain.run;main.build 384")
	p, err := pprof.ParseData(packed)
	if err != nil {
		t.Fatal(err)
	}
	var raw bytes.Buffer
	if err := p.WriteUncompressed(&raw); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"gzip": packed, "raw": raw.Bytes(), "zstd": zstded(t, raw.Bytes()),
		"gzip header alone": packed[:10], "truncated gzip": packed[:len(packed)/2],
		"broken gzip": []byte("\x1f\x8b\x00\x00"), "broken zstd": []byte("\x28\xb5\x2f\xfd\xff\xff"),
		"fuzz": []byte("j\x01\xc2"), "one byte": {0},
	} {
		r, warnings, err := memoryInput(data).normalise()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(got, data) || len(warnings) != 0 {
			t.Errorf("%s: got %d bytes, warnings %q, error %v; want the same %d bytes", name, len(got), warnings, err, len(data))
		}
	}
}

func TestNormaliseOpenError(t *testing.T) {
	in := fileInput("/nonexistent/profile", regularFile{})
	_, _, err := in.normalise()
	if err == nil || err.Error() != "no such file or directory" {
		t.Errorf("got error %v, want the cause without the path", err)
	}
}
