package wire

import (
	"fmt"
	"io"
)

// A Reader opens one file after the other and keeps its memory in between. The
// zero value is ready to use. It must not be used by two goroutines at a time.
type Reader struct {
	source io.ReadSeeker
	input  input
	window window
	file   File
	raw    raw
	stack  stack
	sample Sample
	whole  bool // the window holds all of the inflated bytes

	keep, size int // of the window; 0: keepSize, windowSize
}

// Open reads everything but the samples of the profile in source, from its
// start. It keeps source for File.Walk. The File is valid until the next Open.
func (r *Reader) Open(source io.ReadSeeker) (*File, error) {
	r.source = source
	r.whole = false
	f := &r.file
	f.reset(r)
	r.raw.reset()
	if err := r.input.rewind(source, true); err != nil {
		return nil, err
	}
	r.start()
	if err := r.tables(); err != nil {
		return nil, err
	}
	r.whole = r.window.rewind()
	if err := r.input.drain(); err != nil {
		return nil, err
	}
	f.Size = r.input.src.n
	f.Codec = r.input.codec
	f.Extra = r.input.extra
	r.input.hash.Sum(f.SHA256[:0])
	return f, nil
}

// Open reads everything but the samples of the profile in source, which is
// gzip, zstd or raw protobuf. To open many files use a Reader.
func Open(source io.ReadSeeker) (*File, error) { return new(Reader).Open(source) }

// again starts the second pass.
func (r *Reader) again() error {
	if r.whole {
		r.window.rewind()
		return nil
	}
	if err := r.input.rewind(r.source, false); err != nil {
		return fmt.Errorf("second pass: %w", err)
	}
	r.start()
	return nil
}

func (r *Reader) start() {
	if r.keep == 0 {
		r.keep, r.size = keepSize, windowSize
	}
	r.window.reset(&r.input, r.keep, r.size)
}
