package stress

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// A Summary is what a run measured, in operations, bytes and nanoseconds.
type Summary struct {
	// Ops is the number of operations done, Rows that of rows read or written,
	// Errors that of operations that failed.
	Ops    int64 `json:"ops"`
	Rows   int64 `json:"rows"`
	Errors int64 `json:"errors"`
	// ElapsedNs is the wall-clock time from before the first operation until
	// the background work was done; CPUNs the process's processor time in it,
	// 0 if unknown.
	ElapsedNs int64 `json:"elapsed_ns"`
	CPUNs     int64 `json:"cpu_ns"`
	// Latency is that of all kinds together.
	Latency Latency `json:"latency"`
	// GC is what the collector did.
	GC GC `json:"gc"`
	// Uncertainty is the relative standard error of the intervals' rates; 0
	// for a single interval.
	Uncertainty float64 `json:"uncertainty"`
	// Kinds has an entry for each of Config.Kinds, in that order.
	Kinds []KindSummary `json:"kinds"`
}

// A KindSummary is the part of one kind of operation.
type KindSummary struct {
	Kind    string  `json:"kind"`
	Ops     int64   `json:"ops"`
	Rows    int64   `json:"rows"`
	Errors  int64   `json:"errors"`
	Latency Latency `json:"latency"`
}

// A Latency is the distribution of latencies in nanoseconds, to three digits.
// It is a closed loop's: see the package comment.
type Latency struct {
	MeanNs float64 `json:"mean_ns"`
	P50Ns  float64 `json:"p50_ns"`
	P95Ns  float64 `json:"p95_ns"`
	P99Ns  float64 `json:"p99_ns"`
	P999Ns float64 `json:"p999_ns"`
	MaxNs  float64 `json:"max_ns"`
}

func latencyOf(t *tally) Latency {
	h := t.latency
	at := func(q float64) float64 { return float64(h.ValueAtQuantile(q)) }
	return Latency{MeanNs: h.Mean(), P50Ns: at(50), P95Ns: at(95), P99Ns: at(99), P999Ns: at(99.9), MaxNs: float64(h.Max())}
}

// Rate returns operations per second.
func (s Summary) Rate() float64 { return float64(s.Ops) / (float64(s.ElapsedNs) / 1e9) }

// BytesPerOp returns allocated bytes per operation.
func (s Summary) BytesPerOp() float64 { return float64(s.GC.AllocBytes) / float64(s.Ops) }

// ObjectsPerOp returns allocated objects per operation.
func (s Summary) ObjectsPerOp() float64 { return float64(s.GC.AllocObjects) / float64(s.Ops) }

// WriteText prints the summary as cassandra-stress of format f does, and after
// its last line what stress does not know: bytes, objects and processor time
// for an operation. Latencies have three decimals where stress has one: an
// operation of this engine takes microseconds.
func (s Summary) WriteText(w io.Writer, f Format) error {
	var b strings.Builder
	b.WriteString("\nResults:\n")
	if f == Legacy {
		s.legacy(&b)
	} else {
		s.current(&b)
	}
	fmt.Fprintf(&b, "%-26s: %s\n", "Total operation time", clock(s.ElapsedNs))
	b.WriteString("END\n\n")
	ops := float64(s.Ops)
	fmt.Fprintf(&b, "%-26s: %.0f B/op\n", "Allocated", s.BytesPerOp())
	fmt.Fprintf(&b, "%-26s: %.2f objects/op\n", "Allocated objects", s.ObjectsPerOp())
	fmt.Fprintf(&b, "%-26s: %.0f ns/op\n", "Processor time", float64(s.CPUNs)/ops)
	fmt.Fprintf(&b, "%-26s: %.0f ns/op\n", "Collector processor time", s.GC.CPUNs/ops)
	_, err := io.WriteString(w, b.String())
	return err
}

