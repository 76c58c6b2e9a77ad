package profile

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

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
