package profile

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// threadPool is what the name of a thread says about its pool.
type threadPool struct {
	pool      string
	rule      string // the rule that decided, by its name in threadRules, or one of the general ones
	tid       string // identity of the thread, if the name came with one
	anonymous bool   // the name says nothing about the purpose of the pool
}

const unnamedThread = "(unnamed)"

// poolOfThread folds the name of a thread to its pool: unwrap the name, apply
// the first rule of threadRules that matches, else replace identities (hosts,
// addresses, hashes) by a star and strip the running number at the end, once.
// The pools of real thread names fold to themselves.
func poolOfThread(raw string) threadPool {
	name, tid := unwrapThread(raw)
	t := threadPool{pool: name, rule: "verbatim", tid: tid}
	if name == "" || name == unnamedThread {
		t.pool, t.rule, t.anonymous = unnamedThread, "empty", true
		return t
	}
	for i := range threadRules {
		r := &threadRules[i]
		if m := r.re.FindStringSubmatchIndex(name); m != nil {
			t.pool = string(r.re.ExpandString(nil, r.pool, name, m))
			t.rule, t.anonymous = r.name, r.anonymous
			if r.indexed {
				t.pool, _ = stripIndex(t.pool)
			}
			return t
		}
	}
	pool, rule := stripIndex(starIdentities(name))
	pool = starPorts(pool)
	if !strings.ContainsFunc(pool, unicode.IsLetter) {
		return t
	}
	if rule == "" && pool != name {
		rule = "identity"
	}
	if rule != "" {
		t.pool, t.rule = pool, rule
	}
	return t
}

var (
	bracketRE = regexp.MustCompile(`(?s)^\[(?:(.*) )?tid=(\d+)\]$`)                    // async-profiler
	pySpyRE   = regexp.MustCompile(`(?s)^thread \((0x[0-9A-Fa-f]+|\d+)\)(?:: (.*))?$`) // py-spy
)

// isThreadFrame recognises a root frame that is the name of a thread.
func isThreadFrame(frame string) bool {
	return bracketRE.MatchString(frame) || pySpyRE.MatchString(frame)
}

// unwrapThread takes the bare name and the thread's identity from the forms
// in which profilers write them.
func unwrapThread(raw string) (name, tid string) {
	name = strings.TrimSpace(raw)
	if m := bracketRE.FindStringSubmatch(name); m != nil {
		name, tid = m[1], m[2]
	} else if m := pySpyRE.FindStringSubmatch(name); m != nil {
		name, tid = m[2], m[1]
	}
	return strings.TrimSpace(strings.TrimPrefix(name, "Java: ")), tid // macOS writes the process in front
}

// threadRule is a pattern of one product. Each also matches its own result.
type threadRule struct {
	name      string
	re        *regexp.Regexp
	pool      string // of the match, $1 and so on expanded
	anonymous bool
	indexed   bool // a running number may end the result
}

func namedRule(name, pattern, pool string) threadRule {
	return threadRule{name: name, re: regexp.MustCompile(`(?s)^` + pattern + `$`), pool: pool}
}

func anonymousRule(name, pattern, pool string) threadRule {
	r := namedRule(name, pattern, pool)
	r.anonymous = true
	return r
}

