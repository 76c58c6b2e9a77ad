package profile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// anonymousRules are the rules whose names say nothing about a pool's purpose.
const anonymousRules = " jdk-thread jdk-executors jdk-fjp jetty jetty-acceptor python-tpe empty jemalloc "

func checkThread(t *testing.T, raw, pool, rule string) {
	t.Helper()
	got := poolOfThread(raw)
	if got.pool != pool || got.rule != rule {
		t.Errorf("poolOfThread(%q): got %q by %s, want %q by %s", raw, got.pool, got.rule, pool, rule)
	}
	if want := strings.Contains(anonymousRules, " "+rule+" "); got.anonymous != want {
		t.Errorf("poolOfThread(%q): got anonymous %t, want %t", raw, got.anonymous, want)
	}
	again := poolOfThread(got.pool)
	if again.pool != got.pool {
		t.Errorf("poolOfThread(%q), the pool of %q: got %q, want itself", got.pool, raw, again.pool)
	}
	if got.anonymous != again.anonymous {
		t.Errorf("poolOfThread(%q), the pool of %q: got anonymous %t, want %t", got.pool, raw, again.anonymous, got.anonymous)
	}
}

func TestPoolOfThread(t *testing.T) {
	for _, tt := range []struct{ raw, pool, rule string }{
		// unwrapping
		{"[worker-7 tid=12]", "worker", "one-index"},
		{"[tid=12]", "(unnamed)", "empty"},
		{"", "(unnamed)", "empty"},
		{"  ", "(unnamed)", "empty"},
		{"thread (140): IOThread_3", "IOThread", "one-index"},
		{"thread (0x1F)", "(unnamed)", "empty"},
		{"Java: GC Thread#1", "GC Thread", "one-index"},
		{"[Java: x-1 tid=3]", "x", "one-index"},
		// names without a purpose
		{"Thread-17", "Thread-*", "jdk-thread"},
		{"pool-12-thread-1", "pool-*-thread-*", "jdk-executors"},
		{"ForkJoinPool-3-worker-11", "ForkJoinPool-*", "jdk-fjp"},
		{"qtp1234-5", "qtp*", "jetty"},
		{"qtp1234-5-acceptor-1@ab12-ServerConnector@0\n{x}", "qtp* acceptor", "jetty-acceptor"},
		{"ThreadPoolExecutor-3_14", "ThreadPoolExecutor-*", "python-tpe"},
		{"t12", "t*", "jemalloc"},
		// products
		{"Thread-3 (process_request)", "Thread-* (process_request)", "python-thread"},
		{"ForkJoinPool.commonPool-worker-31", "ForkJoinPool.commonPool", "jdk-fjp-common"},
		{"RMI TCP Connection(17)-10.1.2.3", "RMI TCP Connection", "jdk-rmi-conn"},
		{"C1 CompilerThread3", "C1 CompilerThread", "hotspot-jit"},
		{"GC task thread#12 (ParallelGC)", "GC task thread (ParallelGC)", "hotspot-gctask"},
		{"RpcServer.default.RWQ.Fifo.scan.handler=1,queue=2,port=3", "RpcServer.default.RWQ.Fifo.scan", "hbase-rpc"},
		{"MASTER_TABLE_OPERATIONS-master/h1.example.org:16000-3", "MASTER_TABLE_OPERATIONS", "hbase-exec"},
		{"regionserver/h1:16020-shortCompactions-4", "regionserver/*-shortCompactions", "hbase-role"},
		{"IPC Server handler 9 on default port 9000", "IPC Server handler", "hadoop-ipc-handler"},
		{"IPC Server idle connection scanner for port 9000", "IPC Server idle connection scanner", "hadoop-idle"},
		{"Socket Reader #3 for port 9000", "Socket Reader", "hadoop-reader"},
		{"IPC Client (1) connection to h/10.0.0.1:8020 from u", "IPC Client connection", "hadoop-ipc-client"},
		{"data-plane-kafka-network-thread-3-ListenerName(A)-SSL-1", "data-plane-kafka-network-thread-*-ListenerName(A)-SSL", "kafka-network"},
		{"kafka-coordinator-heartbeat-thread | group-7", "kafka-coordinator-heartbeat-thread", "kafka-client"},
		{"ReplicaFetcherThread-2-1001", "ReplicaFetcherThread", "kafka-fetcher"},
		{"opensearch[n1][search][T#13]", "opensearch[search]", "es"},
		{"es[n][[i-1][0]: Lucene Merge Thread #4]", "es[Lucene Merge Thread]", "es-merge"},
		{"Executor task launch worker for task 7", "Executor task launch worker", "spark-task"},
		{"Repair#12:3", "Repair", "cassandra-repair"},
		// identities
		{"stream-123e4567-e89b-12d3-a456-426614174000", "stream-*", "identity"},
		{"Timer@1f2e3d4c", "Timer@*", "identity"},
		{"peer-10.1.2.3:7000", "peer-*", "identity"},
		{"main-SendThread(zk:2181)", "main-SendThread(*)", "identity"},
		{"fetch localhost:9092 loop", "fetch * loop", "identity"},
		{"fetch a.example.org:9092 loop", "fetch * loop", "identity"},
		{"session 1234567 cleaner", "session * cleaner", "identity"},
		{"Session-HouseKeeper-14832582-1", "Session-HouseKeeper", "two-index"},
		{"http-nio-40123-exec-3", "http-nio-*-exec", "one-index"},
		// running numbers, and what is none
		{"ReadStage:28", "ReadStage", "one-index"},
		{"MutationStage-23", "MutationStage", "one-index"},
		{"G1 Conc#0", "G1 Conc", "one-index"},
		{"CommandStore[0]", "CommandStore", "one-index"},
		{"search[T#3]", "search", "one-index"},
		{"epollEventLoopGroup-5-12", "epollEventLoopGroup", "two-index"},
		{"PerDiskMemtableFlushWriter_0:1", "PerDiskMemtableFlushWriter", "two-index"},
		{"http-nio-8080-exec-10", "http-nio-8080-exec", "one-index"},
		{"http-nio-8443-exec-10", "http-nio-8443-exec", "one-index"},
		{"VM Thread", "VM Thread", "verbatim"},
		{"Log4j2", "Log4j2", "verbatim"},
		{"http2", "http2", "verbatim"},
		{"HikariPool-1 housekeeper", "HikariPool-1 housekeeper", "verbatim"},
		// nothing but digits would be left
		{"42", "42", "verbatim"},
		{"7-1", "7-1", "verbatim"},
		{"10.0.0.1", "10.0.0.1", "verbatim"},
	} {
		checkThread(t, tt.raw, tt.pool, tt.rule)
	}
	for _, r := range threadRules {
		if !strings.Contains(anonymousRules, " "+r.name+" ") == r.anonymous {
			t.Errorf("rule %s: got anonymous %t", r.name, r.anonymous)
		}
	}
}

