package noise

// A Side is one row of the report on one side, before or after: the sum over
// the runs of the side. The first two fields belong to the row; the others
// are facts of the whole side, equal for all its rows. Runs in which the row is
// absent count as zero.
type Side struct {
	// Estimate is the sum over all runs.
	Estimate

	// Squares is the sum over the runs of value^2/ops. From it follows the
	// scatter between runs, without keeping them.
	Squares float64

	// Runs is the number of runs (profiles) of the side. Less than 1 means 1.
	Runs int

	// Ops is what values are divided by to be compared, summed over all runs:
	// operations, nanoseconds, or the side's total where shares are compared.
	// Zero, and anything outside 1e-30 to 1e30, means one per run.
	Ops float64

	// Period is the mean value between two sampled events, in units of the
	// value, and 0 if unknown: the heap sampling period in bytes, or the CPU
	// period in nanoseconds. It bounds what a side without a single event may
	// have missed, so leave it 0 for objects, which have no such bound.
	Period float64

	// Sampled says that the profiler keeps a sample, so that nothing is known
	// exactly: where all events of a row are larger than the period and so were
	// recorded, they are still those of one run.
	Sampled bool
}

// Rate returns Value/Ops, the value per operation, or per run if operations
// are unknown.
func (s Side) Rate() float64 { return s.Value / s.ops() }

func (s Side) runs() float64 { return float64(max(s.Runs, 1)) }

// minOps and maxOps keep squares and quotients of ops finite.
const minOps, maxOps = 1e-30, 1e30

func (s Side) ops() float64 {
	if s.Ops >= minOps && s.Ops <= maxOps {
		return s.Ops
	}
	return s.runs()
}

// guarded returns the variance with the large-object guard: unless it is
// practically impossible that an object of the largest size seen was missed
// (fewer than 2 % expected), count at least one of them.
func (s Side) guarded() float64 {
	return max(s.Variance, min(1, 50*s.Miss)*s.Weight*s.Weight)
}

// scatter returns the degrees of freedom between the runs of the side and the
// sum of squares between them, sum of (X_i-mu_i)^2/mu_i with mu_i = T_i*X/T,
// in units of the value. A side without the row has neither.
func (s Side) scatter() (nu, sum float64) {
	if !(s.Value > 0) {
		return 0, 0
	}
	return s.runs() - 1, max(0, s.ops()*s.Squares/s.Value-s.Value)
}
