package main

import (
	"math"

	"github.com/allocdiff/allocdiff/profile"
)

const gib = 1 << 30

// rowOf makes a row with the differences, but no statistics, filled in.
func rowOf(name string, before, after, nBefore, nAfter float64, v profile.Verdict) profile.Row {
	r := profile.Row{
		Name:   name,
		Before: profile.Amount{Value: math.Round(before), N: nBefore},
		After:  profile.Amount{Value: math.Round(after), N: nAfter},

		Verdict: v,
	}
	r.Delta = r.After.Value - r.Before.Value
	if before != 0 {
		r.Percent = new(100 * r.Delta / r.Before.Value)
	}
	return r
}

// tableOf makes a table that holds everything.
func tableOf(rows ...profile.Row) profile.Table {
	return profile.Table{Rows: rows, Count: len(rows), Moved: 1}
}

// server is the report of a server with thread pools, two runs a side: amounts
// and pools are those of the CASSANDRA-21285 ticket as far as it gives them.
func server() *profile.Report {
	return &profile.Report{
		Schema:  1,
		Version: "v0.1.0",
		Command: "allocdiff trunk patch",
		Title:   "Allocations: trunk → trunk + patch",
		Verdict: "Allocated bytes fell 8.13 GiB (-8.8%), real. Largest change: pool Native-Transport-Requests, -5.93 GiB (-8.7%).",
		Noise:   "2 runs a side, run noise 1.2%",
		Tau:     0.012,
		Before:  serverSide("trunk", "before", 412031, 1000000),
		After:   serverSide("trunk + patch", "after", 387902, 1000000),
		Warnings: []string{
			"durations differ: 60.0 s and 64.2 s",
		},
		Notes:   []string{"pools: thread names, 99.6% of bytes"},
		Metrics: []profile.MetricReport{serverBytes(), serverObjects(), serverCPU(), serverLive()},
		Stress: []profile.Measure{
			{Name: "op rate", Unit: "op/s", Before: 192020, After: 193566},
			{Name: "latency 99th percentile", Unit: "ms", Before: 10, After: 9.2},
			{Name: "total gc count", Before: 40, After: 39},
			{Name: "total gc memory", Unit: "B", Before: 384.516 * gib, After: 374.921 * gib},
			{Name: "errors", Before: 0, After: 0},
		},
		Gates: []profile.GateResult{
			{Gate: "total alloc_space > +2%", Outcome: "passed", Reason: "-8.8%"},
			{Gate: "func:^a|b$ alloc_space > +5%", Outcome: "inconclusive", Reason: "3 sampled events"},
		},
	}
}

func serverSide(label, file string, samples int64, ops float64) profile.SideInfo {
	input := func(name string, kind profile.Kind, of profile.Metric, period int64) profile.InputInfo {
		return profile.InputInfo{
			Name: name, SHA256: "3f9a0c11d2e3f4a5b6c7d8e9f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1cc1", Kind: kind,
			Time: 1795943520000000001, Duration: 60e9, Period: period, PeriodType: of, Samples: samples / 4, Ops: ops / 2,
		}
	}
	space := profile.Metric{Type: "space", Unit: "bytes"}
	return profile.SideInfo{Label: label, Ops: ops, Inputs: []profile.InputInfo{
		input(file+"/heap-1.pb.gz", profile.Heap, space, 512<<10), input(file+"/heap-2.pb.gz", profile.Heap, space, 512<<10),
		input(file+"/cpu-1.pb.gz", profile.Time, profile.CPU, 10e6), input(file+"/cpu-2.pb.gz", profile.Time, profile.CPU, 10e6),
	}}
}

