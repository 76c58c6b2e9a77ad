package noise

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// Where the limits of the binomial replace it. The exact tails cost about a
// microsecond and are good to 8 digits below these counts; the limits agree
// with them to three digits or better above.
const (
	manyEvents = 1e5 // of both kinds: normal
	allEvents  = 1e9 // of one kind: Poisson in the other
)

// binomialTail returns the mid-p upper tail P(K > k) + P(K = k)/2 of a
// binomial K of k+j trials with the given odds, for real k, j >= 0, not both 0.
func binomialTail(k, j, odds float64) float64 {
	if odds*j > k {
		return 1 - smallTail(j, k, 1/odds)
	}
	return smallTail(k, j, odds)
}

// smallTail is binomialTail where that is at most about a half, k/j >= odds.
// There it is exact however small.
func smallTail(k, j, odds float64) float64 {
	yes, no := 1/(1+1/odds), 1/(1+odds)
	switch {
	case min(k, j) > manyEvents:
		z := (math.Log(k/j) - math.Log(odds)) / math.Sqrt(1/k+1/j)
		return distuv.UnitNormal.CDF(-z)
	case j > allEvents:
		return poissonTail(k, (k+j)*yes)
	case k > allEvents:
		return poissonHead(j, (k+j)*no)
	}
	atLeast, above := 1.0, 0.0
	if k > 0 {
		atLeast = mathext.RegIncBeta(k, j+1, yes)
	}
	if j > 0 {
		above = mathext.RegIncBeta(k+1, j, yes)
	}
	return (atLeast + above) / 2
}

// poissonTail returns the mid-p upper tail P(K > n) + P(K = n)/2 of a Poisson
// K with the given mean, for real n >= 0.
func poissonTail(n, mean float64) float64 {
	atLeast := 1.0
	if n > 0 {
		atLeast = mathext.GammaIncReg(n, mean)
	}
	return (atLeast + mathext.GammaIncReg(n+1, mean)) / 2
}

// poissonHead returns 1-poissonTail(n, mean), exact where it is small.
func poissonHead(n, mean float64) float64 {
	below := 0.0
	if n > 0 {
		below = mathext.GammaIncRegComp(n, mean)
	}
	return (below + mathext.GammaIncRegComp(n+1, mean)) / 2
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

// root returns where the increasing function f crosses zero between lo and hi:
// false position in the Illinois form, with a bisection now and then where
// that is slow. It returns the nearer end if f does not cross.
func root(f func(float64) float64, lo, hi float64) float64 {
	flo, fhi := f(lo), f(hi)
	if flo >= 0 {
		return lo
	}
	if fhi <= 0 {
		return hi
	}
	last := 0.0 // sign of f at the point before
	for i := 0; i < 100 && hi-lo > 1e-12*(math.Abs(lo)+math.Abs(hi)); i++ {
		x := (lo*fhi - hi*flo) / (fhi - flo)
		if i%4 == 3 || !(lo < x && x < hi) {
			x = lo + (hi-lo)/2
		}
		fx := f(x)
		switch {
		case fx == 0:
			return x
		case fx < 0:
			if lo, flo = x, fx; last < 0 {
				fhi /= 2
			}
		default:
			if hi, fhi = x, fx; last > 0 {
				flo /= 2
			}
		}
		last = fx
	}
	return lo + (hi-lo)/2
}
