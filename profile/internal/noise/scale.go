package noise

import "math"

// MaxHeapPeriod is the largest heap sampling period, in bytes, that the Go
// runtime obeys (fastexprand in runtime/malloc.go). It samples at this one if
// told a longer one, but writes the longer one into the profile, so that all
// values of such a profile are biased.
const MaxHeapPeriod = 0x7000000

// A Scale turns the written value of a profile sample into an [Estimate]. It
// depends on the sampling period and the object size alone, so compute it once
// for each size and keep it: a row then costs a multiplication and a rounding.
// The zero Scale has no noise model: its estimates are Unknown.
type Scale struct {
	kind     kind
	events   float64 // sampled events per unit of the written value
	weight   float64 // value of one event
	variance float64 // variance per event
	miss     float64 // expected number of unsampled events per event
	slack    float64 // largest distance of a count from a whole number
}

type kind uint8

const (
	unknown kind = iota
	counted      // written values are whole numbers of events
	spread       // event sizes are unknown: the value is taken as written
)

// Heap returns the scales of the rows of a Go heap profile with the given
// object size (label "bytes"; 0 where there is none) and sampling period
// (Period, bytes). Both take the row's *space* value, alloc_space or
// inuse_space, also to estimate objects: the written object counts are
// truncated too much to be inverted.
//
// A period of 1 or less means that every allocation was recorded. Without a
// size only an upper bound of the variance of bytes is known, V = X*R, and
// none for objects.
func Heap(size, period int64) (space, objects Scale) {
	s, r := float64(size), float64(period)
	switch {
	case period <= 1 && size <= 0:
		return Scale{kind: spread, events: 1, weight: 1}, Scale{}
	case period <= 1:
		return Scale{kind: spread, events: 1 / s, weight: 1},
			Scale{kind: counted, events: 1 / s, weight: 1, slack: slack(r)}
	case size <= 0:
		return Interval(r), Scale{}
	}
	u := s / r
	p, q := -math.Expm1(-u), math.Exp(-u)
	// The writer scales by 1/(1-exp(-u)), which for small u is off by its
	// rounding: invert what it did, and weigh by what is right.
	perUnit := (1 - q) / s
	sampled := func(w float64) Scale {
		return Scale{
			kind: counted, events: perUnit, weight: w,
			variance: w * w * q, miss: q, slack: slack(r),
		}
	}
	return sampled(s / p), sampled(1 / p)
}

// slack returns how far an inverted count may be from a whole number: the
// writer truncates values to whole bytes, and at tiny periods the integer
// gaps of the runtime bias the scaling.
func slack(period float64) float64 {
	return max(0.02, 2/max(period, 1))
}

// Interval returns the scale of values sampled once in so many units, or that
// are sums of events of the given weight: V = interval*X. An interval that is not
// positive is unknown.
func Interval(interval float64) Scale {
	if !(interval > 0) || math.IsInf(interval, 0) {
		return Scale{}
	}
	return Scale{kind: spread, events: 1 / interval, weight: interval, variance: interval}
}

// Estimate returns the estimate of a row with the given written value. Values
// of zero and less give nothing.
//
// It also reports whether the value is one that the profile's writer can have
// made of a whole number of events. If not, somebody has rescaled the profile
// or its period is wrong, and its noise is not what this package thinks.
func (s Scale) Estimate(value int64) (e Estimate, fits bool) {
	if value <= 0 {
		return Estimate{}, value == 0
	}
	x := float64(value)
	n := x * s.events
	switch s.kind {
	case counted:
		whole := math.Round(n)
		// Beyond 2^45 events the last bits of n are lost: allow for them.
		fits = math.Abs(n-whole) <= s.slack+n*0x1p-50
		return Estimate{
			Value: whole * s.weight, Variance: whole * s.variance,
			Events: whole, Miss: whole * s.miss, Weight: s.weight,
		}, fits
	case spread:
		return Estimate{Value: x, Variance: x * s.variance, Events: n, Weight: s.weight}, true
	}
	return Estimate{Value: x, Unknown: true}, true
}

// Quantum returns the largest value of which all values seen so far are
// multiples: start with q = 0 and pass every value. A result above 1 over a
// profile of unknown rate is a sampling interval that can be inferred; the
// report must then say so.
func Quantum(q, value int64) int64 {
	for value != 0 {
		q, value = value, q%value
	}
	if q < 0 {
		return -q
	}
	return q
}
