package profile

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// names interns the row names of all files of a comparison: attribution works
// on small integers and two builds meet by name, never by address. Safe for use
// by both sides at once. The ids depend on the order of loading and must never
// reach an output: rows are sorted by name.
type names struct {
	mu     sync.Mutex
	ids    map[string]int32
	list   []name
	module string // the program's; see settle
}

// name is one interned name with what attribution asks of it.
type name struct {
	text    string
	traits  traits
	starter bool   // starts goroutines or threads for others: never names a pool
	thread  bool   // is the name of a thread, as some profilers write it at the root
	system  string // the pool of a frame that belongs to the runtime itself; "" for others
	module  string // module or package root of user code; "" for library code
}

// traits are what attribution asks of every frame.
type traits struct {
	owns   ownership
	writer bool // writes profiles: what it allocates is the profiler's own
}

// ownership says how far a function may own what it and its callees allocate.
type ownership uint8

const (
	ownsNothing ownership = iota // runtime and standard libraries
	ownsLast                     // other people's modules: where nothing of the program's is on the stack
	ownsFirst                    // the program's module, or not known to be another's
)

func newNames() *names { return &names{ids: make(map[string]int32)} }

// idOf returns the number of a name as a profile writes it. A name that is known
// already costs no memory.
func (n *names) idOf(raw []byte) int32 {
	n.mu.Lock()
	id, ok := n.ids[string(raw)]
	n.mu.Unlock()
	if ok {
		return id
	}
	return n.id(clean(string(raw)))
}

// id returns the number of text, which must be clean (see clean).
func (n *names) id(text string) int32 {
	n.mu.Lock()
	defer n.mu.Unlock()
	if id, ok := n.ids[text]; ok {
		return id
	}
	id := int32(len(n.list))
	n.ids[text] = id
	n.list = append(n.list, name{
		text:    text,
		starter: isStarter(text),
		thread:  isThreadFrame(text),
		system:  systemPool(text),
		module:  moduleOf(text),
	})
	n.list[id].traits = traits{owns: n.ownership(text, n.list[id].module), writer: isWriter(text)}
	return id
}

// settle fixes the module whose functions are owners first, "" for any. It comes
// before anything is attributed.
func (n *names) settle(module string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.module = module
	for i := range n.list {
		n.list[i].traits.owns = n.ownership(n.list[i].text, n.list[i].module)
	}
}

func (n *names) ownership(text, module string) ownership {
	switch {
	case module == "" && isLibrary(text):
		return ownsNothing
	case module == "" || module == "main" || inModule(text, n.module):
		return ownsFirst
	}
	return ownsLast
}

// snapshot returns the names so far, by id. After settle the elements never
// change.
func (n *names) snapshot() []name {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.list[:len(n.list):len(n.list)]
}

