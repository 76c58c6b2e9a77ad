package profile

// Options say how profiles are attributed, compared and judged. The zero value
// is the default of every setting.
type Options struct {
	Pools     PoolOptions
	By        string  // rows of the function tables: "function" or "", "package", "file", "line"
	Module    string  // where owners are looked for; "" guesses, "-" takes any module
	Per       Per     // "" decides: per operation when both sides tell their operations, else per run
	OpsBefore float64 // operations of each run; 0 asks the profiles' own comments
	OpsAfter  float64
	Merge     bool     // the files of a side are one fleet's profile, not replicates
	Metric    string   // sample type to show first; "" chooses
	Cum       bool     // show cumulative values first
	Flat      bool     // show flat values first, in place of owners
	Lean      bool     // leave out what only ReportOptions.All shows: functions per pool, and cumulative values unless Cum
	TrimPath  []string // prefixes to take off source paths

	Judge JudgeOptions

	// Progress, if set, is called after each read with the profiles read so far
	// and the bytes of them, by both sides at once.
	Progress func(profiles, bytes int64)
}