// threadRules are tried in this order; the first that matches decides.
var threadRules = []threadRule{
	anonymousRule("jdk-thread", `Thread-(?:\d+|\*)`, `Thread-*`),
	namedRule("python-thread", `Thread-(?:\d+|\*) (\(.+\))`, `Thread-* $1`),
	anonymousRule("jdk-executors", `pool-(?:\d+|\*)-thread-(?:\d+|\*)`, `pool-*-thread-*`),
	namedRule("jdk-fjp-common", `(ForkJoinPool\.commonPool)(?:-worker-\d+)?`, `$1`),
	anonymousRule("jdk-fjp", `ForkJoinPool-(?:\d+-worker-\d+|\*)`, `ForkJoinPool-*`),
	namedRule("jdk-rmi-conn", `(RMI TCP Connection)(?:\((?:\d+|idle)\)(?:-.*)?)?`, `$1`),
	namedRule("hotspot-jit", `(C[12] CompilerThread)\d*`, `$1`),
	namedRule("hotspot-gctask", `(GC task thread)(?:#\d+)? (\([^)]*\))`, `$1 $2`),
	namedRule("hbase-rpc", `(RpcServer\..+)\.handler=\d+,queue=\d+,port=\d+`, `$1`),
	namedRule("hbase-exec", `((?:RS|MASTER)_[A-Z0-9_]+)-\w+/.+:\d+-\d+`, `$1`),
	{name: "hbase-role", re: regexp.MustCompile(`^(master|regionserver)/[^/:]+:\d+([:.-].*)?$`), pool: `$1/*$2`, indexed: true},
	namedRule("hadoop-ipc-handler", `(IPC Server (?:handler|listener))(?: \d+)? on (?:default port )?\d+`, `$1`),
	namedRule("hadoop-idle", `(IPC Server idle connection scanner) for port \d+`, `$1`),
	namedRule("hadoop-reader", `(Socket Reader) #\d+ for port \d+`, `$1`),
	namedRule("hadoop-ipc-client", `(IPC Client) \(\d+\) (connection) to .*`, `$1 $2`),
	anonymousRule("jetty", `qtp(?:\d+-\d+|\*)`, `qtp*`),
	anonymousRule("jetty-acceptor", `qtp(?:\d+-\d+-acceptor-.*|\* acceptor)`, `qtp* acceptor`),
	namedRule("kafka-network", `(.*kafka-network-thread-)(?:\d+|\*)(-ListenerName\(.*\)-[A-Z_]+)(?:-\d+)?`, `$1*$2`),
	namedRule("kafka-client", `(kafka-[a-z-]+-thread) \| .*`, `$1`),
	namedRule("kafka-fetcher", `(ReplicaFetcherThread)-\d+-\d+`, `$1`),
	namedRule("es-merge", `([^\[]+)\[.*: (Lucene Merge Thread) #\d+\]`, `$1[$2]`),
	namedRule("es", `([^\[]+)\[[^\[\]]+\]\[([^\[\]]+)\]\[T#\d+\]`, `$1[$2]`),
	namedRule("spark-task", `(Executor task launch worker) for task .*`, `$1`),
	namedRule("cassandra-repair", `(Repair)#\d+:\d+`, `$1`),
	anonymousRule("python-tpe", `ThreadPoolExecutor-(?:\d+_\d+|\*)`, `ThreadPoolExecutor-*`),
	anonymousRule("jemalloc", `t(?:\d+|\*)`, `t*`),
}

// identities differ between the runs and machines of one comparison. They are
// replaced in this order.
var identities = []struct {
	re   *regexp.Regexp
	star string
}{
	{regexp.MustCompile(`[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}`), `*`}, // UUID
	{regexp.MustCompile(`@[0-9a-f]{5,16}`), `@*`},                                     // Object.toString
	{regexp.MustCompile(`(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?`), `*`},                     // IPv4
	// A port follows a host with a dot, never a bare word: ReadStage:28 is not one.
	{regexp.MustCompile(`(?:localhost|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+):\d{2,5}\b`), `*`},
	{regexp.MustCompile(`\([^()]*(?:\*|:\d+)[^()]*\)`), `(*)`},
	{regexp.MustCompile(`\d{7,}`), `*`},
}

func starIdentities(name string) string {
	for _, id := range identities {
		name = id.re.ReplaceAllString(name, id.star)
	}
	return name
}

var (
	// Netty names threads by its pool's number and their own.
	twoIndexRE = regexp.MustCompile(`(?:-(?:\d+|\*)-\d+|_(?:\d+|\*)[_:]\d+)$`)
	oneIndexRE = regexp.MustCompile(`(?:[-_:#/. ]\d+|\[(?:T#)?\d+\])$`)
	portRE     = regexp.MustCompile(`\b\d{5}[-_:]`)
)

// stripIndex strips the running number, or two of them, from the end. Digits
// glued to a letter (Log4j2, http2) belong to the name.
func stripIndex(name string) (pool, rule string) {
	if at := twoIndexRE.FindStringIndex(name); at != nil && at[0] > 0 {
		return name[:at[0]], "two-index"
	}
	if at := oneIndexRE.FindStringIndex(name); at != nil && at[0] > 0 {
		return name[:at[0]], "one-index"
	}
	return name, ""
}

// starPorts replaces ephemeral ports inside a name. Lower ones tell two
// connectors of a server apart.
func starPorts(name string) string {
	return portRE.ReplaceAllStringFunc(name, func(s string) string {
		port, err := strconv.Atoi(s[:5])
		if err != nil || port < 32768 || port > 65535 {
			return s
		}
		return "*" + s[5:]
	})
}

// commSize is how many bytes of a thread's name the Linux kernel keeps.
const commSize = 15

// cutAtComm is true if the thread names look cut by the kernel: none is longer
// than 15 bytes and some have all of them. Then pools whose names start alike
// are one, and threads cannot be told apart by name.
func cutAtComm(names []string) bool {
	full := false
	for _, raw := range names {
		name, _ := unwrapThread(raw)
		if len(name) > commSize {
			return false
		}
		full = full || len(name) == commSize
	}
	return full
}
