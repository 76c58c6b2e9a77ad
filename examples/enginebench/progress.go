package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// barWidth is the progress bar's length in characters.
const barWidth = 30

// progress is a bar on a terminal; on anything else it is silent.
type progress struct {
	w     io.Writer
	label string
	total int
	began time.Time
}

func newProgress(w io.Writer, label string, total int) *progress {
	if !terminal(w) {
		w = nil
	}
	return &progress{w: w, label: label, total: total, began: time.Now()}
}

// terminal says whether w is one.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// set draws the bar with n of the total done.
func (p *progress) set(n int) {
	if p.w == nil || p.total == 0 {
		return
	}
	n = min(n, p.total)
	full := barWidth * n / p.total
	left := ""
	if n > 0 && n < p.total {
		spent := time.Since(p.began)
		left = fmt.Sprintf(" %s left", (spent * time.Duration(p.total-n) / time.Duration(n)).Round(time.Second))
	}
	fmt.Fprintf(p.w, "\r\x1b[K[%s%s] %d/%d %s%s", strings.Repeat("#", full), strings.Repeat(".", barWidth-full), n, p.total, p.label, left)
}

// done takes the bar away.
func (p *progress) done() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
