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
