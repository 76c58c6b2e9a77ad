package main

import (
	"flag"
	"fmt"
	"slices"
	"testing"

	"github.com/allocdiff/allocdiff/profile/profiletest"
)

var fleetFlag = flag.Int("fleet", 200, "BenchmarkFleet: files of the larger fleet, more than 20")

const (
	fewFiles   = 20 // of the smaller fleet
	afterFiles = 3
)

// fleetFile is the profile of one program of a fleet. All have the same
// functions, but a call graph of their own, so that hardly any stack occurs
// twice: the worst case for whoever keeps stacks.
func fleetFile(seed int) profiletest.Config {
	return profiletest.Config{
		Seed: uint64(seed), Samples: 1000, Funcs: 8000, DepthMin: 20, DepthMax: 45, Pools: 8, Period: 512 << 10,
	}
}

// BenchmarkFleet compares many small profiles with a few, as repeated runs and
// merged:
//
//	go test -run '^$' -bench Fleet ./cmd/allocdiff -fleet 2000
//
// Ours/gunzip-cpu is how many times the CPU of compress/gzip inflating the same
// files allocdiff takes; cpu/20 and rss/20 are what the fleet takes in relation
// to one of 20 files. The memory should not grow with the files.
func BenchmarkFleet(b *testing.B) {
	t := newTools(b)
	if *fleetFlag <= fewFiles {
		b.Fatalf("-fleet %d: want more than %d", *fleetFlag, fewFiles)
	}
	dir := b.TempDir()
	var before, after []string
	for i := range *fleetFlag + afterFiles {
		c := fleetFile(i + 1)
		if i < *fleetFlag {
			before = append(before, generate(b, dir, fmt.Sprintf("before-%05d.pb.gz", i), c))
			continue
		}
		c.Seed, c.After, c.Perturb = uint64(i-*fleetFlag+1), true, 0.1
		after = append(after, generate(b, dir, fmt.Sprintf("after-%05d.pb.gz", i), c))
	}
	for _, way := range []struct {
		name  string
		flags []string
	}{
		{"replicates", nil},
		{"merge", []string{"--merge"}},
	} {
		b.Run(fmt.Sprintf("%s/files=%d", way.name, len(before)), func(b *testing.B) {
			diff := func(files int) []string {
				return slices.Concat([]string{t.allocdiff}, way.flags, before[:files], []string{"--"}, after)
			}
			r := t.inTurn(b, usualPairs, 1,
				diff(len(before)),
				slices.Concat([]string{t.child, "gunzip"}, before, after),
				diff(fewFiles))
			r.reportOurs(b, 0, 1)
			b.ReportMetric(r.cpuRatio(0, 1), "ours/gunzip-cpu")
			b.ReportMetric(r.cpuRatio(0, 2), "cpu/20")
			b.ReportMetric(r.rssRatio(0, 2), "rss/20")
		})
	}
}
