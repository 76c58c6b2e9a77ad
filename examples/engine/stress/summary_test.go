package stress

import (
	"runtime"
	"strings"
	"testing"
)

// ticketSummary has the figures of CASSANDRA-21088's run before the change.
var ticketSummary = Summary{
	Ops: 15_000_000, Rows: 150_000_000, ElapsedNs: 78_117_000_000, CPUNs: 15_000_000_000,
	Latency: Latency{MeanNs: 1.5e6, P50Ns: 1.1e6, P95Ns: 2.6e6, P99Ns: 10e6, P999Ns: 29.1e6, MaxNs: 438.6e6},
	GC: GC{
		Cycles: 40, FreedBytes: 412_870_911_000, AllocBytes: 412_500_000_000, AllocObjects: 1_500_000_000,
		Pauses: 40, PauseNs: 7.528e9, PauseStdNs: 56.3e6,
	},
	Kinds: []KindSummary{{Kind: "INSERT", Ops: 15_000_000, Rows: 150_000_000, Latency: Latency{P50Ns: 1.1e6, MaxNs: 438.6e6}}},
}

func TestCurrentSummaryReadsAsTheTicket(t *testing.T) {
	var b strings.Builder
	if err := ticketSummary.WriteText(&b, Current); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Op rate                   :  192,020 op/s  [insert: 192,020 op/s]\n",
		"Row rate                  : 1,920,197 row/s [insert: 1,920,197 row/s]\n",
		"Latency median            :  1.100 ms [insert: 1.100 ms]\n",
		"Latency 99.9th percentile : 29.100 ms",
		"Latency max               : 438.600 ms [insert: 438.600 ms]\n",
		"Total partitions          : 15,000,000 [insert: 15,000,000]\n",
		"Total errors              :          0 [insert: 0]\n",
		"Total GC count            : 40\n",
		"Total GC memory           : 384.516 GiB\n",
		"Avg GC time               : 188.200 ms\n",
		"StdDev GC time            : 56.300 ms\n",
		"Total operation time      : 00:01:18\n",
		"Allocated                 : 27500 B/op\n",
		"Allocated objects         : 100.00 objects/op\n",
		"Processor time            : 1000 ns/op\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("summary has no %q:\n%s", want, b.String())
		}
	}
}

func TestLegacySummaryReadsAsTheTicket(t *testing.T) {
	s := Summary{Ops: 10_000_000, ElapsedNs: 40_451_000_000, Latency: Latency{MeanNs: 5.4e6, P50Ns: 3.5e3, P999Ns: 83.4e6, MaxNs: 3014.5e6}}
	var b strings.Builder
	if err := s.WriteText(&b, Legacy); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"real op rate              : 247213\n",
		"adjusted op rate stderr   : 0\n",
		"key rate                  : 247213\n",
		"latency mean              : 5.400\n",
		"latency median            : 0.004\n",
		"latency 99.9th percentile : 83.400\n",
		"latency max               : 3014.500\n",
		"Total operation time      : 00:00:40\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("summary has no %q:\n%s", want, b.String())
		}
	}
}

// sink keeps what TestGC allocates on the heap.
var sink []byte

func TestGC(t *testing.T) {
	from := readGC()
	for range 1000 {
		sink = make([]byte, 1<<20)
	}
	runtime.GC()
	g := readGC().since(from)
	if want := int64(1000 << 20); g.AllocBytes < want || g.AllocBytes > want+want/10 || g.AllocObjects < 1000 {
		t.Errorf("%d bytes and %d objects allocated, want %d and 1000 or a little more", g.AllocBytes, g.AllocObjects, want)
	}
	if g.Cycles < 1 || g.Pauses < g.Cycles || g.PauseNs <= 0 || g.PauseMaxNs > g.PauseNs {
		t.Errorf("%+v, want at least one cycle with its pauses", g)
	}
	if g.FreedBytes <= 0 || g.CPUNs <= 0 {
		t.Errorf("%+v, want bytes freed and time spent", g)
	}
}

func BenchmarkRecord(b *testing.B) {
	s := newShards(1, 1)
	b.ReportAllocs()
	for b.Loop() {
		s[0].record(Result{}, 12345)
	}
}
