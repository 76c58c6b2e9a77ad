package plot

import (
	"math"

	"github.com/allocdiff/allocdiff/profile"
)

const (
	kib = 1 << 10
	mib = 1 << 20
	gib = 1 << 30
)

// row makes a judged row: an interval of cv times the after side on each end.
func row(name string, before, after, cv float64) profile.Row {
	r := profile.Row{
		Name:   name,
		Before: profile.Amount{Value: before, N: before / (192 * kib)},
		After:  profile.Amount{Value: after, N: after / (192 * kib)},
		Delta:  after - before,
	}
	if before != 0 {
		pct := 100 * r.Delta / before
		r.Percent = &pct
	}
	half := cv * max(before, after)
	r.DeltaCI = &profile.Interval{Lo: r.Delta - half, Hi: r.Delta + half}
	if before != 0 {
		r.RatioCI = &profile.Interval{Lo: (after - half) / before, Hi: (after + half) / before}
	}
	switch {
	case math.Abs(r.Delta) <= half:
		r.Verdict = profile.Unclear
	case before == 0:
		r.Verdict = profile.New
	case after == 0:
		r.Verdict = profile.Gone
	case r.Delta < 0:
		r.Verdict = profile.Down
	default:
		r.Verdict = profile.Up
	}
	return r
}

// table makes a table of rows whose shares are of total.
func table(count int, total profile.Row, rows ...profile.Row) profile.Table {
	for i := range rows {
		rows[i].Before.Share = rows[i].Before.Value / total.Before.Value
		rows[i].After.Share = rows[i].After.Value / total.After.Value
	}
	return profile.Table{Rows: rows, Count: max(count, len(rows)), Moved: 1}
}

func threads(r profile.Row, before, after int) profile.Row {
	r.Before.Threads, r.After.Threads = before, after
	return r
}

