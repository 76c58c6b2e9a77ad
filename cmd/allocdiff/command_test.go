package main

import (
	"strings"
	"testing"
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
