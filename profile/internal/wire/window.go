package wire

import "io"

const (
	// windowSize is how many inflated bytes are held at a time, unless one
	// message is longer.
	windowSize = 256 << 10
	// keepSize is the inflated size up to which a profile stays in memory
	// whole, so that the second pass needs no second inflation.
	keepSize = 1 << 20
	// maxMessage bounds one length-delimited field that must be held whole.
	maxMessage = 64 << 20
	// maxHead bounds the bytes of a field before its payload: two varints.
	maxHead = 20
)

// A window holds the part of the inflated bytes that is being read:
// buf[pos:end] is unread, and buf[0] is at base in the stream.
type window struct {
	src   io.Reader
	buf   []byte
	pos   int
	end   int
	limit int // buf is filled up to here
	size  int // limit from when bytes had to be dropped
	base  int64
	eof   bool
}

// reset starts a pass over src. The window keeps a stream of less than keep
// bytes whole, and size bytes of a longer one.
func (w *window) reset(src io.Reader, keep, size int) {
	buf := w.buf
	if len(buf) != keep { // none yet, or grown for one huge message
		buf = make([]byte, keep)
	}
	*w = window{src: src, buf: buf, limit: keep, size: size}
}

// rewind starts the stream again without reading it, if all of it is held.
func (w *window) rewind() bool {
	if !w.eof || w.base != 0 {
		return false
	}
	w.pos = 0
	return true
}

// offset is the position in the stream of the next unread byte.
func (w *window) offset() int64 { return w.base + int64(w.pos) }

// more reads until n bytes are unread, or the stream ends.
func (w *window) more(n int) error {
	for w.end-w.pos < n && !w.eof {
		if w.end == w.limit {
			w.slide(n)
		}
		m, err := w.src.Read(w.buf[w.end:w.limit])
		w.end += m
		if err == io.EOF {
			w.eof = true
		} else if err != nil {
			return err
		}
	}
	return nil
}

// slide moves the unread bytes to the front. For a message longer than the
// window the buffer grows as its bytes arrive, not by what its length claims.
func (w *window) slide(n int) {
	unread := w.end - w.pos
	w.limit = w.size
	if n > w.size {
		w.limit = min(n, max(w.size, 2*unread))
	}
	from := w.buf
	if w.limit > len(w.buf) {
		w.buf = make([]byte, w.limit)
	}
	copy(w.buf, from[w.pos:w.end])
	w.base += int64(w.pos)
	w.pos, w.end = 0, unread
}

// skip drops n bytes. It reports false if the stream ends before.
func (w *window) skip(n uint64) (bool, error) {
	for {
		if have := uint64(w.end - w.pos); n <= have {
			w.pos += int(n)
			return true, nil
		} else if w.eof {
			return false, nil
		} else {
			n -= have
			w.pos = w.end
		}
		if err := w.more(1); err != nil {
			return false, err
		}
	}
}

// next reads the next field of the profile message into f. Length-delimited
// fields whose bit is not set in want are passed over: they are returned
// without their payload. At the end of the stream it returns io.EOF.
func (w *window) next(f *field, want uint) error {
	if w.end-w.pos < maxHead && !w.eof {
		if err := w.more(maxHead); err != nil {
			return err
		}
	}
	if w.pos == w.end {
		return io.EOF
	}
	at := w.offset()
	i, reason := f.head(w.buf[:w.end], w.pos)
	if reason != "" {
		return syntax(at, "%s", reason)
	}
	w.pos = i
	f.at, f.body = at, w.offset()
	if f.typ != typeBytes {
		return nil
	}
	if f.num > 31 || want>>f.num&1 == 0 {
		if ok, err := w.skip(f.val); err != nil {
			return err
		} else if !ok {
			return syntax(at, "a field of %d bytes that runs past the end,", f.val)
		}
		return nil
	}
	if f.val > uint64(w.end-w.pos) {
		if f.val > maxMessage {
			return syntax(at, "a field of %d bytes, more than %d can be held,", f.val, maxMessage)
		}
		n := int(f.val)
		if err := w.more(n); err != nil {
			return err
		}
		if w.end-w.pos < n {
			return syntax(at, "a field of %d bytes that runs past the end,", f.val)
		}
	}
	f.data = w.buf[w.pos : w.pos+int(f.val)]
	w.pos += int(f.val)
	return nil
}
