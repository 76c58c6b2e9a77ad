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
