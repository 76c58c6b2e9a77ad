package profile

// Report is everything that any output prints: text, Markdown, JSON, CSV, PNG
// and SVG all read this one value and compute nothing themselves. Its JSON tags
// are the JSON schema. Amounts are in base units (bytes, objects, nanoseconds)
// divided as MetricReport.Per says.
type Report struct {
	Schema    int      `json:"schema"`              // 1; raised when a field changes its meaning or goes away
	Version   string   `json:"version,omitempty"`   // of allocdiff; set by the command
	Command   string   `json:"command,omitempty"`   // that made the report; set by the command
	Title     string   `json:"title"`               // "Allocations: BEFORE → AFTER"
	Verdict   string   `json:"verdict"`             // one or two sentences made from the numbers below
	Identical bool     `json:"identical,omitempty"` // the two sides are the same files
	Noise     string   `json:"noise"`               // how differences were judged, in a few words
	Tau       float64  `json:"tau,omitempty"`       // run-to-run noise found in replicates, as a coefficient of variation
	Before    SideInfo `json:"before"`
	After     SideInfo `json:"after"`
	Warnings  []string `json:"warnings,omitempty"` // doubts about the comparison; to be shown before any number
	Notes     []string `json:"notes,omitempty"`    // how to read it: pool coverage, estimates; for the footer

	Metrics []MetricReport `json:"metrics"`          // the main metric first; never empty
	Stress  []Measure      `json:"stress,omitempty"` // throughput, latency and GC lines found beside the profiles
	Gates   []GateResult   `json:"gates,omitempty"`  // outcome of each --fail-on
}

// Per is what amounts are divided by.
type Per string

// The divisors.
const (
	PerRun    Per = "run"    // nothing but the number of runs: the mean of the replicates
	PerOp     Per = "op"     // the operations of the run
	PerSecond Per = "second" // the duration of the profile
)

// Suffix is what follows the unit of an amount: "/op", "/s" or nothing.
func (p Per) Suffix() string {
	switch p {
	case PerOp:
		return "/op"
	case PerSecond:
		return "/s"
	}
	return ""
}

// Words says the divisor in words: "per operation", "per second" or nothing.
func (p Per) Words() string {
	switch p {
	case PerOp:
		return "per operation"
	case PerSecond:
		return "per second"
	}
	return ""
}

// SideInfo says where the numbers of one side come from.
type SideInfo struct {
	Label  string      `json:"label"`
	Inputs []InputInfo `json:"inputs"`
	Ops    float64     `json:"ops,omitempty"`    // operations of all runs; 0 when unknown
	Merged int         `json:"merged,omitempty"` // number of files summed as one fleet; 0 when files are replicates
}

// InputInfo describes one loaded profile.
type InputInfo struct {
	Name       string   `json:"name"`   // as given, or the path below the given folder
	SHA256     string   `json:"sha256"` // of the bytes as stored, hex
	Kind       Kind     `json:"kind"`
	Time       int64    `json:"timeNanos,omitempty"`     // when it was taken, Unix nanoseconds; 0 unknown
	Duration   int64    `json:"durationNanos,omitempty"` // 0 unknown
	Period     int64    `json:"period,omitempty"`        // of PeriodType: bytes between samples for a heap profile, nanoseconds for CPU; 0 unknown
	PeriodType Metric   `json:"periodType,omitzero"`
	Samples    int64    `json:"samples"` // rows of the profile
	BuildID    string   `json:"buildId,omitempty"`
	Comments   []string `json:"comments,omitempty"`
	Ops        float64  `json:"ops,omitempty"` // operations of this run; 0 unknown
}

// MetricReport holds the tables of one metric.
type MetricReport struct {
	Metric Metric `json:"metric"`
	Kind   Kind   `json:"kind"`
	By     string `json:"by"`  // what function rows are: function, package, file or line
	Per    Per    `json:"per"` // what amounts are divided by; what is live is never divided by operations
	Total  Row    `json:"total"`
	Pools  Table  `json:"pools"`
	Owner  Table  `json:"owner"`          // the first frame outside runtime and libraries
	Flat   Table  `json:"flat"`           // the leaf frame
	Cum    Table  `json:"cum"`            // every frame of the stack, once per sample
	ByPool Table  `json:"poolFunctions"`  // owner per pool; rows carry Pool
	Sizes  Table  `json:"sizes"`          // object size classes, ascending; empty without a `bytes` label
	Types  Table  `json:"types,omitzero"` // allocated classes of an async-profiler profile
	Focus  string `json:"focus"`          // which of owner, flat, cum people are shown first
}

// Functions is the table that people are shown: Owner, Flat or Cum as Focus says.
func (m *MetricReport) Functions() *Table {
	switch m.Focus {
	case "cum":
		return &m.Cum
	case "flat":
		return &m.Flat
	}
	return &m.Owner
}

