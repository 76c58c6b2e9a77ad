package profile

import (
	"regexp"
	"strings"
)

var goStd = wordSet(`archive bufio bytes cmp compress container context crypto database debug embed
encoding errors expvar flag fmt go hash html image index internal io iter log maps math mime net os path
plugin reflect regexp runtime simd slices sort strconv strings structs sync syscall testing text time
unicode unique unsafe vendor weak`)

// libraryHeads are how the names of other languages' libraries begin.
var libraryHeads = []string{
	"java.", "java/", "javax.", "javax/", "jdk.", "jdk/", "sun.", "sun/", "com.sun.", "com/sun/",
	"kotlin.", "kotlin/", "scala.", "scala/", "groovy.", "groovy/",
	"std::", "core::", "alloc::", "__", "operator new", "_operator new", "tc_", "je_",
}

// noPackage are library functions without a package in their name: C's, and
// assembly of the Go runtime.
var noPackage = wordSet(`malloc calloc realloc gcWriteBarrier memeqbody cmpbody indexbody indexbytebody
countbody aeshashbody memhash memhash32 memhash64 gogo callRet setg_gcc debugCall32 debugCall64`)

// isLibrary reports whether a function belongs to a runtime or a standard
// library: Go's, the JDK's, C++'s, Rust's.
func isLibrary(function string) bool {
	if noPackage[function] || hasHead(function, libraryHeads) {
		return true
	}
	pkg := goPackage(function)
	if pkg == function || isJava(function) { // no package at all, or one like io/netty
		return false
	}
	first, _, _ := strings.Cut(pkg, "/")
	return goStd[first]
}

// isJava recognises the name of a Java method by its class: capital after
// slashes, or after three packages. Types in Go follow one package.
func isJava(function string) bool {
	pkg := goPackage(function)
	if i := strings.LastIndexByte(pkg, '/'); i >= 0 {
		return i+1 < len(pkg) && 'A' <= pkg[i+1] && pkg[i+1] <= 'Z'
	}
	return javaPackages(function) >= 3
}

// starter functions run other people's functions on a goroutine or thread.
var starter = regexp.MustCompile(`^(runtime\.(main|goexit|rt0_go|asmcgocall|cgocallback.*|_rt0_.*)(\.abi0)?$` +
	`|testing\.(\(\*[BTFM]\)\.|tRunner|runFuzz|runTests|runExample|mainStart)` +
	`|sync\.\(\*WaitGroup\)\.Go|golang\.org/x/sync/errgroup\.\(\*Group\)\.(Go|TryGo|add)` +
	`|runtime/pprof\.Do$|time\.goFunc$|internal/synctest\.|sync\.\(\*Once\)` +
	`|_start$|start_thread$|clone3?$|__clone3?$|__libc_start|thread_start$|_pthread_start$` +
	`|java[./]lang[./]Thread\.run|java[./]util[./]concurrent[./](ThreadPoolExecutor|FutureTask|Executors))`)

// starterHeads are how names begin that starter may match: a cheap look before
// the regular expression, for every name of every profile.
var starterHeads = []string{
	"runtime", "testing.", "sync.", "golang.org/x/sync/", "time.", "internal/synctest.",
	"_", "start_thread", "clone", "thread_start", "java",
}

func isStarter(function string) bool {
	return hasHead(function, starterHeads) && starter.MatchString(function)
}

func hasHead(s string, heads []string) bool {
	for _, head := range heads {
		if strings.HasPrefix(s, head) {
			return true
		}
	}
	return false
}

var (
	gcFrame      = regexp.MustCompile(`^runtime\.(gcBgMarkWorker|bgsweep|bgscavenge|forcegchelper|runFinalizers|runfinq|runCleanups|runCleanup)\b`)
	initFrame    = regexp.MustCompile(`^runtime\.doInit`)
	runtimeFrame = regexp.MustCompile(`^(runtime|internal/runtime/[a-z]+)\.`)
)

// systemPool names the pool of goroutines and threads that the Go runtime runs
// for itself; "" for a frame of the program.
func systemPool(function string) string {
	if !strings.HasPrefix(function, "runtime") && !strings.HasPrefix(function, "internal/runtime/") {
		return "" // nearly all names, without a regular expression
	}
	switch {
	case gcFrame.MatchString(function):
		return "Go runtime (GC)"
	case strings.HasPrefix(function, "runtime/pprof.") && function != "runtime/pprof.Do":
		return "profiler"
	case initFrame.MatchString(function):
		return "package init"
	case runtimeFrame.MatchString(function) && !isStarter(function):
		return "Go runtime"
	}
	return ""
}

func wordSet(words string) map[string]bool {
	m := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}
