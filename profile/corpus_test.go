package profile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// corpusFolder is the folder of real profiles, which is not part of the
// repository.
func corpusFolder(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("ALLOCDIFF_CORPUS")
	if dir == "" {
		t.Skip("ALLOCDIFF_CORPUS does not name the folder of real profiles")
	}
	return dir
}

type oracleFile struct {
	Accept      bool
	SampleTypes []struct {
		Type, Unit string
		Total      int64
	}
	Samples int
	Kinds   []string
	IfRead  *oracleFile
}

func oracleFiles(t *testing.T, dir string) map[string]oracleFile {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "oracle.json"))
	if err != nil {
		t.Fatal(err)
	}
	var oracle struct{ Files map[string]oracleFile }
	if err := json.Unmarshal(data, &oracle); err != nil {
		t.Fatal(err)
	}
	return oracle.Files
}

// corpusWords are the words with which normalise refuses a file, or warns if
// it reads the file. A file that is not here is a protobuf or reads in silence.
var corpusWords = map[string]string{
	"cpp-heap-legacy.heap.expected.txt":    "this is text, not a profile: \"PeriodType: space bytes\"",
	"go-heap-legacy.heap.expected.txt":     "this is text, not a profile: \"PeriodType: space bytes\"",
	"java-heap-legacy.heap.expected.txt":   "this is text, not a profile: \"PeriodType:\"",
	"jemalloc-heap-v2.heap":                "jemalloc heap_v2 profile: its counts (t*: 172890 objects, 2518883822 bytes in use)",
	"jfr-recording.jfr.gz":                 "this is a JFR recording, not a pprof profile; convert it with: jfrconv -o pprof --total -t",
	"elf-executable.bin":                   "this is an ELF executable, not a profile",
	"git-lfs-pointer.pb.gz":                "Git LFS pointer, not the profile (run git lfs pull)",
	"html-login-page.pprof":                "HTML text, not a profile (a login or error page? save the profile itself): \"<!DOCTYPE html>\"",
	"chrome-profile.cpuprofile":            "this is JSON, not a pprof profile",
	"collapsed-stacks.txt":                 "text with folded (collapsed) stacks",
	"go-fuzz-corpus.txt":                   "this is text, not a profile: \"go test fuzz v1\"",
	"zero-byte.pb.gz":                      "empty file",
	"legacy-overflowed-header.heap":        "line 1: a counter of the heap profile overflowed 32 bits (-2147316050)",
	"legacy-zero-count-nonzero-bytes.heap": "line 2: a record of 0 objects with 536870912 bytes is left out",
	"legacy-collector-banner.log":          "a heap profile header starts at line 5; there is text before it",
	"legacy-fuzz-sample-zero.txt":          "parsing sample 0 0 @ 0: second value must be non-zero",
}

// Every file of the corpus is handed on untouched, refused in the right words,
// or converted to the right totals.
func TestCorpusNormalise(t *testing.T) {
	dir := corpusFolder(t)
	files := oracleFiles(t, dir)
	for name, want := range files {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		r, warnings, err := memoryInput(data).normalise()
		said := fmt.Sprint(err, warnings)
		if words := corpusWords[name]; !strings.Contains(said, words) || words == "" && (err != nil || len(warnings) > 0) {
			t.Errorf("%s: got %s, want %q", name, said, words)
		}
		if err != nil {
			if want.Accept {
				t.Errorf("%s: refused: %v", name, err)
			}
			continue
		}
		out, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(want.Kinds, "legacy-text") || name == "jemalloc-heap-v2.heap" {
			checkConverted(t, name, data, want)
		} else if !bytes.Equal(out, data) {
			t.Errorf("%s: got %d other bytes, want the %d of the file", name, len(out), len(data))
		}
	}
	for name := range corpusWords {
		if _, ok := files[name]; !ok {
			t.Errorf("no file %s in the corpus", name)
		}
	}
}

func checkConverted(t *testing.T, name string, data []byte, want oracleFile) {
	t.Helper()
	if !want.Accept {
		want = *want.IfRead
	}
	p, _ := normalised(t, data)
	got := summary(p)
	switch name {
	case "legacy-alloc-equals-inuse-before.heap":
		// The oracle has the two columns that google/pprof reads; a Go heap has four.
		if want := "alloc_objects/count 769 alloc_space/bytes 787968 inuse_objects/count 769 inuse_space/bytes 787968"; got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
		return
	case "jemalloc-heap-v2.heap":
		// The oracle has the counts of sampled objects in the header, which stand
		// for 12529829 objects and 182550663063 bytes. The stacks, scaled one by
		// one, come to the same but for their rounding.
		if want := "objects/count 12526301 space/bytes 182546748383"; got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
		return
	}
	var wantText strings.Builder
	for _, st := range want.SampleTypes {
		fmt.Fprintf(&wantText, "%s/%s %d ", st.Type, st.Unit, st.Total)
	}
	if want := strings.TrimSpace(wantText.String()); got != want {
		t.Errorf("%s: got %s, want %s", name, got, want)
	}
	if len(p.Sample) != want.Samples {
		t.Errorf("%s: got %d samples, want %d", name, len(p.Sample), want.Samples)
	}
}
