package btree

import (
	"fmt"
	"testing"
)

var sink Tree[*int]

// boxed returns n ascending keys, boxed as the ticket's Integers are.
func boxed(n int) []*int {
	values := make([]int, n)
	keys := make([]*int, n)
	for i := range values {
		values[i] = i
		keys[i] = &values[i]
	}
	return keys
}

// variants are the sources in the order of the report.
var variants = []string{"recycle", "recycle-fixed", "syncpool", "alloc"}

// BenchmarkFixed is the ticket's BTreeBuildBench.buildTreeTest: one size a run.
func BenchmarkFixed(b *testing.B) {
	keys := boxed(100_000)
	for _, n := range []int{1, 2, 5, 10, 20, 40, 100, 1000, 10_000, 100_000} {
		for _, name := range variants {
			b.Run(fmt.Sprintf("size=%d/builder=%s", n, name), func(b *testing.B) {
				source := sources()[name]
				b.ReportAllocs()
				for b.Loop() {
					sink = buildFrom(source, keys[:n])
				}
			})
		}
		b.Run(fmt.Sprintf("size=%d/builder=stack", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sink = buildInline(keys[:n])
			}
		})
	}
}

// BenchmarkMix builds sizes 1..20 and, once in 1000, a large one.
func BenchmarkMix(b *testing.B) {
	keys := boxed(100_000)
	for _, large := range []int{1000, 10_000, 100_000} {
		size := func(i int) int {
			if i%1000 == 999 {
				return large
			}
			return 1 + i*7%20
		}
		for _, name := range variants {
			b.Run(fmt.Sprintf("large=%d/builder=%s", large, name), func(b *testing.B) {
				source := sources()[name]
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					sink = buildFrom(source, keys[:size(i)])
				}
			})
		}
		b.Run(fmt.Sprintf("large=%d/builder=stack", large), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				sink = buildInline(keys[:size(i)])
			}
		})
	}
}

func buildInline(keys []*int) Tree[*int] {
	var b Inline[*int]
	for _, k := range keys {
		b.Add(k)
	}
	return b.Build()
}
