package stress

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// testClient notes which operations came; every tenth fails, every third is a
// write.
type testClient struct {
	seen  []atomic.Int32
	sleep time.Duration
}

var errTenth = errors.New("tenth operation")

func (c *testClient) Do(op int) Result {
	c.seen[op].Add(1)
	time.Sleep(c.sleep)
	r := Result{Rows: 5}
	if op%3 == 0 {
		r.Kind = 1
	}
	if op%10 == 9 {
		r.Err = errTenth
	}
	return r
}

// run makes a run of n operations after warm ones.
func run(t *testing.T, cfg Config, c *testClient, clients, warm, n int) (Summary, error) {
	t.Helper()
	c.seen = make([]atomic.Int32, warm+n)
	for range clients {
		cfg.Clients = append(cfg.Clients, c)
	}
	cfg.Kinds = []string{"READ", "WRITE"}
	r := New(cfg)
	defer r.Close()
	if err := r.Warm(0, warm); err != nil && warm < 10 {
		t.Fatal(err)
	}
	sum, err := r.Run(warm, n)
	for i := range c.seen {
		if got := c.seen[i].Load(); got != 1 {
			t.Fatalf("operation %d was done %d times, want once", i, got)
		}
	}
	return sum, err
}

func TestRunCounts(t *testing.T) {
	settled := 0
	sum, err := run(t, Config{Settle: func() { settled++ }}, &testClient{}, 7, 30, 900)
	if !errors.Is(err, errTenth) {
		t.Errorf("error %v, want %v", err, errTenth)
	}
	if sum.Ops != 900 || sum.Rows != 4500 || sum.Errors != 90 || settled != 2 {
		t.Errorf("%d operations, %d rows, %d errors, settled %d times, want 900, 4500, 90, 2", sum.Ops, sum.Rows, sum.Errors, settled)
	}
	if len(sum.Kinds) != 2 || sum.Kinds[0].Ops != 600 || sum.Kinds[1].Ops != 300 || sum.Kinds[1].Rows != 1500 {
		t.Errorf("kinds %+v, want 600 reads and 300 writes of 5 rows", sum.Kinds)
	}
}

// idleClient does nothing.
type idleClient struct{}

func (idleClient) Do(int) Result { return Result{} }

// TestClientsAllocateNothing: what a profile shows of the client threads is the
// workload's own.
func TestClientsAllocateNothing(t *testing.T) {
	r := New(Config{Clients: []Client{idleClient{}, idleClient{}}, Kinds: []string{"READ"}})
	defer r.Close()
	const n = 10_000
	sum, err := r.Run(0, n)
	if err != nil || sum.GC.AllocObjects > n/10 {
		t.Errorf("%d objects in %d operations, %v, want next to none", sum.GC.AllocObjects, n, err)
	}
}

// TestLittlesLaw: the clock starts before the first operation, so clients that
// wait 2 ms each cannot do more than 500 operations a second.
func TestLittlesLaw(t *testing.T) {
	c := &testClient{sleep: 2 * time.Millisecond}
	sum, _ := run(t, Config{}, c, 4, 0, 200)
	if limit := 4 / 0.002; sum.Rate() > limit {
		t.Errorf("%.0f op/s, want at most %.0f", sum.Rate(), limit)
	}
	if l := sum.Latency; l.P50Ns < 2e6*0.99 || l.P50Ns > l.P95Ns || l.P95Ns > l.P99Ns || l.P99Ns > l.P999Ns || l.P999Ns > l.MaxNs {
		t.Errorf("latencies %+v, want at least 2 ms and in order", l)
	}
}

func TestLinesAddUp(t *testing.T) {
	for _, f := range []Format{Current, Legacy} {
		var out bytes.Buffer
		last := 0
		cfg := Config{Lines: &out, Format: f, Interval: 5 * time.Millisecond, Progress: func(n int) { last = n }}
		sum, _ := run(t, cfg, &testClient{sleep: time.Millisecond}, 4, 0, 200)
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		columns := strings.Count(lines[0], ",")
		for _, l := range lines {
			if strings.Count(l, ",") != columns {
				t.Errorf("line %q has not the %d commas of %q", l, columns, lines[0])
			}
		}
		if len(lines) < 4 {
			t.Errorf("%d lines, want one an interval:\n%s", len(lines), out.String())
		}
		if last != 200 || !strings.Contains(lines[len(lines)-1], "200") {
			t.Errorf("progress ends at %d, last line %q, want 200 operations", last, lines[len(lines)-1])
		}
		if sum.Uncertainty <= 0 || sum.Uncertainty > 1 {
			t.Errorf("uncertainty %v of %d intervals, want between 0 and 1", sum.Uncertainty, len(lines)-1)
		}
	}
}

func TestUncertainty(t *testing.T) {
	for _, c := range []struct {
		rates []float64
		want  float64
	}{
		{nil, 0},
		{[]float64{100}, 0},
		{[]float64{100, 100}, 0},
		{[]float64{90, 110}, 10 / math.Sqrt2 / 100},
	} {
		if got := uncertainty(c.rates); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("rates %v: %v, want %v", c.rates, got, c.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		v        float64
		decimals int
		want     string
	}{{0, 0, "0"}, {999, 0, "999"}, {1000, 0, "1,000"}, {1920200, 0, "1,920,200"}, {1179.6, 1, "1,179.6"}, {-12345.67, 2, "-12,345.67"}, {0.04, 1, "0.0"}} {
		if got := grouped(c.v, c.decimals); got != c.want {
			t.Errorf("%v with %d decimals: %q, want %q", c.v, c.decimals, got, c.want)
		}
	}
	for _, c := range []struct {
		d    time.Duration
		want string
	}{{78 * time.Second, "00:01:18"}, {40*time.Second + 400*time.Millisecond, "00:00:40"}, {3*time.Hour + 25*time.Minute, "03:25:00"}} {
		if got := clock(c.d.Nanoseconds()); got != c.want {
			t.Errorf("%v: %q, want %q", c.d, got, c.want)
		}
	}
}
