package noise

import "math"

const rate = 512 << 10

// small is a scale whose events weigh about the sampling period.
var small, _ = Heap(64, rate)

// events returns the estimate of n sampled objects of 64 bytes.
func events(n float64) Estimate {
	_, space := written(int64(n), 64, rate)
	e, _ := small.Estimate(space)
	return e
}

// side returns a side of n events in all, spread evenly over the runs.
func side(n float64, runs int) Side {
	counts := make([]float64, runs)
	for i := range counts {
		counts[i] = n / float64(runs)
	}
	return sideOf(counts...)
}

// sideOf returns a side with so many events in each run.
func sideOf(counts ...float64) Side {
	s := Side{Runs: len(counts), Period: rate}
	for _, n := range counts {
		if n > 0 {
			s.Add(events(n), 1)
		}
	}
	return s
}

// sampling allows for sampling noise only.
func sampling() Method {
	m := Default()
	m.RunCV = 0
	return m
}

func finite(values ...float64) bool {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}