// ticket is a report like the table of CASSANDRA-21285: a buffer that is sized
// by what earlier responses needed no longer doubles its way up.
func ticket() *profile.Report {
	bytes := profile.MetricReport{Metric: profile.AllocSpace, Kind: profile.Heap, Per: profile.PerRun, Focus: "owner"}
	bytes.Total = row("Total", 92.47*gib, 84.34*gib, 0.004)
	anonymous := threads(row("pool-*-thread-*", 0.31*gib, 0.21*gib, 0.05), 3, 3)
	anonymous.Note = "anonymous"
	bytes.Pools = table(0, bytes.Total,
		threads(row("Native-Transport-Requests", 68.45*gib, 62.52*gib, 0.006), 10, 11),
		threads(row("ReadStage", 11.90*gib, 10.12*gib, 0.01), 8, 8),
		threads(row("epollEventLoopGroup", 8.02*gib, 7.71*gib, 0.01), 16, 16),
		anonymous,
		threads(row("(no thread label)", 0.07*gib, 0.05*gib, 0.05), 0, 0),
		threads(row("MutationStage", 2.11*gib, 2.12*gib, 0.02), 6, 6),
		threads(row("CompactionExecutor", 1.61*gib, 1.61*gib, 0.02), 2, 2),
	)
	other := row("", 36*gib, 35.6*gib, 0.01)
	bytes.Owner = table(1204, bytes.Total,
		row("org.apache.cassandra.io.util.DataOutputBuffer.expandToFit", 14.21*gib, 8.02*gib, 0.02),
		row("org.apache.cassandra.db.ReadResponse$LocalDataResponse.build", 9.10*gib, 8.31*gib, 0.02),
		row("java.nio.HeapByteBuffer.<init>", 7.45*gib, 6.88*gib, 0.02),
		row("org.apache.cassandra.db.rows.BTreeRow$Builder.build", 6.02*gib, 5.72*gib, 0.02),
		row("org.apache.cassandra.utils.MovingAverage.update", 0, 0.21*gib, 0.1),
		row("org.apache.cassandra.db.rows.UnfilteredSerializer.lambda$serializeRowBody$0", 3.90*gib, 3.72*gib, 0.02),
		row("io.netty.buffer.PooledByteBufAllocator.newDirectBuffer", 2.22*gib, 2.37*gib, 0.03),
		row("org.apache.cassandra.cql3.ResultSet$Codec.encode", 5.05*gib, 4.93*gib, 0.03),
		row("java.util.ArrayList.grow", 3.30*gib, 3.21*gib, 0.01),
		row("org.apache.cassandra.utils.btree.BTree$FastBuilder.build", 2.80*gib, 2.72*gib, 0.03),
		row("org.apache.cassandra.transport.Message$Response.encode", 1.40*gib, 1.43*gib, 0.04),
		row("org.apache.cassandra.db.marshal.AbstractType.writeValue", 1.02*gib, 1.00*gib, 0.04),
	)
	bytes.Owner.Other, bytes.Owner.Moved = &other, 0.94
	bytes.Sizes = table(0, bytes.Total,
		row("64 B", 9.1*gib, 9.08*gib, 0.01), row("128 B", 12*gib, 9.1*gib, 0.01), row("256 B", 10*gib, 7.9*gib, 0.01),
		row("512 B", 8.1*gib, 6.7*gib, 0.01), row("1 KiB", 6.3*gib, 5.5*gib, 0.01), row("2 KiB", 5.1*gib, 4.6*gib, 0.01),
		row("4 KiB", 4.2*gib, 4.0*gib, 0.01), row("8 KiB", 3.1*gib, 3.25*gib, 0.01), row("16 KiB", 2.2*gib, 2.2*gib, 0.01),
		row("32 KiB", 2.9*gib, 2.8*gib, 0.01), row("64 KiB", 1.9*gib, 1.74*gib, 0.01),
	)

	objects := profile.MetricReport{Metric: profile.AllocObjects, Kind: profile.Heap, Per: profile.PerRun, Focus: "owner"}
	objects.Total = row("Total", 471.1e6, 437.7e6, 0.01)
	objects.Total.Before.N, objects.Total.After.N = 471_100, 437_700
	cpu := profile.MetricReport{Metric: profile.CPU, Kind: profile.Time, Per: profile.PerRun, Focus: "flat"}
	cpu.Total = row("Total", 612e9, 598e9, 0.01)
	cpu.Pools = table(0, cpu.Total,
		threads(row("Native-Transport-Requests", 301e9, 288e9, 0.01), 10, 11),
		threads(row("ReadStage", 120e9, 118.9e9, 0.02), 8, 8),
		threads(row("epollEventLoopGroup", 98e9, 98.6e9, 0.02), 16, 16),
		threads(row("CompactionExecutor", 52e9, 52e9, 0.02), 2, 2),
		threads(row("MutationStage", 31e9, 30.9e9, 0.02), 6, 6),
		threads(row("G1 Conc", 7e9, 6.8e9, 0.1), 3, 3),
		threads(row("GossipStage", 3e9, 2.8e9, 0.1), 1, 1),
	)
	for i := range cpu.Pools.Rows {
		r := &cpu.Pools.Rows[i]
		r.Before.N, r.After.N = r.Before.Value/10e6, r.After.Value/10e6
	}
	cpu.Total.Before.N, cpu.Total.After.N = 61_200, 59_800
	inuse := profile.MetricReport{Metric: profile.InuseSpace, Kind: profile.Heap, Per: profile.PerRun, Focus: "owner"}
	inuse.Total = row("Total", 812*mib, 790*mib, 0.05)
	inuse.Owner = table(310, inuse.Total,
		row("org.apache.cassandra.io.util.DataOutputBuffer.expandToFit", 60*mib, 22*mib, 0.1),
		row("org.apache.cassandra.utils.MovingAverage.<init>", 0, 9*mib, 0.2),
		row("java.util.ArrayList.grow", 210*mib, 212*mib, 0.05),
	)

	return &profile.Report{
		Schema: 1, Version: "v0.1.0", Command: "allocdiff -o report.png trunk patch",
		Title:   "Allocations: trunk → trunk + patch",
		Verdict: "Allocated bytes fell 8.13 GiB (−8.8%). Largest change: pool Native-Transport-Requests −5.93 GiB (−8.7%).",
		Noise:   "sampling error of each row at 95 % confidence, Benjamini-Hochberg at 5 %",
		Before:  side("trunk", "trunk/heap.pb.gz", "3f9a5c01d2e4b6c8", 412_031),
		After:   side("trunk + patch", "patch/heap.pb.gz", "91be07aa5510ff07", 387_902),
		Notes:   []string{"estimates from sampled allocations, not scaled by operations", "0.1 % of bytes have no thread label"},
		Metrics: []profile.MetricReport{bytes, objects, inuse, cpu},
		Stress: []profile.Measure{
			{Name: "op rate", Unit: "op/s", Before: 192020, After: 193566, P: new(0.7)},
			{Name: "latency mean", Unit: "ms", Before: 1.5, After: 1.5, P: new(1.0)},
			{Name: "latency median", Unit: "ms", Before: 1.1, After: 1.0, P: new(0.008)},
			{Name: "latency 99.9th percentile", Unit: "ms", Before: 10, After: 9.9, P: new(0.3)},
			{Name: "latency max", Unit: "ms", Before: 438.6, After: 1179.6, P: new(0.15)},
			{Name: "total gc count", Before: 40, After: 36, P: new(0.02)},
			{Name: "total gc memory", Unit: "B", Before: 384.516 * gib, After: 374.921 * gib, P: new(0.008)},
			{Name: "total errors", Before: 2, After: 0, P: new(0.03)},
		},
	}
}

func side(label, name, sha string, samples int64) profile.SideInfo {
	return profile.SideInfo{Label: label, Inputs: []profile.InputInfo{{
		Name: name, SHA256: sha + sha, Kind: profile.Heap, Time: 1_795_000_000e9, Duration: 60e9,
		Period: 512 * kib, PeriodType: profile.Metric{Type: "space", Unit: "bytes"},
		Samples: samples, BuildID: "d763a1f0c0ffee6fb0",
	}, {
		Name: "cpu.pb.gz", SHA256: sha + "ff", Kind: profile.Time, Time: 1_795_000_060e9, Duration: 60e9,
		Period: 10e6, PeriodType: profile.CPU, Samples: samples / 7,
	}}}
}
