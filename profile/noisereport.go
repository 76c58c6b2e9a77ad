package profile

// NoiseReport says how much the runs of one build differ among themselves and
// what change a comparison of such runs would see: text, JSON, PNG and SVG all
// read this one value. Its JSON tags are the JSON schema. Amounts are in base
// units divided as NoiseMetric.Per says; changes, shares and coefficients of variation are
// fractions.
type NoiseReport struct {
	Schema     int           `json:"schema"`            // 1; raised when a field changes its meaning or goes away
	Version    string        `json:"version,omitempty"` // of allocdiff; set by the command
	Command    string        `json:"command,omitempty"` // that made the report; set by the command
	Title      string        `json:"title"`
	Advice     string        `json:"advice"` // what would be seen of the main metric, and what to do to see more
	Side       SideInfo      `json:"side"`
	Confidence float64       `json:"confidence"`         // at which a change is seen
	Power      float64       `json:"power"`              // chance to see a change of the size given
	Falls      []float64     `json:"falls"`              // changes that Reach plans for, such as -0.09; the largest fall first
	Warnings   []string      `json:"warnings,omitempty"` // doubts whether these are runs of one build
	Notes      []string      `json:"notes,omitempty"`    // how to read it
	Metrics    []NoiseMetric `json:"metrics"`            // the main metric first; never empty
	Split      *SplitCheck   `json:"split,omitempty"`    // odd against even runs; nil below 4 runs of every kind
}

// NoiseMetric is the noise of one metric.
type NoiseMetric struct {
	Metric  Metric  `json:"metric"`
	Kind    Kind    `json:"kind"`
	Per     Per     `json:"per"`               // as in MetricReport
	Runs    int     `json:"runs"`              // profiles of this kind: the runs a side that changes are planned for
	Tau     float64 `json:"tau"`               // run noise beyond sampling that the functions have in common, as a coefficient of variation; 0 with one run
	Assumed float64 `json:"assumed,omitempty"` // run noise assumed in its place with one run

	SamplingDown *float64 `json:"samplingDown,omitempty"` // with one run: the smallest changes of the total by sampling noise alone
	SamplingUp   *float64 `json:"samplingUp,omitempty"`   //

	Advice    string     `json:"advice"` // what would be seen of the total, and what to do to see more
	Total     NoiseRow   `json:"total"`
	Pools     NoiseTable `json:"pools"`
	Functions NoiseTable `json:"functions"`
	Focus     string     `json:"focus"` // which functions these are: owner, flat or cum
	By        string     `json:"by"`    // what a row of Functions is: function, package, file or line
}

// NoiseTable lists rows by Value, then Name.
type NoiseTable struct {
	Rows  []NoiseRow `json:"rows"`
	Count int        `json:"count"` // rows before the cut
	Seen  float64    `json:"seen"`  // share of the sum of all rows that is in rows whose first Reach is seen
}

// NoiseRow is the noise of a total, a pool or a function, and what it lets be
// seen. What is not known is nil.
type NoiseRow struct {
	Name     string       `json:"name"`
	Note     string       `json:"note,omitempty"` // as in Row
	Value    float64      `json:"value"`          // mean over the runs, base units, divided as NoiseMetric.Per says
	Share    float64      `json:"share"`          // of the total
	N        float64      `json:"n"`              // sampled events in a run; 0 when unknown
	Basis    NoiseBasis   `json:"basis"`
	Few      bool         `json:"few,omitempty"`      // two such sides hold too few events to be judged
	Sampling *float64     `json:"sampling,omitempty"` // coefficient of variation of a run by sampling alone; 0 when every event was recorded
	Scatter  *float64     `json:"scatter,omitempty"`  // the same as seen between the runs, sampling included; nil with one run
	Down     *float64     `json:"down,omitempty"`     // smallest change downwards that would be seen, in [-1, 0); -1: a row that vanishes, at best
	Up       *float64     `json:"up,omitempty"`       // smallest change upwards
	Reach    []NoiseReach `json:"reach,omitempty"`    // what would let each of Falls be seen; empty with an unknown basis
}

// NoiseBasis says what the noise of a row is known from.
type NoiseBasis string

// The bases.
const (
	BasisExact      NoiseBasis = "exact"      // every event was recorded, and the runs do not differ
	BasisSampling   NoiseBasis = "sampling"   // one run: sampling, and an assumed run noise
	BasisReplicates NoiseBasis = "replicates" // sampling and the scatter between runs
	BasisScatter    NoiseBasis = "scatter"    // the scatter between runs alone
	BasisUnknown    NoiseBasis = "unknown"    // nothing: the profile does not tell how it was sampled
)

// NoiseReach is what would let a fall of a row be seen: any one of Runs, Rate
// and Longer.
type NoiseReach struct {
	Change float64 `json:"change"`           // the fall, such as -0.09
	Seen   bool    `json:"seen"`             // it would be with the runs and the rate there are
	Runs   int     `json:"runs,omitempty"`   // runs a side, all together; 0 when more than 10,000
	Rate   int64   `json:"rate,omitempty"`   // sampling period in bytes, a power of two; 0 when no period does, or it is not known
	Longer float64 `json:"longer,omitempty"` // runs this many times as long, where no period is known; 0 when no length does
	Advice string  `json:"advice,omitempty"` // the same in words; empty when seen
}

// SplitCheck compares the odd with the even runs of each kind of which there
// are 4 or more, as if they were before and after. Nothing should differ.
type SplitCheck struct {
	Odd     []string   `json:"odd"`     // names of the inputs on each side
	Even    []string   `json:"even"`    //
	Tested  int        `json:"tested"`  // rows that could be judged: totals, pools and functions
	Flagged []SplitRow `json:"flagged"` // rows that were called changed, in the order of the tables
}

// SplitRow is a row that differs between odd and even runs.
type SplitRow struct {
	Metric  Metric   `json:"metric"`
	Table   string   `json:"table"` // total, pools or functions
	Name    string   `json:"name"`
	Percent *float64 `json:"percent,omitempty"` // even against odd; nil when odd has none
	Q       float64  `json:"q"`
}

// Empty reports whether no profile holds any sample.
func (r *NoiseReport) Empty() bool {
	for i := range r.Side.Inputs {
		if r.Side.Inputs[i].Samples > 0 {
			return false
		}
	}
	return true
}
