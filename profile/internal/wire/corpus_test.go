package wire_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"testing"

	"github.com/allocdiff/allocdiff/profile/internal/wire"
)

// TestCorpus reads real profiles, and files that are none, of the folder that
// ALLOCDIFF_CORPUS names.
func TestCorpus(t *testing.T) {
	dir := os.Getenv("ALLOCDIFF_CORPUS")
	if dir == "" {
		t.Skip("ALLOCDIFF_CORPUS is not set")
	}
	text, err := os.ReadFile(filepath.Join(dir, "oracle.json"))
	if err != nil {
		t.Fatal(err)
	}
	var oracle struct {
		Files map[string]struct {
			Accept      bool
			SHA256      string
			Bytes       int64
			Samples     int64
			SampleTypes []struct {
				Type, Unit string
				Total      int64
			}
		}
	}
	if err := json.Unmarshal(text, &oracle); err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range oracle.Files {
		names = append(names, name)
	}
	sort.Strings(names)
	var r wire.Reader // one for all, to test its reuse
	protobufs := 0
	for _, name := range names {
		want := oracle.Files[name]
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			agree(t, &r, data)
			f, err := r.Open(bytes.NewReader(data))
			t.Log(err)
			if _, peerErr := peer(data); peerErr != nil || !want.Accept {
				return
			}
			protobufs++
			if err != nil {
				t.Fatal(err)
			}
			if f.NumSamples() != want.Samples || f.Size != want.Bytes {
				t.Errorf("got %d samples, %d bytes, want %d, %d", f.NumSamples(), f.Size, want.Samples, want.Bytes)
			}
			totals := make([]int64, len(f.SampleTypes))
			if err := f.Walk(func(s *wire.Sample) error {
				for i, v := range s.Values {
					totals[i] += v
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			for i, w := range want.SampleTypes {
				if g := f.SampleTypes[i]; g.Type != w.Type || g.Unit != w.Unit || totals[i] != w.Total {
					t.Errorf("value %d: got %s/%s %d, want %s/%s %d", i, g.Type, g.Unit, totals[i], w.Type, w.Unit, w.Total)
				}
			}
		})
	}
	if protobufs < 10 {
		t.Errorf("got %d protobuf profiles, want 10 or more", protobufs)
	}
}
