package profile

import "testing"

func TestTypographic(t *testing.T) {
	for _, c := range [][2]string{
		{"fell (-8.8%). Largest: pool Native-Transport-Requests -5.93 GiB", "fell (−8.8%). Largest: pool Native-Transport-Requests −5.93 GiB"},
		{"use --per second or -1", "use --per second or −1"},
		{"pool-1-thread-2", "pool-1-thread-2"},
		{"-3", "−3"},
		{"[-12.0%, -3.0%] -<0.01", "[−12.0%, −3.0%] −<0.01"},
		{"", ""},
	} {
		if got := Typographic(c[0]); got != c[1] {
			t.Errorf("Typographic(%q) = %q, want %q", c[0], got, c[1])
		}
	}
}

func TestFormatRate(t *testing.T) {
	bytes, nanos := Metric{Type: "space", Unit: "bytes"}, CPU
	for _, c := range []struct {
		of     Metric
		period float64
		want   string
	}{
		{bytes, 0, ""},
		{bytes, 1, "every allocation"},
		{bytes, 512, "1 per 512 B"},
		{bytes, 524288, "1 per 512 KiB"},
		{bytes, 4096, "1 per 4 KiB"},
		{bytes, 1536, "1 per 1.5 KiB"},
		{bytes, 100 << 20, "1 per 100 MiB"},
		{nanos, 10e6, "100 Hz"},
		{nanos, 1e6, "1,000 Hz"},
		{nanos, 10101010, "99 Hz"},
		{Metric{Type: "contentions", Unit: "count"}, 100, "1 per 100 count"},
		{Metric{Type: "contentions", Unit: "count"}, 1, ""},
	} {
		if got := FormatRate(c.of, c.period); got != c.want {
			t.Errorf("period %v of %v: %q, want %q", c.period, c.of, got, c.want)
		}
	}
}
