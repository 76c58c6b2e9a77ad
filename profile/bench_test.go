package profile

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/allocdiff/allocdiff/profile/profiletest"
)

// BenchmarkAttribute reads and attributes both sides of a generated pair.
// Tables cost memory, samples must not: allocs/op does not grow with them.
func BenchmarkAttribute(b *testing.B) {
	for _, samples := range []int{20000, 80000} {
		b.Run(fmt.Sprintf("samples=%d", samples), func(b *testing.B) {
			side := largeSide(b, samples)
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := Sides(side, side, &Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(2*samples), "ns/sample")
		})
	}
}

func largeSide(b *testing.B, samples int) Source {
	var data bytes.Buffer
	config := profiletest.Config{Seed: 1, Samples: samples, Funcs: 2000, DepthMin: 20, DepthMax: 45, Pools: 6, Period: 4096}
	if _, err := profiletest.Generate(config, &data); err != nil {
		b.Fatal(err)
	}
	file := filepath.Join(b.TempDir(), "heap.pb.gz")
	if err := os.WriteFile(file, data.Bytes(), 0o666); err != nil {
		b.Fatal(err)
	}
	var f Finder
	side, err := f.Source(file)
	if err != nil {
		b.Fatal(err)
	}
	return side
}
