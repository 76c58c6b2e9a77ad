package noise

// A Method holds the settings of the comparison. [Default] has the usual ones.
type Method struct {
	// Confidence is the level of all intervals, such as 0.95.
	Confidence float64

	// FDR is the accepted share of false discoveries among the changes
	// reported, such as 0.05.
	FDR float64

	// RunCV is the coefficient of variation between runs, as a fraction, that
	// is assumed where there are no repeated runs to tell it. Zero allows for
	// sampling noise only.
	RunCV float64

	// Tau2 is the squared coefficient of variation between runs found in the
	// data; see [RunNoise]. It serves rows that have repeated runs.
	Tau2 float64

	// Tolerance is the relative change up to which a row counts as the same,
	// as a fraction.
	Tolerance float64

	// MinEffect is the smallest difference worth a verdict, in values per op
	// as in [Side.Rate].
	MinEffect float64

	// ExactShare and ExactEffect do the same where every event was recorded
	// and so every difference is certain: a difference must be at least this
	// fraction of the row and this value per run. Even then the runtime
	// charges a stray object now and then to whoever triggers its collector.
	ExactShare, ExactEffect float64

	// Detect is the relative change that [Method.Need] plans for, as a
	// fraction of before.
	Detect float64
}

// Assumed coefficients of variation between runs, for [Method.RunCV]: with
// them one pair of equal runs has about 5 % chance of a flagged row.
const (
	HeapRunCV = 0.03
	CPURunCV  = 0.10
)

// Default returns the settings for heap bytes. For objects set ExactEffect to
// a number of objects; for CPU time set RunCV to [CPURunCV] and ExactEffect to
// 0.
func Default() Method {
	return Method{
		Confidence:  0.95,
		FDR:         0.05,
		RunCV:       HeapRunCV,
		Tolerance:   0.05,
		ExactShare:  0.001,
		ExactEffect: 1024,
		Detect:      0.09,
	}
}

// alpha returns the two-sided error level of intervals.
func (m Method) alpha() float64 {
	if m.Confidence > 0 && m.Confidence < 1 {
		return 1 - m.Confidence
	}
	return 0.05
}
