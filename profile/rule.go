package profile

import (
	"fmt"
	"regexp"
	"strings"
)

// A PoolRule assigns samples to a pool. Rules are tried in the order given; the
// first that matches a sample decides, so a sample is in exactly one pool.
type PoolRule struct {
	Name string // of the pool; may use $1 for what the pattern captured
	Form string // "" any label value, else any frame from the root; or "label", "root", "frame", "leaf"
	Key  string // the label key of a "label" rule

	re *regexp.Regexp
}

// ParsePoolRule reads a rule as users write it:
//
//	NAME=REGEXP             a label value, else a frame, looked at from the root
//	NAME=label:KEY~REGEXP   the values of one label
//	NAME=root~REGEXP        the entry function: the first frame that is no launcher
//	NAME=frame~REGEXP       any frame, from the root
//	NAME=leaf~REGEXP        the leaf frame
//
// REGEXP is RE2, unanchored and case-sensitive.
func ParsePoolRule(text string) (PoolRule, error) {
	name, pattern, ok := strings.Cut(text, "=")
	if !ok || name == "" || pattern == "" {
		return PoolRule{}, fmt.Errorf("pool rule %q: want NAME=REGEXP", text)
	}
	r := PoolRule{Name: name}
	for _, form := range []string{"root", "frame", "leaf"} {
		if rest, found := strings.CutPrefix(pattern, form+"~"); found {
			r.Form, pattern = form, rest
			break
		}
	}
	if rest, found := strings.CutPrefix(pattern, "label:"); found && r.Form == "" {
		if r.Key, pattern, ok = strings.Cut(rest, "~"); !ok {
			return PoolRule{}, fmt.Errorf("pool rule %q: want NAME=label:KEY~REGEXP", text)
		}
		r.Form = "label"
	}
	if pattern == "" || r.Form == "label" && r.Key == "" {
		return PoolRule{}, fmt.Errorf("pool rule %q: empty key or regular expression", text)
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return PoolRule{}, fmt.Errorf("pool rule %q: %w", text, err)
	}
	r.re = re
	return r, nil
}

// ParsePoolRules reads one rule a line; empty lines and # comments are skipped.
func ParsePoolRules(text string) ([]PoolRule, error) {
	var rules []PoolRule
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		r, err := ParsePoolRule(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		rules = append(rules, r)
	}
	return rules, nil
}

// match returns the pool that the rule gives to a text, "" for none.
func (r *PoolRule) match(text string) string {
	m := r.re.FindStringSubmatchIndex(text)
	if m == nil {
		return ""
	}
	return string(r.re.ExpandString(nil, r.Name, text, m))
}

// matchLabel is match for a label. Only a rule that names the key looks at
// numbers.
func (r *PoolRule) matchLabel(key, value string, isText bool) string {
	if r.Form == "" && !isText || r.Form == "label" && foldKey(key) != foldKey(r.Key) {
		return ""
	}
	return r.match(value)
}

// String is the rule as it was written.
func (r *PoolRule) String() string {
	form := r.Form
	switch form {
	case "label":
		form = "label:" + r.Key + "~"
	case "":
	default:
		form += "~"
	}
	return r.Name + "=" + form + r.re.String()
}
