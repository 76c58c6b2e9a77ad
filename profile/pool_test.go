package profile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/allocdiff/allocdiff/profile/profiletest"
)

func rulesOf(t *testing.T, texts ...string) []PoolRule {
	t.Helper()
	var rules []PoolRule
	for _, text := range texts {
		r, err := ParsePoolRule(text)
		if err != nil {
			t.Fatal(err)
		}
		if r.String() != text {
			t.Errorf("rule %q: String gives %q", text, r.String())
		}
		rules = append(rules, r)
	}
	return rules
}

// poolsOf are the values of the pools of one folded profile with one sample
// type.
func poolsOf(t *testing.T, o PoolOptions, text string) string {
	t.Helper()
	s := readSide(t, Options{Pools: o}, texts(text)...)
	return poolText(s, s.Costs[0])
}

// poolText is "name value, name value", in the order of the names.
func poolText(s *Side, c *Costs) string {
	list := s.pools.snapshot()
	m := map[string][]int64{}
	for i, k := range c.pools.keys {
		addTo(m, list[k.name].name, valuesOf(c.pools.at(i)))
	}
	return tableText(m)
}

func TestPoolRules(t *testing.T) {
	text := `samples/count
runtime.main;main.main;main.readLoop;main.decode [stage=read-2;tid:=7] 1
sync.(*WaitGroup).Go.func1;main.writeLoop;main.decode [stage=write-1] 2
main.flush;main.encode [Thread Name=flush-9] 4
(no stack) [stage=read-1] 8
(no stack) 16
`
	tests := []struct {
		name  string
		rules []string
		want  string
	}{
		{"bare rule: labels, then frames", []string{"R=read", "D=decode"}, "(no stack) 16, D 2, R 9, flush 4"},
		{"bare rule takes the frame nearest to the root", []string{"$1=(writeLoop|decode|flush)"}, "(no stack) 24, decode 1, flush 4, writeLoop 2"},
		{"label", []string{"s-$1=label:stage~^(read|write)"}, "(no stack) 16, flush 4, s-read 9, s-write 2"},
		{"label keys fold their spelling", []string{"F=label:thread_name~flush"}, "(no stack) 24, F 4, main.main 1, main.writeLoop 2"},
		{"label of a number", []string{"T$0=label:tid~^7$"}, "(no stack) 24, T7 1, flush 4, main.writeLoop 2"},
		{"root skips launchers", []string{"root $1=root~^main\\.(.*)$"}, "(no stack) 24, root flush 4, root main 1, root writeLoop 2"},
		{"frame", []string{"D=frame~decode$"}, "(no stack) 24, D 3, flush 4"},
		{"leaf", []string{"L $1=leaf~main\\.(.*)"}, "(no stack) 24, L decode 3, L encode 4"},
		{"first rule decides", []string{"A=frame~decode", "B=frame~readLoop", "B=leaf~."}, "(no stack) 24, A 3, B 4"},
		{"case matters", []string{"A=DECODE"}, "(no stack) 24, flush 4, main.main 1, main.writeLoop 2"},
		{"an empty name is no match", []string{"$1=frame~decode()"}, "(no stack) 24, flush 4, main.main 1, main.writeLoop 2"},
	}
	for _, tt := range tests {
		if got := poolsOf(t, PoolOptions{Rules: rulesOf(t, tt.rules...)}, text); got != tt.want {
			t.Errorf("%s: rules %q: got %s, want %s", tt.name, tt.rules, got, tt.want)
		}
	}
}

func TestPoolRuleErrors(t *testing.T) {
	tests := []struct{ rule, want string }{
		{"", "want NAME=REGEXP"},
		{"name", "want NAME=REGEXP"},
		{"=x", "want NAME=REGEXP"},
		{"name=", "want NAME=REGEXP"},
		{"name=root~", "empty key or regular expression"},
		{"name=label:~x", "empty key or regular expression"},
		{"name=label:key", "want NAME=label:KEY~REGEXP"},
		{"name=(", "missing closing )"},
	}
	for _, tt := range tests {
		if _, err := ParsePoolRule(tt.rule); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("ParsePoolRule(%q): got error %v, want %q", tt.rule, err, tt.want)
		}
	}
}

