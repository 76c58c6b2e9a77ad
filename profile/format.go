package profile

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Scale turns base units into the numbers people read. One scale serves a whole
// column, so that its values line up and subtract. The zero value prints plain
// numbers.
type Scale struct {
	Factor   float64 // base units in one printed unit; 0 means 1
	Suffix   string  // "MiB", "ms", "k", ...; "" for plain counts
	Decimals int
}

type step struct {
	factor float64
	suffix string
}

var (
	byteSteps  = []step{{1 << 50, "PiB"}, {1 << 40, "TiB"}, {1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}, {1, "B"}}
	nanoSteps  = []step{{86400e9, "d"}, {3600e9, "h"}, {60e9, "min"}, {1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}}
	countSteps = []step{{1e9, "G"}, {1e6, "M"}, {1e4, "k"}, {1, ""}}
)

// ScaleOf returns the scale for a column whose largest magnitude is largest, in
// the base unit of the metric. Bytes are IEC.
func ScaleOf(unit string, largest float64) Scale {
	steps := countSteps
	switch unit {
	case "bytes":
		steps = byteSteps
	case "nanoseconds":
		steps = nanoSteps
	}
	largest = math.Abs(largest)
	for _, s := range steps {
		if largest < s.factor {
			continue
		}
		sc := Scale{Factor: s.factor, Suffix: s.suffix, Decimals: 2}
		if s.suffix == "k" {
			sc.Factor = 1e3
		}
		switch v := largest / sc.Factor; {
		case s.factor == 1 && largest == math.Trunc(largest) && (unit == "count" || largest >= 10), v >= 1000:
			sc.Decimals = 0
		case v >= 100:
			sc.Decimals = 1
		}
		return sc
	}
	last := steps[len(steps)-1]
	return Scale{Factor: last.factor, Suffix: last.suffix, Decimals: 2}
}

// Number formats v without its unit: "68.45". Zero is "0"; what would round to
// zero is "<0.01".
func (s Scale) Number(v float64) string {
	if v == 0 {
		return "0"
	}
	f := s.Factor
	if f == 0 {
		f = 1
	}
	x := v / f
	least := math.Pow10(-s.Decimals)
	if math.Abs(x) < least/2 {
		text := strconv.FormatFloat(least, 'f', s.Decimals, 64)
		if x < 0 {
			return "-<" + text
		}
		return "<" + text
	}
	return thousands(strconv.FormatFloat(x, 'f', s.Decimals, 64))
}

// Format formats v with its unit: "68.45 GiB".
func (s Scale) Format(v float64) string { return s.withUnit(s.Number(v)) }

// trim is Format without zeros behind the point: "512 KiB".
func (s Scale) trim(v float64) string {
	t := s.Number(v)
	if strings.IndexByte(t, '.') >= 0 {
		t = strings.TrimRight(strings.TrimRight(t, "0"), ".")
	}
	return s.withUnit(t)
}

// Signed formats a difference with its unit, always signed unless it is zero:
// "-5.93 GiB". The minus is ASCII; see Typographic.
func (s Scale) Signed(v float64) string { return s.withUnit(s.SignedNumber(v)) }

// SignedNumber is Signed without the unit.
func (s Scale) SignedNumber(v float64) string {
	t := s.Number(v)
	if v > 0 {
		t = "+" + t
	}
	return t
}

func (s Scale) withUnit(t string) string {
	if s.Suffix == "" {
		return t
	}
	return t + " " + s.Suffix
}

// thousands puts commas into the whole part of a decimal number.
func thousands(t string) string {
	start := 0
	if strings.HasPrefix(t, "-") {
		start = 1
	}
	end := strings.IndexByte(t, '.')
	if end < 0 {
		end = len(t)
	}
	for i := end - 3; i > start; i -= 3 {
		t = t[:i] + "," + t[i:]
	}
	return t
}

// Count formats a count with thousands commas.
func Count(n float64) string { return thousands(strconv.FormatFloat(n, 'f', 0, 64)) }

// PercentText is how a change in percent is written: one decimal, signed, of
// the row's own before; "new" and "gone" in place of what would be infinite or
// -100; "x12.3" over +999 %; "0.0%" only for no change at all.
func (r *Row) PercentText() string {
	switch {
	case r.Before.Value == 0 && r.After.Value == 0:
		return "0"
	case r.Before.Value == 0:
		return "new"
	case r.After.Value == 0:
		return "gone"
	case r.Percent == nil:
		return "–"
	}
	return FormatPercent(*r.Percent)
}

// FormatPercent formats a change in percent; see Row.PercentText.
func FormatPercent(p float64) string {
	switch {
	case p > 999:
		return "x" + strconv.FormatFloat(p/100+1, 'f', 1, 64)
	case p == 0:
		return "0.0%"
	case math.Abs(p) < 0.05:
		if p < 0 {
			return "-0.0%"
		}
		return "+0.0%"
	case p > 0:
		return "+" + strconv.FormatFloat(p, 'f', 1, 64) + "%"
	}
	return strconv.FormatFloat(p, 'f', 1, 64) + "%"
}

var minus = regexp.MustCompile(`(^|[\s(\[<>])-([<\d])`)

// Typographic replaces the ASCII minus signs before numbers in a text by U+2212,
// for charts and Markdown. Names keep their hyphens.
func Typographic(text string) string { return minus.ReplaceAllString(text, "$1−$2") }

// FormatRate says how often a profiler samples, from the type and the length of
// its period: "1 per 512 KiB", "every allocation", "100 Hz". It is empty where
// the period is unknown, and where it is 1 of what is neither bytes nor time:
// block and mutex profiles say so at any rate.
func FormatRate(of Metric, period float64) string {
	plain := Scale{Decimals: 2}
	switch {
	case period <= 0:
		return ""
	case of.Unit == "bytes" && period <= 1:
		return "every allocation"
	case of.Unit == "bytes":
		return "1 per " + ScaleOf("bytes", period).trim(period)
	case of.Unit == "nanoseconds":
		return plain.trim(1e9/period) + " Hz"
	case period == 1:
		return ""
	}
	return "1 per " + plain.trim(period) + " " + of.Unit
}
