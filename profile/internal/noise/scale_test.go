package noise

import (
	"math"
	"testing"
)

// written is what runtime/pprof writes for n sampled objects of the given
// size: scaleHeapSample in protomem.go.
func written(n, size, period int64) (objects, space int64) {
	if period <= 1 {
		return n, n * size
	}
	scale := 1 / (1 - math.Exp(-float64(size)/float64(period)))
	return int64(float64(n) * scale), int64(float64(n*size) * scale)
}

func TestHeapRecoversCounts(t *testing.T) {
	sizes := []int64{8, 16, 24, 48, 112, 1024, 1152, 9472, 32768, 40960, 1 << 20, 3<<20 + 8192, 1 << 30}
	for _, period := range []int64{1, 2, 16, 512, 4096, 64 << 10, 512 << 10, 4 << 20, MaxHeapPeriod} {
		for _, size := range sizes {
			bytes, objects := Heap(size, period)
			for _, n := range []int64{1, 2, 3, 7, 100, 4321, 1_000_003, 10_000_000_019} {
				if n > 1<<62/max(size, period) {
					continue // no such profile can be written
				}
				_, space := written(n, size, period)
				b, fits := bytes.Estimate(space)
				if !fits || b.Events != float64(n) {
					t.Fatalf("Heap(%d, %d) of %d bytes: got %v events (fits %v), want %d", size, period, space, b.Events, fits, n)
				}
				if got, want := b.Value, float64(space); math.Abs(got-want) > 1+want*(1e-15+1e-16/-math.Expm1(-float64(size)/float64(period))) {
					t.Errorf("Heap(%d, %d): got %v bytes, want %v", size, period, got, want)
				}
				o, _ := objects.Estimate(space)
				if got, want := o.Value*float64(size), b.Value; math.Abs(got-want) > 1e-12*want {
					t.Errorf("Heap(%d, %d): %v objects are %v bytes, want %v", size, period, o.Value, got, want)
				}
			}
		}
	}
}

func TestHeapVariance(t *testing.T) {
	const R = 512 << 10
	for _, size := range []int64{16, 1024, 256 << 10, R, 4 << 20} {
		_, space := written(40, size, R)
		scale, objects := Heap(size, R)
		b, _ := scale.Estimate(space)
		// The two forms of statistics: n*w*w*q and X*S/(exp(S/R)-1).
		s := float64(size)
		if want := b.Value * s / math.Expm1(s/R); !near(b.Variance, want, 1e-12) {
			t.Errorf("size %d: got variance %v, want %v", size, b.Variance, want)
		}
		if bound := b.Value * R; b.Variance > bound {
			t.Errorf("size %d: got variance %v above the bound %v", size, b.Variance, bound)
		}
		o, _ := objects.Estimate(space)
		if want := b.Variance / (s * s); !near(o.Variance, want, 1e-12) {
			t.Errorf("size %d: got variance of objects %v, want %v", size, o.Variance, want)
		}
		p := -math.Expm1(-s / R)
		if want := 40 * (1 - p); math.Abs(b.Miss-want) > 1e-9 {
			t.Errorf("size %d: got %v missed events, want %v", size, b.Miss, want)
		}
		if want := s / p; !near(b.Weight, want, 1e-12) {
			t.Errorf("size %d: got weight %v, want %v", size, b.Weight, want)
		}
	}
}

func TestScale(t *testing.T) {
	space, objects := Heap(1000, 1)
	bound, none := Heap(0, 4096)
	exact, _ := Heap(0, 1)
	for _, test := range []struct {
		name  string
		scale Scale
		value int64
		want  Estimate
	}{
		{"rate 1, bytes", space, 5000, Estimate{Value: 5000, Events: 5, Weight: 1}},
		{"rate 1, objects", objects, 5000, Estimate{Value: 5, Events: 5, Weight: 1}},
		{"rate 1, no size", exact, 5000, Estimate{Value: 5000, Events: 5000, Weight: 1}},
		{"no size, bytes", bound, 8192, Estimate{Value: 8192, Variance: 8192 * 4096, Events: 2, Weight: 4096}},
		{"no size, objects", none, 8192, Estimate{Value: 8192, Unknown: true}},
		{"CPU", Interval(10_000_000), 7e7, Estimate{Value: 7e7, Variance: 7e14, Events: 7, Weight: 1e7}},
		{"counts", Interval(1), 9, Estimate{Value: 9, Variance: 9, Events: 9, Weight: 1}},
		{"JVM TI", Interval(1000), 4000, Estimate{Value: 4000, Variance: 4e6, Events: 4, Weight: 1000}},
		{"interval 0", Interval(0), 4000, Estimate{Value: 4000, Unknown: true}},
		{"zero scale", Scale{}, 3, Estimate{Value: 3, Unknown: true}},
		{"nothing", Interval(1), 0, Estimate{}},
	} {
		got, fits := test.scale.Estimate(test.value)
		if got != test.want || !fits {
			t.Errorf("%s: Estimate(%d) = %+v, %v, want %+v, true", test.name, test.value, got, fits, test.want)
		}
	}
}

func TestScaleDeviates(t *testing.T) {
	const R = 512 << 10
	scale, _ := Heap(1024, R)
	_, space := written(50, 1024, R)
	_, many := written(50_000_000_000, 1024, R)
	for _, test := range []struct {
		value int64
		want  bool
	}{
		{space, true},
		{space - 3, true},      // rounding of merged profiles
		{space + R/10, false},  // a tenth of a sample
		{50 * 1024, false},     // not scaled up at all
		{int64(-space), false}, // from a diff
		{many, true},           // whatever its size
	} {
		if _, got := scale.Estimate(test.value); got != test.want {
			t.Errorf("Estimate(%d) fits: got %v, want %v", test.value, got, test.want)
		}
	}
}

func TestScaleDoesNotAllocate(t *testing.T) {
	scale, _ := Heap(1024, 512<<10)
	var sum Estimate
	if n := testing.AllocsPerRun(100, func() {
		e, _ := scale.Estimate(1 << 20)
		sum.Add(e)
	}); n != 0 {
		t.Errorf("got %v allocations a row, want 0", n)
	}
}

func TestQuantum(t *testing.T) {
	for _, test := range []struct {
		values []int64
		want   int64
	}{
		{nil, 0},
		{[]int64{0, 12}, 12},
		{[]int64{10_000_000, 30_000_000, 250_000_000}, 10_000_000},
		{[]int64{12, 18, -24}, 6},
		{[]int64{12, 18, 7}, 1},
	} {
		var got int64
		for _, v := range test.values {
			got = Quantum(got, v)
		}
		if got != test.want {
			t.Errorf("Quantum of %v: got %d, want %d", test.values, got, test.want)
		}
	}
}

// near reports whether two numbers agree to a relative difference of eps.
func near(got, want, eps float64) bool {
	return math.Abs(got-want) <= eps*max(math.Abs(got), math.Abs(want))
}