func TestPoolFile(t *testing.T) {
	rules, err := ParsePoolRules("# pools of the engine\n\n  read=root~readLoop  \nwrite=label:stage~^w\r\n")
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for i := range rules {
		got.WriteString(rules[i].String() + "\n")
	}
	if want := "read=root~readLoop\nwrite=label:stage~^w\n"; got.String() != want {
		t.Errorf("got rules %q, want %q", got.String(), want)
	}
	if _, err := ParsePoolRules("a=b\n\nbroken\n"); err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("got error %v, want one of line 3", err)
	}
}

func TestPoolLabels(t *testing.T) {
	tests := []struct{ name, by, labels, want string }{
		{"pool as it stands", "", "pool=read-3", "read-3 1"},
		{"pool beats thread", "", "thread=write-1;pool=read", "read 1"},
		{"order of the pool keys", "", "worker=w;component=c;pool=p", "p 1"},
		{"thread name folded", "", "thread=read-3", "read 1"},
		{"thread name with an id", "", "thread=[read-3 tid=42]", "read 1"},
		{"thread beats process", "", "comm=java;thread_name=read-3", "read 1"},
		{"process alone", "", "comm=java", "java 1"},
		{"keys fold their spelling", "", "Thread Name=read-3", "read 1"},
		{"several values", "", "pool=write;pool=read", "read,write 1"},
		{"several threads of a pool", "", "thread=read-1;thread=read-2", "read 1"},
		{"number as a pool", "", "pool:=7", "7 1"},
		{"many-valued keys say nothing", "", "span_id=1;request id=2", "main.run 1"},
		{"an identity is no pool", "", "tid:=7", "main.run 1"},
		{"by label", "label:stage", "stage=s;pool=p", "s 1"},
		{"by label, absent", "label:stage", "pool=p", "(no thread label) 1"},
		{"by thread", "thread", "pool=p;thread=read-1", "read 1"},
		{"by thread, absent", "thread", "pool=p", "(no thread label) 1"},
		{"by root", "root", "pool=p;thread=read-1", "main.run 1"},
		{"by none", "none", "pool=p", "(all) 1"},
	}
	for _, tt := range tests {
		text := fmt.Sprintf("samples/count\nruntime.main;main.run;main.work [%s] 1\n", tt.labels)
		if got := poolsOf(t, PoolOptions{By: tt.by}, text); got != tt.want {
			t.Errorf("%s: labels %s: got %s, want %s", tt.name, tt.labels, got, tt.want)
		}
	}
}