// clean makes a name from a profile safe to print: bytes that are not UTF-8 and
// control characters are escaped as Go does, so that every output stays valid.
func clean(s string) string {
	plain := true
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] >= 0x7f {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// bareName names a location without symbols as pprof users expect it: base name
// of the mapped file and address; the address alone without a file.
func bareName(file string, address uint64) string {
	if file == "" {
		return fmt.Sprintf("0x%x", address)
	}
	return clean(fmt.Sprintf("%s+0x%x", path.Base(file), address))
}

// goPackage returns the import path of a Go symbol: "net/http" of
// "net/http.(*conn).serve". Other names come back up to their first dot after
// the last slash.
func goPackage(function string) string {
	// Type arguments may hold slashes and dots of their own.
	if i := strings.IndexByte(function, '['); i > 0 {
		function = function[:i]
	}
	slash := strings.LastIndexByte(function, '/') + 1
	if i := strings.IndexByte(function[slash:], '.'); i >= 0 {
		return function[:slash+i]
	}
	return function
}

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

// packageOf returns the package of a function of Go or Java; what it is a name of
// is its own package elsewhere.
func packageOf(function string) string {
	if !isJava(function) {
		return goPackage(function)
	}
	if i := strings.LastIndexByte(function, '/'); i >= 0 {
		return strings.ReplaceAll(function[:i], "/", ".")
	}
	method := strings.LastIndexByte(function, '.')
	class := strings.LastIndexByte(function[:method], '.')
	return function[:class]
}

// moduleOf returns the part of a Go symbol that names its module as far as the
// name can tell: host, owner and repository for the usual hosts, host and path
// else, "main" for main. Library code and names of other languages have none.
func moduleOf(function string) string {
	pkg := goPackage(function)
	if pkg == function || isLibrary(function) {
		return ""
	}
	if javaPackages(function) >= 3 {
		return strings.Join(strings.SplitN(function, ".", 4)[:3], ".")
	}
	parts := strings.Split(pkg, "/")
	elements := 2
	if repositoryHosts[parts[0]] {
		elements = 3
	}
	return strings.Join(parts[:min(len(parts), elements)], "/")
}

// repositoryHosts have modules of an owner and a repository.
var repositoryHosts = wordSet(`github.com gitlab.com bitbucket.org codeberg.org gitee.com git.sr.ht golang.org`)

// inModule reports whether a function belongs to a module, given by its path or
// the start of it: whole elements, and so everything for "".
func inModule(function, module string) bool {
	rest, ok := strings.CutPrefix(function, module)
	return ok && (module == "" || rest == "" || rest[0] == '/' || rest[0] == '.')
}

// foldTypeArguments replaces whatever stands in brackets by [...]. A name that
// is all brackets is a thread's.
func foldTypeArguments(function string) string {
	if strings.IndexByte(function, '[') <= 0 {
		return function
	}
	var b strings.Builder
	depth := 0
	for i := 0; i < len(function); i++ {
		switch c := function[i]; {
		case c == '[':
			if depth == 0 {
				b.WriteString("[...]")
			}
			depth++
		case c == ']' && depth > 0:
			depth--
		case depth == 0:
			b.WriteByte(c)
		}
	}
	return b.String()
}

var (
	closure = regexp.MustCompile(`(\.func\d+(\.\d+)*|\.gowrap\d+|\.deferwrap\d+|-fm|-range\d+)+(\.\d+)*$`)
	// Numbers and addresses of hidden and generated JVM classes. An address at
	// the very end is that of a location without symbols.
	jvmHash       = regexp.MustCompile(`(\$\$Lambda)(?:\$\d+)?(?:[/+.]0x[0-9a-f]+|/\d+)?|(GeneratedMethodAccessor|GeneratedConstructorAccessor|\$Proxy|LambdaForm\$[A-Z]+/?)\d+|[+/.]0x[0-9a-f]{8,}(\.)`)
	moduleVersion = regexp.MustCompile(`@v\d+\.\d+\.\d+[-+.\w]*`)
)

// canonical folds what differs between two builds or two runs of one program:
// type arguments, closure numbers, JVM hidden-class addresses, module versions.
// Used to pair names that exist on one side only; rows keep their full names.
func canonical(function string) string {
	function = foldTypeArguments(function)
	if strings.IndexByte(function, '@') >= 0 {
		function = moduleVersion.ReplaceAllString(function, "")
	}
	function = jvmHash.ReplaceAllString(function, "$1$2*$3")
	return closure.ReplaceAllString(function, ".func*")
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

// entryName shortens an entry function to the function a reader knows it by:
// without closure and wrapper suffixes and without the name of the function it
// was inlined into ("pkg.Outer.(*T).M" -> "pkg.(*T).M").
func entryName(function string) string {
	function = foldTypeArguments(function)
	function = closure.ReplaceAllString(function, "")
	pkg := goPackage(function)
	if i := strings.Index(function, ".(*"); i > len(pkg) {
		function = pkg + function[i:]
	}
	return function
}

func wordSet(words string) map[string]bool {
	m := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}
