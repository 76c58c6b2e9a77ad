package main

import (
	"strings"
	"testing"
	"time"

	"github.com/allocdiff/allocdiff/profile"
)

func TestProgress(t *testing.T) {
	var b strings.Builder
	p := &progress{w: &b, next: time.Now().Add(time.Hour)}
	p.set(1, 1<<20)
	p.clear()
	if b.String() != "" {
		t.Errorf("before its time: got %q, want nothing", b.String())
	}
	p.next = time.Time{}
	p.set(3, 5<<20)
	p.set(4, 6<<20) // too soon after the last
	p.clear()
	if got, want := b.String(), "\r\x1b[Kallocdiff: 3 profiles done, 5.00 MiB read\r\x1b[K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var o profile.Options
	watch(&b, &o)()
	if o.Progress != nil {
		t.Error("something that is no terminal is told of the progress")
	}
}