func serverBytes() profile.MetricReport {
	pool := func(name string, before, after, nb, na float64, tb, ta int, v profile.Verdict) profile.Row {
		r := rowOf(name, before*gib, after*gib, nb, na, v)
		r.Before.Threads, r.After.Threads = tb, ta
		r.Before.Share, r.After.Share = before/92.47, after/84.34
		return r
	}
	total := rowOf("", 92.47*gib, 84.34*gib, 471106, 437803, profile.Down)
	total.Before.Share, total.After.Share = 1, 1
	total.P = new(0.00001)
	total.Check = &profile.Check{P: 0.00216, N: 6}
	total.RatioCI = &profile.Interval{Lo: 0.901, Hi: 0.923}
	total.DeltaCI = &profile.Interval{Lo: -9e9, Hi: -8.5e9}

	main := rowOf("org/apache/cassandra/io/util/DataOutputBuffer.expandToFit", 14.21*gib, 8.02*gib, 29102, 16425, profile.Down)
	main.Q, main.Phi = new(0.0004), 1.7
	main.RatioCI = &profile.Interval{Lo: 0.55, Hi: 0.579}
	main.DeltaCI = &profile.Interval{Lo: -6.3 * gib, Hi: -6.1 * gib}
	born := rowOf("org/apache/cassandra/utils/MovingAverage.update", 0, 0.21*gib, 0, 430, profile.New)
	born.RatioCI = &profile.Interval{Lo: 50.5, Unbounded: true}
	unclear := rowOf("java/util/ArrayList.grow", 3.30*gib, 3.21*gib, 6758, 6574, profile.Unclear)
	unclear.Q = new(0.12)
	unclear.RatioCI = &profile.Interval{Lo: 0.93, Hi: 1.02}
	unclear.Need = &profile.Need{Samples: 1852, Bytes: 970981376, Rate: 131072}

	functions := tableOf(main, born, unclear,
		rowOf("Weird`name|with\\bars <init>", 0.02*gib, 0, 4, 0, profile.Few),
		rowOf("quiet", 1000, 1000, 9, 9, profile.Same))
	functions.Count, functions.Moved = 1204, 0.94
	other := rowOf(profile.OtherName, 74.94*gib, 72.90*gib, 435224, 414365, "")
	functions.Other = &other

	byPool := main
	byPool.Pool = "Native-Transport-Requests"
	return profile.MetricReport{
		Per:    profile.PerRun,
		Metric: profile.AllocSpace, Kind: profile.Heap, By: "function", Focus: "owner", Total: total,
		Pools: tableOf(
			pool("Native-Transport-Requests", 68.45, 62.52, 348724, 324523, 10, 11, profile.Down),
			pool("ReadStage", 11.90, 10.12, 60626, 51557, 8, 8, profile.Down),
			pool("pool-*-thread-*", 8.41, 8.10, 42845, 41266, 0, 3, profile.Unclear),
			pool("MutationStage", 3.71, 3.60, 18901, 18340, 6, 6, profile.Same),
		),
		Owner: functions, Flat: tableOf(main), Cum: tableOf(main), ByPool: tableOf(byPool),
		Sizes: tableOf(
			rowOf("≤64 B", 10*gib, 9.98*gib, 9000, 8990, profile.Same),
			rowOf("128 B", 20*gib, 17.10*gib, 19000, 16000, profile.Down),
		),
	}
}

func serverObjects() profile.MetricReport {
	return profile.MetricReport{
		Per:    profile.PerRun,
		Metric: profile.AllocObjects, Kind: profile.Heap, By: "function", Focus: "owner",
		Total: rowOf("", 471106123, 437803456, 471106, 437803, profile.Unknown), Owner: tableOf(rowOf("f", 1, 2, 1, 2, profile.Few)),
	}
}

func serverCPU() profile.MetricReport {
	total := rowOf("", 612e9, 598e9, 61200, 59800, profile.Unclear)
	total.P = new(0.0712)
	total.RatioCI = &profile.Interval{Lo: 0.93, Hi: 1.02}
	total.Need = &profile.Need{Samples: 80000.4, Runs: 38}
	return profile.MetricReport{
		Per:    profile.PerRun,
		Metric: profile.CPU, Kind: profile.Time, By: "function", Focus: "cum", Total: total,
		Pools: tableOf(rowOf("Native-Transport-Requests", 400e9, 390e9, 40000, 39000, profile.Unclear)),
		Cum: tableOf(
			rowOf("a", 600e9, 590e9, 60000, 59000, profile.Unclear), rowOf("b", 500e9, 495e9, 50000, 49500, profile.Unclear),
			rowOf("c", 400e9, 396e9, 40000, 39600, profile.Unclear), rowOf("d", 300e9, 297e9, 30000, 29700, profile.Unclear),
			rowOf("e", 200e9, 198e9, 20000, 19800, profile.Unclear), rowOf("f", 100e9, 99e9, 10000, 9900, profile.Unclear),
		),
	}
}

// serverLive is a metric in which nothing moved.
func serverLive() profile.MetricReport {
	return profile.MetricReport{
		Per:    profile.PerRun,
		Metric: profile.InuseSpace, Kind: profile.Heap, By: "function", Focus: "owner", Total: rowOf("", 3*gib, 3*gib, 6144, 6144, profile.Same),
		Pools: tableOf(rowOf("ReadStage", 3*gib, 3*gib, 6144, 6144, profile.Same)),
		Owner: tableOf(rowOf("main.cache", 3*gib, 3*gib, 6144, 6144, profile.Same)),
	}
}
