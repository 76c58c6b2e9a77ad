package profile

import (
	"testing"
	"unicode/utf8"
)

// Names that are equal but for what changes from build to build, or from run to
// run, have one canonical form; others keep theirs.
func TestCanonical(t *testing.T) {
	tests := []struct{ name, want string }{
		{"main.run", "main.run"},
		{"main.run.func1", "main.run.func*"},
		{"main.run.func12.3.1", "main.run.func*"},
		{"main.run.func2.gowrap1", "main.run.func*"},
		{"main.run.deferwrap2", "main.run.func*"},
		{"main.(*T).M-fm", "main.(*T).M.func*"},
		{"main.walk-range1", "main.walk.func*"},
		{"main.walk.func1-range2", "main.walk.func*"},
		{"main.func1s", "main.func1s"},
		{"main.Map[go.shape.int]", "main.Map[...]"},
		{"main.(*Set[go.shape.string]).Add", "main.(*Set[...]).Add"},
		{"main.F[go.shape.map[string]int]", "main.F[...]"},
		{"main.F[go.shape.map[string][]int].func1", "main.F[...].func*"},
		{"gopkg.in/x@v1.2.3-rc.1/sub.F", "gopkg.in/x/sub.F"},
		{"com.acme.App$$Lambda$14/0x0000000800066840.apply", "com.acme.App$$Lambda*.apply"},
		{"com.acme.App$$Lambda+0x00007f3c1c01d220.apply", "com.acme.App$$Lambda*.apply"},
		{"com/acme/App$$Lambda$12/1234567.add", "com/acme/App$$Lambda*.add"},
		{"com.acme.App$$Lambda.bad", "com.acme.App$$Lambda*.bad"},
		{"jdk/internal/reflect/GeneratedMethodAccessor17.invoke", "jdk/internal/reflect/GeneratedMethodAccessor*.invoke"},
		{"com/sun/proxy/$Proxy12.get", "com/sun/proxy/$Proxy*.get"},
		{"java.lang.invoke.LambdaForm$DMH.0x00000008000a1c00.invokeStatic", "java.lang.invoke.LambdaForm$DMH*.invokeStatic"},
		// Addresses without symbols are other code in another build.
		{"app+0x400fff12ab", "app+0x400fff12ab"},
		{"0x7fff12345678", "0x7fff12345678"},
		{"[worker-3 tid=7]", "[worker-3 tid=7]"},
	}
	for _, tt := range tests {
		if got := canonical(tt.name); got != tt.want {
			t.Errorf("canonical(%q): got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Names of one side only are paired if they are canonically equal, in the order
// of their names; names that both sides have are never touched.
func TestPairing(t *testing.T) {
	r := reportOf(t, `samples/count
main.main;main.run.func1 10
main.main;main.run.func2 20
main.main;main.keep.func1 30
main.main;main.Map[go.shape.int] 40
main.main;main.gone 50
`, `samples/count
main.main;main.run.func3 11
main.main;main.keep.func1 31
main.main;main.keep.func2 5
main.main;main.Map[go.shape.string] 41
main.main;main.fresh 51
`, Options{})
	type row struct {
		before, after float64
		note          string
	}
	want := map[string]row{
		"main.run.func3":            {10, 11, "was main.run.func1"},
		"main.run.func2":            {20, 0, ""},
		"main.keep.func1":           {30, 31, ""},
		"main.keep.func2":           {0, 5, ""},
		"main.Map[go.shape.string]": {40, 41, "was main.Map[go.shape.int]"},
		"main.gone":                 {50, 0, ""},
		"main.fresh":                {0, 51, ""},
	}
	flat := r.Metrics[0].Flat
	for _, x := range flat.Rows {
		if got := (row{x.Before.Value, x.After.Value, x.Note}); got != want[x.Name] {
			t.Errorf("row %s: got %+v, want %+v", x.Name, got, want[x.Name])
		}
	}
	if len(flat.Rows) != len(want) {
		t.Errorf("got %d rows, want %d", len(flat.Rows), len(want))
	}
}

func TestClean(t *testing.T) {
	tests := []struct{ name, want string }{
		{"main.run", "main.run"},
		{"müller.Größe", "müller.Größe"},
		{"bad\xffname", `bad\xffname`},
		{"tab\tand\nline", `tab\u0009and\u000aline`},
		{"\x7f", `\u007f`},
		{"zero\x00", `zero\u0000`},
		{"right\u202eleft", `right\u202eleft`},
		{"�", "�"},
	}
	for _, tt := range tests {
		got := clean(tt.name)
		if got != tt.want {
			t.Errorf("clean(%q): got %q, want %q", tt.name, got, tt.want)
		}
		if !utf8.ValidString(got) || clean(got) != got {
			t.Errorf("clean(%q): %q is not clean", tt.name, got)
		}
	}
}

func TestBareName(t *testing.T) {
	tests := []struct {
		file    string
		address uint64
		want    string
	}{
		{"", 0x4010ff, "0x4010ff"},
		{"/usr/lib/libc.so.6", 0x10, "libc.so.6+0x10"},
		{"[vdso]", 0xffffffffffffffff, "[vdso]+0xffffffffffffffff"},
	}
	for _, tt := range tests {
		if got := bareName(tt.file, tt.address); got != tt.want {
			t.Errorf("bareName(%q, %#x): got %q, want %q", tt.file, tt.address, got, tt.want)
		}
	}
}

func TestNameKinds(t *testing.T) {
	tests := []struct {
		name    string
		library bool
		module  string
		pkg     string
	}{
		{"runtime.mallocgc", true, "", "runtime"},
		{"net/http.(*conn).serve", true, "", "net/http"},
		{"internal/poll.(*FD).Read", true, "", "internal/poll"},
		{"vendor/golang.org/x/net/http2.F", true, "", "vendor/golang.org/x/net/http2"},
		{"time.fileSizeError.Error", true, "", "time"},
		{"main.run", false, "main", "main"},
		{"github.com/acme/app/db.(*T).Get", false, "github.com/acme/app", "github.com/acme/app/db"},
		{"example.com/engine.Run[go.shape.struct { net/http.x int }]", false, "example.com/engine", "example.com/engine"},
		{"testing.(*B).runN", true, "", "testing"},
		{"java/lang/Thread.run", true, "", "java/lang/Thread"},
		{"java.util.HashMap.put", true, "", "java"},
		{"io/netty/buffer/PoolArena.allocate", false, "io/netty", "io/netty/buffer/PoolArena"},
		{"io.netty.buffer.PoolArena.allocate", false, "io.netty.buffer", "io"},
		{"org/apache/cassandra/db/Keyspace.apply", false, "org/apache", "org/apache/cassandra/db/Keyspace"},
		{"std::vec::Vec<T>::push", true, "", "std::vec::Vec<T>::push"},
		{"malloc", true, "", "malloc"},
		{"gcWriteBarrier", true, "", "gcWriteBarrier"},
		{"cmpbodyguard", false, "", "cmpbodyguard"},
		{"tikv::storage::run", false, "", "tikv::storage::run"},
		{"app+0x400fff", false, "", "app+0x400fff"},
		{"0x400fff", false, "", "0x400fff"},
	}
	for _, tt := range tests {
		if got := isLibrary(tt.name); got != tt.library {
			t.Errorf("isLibrary(%q): got %t, want %t", tt.name, got, tt.library)
		}
		if got := moduleOf(tt.name); got != tt.module {
			t.Errorf("moduleOf(%q): got %q, want %q", tt.name, got, tt.module)
		}
		if got := goPackage(tt.name); got != tt.pkg {
			t.Errorf("goPackage(%q): got %q, want %q", tt.name, got, tt.pkg)
		}
	}
}

func TestInModule(t *testing.T) {
	tests := []struct {
		name, module string
		want         bool
	}{
		{"go.etcd.io/etcd/server/mvcc.(*store).Put", "go.etcd.io/etcd", true},
		{"go.etcd.io/etcd.Run", "go.etcd.io/etcd", true},
		{"go.etcd.io/etcdctl.Run", "go.etcd.io/etcd", false},
		{"github.com/acme/app/v2/internal/db.Get", "github.com/acme/app/v2/internal", true},
		{"github.com/acme/app/v2/cache.Get", "github.com/acme/app/v2/internal", false},
		{"org.apache.cassandra.db.Keyspace.apply", "org.apache.cassandra", true},
		{"anything", "", true},
	}
	for _, tt := range tests {
		if got := inModule(tt.name, tt.module); got != tt.want {
			t.Errorf("inModule(%q, %q): got %t, want %t", tt.name, tt.module, got, tt.want)
		}
	}
}

// The owner is the first frame from the leaf outside the runtime, the standard
// library and the libraries that the program uses.
func TestOwner(t *testing.T) {
	const engine = "example.com/engine"
	text := `alloc_space/bytes
# period space/bytes 1
runtime.main;main.main;example.com/engine/db.(*T).Put;github.com/acme/lib.Marshal;bytes.growSlice 10
runtime.main;main.main;example.com/engine/db.(*T).Put;example.com/engine/cell.Copy;runtime.growslice 20
github.com/acme/lib.Serve;encoding/json.Marshal 30
runtime.mcall;runtime.malg 40
example.com/engine/db.Run;0x4010ff 50
(no stack) 60
`
	tests := []struct {
		module string
		want   map[string][]int64
	}{
		{"-", map[string][]int64{
			"github.com/acme/lib.Marshal": {10}, "example.com/engine/cell.Copy": {20}, "github.com/acme/lib.Serve": {30},
			"runtime.malg": {40}, "0x4010ff": {50}, noStackName: {60},
		}},
		{engine, map[string][]int64{
			"example.com/engine/db.(*T).Put": {10}, "example.com/engine/cell.Copy": {20}, "github.com/acme/lib.Serve": {30},
			"runtime.malg": {40}, "0x4010ff": {50}, noStackName: {60},
		}},
		{"example.com/engine/db", map[string][]int64{
			"example.com/engine/db.(*T).Put": {30}, "github.com/acme/lib.Serve": {30},
			"runtime.malg": {40}, "0x4010ff": {50}, noStackName: {60},
		}},
	}
	for _, tt := range tests {
		s := readSide(t, Options{Module: tt.module}, texts(text)...)
		got := map[string][]int64{}
		for i, k := range s.Costs[0].owner.keys {
			addTo(got, s.names.snapshot()[k.name].text, valuesOf(s.Costs[0].owner.at(i)))
		}
		if diff := rowsDiffer(got, tt.want); diff != "" {
			t.Errorf("module %q: %s", tt.module, diff)
		}
	}
}

// Without --module the program is where most stacks start; a main package does
// not tell its libraries from itself.
func TestGuessModule(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"engine", "runtime.main;example.com/engine/a.F 1\nexample.com/engine/b.F 1\ngithub.com/acme/lib.F 1\n", "example.com/engine"},
		{"main", "runtime.main;main.main;example.com/engine/a.F 1\nmain.run 1\n", ""},
		{"no majority", "runtime.main;example.com/engine/a.F 1\ngithub.com/acme/lib.F 1\n", ""},
		{"not Go", "org/apache/App.run 1\n", ""},
	}
	for _, tt := range tests {
		s := readSide(t, Options{}, texts("samples/count\n"+tt.text)...)
		if s.names.module != tt.want {
			t.Errorf("%s: got module %q, want %q", tt.name, s.names.module, tt.want)
		}
	}
}

func TestPackageOf(t *testing.T) {
	for name, want := range map[string]string{
		"github.com/acme/app/db.(*T).Get":       "github.com/acme/app/db",
		"runtime.mallocgc":                      "runtime",
		"java/util/regex/Pattern$Slice.match":   "java.util.regex",
		"java.util.regex.Pattern.match":         "java.util.regex",
		"org.apache.cassandra.db.Keyspace.open": "org.apache.cassandra.db",
		"malloc":                                "malloc",
	} {
		if got := packageOf(name); got != want {
			t.Errorf("packageOf(%q): got %q, want %q", name, got, want)
		}
	}
}
