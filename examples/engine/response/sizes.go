package response

import (
	"fmt"
	"math"
)

// A Sizes is a distribution of response sizes in bytes, by its quantiles.
type Sizes struct {
	// Name is how the command line calls it.
	Name string
	// Title says what it is.
	Title string
	// At returns the size below which the share u of the responses is,
	// 0 < u < 1.
	At func(u float64) float64
}

// Distributions are the ones that CASSANDRA-21285 is tried with. The first is
// kind to a moving average, the last two are not.
var Distributions = []Sizes{
	{"paging", "normal, 40 kB ± 10 %", func(u float64) float64 { return max(1000, 40_000+4_000*math.Sqrt2*math.Erfinv(2*u-1)) }},
	{"uniform", "uniform, 20 to 60 kB", func(u float64) float64 { return 20_000 + 40_000*u }},
	{"lognormal", "lognormal, median 8 kB, sigma 1", func(u float64) float64 { return 8_000 * math.Exp(math.Sqrt2*math.Erfinv(2*u-1)) }},
	{"bimodal", "90 % 200 B, 10 % 100 kB", twoSizes(0.90, 200, 100_000)},
	{"rare", "99 % 200 B, 1 % 4 MB", twoSizes(0.99, 200, 4_000_000)},
}

func twoSizes(share, small, large float64) func(float64) float64 {
	return func(u float64) float64 {
		if u < share {
			return small
		}
		return large
	}
}

// FindSizes returns the named distribution.
func FindSizes(name string) (Sizes, error) {
	for _, s := range Distributions {
		if s.Name == name {
			return s, nil
		}
	}
	return Sizes{}, fmt.Errorf("distribution of sizes %q is unknown", name)
}
