package profile

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/allocdiff/allocdiff/profile/profiletest"
)

// No number of any report is NaN or infinite, rows are in order, and the same
// profiles give the same report.
func TestNoiseReportsAreSound(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 9))
	for i := range 60 {
		var runs [][]byte
		period := []int64{1, 512, 4096, 512 << 10}[r.IntN(4)]
		for range 1 + r.IntN(6) {
			rows := []profiletest.HeapRow{{Stack: "main.main", Size: 8}}
			for f := range r.IntN(12) {
				n := int64(math.Pow(10, 5*r.Float64()))
				rows = append(rows, profiletest.HeapRow{
					Stack: fmt.Sprintf("main.pool%d;main.f%d", f%3, f), Size: 1 << r.IntN(22), Allocs: n, Frees: n * int64(r.IntN(2)),
				})
			}
			runs = append(runs, profiletest.Encode(profiletest.Heap(period, rows...)))
			if r.IntN(3) == 0 {
				runs = append(runs, cpuRun(r.IntN(100), r.IntN(3)))
			}
			if r.IntN(5) == 0 {
				runs = append(runs, lockRun(r.IntN(3)))
			}
		}
		o := Options{Cum: r.IntN(3) == 0, Judge: JudgeOptions{Detect: 0.01 + 0.9*r.Float64(), Confidence: 0.5 + 0.49*r.Float64()}}
		got := noiseOf(t, o, runs...)
		if again := noiseOf(t, o, runs...); !reflect.DeepEqual(got, again) {
			t.Fatalf("report %d: two readings differ:\n%+v\n%+v", i, got, again)
		}
		finite(t, fmt.Sprintf("report %d", i), reflect.ValueOf(got))
		for _, m := range got.Metrics {
			for _, table := range []NoiseTable{m.Pools, m.Functions} {
				if !slices.IsSortedFunc(table.Rows, func(x, y NoiseRow) int {
					if x.Value != y.Value {
						return int(math.Copysign(1, y.Value-x.Value))
					}
					return strings.Compare(x.Name, y.Name)
				}) || table.Seen < 0 || table.Seen > 1+1e-9 {
					t.Fatalf("report %d: %+v is out of order", i, table)
				}
				for _, row := range append([]NoiseRow{m.Total}, table.Rows...) {
					if (row.Down == nil) != (row.Basis == BasisUnknown) || row.Down != nil && (*row.Down < -1 || *row.Down >= 0 || *row.Up <= 0 || *row.Up < -*row.Down-1e-9) {
						t.Fatalf("report %d: %s of %s: %+v is no pair of changes", i, row.Name, m.Metric, row)
					}
				}
			}
		}
	}
}
