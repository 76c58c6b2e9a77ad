package noise

// An Estimate is a sampled quantity: one profile sample, or the sum of any set
// of them. The zero value is nothing, known exactly.
type Estimate struct {
	// Value is the estimated amount: bytes, objects or nanoseconds, >= 0.
	Value float64

	// Variance is the sampling variance of Value, in squared units.
	Variance float64

	// Events is the number of sampled events behind Value, as the profiler
	// kept them. It is whole except where it can only be estimated.
	Events float64

	// Miss is the expected number of events of the sizes seen here that the
	// profiler did not keep.
	Miss float64

	// Weight is the largest value that one event here stands for.
	Weight float64

	// Unknown says that some part has no noise model: Variance, Events, Miss
	// and Weight do not cover it, and Value alone can be trusted.
	Unknown bool
}

// Exactly returns the estimate of a value that was counted, not sampled, such
// as a total from runtime.MemStats or a benchmark's B/op.
func Exactly(value float64) Estimate {
	return Estimate{Value: value, Events: value}
}

// Event returns the estimate of one sampled event of the given weight whose
// probability is unknown, such as a JFR ObjectAllocationSample or TLAB event:
// V = weight^2.
func Event(weight float64) Estimate {
	if !(weight > 0) {
		return Estimate{}
	}
	return Estimate{Value: weight, Variance: weight * weight, Events: 1, Weight: weight}
}

// Events returns the estimate of a group of n events whose weights are known
// only as their sum: V = 2*sum^2/n, as for exponential weights. Sum a group
// first: the events of two groups are not those of their union.
func Events(sum, n float64) Estimate {
	if !(sum > 0) {
		return Estimate{}
	}
	if !(n > 0) {
		return Estimate{Value: sum, Unknown: true}
	}
	return Estimate{Value: sum, Variance: 2 * sum * sum / n, Events: n, Weight: sum / n}
}

// Add adds o, sampled independently of e, to e.
func (e *Estimate) Add(o Estimate) {
	e.Value += o.Value
	e.Variance += o.Variance
	e.Events += o.Events
	e.Miss += o.Miss
	e.Weight = max(e.Weight, o.Weight)
	e.Unknown = e.Unknown || o.Unknown
}
