package main

import (
	"fmt"
	"testing"

	"github.com/allocdiff/allocdiff/profile/profiletest"
)

// BenchmarkGrowth measures how CPU and memory grow with the samples of the
// profiles when the functions stay the same: for each doubling the ratio of
// both, which should be at most 2.2 and near 1.
//
//	go test -run '^$' -bench Growth ./cmd/allocdiff
func BenchmarkGrowth(b *testing.B) {
	t := newTools(b)
	sizes := []int{100, 200, 400, 800} // thousands of samples
	dir := b.TempDir()
	var commands [][]string
	for _, thousands := range sizes {
		n := thousands * 1000
		size := tier{
			name:   fmt.Sprintf("%dk", thousands),
			before: profiletest.Config{Samples: n, Funcs: 8000, DepthMin: 20, DepthMax: 45, Period: 512 << 10},
			after:  n,
		}
		before, after := size.pair(b, dir, profiletest.Runtime)
		commands = append(commands, []string{t.allocdiff, before, after})
	}
	r := t.inTurn(b, usualPairs, 1, commands...)
	for i := 1; i < len(sizes); i++ {
		step := fmt.Sprintf("%dk/%dk", sizes[i], sizes[i-1])
		b.ReportMetric(r.cpuRatio(i, i-1), "cpu-"+step)
		b.ReportMetric(r.rssRatio(i, i-1), "rss-"+step)
	}
	b.ReportMetric(r.rssRatio(len(sizes)-1, 0), "rss-800k/100k")
}
