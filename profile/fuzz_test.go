package profile

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/allocdiff/allocdiff/profile/profiletest"
	pprof "github.com/google/pprof/profile"
)

// seedFiles are whole files of every format that is read, and of some that are
// refused.
func seedFiles() [][]byte {
	seeds := [][]byte{
		profiletest.Bytes(cleanHeap), profiletest.Bytes(cleanCPU),
		[]byte("heap profile: 2: 2048 [4: 4096] @ heap/524288\n1: 1024 [2: 2048] @ 0x400fff 0x401fff\n# 0x400fff main.a+0x1f /src/a.go:3\n"),
		[]byte("heap profile: 1: 1024 [1: 1024] @ heap_v2/524288\n1: 1024 [1: 1024] @ 0x400fff\n\nMAPPED_LIBRARIES:\n00400000-00500000 r-xp 00000000 00:00 0 /bin/app\n"),
		[]byte("heap_v2/524288\n  t*: 3: 4096 [0: 0]\n  t0: 3: 4096 [0: 0]\n@ 0x400fff 0x401fff\n  t*: 3: 4096 [0: 0]\n  t0: 3: 4096 [0: 0]\n"),
		[]byte("--- contention:\ncycles/second=1000000000\nsampling period=100\n10 20 @ 0x400fff\n"),
		[]byte("goroutine profile: total 2\n2 @ 0x400fff 0x401fff\n"),
		[]byte("threadcreate profile: total 1\n1 @ 0x400fff\n"),
		[]byte("--- Java profile ---\n# comment\n"), []byte("main.a;main.b 10\n"), []byte("{}"),
		{},
		{0x1f, 0x8b},
		[]byte("FLR\x00"),
	}
	var legacy []byte
	for _, w := range []uint64{0, 3, 0, 10000, 0, 5, 1, 0x400fff, 0, 1, 0} {
		legacy = binary.LittleEndian.AppendUint64(legacy, w)
	}
	seeds = append(seeds, legacy)
	for kind := range randomKinds {
		seeds = append(seeds, profiletest.Encode(randomProfile(rand.New(rand.NewPCG(uint64(kind), 7)), kind)))
	}
	var raw bytes.Buffer
	if err := randomProfile(rand.New(rand.NewPCG(1, 8)), 0).WriteUncompressed(&raw); err == nil {
		seeds = append(seeds, raw.Bytes())
	}
	return seeds
}

// Whatever bytes a file holds, reading it gives an error or a side whose rows
// add up, and where google/pprof reads a protobuf the rows are the same.
func FuzzLoad(f *testing.F) {
	for _, seed := range seedFiles() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		side := sideOf("fuzz", data)
		b, a, err := Sides(side, side, &Options{})
		if err != nil {
			return
		}
		if len(b.Costs) != 1 {
			t.Fatalf("got %d costs of one file, want 1", len(b.Costs))
		}
		checkConserved(t, "fuzz", b.Costs[0])
		p, perr := pprof.ParseData(data)
		if perr == nil && !isLegacy(data) {
			checkSums(t, "fuzz", gotSums(b, b.Costs[0]), wantSums(p))
		}
		d, err := Compare(b, a)
		if err != nil {
			t.Fatalf("a side does not compare with itself: %v", err)
		}
		r := NewReport(d, ReportOptions{All: true})
		checkFinite(t, "fuzz", r)
		for i := range r.Metrics {
			noChange(t, "fuzz total", &r.Metrics[i].Total)
		}
	})
}

// isLegacy reports whether a file is converted before it is read: then
// google/pprof has read it already, and repairs may have changed it.
func isLegacy(data []byte) bool {
	head, whole, err := readHead(bytesReader(data))
	if err != nil {
		return false
	}
	kind, err := sniff(head, whole)
	return err == nil && kind != formProto
}

// The invariants hold for random profiles of any seed.
func FuzzInvariants(f *testing.F) {
	for kind := range randomKinds {
		f.Add(uint64(100+kind), uint8(kind))
	}
	f.Fuzz(func(t *testing.T, seed uint64, kind uint8) {
		r := rand.New(rand.NewPCG(seed, 9))
		p, q := randomProfile(r, int(kind)), randomProfile(r, int(kind))
		before, after := sideOf("before", profiletest.Encode(p)), sideOf("after", profiletest.Encode(q))
		there := diffOf(t, before, after, Options{})
		checkConserved(t, "before", there.Before.Costs[0])
		checkSums(t, "before", gotSums(there.Before, there.Before.Costs[0]), wantSums(p))
		checkSums(t, "after", gotSums(there.After, there.After.Costs[0]), wantSums(q))
		x, y := NewReport(there, ReportOptions{All: true}), NewReport(diffOf(t, after, before, Options{}), ReportOptions{All: true})
		checkFinite(t, "there", x)
		for i := range x.Metrics {
			checkMirrored(t, "there", &x.Metrics[i], &y.Metrics[i])
		}
		if got, want := len(x.Metrics), len(p.SampleType); got != want || !slices.Equal(valuesOf(there.Before.Costs[0].total.at(0)), wantSums(p).total) {
			t.Errorf("got %d metrics, want %d", got, want)
		}
	})
}
