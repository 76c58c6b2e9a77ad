package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/allocdiff/allocdiff/profile"
)

// progress is a line on a terminal that tells how far reading has come. It
// stays silent for the first second and on anything but a terminal.
type progress struct {
	w    io.Writer
	mu   sync.Mutex
	next time.Time // when the line may be written again
	seen bool
}

const (
	progressAfter = time.Second
	progressEvery = 200 * time.Millisecond
)

// watch lets the line follow the reading of profiles; the returned function
// takes it away.
func watch(w io.Writer, o *profile.Options) (done func()) {
	if !terminal(w) {
		return func() {}
	}
	p := &progress{w: w, next: time.Now().Add(progressAfter)}
	o.Progress = p.set
	return p.clear
}

func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func (p *progress) set(profiles, bytes int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if now.Before(p.next) {
		return
	}
	p.next = now.Add(progressEvery)
	p.seen = true
	fmt.Fprintf(p.w, "\r\x1b[Kallocdiff: %s done, %s read", counted(float64(profiles), "profile", "profiles"), profile.ScaleOf("bytes", float64(bytes)).Format(float64(bytes)))
}

func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seen {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
