package noise

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// manyEvents is where the normal form replaces the exact tails. Both agree to
// three digits there.
const manyEvents = 1e4

// binomialTail returns the mid-p upper tail P(K > k) + P(K = k)/2 of a
// binomial K of k+j trials with probability pi, for real k, j >= 0.
func binomialTail(k, j, pi float64) float64 {
	if k+j > manyEvents && min(k, j) > manyEvents/10 {
		z := (math.Log(k/j) - math.Log(pi/(1-pi))) / math.Sqrt(1/k+1/j)
		return distuv.UnitNormal.CDF(-z)
	}
	atLeast, above := 1.0, 0.0
	if k > 0 {
		atLeast = mathext.RegIncBeta(k, j+1, pi)
	}
	if j > 0 {
		above = mathext.RegIncBeta(k+1, j, pi)
	}
	return (atLeast + above) / 2
}

// poissonTail returns the mid-p upper tail P(K > n) + P(K = n)/2 of a Poisson
// K with the given mean, for real n >= 0.
func poissonTail(n, mean float64) float64 {
	if n == 0 {
		return (1 + mathext.GammaIncReg(1, mean)) / 2
	}
	return (mathext.GammaIncReg(n, mean) + mathext.GammaIncReg(n+1, mean)) / 2
}

// poissonMean returns the mean at which poissonTail(n, mean) is a.
func poissonMean(n, a float64) float64 {
	z := distuv.UnitNormal.Quantile(a)
	// Wilson and Hilferty: the quantile of a gamma variable of shape n+1/2.
	shape := n + 0.5
	c := 1 - 1/(9*shape) + z/(3*math.Sqrt(shape))
	guess := shape * c * c * c
	if n > manyEvents {
		return guess
	}
	width := 0.1 * (1 + math.Sqrt(n))
	f := func(mean float64) float64 { return poissonTail(n, mean) - a }
	lo := max(0, guess-width)
	for lo > 0 && f(lo) > 0 {
		lo = max(0, lo-4*width)
	}
	hi := max(guess, 0) + width
	for f(hi) < 0 {
		hi += 4 * width
	}
	return root(f, lo, hi)
}

// root returns where the increasing function f crosses zero between lo and hi
// (false position in the Illinois form, bisection where that is slow).
func root(f func(float64) float64, lo, hi float64) float64 {
	flo, fhi := f(lo), f(hi)
	if flo >= 0 {
		return lo
	}
	if fhi <= 0 {
		return hi
	}
	for i := range 100 {
		x := (lo*fhi - hi*flo) / (fhi - flo)
		if i%4 == 3 || !(lo < x && x < hi) {
			x = lo + (hi-lo)/2
		}
		if hi-lo <= 1e-12*(math.Abs(lo)+math.Abs(hi)) {
			return x
		}
		switch fx := f(x); {
		case fx == 0:
			return x
		case fx < 0:
			lo, flo, fhi = x, fx, fhi/2
		default:
			hi, fhi, flo = x, fx, flo/2
		}
	}
	return lo + (hi-lo)/2
}