func TestPoolRoots(t *testing.T) {
	tests := []struct{ stack, want string }{
		{"runtime.main;main.main;main.run", "main.main"},
		{"main.(*pool).start.func1;main.run", "main.(*pool).start"},
		{"main.(*pool).loop;main.run", "main.(*pool).loop"},
		{"sync.(*WaitGroup).Go.func1;engine.BenchmarkEngine.(*Engine).StartWG.func1;engine.run", "engine.(*Engine).StartWG"},
		{"golang.org/x/sync/errgroup.(*Group).Go.func1;main.fetch.func2", "main.fetch"},
		{"runtime/pprof.Do;main.serve", "main.serve"},
		{"time.goFunc;main.tick.func1", "main.tick"},
		{"engine.(*Engine).StartGeneric.func1;engine.(*Pool[go.shape.int]).Run", "engine.(*Engine).StartGeneric"},
		{"engine.(*Pool[go.shape.map[string]int]).Run;engine.work", "engine.(*Pool[...]).Run"},
		{"testing.(*B).run1.func1;testing.(*B).runN;engine.BenchmarkX;engine.Put", "engine.BenchmarkX"},
		{"testing.tRunner;engine.TestX", "engine.TestX"},
		{"main.run.gowrap1;main.work", "main.run"},
		{"main.run.deferwrap2", "main.run"},
		{"main.(*T).M-fm;main.work", "main.(*T).M"},
		{"runtime.gcBgMarkWorker;runtime.systemstack", "Go runtime (GC)"},
		{"runtime.bgsweep;runtime.sweepone", "Go runtime (GC)"},
		{"runtime.runFinalizers;main.(*T).close", "Go runtime (GC)"},
		{"runtime/pprof.profileWriter;bytes.growSlice", "profiler"},
		{"runtime.main;runtime.doInit1;main.init", "package init"},
		{"runtime.mcall;runtime.park_m", "Go runtime"},
		{"runtime.main", "runtime.main"},
		{"0x4010ff;main.run", "0x4010ff"},
		{"[read-3 tid=42];java/lang/Thread.run", "read"},
		{"[tid=42];malloc", "(unnamed)"},
		{"thread (0x7F12): MainThread;run", "MainThread"},
		{"(no stack)", "(no stack)"},
	}
	for _, tt := range tests {
		text := "samples/count\nruntime.main;main.other 1\n" + tt.stack + " 3\n"
		want := tableText(map[string][]int64{"main.other": {1}, tt.want: {3}})
		if got := poolsOf(t, PoolOptions{}, text); got != want {
			t.Errorf("%s: got %s, want %s", tt.stack, got, want)
		}
	}
	// Only thread names, no functions, tell pools of other languages.
	text := "samples/count\njava/lang/Thread.run;org/acme/App.run 3\n[read-3 tid=4];org/acme/App.run 5\n"
	if got, want := poolsOf(t, PoolOptions{}, text), "(no thread label) 3, read 5"; got != want {
		t.Errorf("Java: got %s, want %s", got, want)
	}
	if got, want := poolsOf(t, PoolOptions{By: "root"}, text), "org/acme/App.run 3, read 5"; got != want {
		t.Errorf("Java by root: got %s, want %s", got, want)
	}
}