func TestThreadIdentity(t *testing.T) {
	for _, tt := range []struct {
		raw, tid string
		frame    bool
	}{
		{"[a b tid=123]", "123", true},
		{"[tid=7]", "7", true},
		{"thread (0x7F): w", "0x7F", true},
		{"Java: w", "", false},
		{"main.run", "", false},
	} {
		if got := poolOfThread(tt.raw).tid; got != tt.tid {
			t.Errorf("poolOfThread(%q).tid: got %q, want %q", tt.raw, got, tt.tid)
		}
		if got := isThreadFrame(tt.raw); got != tt.frame {
			t.Errorf("isThreadFrame(%q): got %t, want %t", tt.raw, got, tt.frame)
		}
	}
}

func TestCutAtComm(t *testing.T) {
	for _, tt := range []struct {
		names []string
		want  bool
	}{
		{[]string{"Native-Transpor", "epollEventLoopG", "main"}, true},
		{[]string{"[Native-Transpor tid=123]", "main"}, true},
		{[]string{"Native-Transpor", "Native-Transport-Requests-1"}, false},
		{[]string{"main", "worker"}, false},
		{nil, false},
	} {
		if got := cutAtComm(tt.names); got != tt.want {
			t.Errorf("cutAtComm(%q): got %t, want %t", tt.names, got, tt.want)
		}
	}
}

// All thread names of the corpus fold to the pool and by the rule named there.
func TestCorpusThreadNames(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(corpusFolder(t), "thread-names.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")[1:]
	if len(lines) != 146 {
		t.Errorf("got %d names, want 146", len(lines))
	}
	for _, line := range lines {
		f := strings.Split(line, "\t")
		checkThread(t, f[0], f[1], f[2])
	}
}