// Table is a list of rows that, with Other, add up to the total of the metric
// (cum rows excepted: they overlap).
type Table struct {
	Rows  []Row   `json:"rows"`            // by |Delta|, then size, Name and Pool; size classes ascending
	Other *Row    `json:"other,omitempty"` // the rows that were cut, summed; nil when none was
	Count int     `json:"count"`           // rows before the cut
	Moved float64 `json:"moved"`           // share of all movement, sum of |Delta|, that Rows hold; in [0,1], 1 when nothing moved
}

// Row compares one name on both sides.
type Row struct {
	Name    string    `json:"name"`           // in full; printers shorten
	Pool    string    `json:"pool,omitempty"` // in pool × function tables
	Note    string    `json:"note,omitempty"` // "anonymous" for a pool whose name says nothing of its purpose; "was NAME" for a row paired with another name
	Before  Amount    `json:"before"`
	After   Amount    `json:"after"`
	Delta   float64   `json:"delta"`             // After - Before
	Percent *float64  `json:"percent,omitempty"` // of this row's before; nil when before is 0 or negative
	Verdict Verdict   `json:"verdict"`
	DeltaCI *Interval `json:"deltaInterval,omitempty"` // nil without a noise model, or not computed (rows that are not shown)
	RatioCI *Interval `json:"ratioInterval,omitempty"` // of After/Before
	P       *float64  `json:"p,omitempty"`
	Q       *float64  `json:"q,omitempty"` // Benjamini-Hochberg; nil outside the tested family
	Phi     float64   `json:"phi,omitempty"`
	Check   *Check    `json:"crossCheck,omitempty"` // totals and pools with 6 runs a side or more
	Need    *Need     `json:"need,omitempty"`       // what it would take to tell; only on unclear rows
}

// Amount is one side of a row.
type Amount struct {
	Value   float64 `json:"value"`             // base units, divided as MetricReport.Per says
	N       float64 `json:"n"`                 // sampled events behind it, all runs together; 0 when unknown
	Share   float64 `json:"share"`             // of the metric's total on this side, in [0,1]; 0 when the total is 0
	Threads int     `json:"threads,omitempty"` // pools only: threads declared or seen with a sample; 0 unknown
}

// Interval is a confidence interval. With Unbounded there is no upper end and
// Hi is 0.
type Interval struct {
	Lo        float64 `json:"lo"`
	Hi        float64 `json:"hi"`
	Unbounded bool    `json:"unbounded,omitempty"`
}

// Check compares the values of single runs by the Mann-Whitney test, which
// assumes nothing of their noise. It stands beside P and does not replace it.
type Check struct {
	P float64 `json:"p"`
	N int     `json:"n"` // runs on the side that has fewer
}

// Need is what would have to be sampled to see the change looked for (--detect)
// with 80 % power.
type Need struct {
	Samples float64 `json:"samples"`        // events of this row on the before side
	Bytes   float64 `json:"bytes"`          // the same as bytes at the present rate; 0 for CPU
	Rate    float64 `json:"rate,omitempty"` // or the sampling period that reaches it in runs of this length; 0 where values are not bytes
	Runs    int     `json:"runs,omitempty"` // or the runs a side that reach it at the present rate; 0 when no number does
}

// Verdict says what may be concluded from a row.
type Verdict string

// The verdicts.
const (
	Up      Verdict = "up"      // more, beyond noise
	Down    Verdict = "down"    // less, beyond noise
	New     Verdict = "new"     // nothing before, beyond noise
	Gone    Verdict = "gone"    // nothing after, beyond noise
	Same    Verdict = "same"    // shown to be within the tolerance
	Unclear Verdict = "unclear" // neither: too little was sampled to tell
	Few     Verdict = "few"     // under 6 sampled events on both sides together
	Unknown Verdict = "unknown" // no noise model for this profile
)

// Real reports whether the change is beyond noise.
func (v Verdict) Real() bool { return v == Up || v == Down || v == New || v == Gone }

// Measure is one line of a benchmark's own summary: throughput, latency, GC.
type Measure struct {
	Name   string   `json:"name"`   // as the benchmark names it: "op rate", "latency 99th percentile", "total gc count"
	Unit   string   `json:"unit"`   // "op/s", "ms", "B", "" for a count
	Before float64  `json:"before"` // mean of the runs
	After  float64  `json:"after"`
	P      *float64 `json:"p,omitempty"` // that the runs are alike, by the Mann-Whitney test; nil below 4 runs a side
}

// GateResult is the outcome of one --fail-on expression.
type GateResult struct {
	Gate    string `json:"gate"`    // as given
	Outcome string `json:"outcome"` // passed, failed or inconclusive
	Reason  string `json:"reason"`  // one line
}

// Empty reports whether no profile of either side holds any sample.
func (r *Report) Empty() bool {
	for _, s := range []*SideInfo{&r.Before, &r.After} {
		for i := range s.Inputs {
			if s.Inputs[i].Samples > 0 {
				return false
			}
		}
	}
	return true
}
