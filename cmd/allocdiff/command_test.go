package main

import (
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/allocdiff/allocdiff/plot"
)

func TestCommandLine(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "allocdiff"},
		{[]string{"-o", "review/", "v1.2=before", "after"}, "allocdiff -o review/ v1.2=before after"},
		{[]string{"--title", "two words", "it's", ""}, `allocdiff --title 'two words' 'it'\''s' ''`},
		{[]string{"--fail-on", "total alloc_space > +2%", "*.pb.gz", "--"}, "allocdiff --fail-on 'total alloc_space > +2%' '*.pb.gz' --"},
		{[]string{"https://user:se@cret@host/heap?gc=1", "x=http://user:secret@host/heap"}, "allocdiff 'https://user:xxxxx@host/heap?gc=1' x=http://user:xxxxx@host/heap"},
		{[]string{"http://host:6060/debug/pprof/heap", "http://user@host/heap"}, "allocdiff http://host:6060/debug/pprof/heap http://user@host/heap"},
	} {
		if got := commandLine(test.args); got != test.want {
			t.Errorf("%q: got %s, want %s", test.args, got, test.want)
		}
	}
	long := commandLine([]string{strings.Repeat("ä", commandLimit)})
	if len(long) > commandLimit+len(" …") || !strings.HasSuffix(long, "ä …") {
		t.Errorf("a long argument: got %d bytes ending in %q, want %d at most and an ellipsis", len(long), long[len(long)-8:], commandLimit)
	}
}

// The widths that the command line takes are those that pictures can have.
func TestWidth(t *testing.T) {
	for _, width := range []int{999, 1000, 1600, 1601} {
		_, err := parse(streams{}, []string{"--width", strconv.Itoa(width), "before", "after"})
		drawn := plot.SVG(io.Discard, server(), plot.Options{Width: width, Theme: plot.Light})
		if (err == nil) != (drawn == nil) {
			t.Errorf("width %d: the command line says %v, the picture %v; want the same", width, err, drawn)
		}
	}
}
