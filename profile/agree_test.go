package profile

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"

	"github.com/allocdiff/allocdiff/profile/profiletest"
)

// checkAgrees compares every row of a file with google/pprof's reading of it.
// Bytes after the profile and zstd are ours alone.
func checkAgrees(t *testing.T, name string, data []byte) {
	t.Helper()
	p, err := pprof.ParseData(data)
	if err != nil {
		t.Errorf("%s: google/pprof: %v", name, err)
		return
	}
	s := readSide(t, Options{}, data)
	c := s.Costs[0]
	checkConserved(t, name, c)
	for i, m := range c.Metrics {
		if want := (Metric{clean(p.SampleType[i].Type), clean(p.SampleType[i].Unit)}); m != want {
			t.Errorf("%s: sample type %d: got %s, want %s", name, i, m, want)
		}
	}
	checkSums(t, name, gotSums(s, c), wantSums(p))
}

// Flat and cum of each function of each real profile are google/pprof's.
func TestCorpusAgrees(t *testing.T) {
	dir := corpusFolder(t)
	for name, file := range oracleFiles(t, dir) {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case !file.Accept:
		case name == "legacy-alloc-equals-inuse-before.heap":
			checkFourColumns(t, name, data)
		default:
			checkAgrees(t, name, data)
		}
	}
}

// checkFourColumns compares a Go heap text that google/pprof takes for two
// columns, because what was allocated equals what is in use.
func checkFourColumns(t *testing.T, name string, data []byte) {
	t.Helper()
	p, err := pprof.ParseData(data)
	if err != nil {
		t.Fatal(err)
	}
	s := readSide(t, Options{}, data)
	got, want := gotSums(s, s.Costs[0]), wantSums(p)
	half := func(rows map[string][]int64) {
		for k, v := range rows {
			if !slices.Equal(v[:2], v[2:]) {
				t.Errorf("%s: %s: allocated %d, in use %d, want equal", name, k, v[:2], v[2:])
			}
			rows[k] = v[2:]
		}
	}
	half(got.flat)
	half(got.cum)
	got.total = got.total[2:]
	checkSums(t, name, got, want)
}

// The profiles recorded for the examples agree as well.
func TestExamplesAgree(t *testing.T) {
	n := 0
	err := filepath.WalkDir("../examples", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".pb.gz") && !strings.HasSuffix(path, ".pprof") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		checkAgrees(t, path, data)
		n++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n == 0 {
		t.Fatal("no profile in ../examples")
	}
}

// Generated profiles agree, in both orders of their parts.
func TestGeneratedAgrees(t *testing.T) {
	for _, layout := range []profiletest.Layout{profiletest.Runtime, profiletest.Written} {
		for _, after := range []bool{false, true} {
			c := profiletest.Config{
				Seed: 7, Samples: 4000, Funcs: 300, DepthMin: 5, DepthMax: 60, Pools: 6, Period: 512 << 10,
				After: after, Perturb: 0.1, Layout: layout,
			}
			var b bytes.Buffer
			truth, err := profiletest.Generate(c, &b)
			if err != nil {
				t.Fatal(err)
			}
			what := fmt.Sprintf("layout %d, after %t", layout, after)
			checkAgrees(t, what, b.Bytes())
			s := readSide(t, Options{}, b.Bytes())
			if got := valuesOf(s.Costs[0].total.at(0)); !slices.Equal(got, truth.Total[:]) {
				t.Errorf("%s: total: got %d, want %d", what, got, truth.Total)
			}
		}
	}
}
