package wire_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/allocdiff/allocdiff/profile/internal/wire"
)

// BenchmarkWalk measures the samples alone: raw bytes, tables read already.
func BenchmarkWalk(b *testing.B) {
	for _, s := range []shape{deep, scattered} {
		b.Run(s.name, func(b *testing.B) {
			data := heap(s)
			f, err := wire.Open(bytes.NewReader(data))
			if err != nil {
				b.Fatal(err)
			}
			var frames, fresh int
			count := func(s *wire.Sample) error {
				frames += len(s.Locations)
				fresh += len(s.Locations) - s.Shared
				return nil
			}
			if err := f.Walk(count); err != nil { // grows the buffers
				b.Fatal(err)
			}
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if err := f.Walk(count); err != nil {
					b.Fatal(err)
				}
			}
			ns := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			perWalk := float64(b.N + 1)
			b.ReportMetric(ns/float64(s.samples), "ns/sample")
			b.ReportMetric(ns/(float64(frames)/perWalk), "ns/frame")
			b.ReportMetric(ns/(float64(fresh)/perWalk), "ns/new-frame")
		})
	}
}

// BenchmarkRead measures both passes over a gzip file, beside gunzip of the
// same bytes with the standard library in the same run: x-gunzip is the median
// ratio of the two times. The allocations are those of both.
func BenchmarkRead(b *testing.B) {
	for _, s := range []shape{deep, scattered} {
		b.Run(s.name, func(b *testing.B) {
			data := heap(s)
			file := zip(b, data)
			var r wire.Reader
			var ratios []float64
			gz := new(gzip.Reader)
			b.ReportAllocs()
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				start := time.Now()
				f, err := r.Open(bytes.NewReader(file))
				if err != nil {
					b.Fatal(err)
				}
				if err := f.Walk(func(*wire.Sample) error { return nil }); err != nil {
					b.Fatal(err)
				}
				middle := time.Now()
				if err := gz.Reset(bytes.NewReader(file)); err != nil {
					b.Fatal(err)
				}
				if _, err := io.Copy(io.Discard, gz); err != nil {
					b.Fatal(err)
				}
				ratios = append(ratios, float64(middle.Sub(start))/float64(time.Since(middle)))
			}
			slices.Sort(ratios)
			b.ReportMetric(ratios[len(ratios)/2], "x-gunzip")
		})
	}
}
