package profile

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Short makes names short enough for a column of width characters. The import
// path of a Go name goes up to its last slash, the first Java packages become
// initials, and what is still too long is cut in the middle, keeping more of
// the end, where functions have their method. Distinct names stay distinct: as
// much of a path comes back as that takes, and where cutting made names equal
// they are numbered. The result has the length of names and does not depend on
// their order. A width under 8 counts as 8.
func Short(names []string, width int) []string {
	width = max(width, 8)
	distinct := slices.Clone(names)
	slices.Sort(distinct)
	distinct = slices.Compact(distinct)

	forms := make([][]string, len(distinct))
	for i, name := range distinct {
		forms[i] = shortForms(name, width)
	}
	for raised := true; raised; {
		raised = false
		count := firstForms(forms)
		for i, f := range forms {
			if count[f[0]] > 1 && len(f) > 1 {
				forms[i], raised = f[1:], true
			}
		}
	}

	short := make(map[string]string, len(distinct))
	used := firstForms(forms)
	first := make(map[string]bool, len(distinct))
	for i, name := range distinct {
		t := forms[i][0]
		if first[t] {
			t = numbered(t, width, used)
			used[t]++
		}
		first[t] = true
		short[name] = t
	}
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = short[name]
	}
	return out
}

// firstForms counts the forms that come first.
func firstForms(forms [][]string) map[string]int {
	count := make(map[string]int, len(forms))
	for _, f := range forms {
		count[f[0]]++
	}
	return count
}

// numbered tells t from the names in used by a number at its end.
func numbered(t string, width int, used map[string]int) string {
	for n := 2; ; n++ {
		mark := " (" + strconv.Itoa(n) + ")"
		if c := cutMiddle(t, max(width-len(mark), 1)) + mark; used[c] == 0 {
			return c
		}
	}
}

// shortForms lists the forms of a name, the preferred first and the full name
// last, each cut to width characters.
func shortForms(name string, width int) []string {
	var forms []string
	add := func(t string) { forms = append(forms, cutMiddle(t, width)) }
	head := name // what may hold a path: not type arguments, parameters, closures
	if i := strings.IndexAny(head, "([<{ "); i >= 0 {
		head = head[:i]
	}
	if last := strings.LastIndexByte(head, '/'); last >= 0 {
		if strings.Contains(head[last:], ".") || strings.HasSuffix(head, "/") || utf8.RuneCountInString(name) > width {
			for i := last; i > 0; i = strings.LastIndexByte(head[:i], '/') {
				if !isVersion(head[i+1:]) && len(name) > i+1 {
					add(name[i+1:])
				}
			}
		}
	} else if n := javaPackages(head); n > 3 {
		t := initials(name, 3)
		if utf8.RuneCountInString(t) > width {
			t = initials(name, n)
		}
		add(t)
	}
	add(name)
	return forms
}

// isVersion reports whether a path element is a major version of a Go module,
// as in v2.Parse: it says nothing without the element before it.
func isVersion(t string) bool {
	t, _, _ = strings.Cut(t, ".")
	t, _, _ = strings.Cut(t, "/")
	if len(t) < 2 || t[0] != 'v' {
		return false
	}
	return strings.Trim(t[1:], "0123456789") == ""
}

// javaPackages counts the packages before the class in a dotted Java name; 0
// for other names.
func javaPackages(head string) int {
	parts := strings.Split(head, ".")
	for i, part := range parts {
		switch {
		case part == "":
			return 0
		case 'A' <= part[0] && part[0] <= 'Z':
			return i
		case part[0] < 'a' || part[0] > 'z':
			return 0
		}
	}
	return 0
}

// initials shortens the first n packages of a name to their first letters.
func initials(name string, n int) string {
	var b strings.Builder
	for range n {
		part, rest, _ := strings.Cut(name, ".")
		b.WriteByte(part[0])
		b.WriteByte('.')
		name = rest
	}
	return b.String() + name
}

// cutMiddle cuts t to width characters with an ellipsis in its middle; of 46,
// the last 24 are kept.
func cutMiddle(t string, width int) string {
	if utf8.RuneCountInString(t) <= width {
		return t
	}
	runes := []rune(t)
	tail := width * 24 / 46
	return string(runes[:width-1-tail]) + "…" + string(runes[len(runes)-tail:])
}