// legacy is the block of 2014.
func (s Summary) legacy(b *strings.Builder) {
	row := func(name, value string) { fmt.Fprintf(b, "%-26s: %s\n", name, value) }
	row("real op rate", fmt.Sprintf("%.0f", s.Rate()))
	row("adjusted op rate stderr", fmt.Sprintf("%.0f", s.Uncertainty))
	row("key rate", fmt.Sprintf("%.0f", s.Rate()))
	for _, l := range s.Latency.rows() {
		row("latency "+l.name, fmt.Sprintf("%.3f", ms(l.ns)))
	}
}

// current is the block since Cassandra 3.
func (s Summary) current(b *strings.Builder) {
	seconds := float64(s.ElapsedNs) / 1e9
	rate := func(name, unit string, all int64, of func(KindSummary) int64) {
		fmt.Fprintf(b, "%-26s: %8s %-5s %s\n", name, grouped(float64(all)/seconds, 0), unit,
			s.byKind(func(k KindSummary) string { return grouped(float64(of(k))/seconds, 0) + " " + unit }))
	}
	ops := func(k KindSummary) int64 { return k.Ops }
	rate("Op rate", "op/s", s.Ops, ops)
	rate("Partition rate", "pk/s", s.Ops, ops)
	rate("Row rate", "row/s", s.Rows, func(k KindSummary) int64 { return k.Rows })
	for i, l := range s.Latency.rows() {
		fmt.Fprintf(b, "%-26s: %6s ms %s\n", "Latency "+l.name, grouped(ms(l.ns), 3),
			s.byKind(func(k KindSummary) string { return grouped(ms(k.Latency.rows()[i].ns), 3) + " ms" }))
	}
	fmt.Fprintf(b, "%-26s: %10s %s\n", "Total partitions", grouped(float64(s.Ops), 0),
		s.byKind(func(k KindSummary) string { return grouped(float64(k.Ops), 0) }))
	fmt.Fprintf(b, "%-26s: %10s %s\n", "Total errors", grouped(float64(s.Errors), 0),
		s.byKind(func(k KindSummary) string { return grouped(float64(k.Errors), 0) }))
	fmt.Fprintf(b, "%-26s: %s\n", "Total GC count", grouped(float64(s.GC.Cycles), 0))
	fmt.Fprintf(b, "%-26s: %.3f GiB\n", "Total GC memory", float64(s.GC.FreedBytes)/(1<<30))
	fmt.Fprintf(b, "%-26s: %6s seconds\n", "Total GC time", grouped(s.GC.PauseNs/1e9, 4))
	fmt.Fprintf(b, "%-26s: %6s ms\n", "Avg GC time", grouped(ms(s.GC.PauseNs)/float64(max(1, s.GC.Pauses)), 3))
	fmt.Fprintf(b, "%-26s: %6s ms\n", "StdDev GC time", grouped(ms(s.GC.PauseStdNs), 3))
}

// byKind returns "[read: A, write: B]".
func (s Summary) byKind(value func(KindSummary) string) string {
	parts := make([]string, len(s.Kinds))
	for i, k := range s.Kinds {
		parts[i] = strings.ToLower(k.Kind) + ": " + value(k)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// latencyRow is one named figure of a Latency.
type latencyRow struct {
	name string
	ns   float64
}

// rows returns the figures in the order in which stress prints them.
func (l Latency) rows() []latencyRow {
	return []latencyRow{
		{"mean", l.MeanNs},
		{"median", l.P50Ns},
		{"95th percentile", l.P95Ns},
		{"99th percentile", l.P99Ns},
		{"99.9th percentile", l.P999Ns},
		{"max", l.MaxNs},
	}
}

// clock writes a duration as HH:MM:SS.
func clock(ns int64) string {
	s := int64(time.Duration(ns).Round(time.Second).Seconds())
	return fmt.Sprintf("%02d:%02d:%02d", s/3600, s/60%60, s%60)
}

// grouped writes v with decimals places and a comma every three digits.
func grouped(v float64, decimals int) string {
	s := fmt.Sprintf("%.*f", decimals, v)
	whole, rest, _ := strings.Cut(s, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if decimals > 0 {
		rest = "." + rest
	}
	return sign + whole + rest
}
