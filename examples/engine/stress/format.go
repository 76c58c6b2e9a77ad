package stress

import (
	"fmt"
	"time"
)

// A Format is a generation of cassandra-stress's output.
type Format int

// The formats that the tickets show.
const (
	// Current is the output since Cassandra 3, seen in CASSANDRA-21088.
	Current Format = iota
	// Legacy is the output of 2014, seen in CASSANDRA-7438.
	Legacy
)

// line is what one printed row is made from. Operations and time are
// cumulative, latencies and rates are the interval's.
type line struct {
	kind    string
	tally   *tally
	ops     int64
	span    time.Duration
	elapsed time.Duration
	stderr  float64
	gc      GC
}

// header returns the column heads.
func (f Format) header() string {
	if f == Legacy {
		return "ops       ,    op/s,   key/s,    mean,     med,     .95,     .99,    .999,     max,   time,   stderr"
	}
	return fmt.Sprintf("%-10s%10s,%8s,%8s,%8s,%8s,%8s,%8s,%8s,%8s,%8s,%7s,%9s,%7s,%7s,%8s,%8s,%8s,%8s",
		"type", "total ops", "op/s", "pk/s", "row/s", "mean", "med", ".95", ".99", ".999", "max", "time",
		"stderr", "errors", "gc: #", "max ms", "sum ms", "sdv ms", "mb")
}

// line returns one row under the heads.
func (f Format) line(l line) string {
	rate := float64(l.tally.latency.TotalCount()) / l.span.Seconds()
	lat := latencyOf(l.tally)
	if f == Legacy {
		return fmt.Sprintf("%-10d,%8.0f,%8.0f,%8.1f,%8.1f,%8.1f,%8.1f,%8.1f,%8.1f,%7.1f,%9.5f",
			l.ops, rate, rate, ms(lat.MeanNs), ms(lat.P50Ns), ms(lat.P95Ns), ms(lat.P99Ns), ms(lat.P999Ns),
			ms(lat.MaxNs), l.elapsed.Seconds(), l.stderr)
	}
	rows := float64(l.tally.rows) / l.span.Seconds()
	return fmt.Sprintf("%-10s%10d,%8.0f,%8.0f,%8.0f,%8.1f,%8.1f,%8.1f,%8.1f,%8.1f,%8.1f,%7.1f,%9.5f,%7d,%7d,%8.1f,%8.1f,%8.1f,%8.0f",
		l.kind, l.ops, rate, rate, rows, ms(lat.MeanNs), ms(lat.P50Ns), ms(lat.P95Ns), ms(lat.P99Ns), ms(lat.P999Ns),
		ms(lat.MaxNs), l.elapsed.Seconds(), l.stderr, l.tally.errors,
		l.gc.Cycles, ms(l.gc.PauseMaxNs), ms(l.gc.PauseNs), ms(l.gc.PauseStdNs), float64(l.gc.FreedBytes)/1e6)
}

// ms converts nanoseconds to milliseconds.
func ms(ns float64) float64 { return ns / 1e6 }