// A decision that is remembered from one sample to the next must not be used
// beyond what it was made from.
func TestPoolMemory(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{
			"launchers alone, then their work", "runtime.main;testing.tRunner;testing.(*B).runN 1\nruntime.main;testing.tRunner;testing.(*B).runN;main.main 2\n",
			"main.main 2, testing.(*B).runN 1",
		},
		{"labelled between", "main.a;main.b 1\nmain.a;main.b [pool=p] 2\nmain.a;main.b 4\n", "main.a 5, p 2"},
		{"zero between", "main.a;main.x 1\nmain.b;main.x 0\nmain.b;main.x 2\n", "main.a 1, main.b 2"},
		{"no stack between", "main.a;main.x 1\n(no stack) 2\nmain.a;main.x 4\n", "(no stack) 2, main.a 5"},
		{"inlined entry", "main.a > main.b;main.x 1\nmain.a > main.c;main.x 2\n", "main.a 3"},
	}
	for _, tt := range tests {
		if got := poolsOf(t, PoolOptions{}, "alloc_space/bytes\nruntime.mcall 0\n"+tt.text); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

// A stack at the profiler's limit has lost its root. Inlined frames count.
func TestStackCut(t *testing.T) {
	deep := func(n int) string { return strings.TrimSuffix(strings.Repeat("main.deep;", n), ";") }
	heap, cpu := "alloc_space/bytes\n", "cpu/nanoseconds\n"
	tests := []struct{ name, text, want string }{
		{"heap", heap + deep(127) + " 1\n" + deep(128) + " 2\nruntime.main;" + deep(127) + " 4\n", "(stack cut) 2, main.deep 5"},
		{"order of samples", heap + deep(128) + " 2\n" + deep(127) + " 1\n", "(stack cut) 2, main.deep 1"},
		{"inlined", heap + "main.deep > main.deep;" + deep(126) + " 2\n" + deep(100) + " 1\n", "(stack cut) 2, main.deep 1"},
		{"cpu", cpu + deep(63) + " 1\n" + deep(64) + " 2\n", "(stack cut) 2, main.deep 1"},
		{"deep stacks come late", cpu + strings.Repeat("main.a 1\n", probe) + deep(64) + " 2\n", "(stack cut) 2, main.a 4096"},
		{"old Go", heap + deep(31) + " 1\n" + deep(32) + " 2\n", "(stack cut) 2, main.deep 1"},
	}
	for _, tt := range tests {
		if got := poolsOf(t, PoolOptions{}, tt.text+"runtime.mcall 0\n"); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestThreads(t *testing.T) {
	tests := []struct {
		name, text string
		o          PoolOptions
		want       string
	}{
		{"by name", "main.a [thread=read-1] 1\nmain.b [thread=read-1] 1\nmain.a [thread=read-2] 1\nmain.a [thread=write-1] 1\n", PoolOptions{}, "read 2, write 1"},
		{"by identity, not by name", "main.a [thread=epollEventLoopG;tid:=1] 1\nmain.a [thread=epollEventLoopG;tid:=2] 1\n", PoolOptions{}, "epollEventLoopG 2"},
		{"of a pool label", "main.a [pool=read;thread=x-1] 1\nmain.a [pool=read;thread=x-2] 1\n", PoolOptions{}, "read 2"},
		{"of root frames", "[read-1 tid=1];a 1\n[read-1 tid=2];a 1\n[read-1 tid=1];b 1\n", PoolOptions{}, "read 2"},
		{"of a rule", "main.a [thread=read-1] 1\nmain.a [thread=read-2] 1\n", PoolOptions{Rules: rulesOf(t, "R=frame~.")}, "R 2"},
		{"without a value", "main.a [thread=read-1] 1\nmain.a [thread=read-2] 0\n", PoolOptions{}, "read 1"},
		{"none told", "main.a [pool=read] 1\n", PoolOptions{}, ""},
	}
	for _, tt := range tests {
		s := readSide(t, Options{Pools: tt.o}, texts("samples/count\n"+tt.text)...)
		if got := tableText(threadsSeen(s)); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
	// Declared numbers win; of replicates the largest number seen counts.
	one := "samples/count\n# comment allocdiff.threads.read=7\nmain.a [thread=read-1] 1\nmain.a [thread=write-1] 1\n"
	two := "samples/count\nmain.a [thread=write-1] 1\nmain.a [thread=write-2] 1\n"
	d := diffOf(t, sideOf("before", texts(one, two)...), sideOf("after", texts(two)...), Options{})
	for _, r := range NewReport(d, ReportOptions{}).Metrics[0].Pools.Rows {
		want := map[string][2]int{"read": {7, 0}, "write": {2, 2}}[r.Name]
		if got := [2]int{r.Before.Threads, r.After.Threads}; got != want {
			t.Errorf("threads of %s: got %d, want %d", r.Name, got, want)
		}
	}
}

// The pools of a generated profile are those that it was made with, found by
// label, by thread name and by entry function.
func TestGeneratedPools(t *testing.T) {
	for _, c := range []profiletest.Config{{Label: "pool"}, {Label: "thread", Threads: 8}, {}} {
		c.Samples, c.Funcs, c.DepthMin, c.DepthMax, c.Pools, c.Period = 3000, 200, 4, 30, 5, 4096
		s, truth := generated(t, c)
		want := map[string][]int64{}
		for _, p := range truth.Pools {
			name := p.Name
			if c.Label == "" {
				name = entryName(p.Entry)
			}
			addTo(want, name, p.Total[:])
		}
		dropZeros(want)
		if diff := rowsDiffer(poolSums(s), want); diff != "" {
			t.Errorf("label %q: %s", c.Label, diff)
		}
	}
}
