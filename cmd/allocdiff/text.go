package main

import (
	"io"
	"slices"
	"strings"

	"github.com/allocdiff/allocdiff/profile"
)

// printText writes the report for a terminal: verdict and doubts first, then
// the tables, then how to read them.
func printText(w io.Writer, r *profile.Report, o printOptions) error {
	var b strings.Builder
	b.WriteString(sentence(r.Title) + "\n")
	b.WriteString(sentence(r.Verdict) + "\n\n")
	g := sides(r)
	g.text(&b)
	for _, warning := range r.Warnings {
		b.WriteString("warning: " + sentence(warning) + "\n")
	}
	list := sections(r, o)
	for i := range list {
		s := &list[i]
		b.WriteString("\n" + s.heading + "\n")
		s.grid.text(&b)
		for _, l := range s.lines {
			b.WriteString(sentence(l) + "\n")
		}
	}
	if notes := footer(r, list); len(notes) > 0 {
		b.WriteString("\n" + strings.Join(notes, "\n") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// footer says how to read the numbers and what made them.
func footer(r *profile.Report, list []section) []string {
	var notes []string
	if l := legend(list); l != "" {
		notes = append(notes, l)
	}
	if r.Noise != "" {
		notes = append(notes, "noise: "+sentence(r.Noise))
	}
	for _, n := range r.Notes {
		notes = append(notes, sentence(n))
	}
	if r.Version != "" {
		notes = append(notes, sentence("made by allocdiff "+r.Version))
	}
	if r.Command != "" {
		notes = append(notes, sentence("command: "+r.Command))
	}
	return notes
}

// sides has a line for each side.
func sides(r *profile.Report) grid {
	g := grid{columns: []column{{left: true}, {left: true}, {left: true}, {left: true}, {}, {}}}
	for i, s := range []*profile.SideInfo{&r.Before, &r.After} {
		g.rows = append(g.rows, line{cells: append([]string{[]string{"before", "after"}[i]}, sideCells(s)...)})
	}
	g.compact()
	return g
}

// sideCells describe a side: label, profiles, sampling rate, stacks and
// operations.
func sideCells(s *profile.SideInfo) []string {
	var stacks int64
	for i := range s.Inputs {
		stacks += s.Inputs[i].Samples
	}
	ops := ""
	if s.Ops > 0 {
		ops = counted(s.Ops, "op", "ops")
	}
	return []string{middle(printable(s.Label), nameWidth), profilesText(s), ratesText(s), counted(float64(stacks), "stack", "stacks"), ops}
}

// profilesText counts the profiles of each kind, in the order in which they
// came: "3 heap + 3 CPU profiles".
func profilesText(s *profile.SideInfo) string {
	var kinds []string
	count := map[string]int{}
	for i := range s.Inputs {
		k := kindText(s.Inputs[i].Kind)
		if count[k] == 0 {
			kinds = append(kinds, k)
		}
		count[k]++
	}
	var parts []string
	for _, k := range kinds {
		parts = append(parts, profile.Count(float64(count[k]))+" "+k)
	}
	text := strings.Join(parts, " + ") + " profile"
	if len(s.Inputs) != 1 {
		text += "s"
	}
	if s.Merged > 0 {
		text += ", summed"
	}
	return text
}

func kindText(k profile.Kind) string {
	if k == profile.Time {
		return "CPU"
	}
	return printable(string(k))
}

// ratesText lists the different sampling rates of a side in words.
func ratesText(s *profile.SideInfo) string {
	var rates []string
	for i := range s.Inputs {
		in := &s.Inputs[i]
		rate := printable(profile.FormatRate(in.PeriodType, float64(in.Period)))
		if rate != "" && !slices.Contains(rates, rate) {
			rates = append(rates, rate)
		}
	}
	return strings.Join(rates, ", ")
}
