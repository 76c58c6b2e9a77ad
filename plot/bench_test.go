package plot

import (
	"io"
	"testing"
)

func BenchmarkPNG(b *testing.B) {
	r := ticket()
	b.ReportAllocs()
	for b.Loop() {
		if err := PNG(io.Discard, r, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSVG(b *testing.B) {
	r := ticket()
	b.ReportAllocs()
	for b.Loop() {
		if err := SVG(io.Discard, r, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
