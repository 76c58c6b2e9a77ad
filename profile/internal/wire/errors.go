package wire

import (
	"errors"
	"fmt"
	"io"
)

// ErrEmpty says that there is no profile at all: no bytes in the file, or none
// in its compressed stream.
var ErrEmpty = errors.New("empty file")

// errChanged says that the second pass saw other bytes than the first.
var errChanged = errors.New("file changed while it was being read")

// A StreamError says that the compressed stream ends early or is damaged.
type StreamError struct {
	Codec  string // "gzip" or "zstd"
	Offset int64  // bytes of the file read so far; the size of the file if it ends early
	Err    error  // io.ErrUnexpectedEOF if the file ends early, else the decoder's reason
}

// Error implements error.
func (e *StreamError) Error() string {
	if e.Err == io.ErrUnexpectedEOF {
		return fmt.Sprintf("file ends inside its %s stream after %d bytes (profile not stopped or flushed?)", e.Codec, e.Offset)
	}
	return fmt.Sprintf("%s stream is damaged before byte %d of the file: %v", e.Codec, e.Offset, e.Err)
}

// Unwrap returns Err.
func (e *StreamError) Unwrap() error { return e.Err }

// A SyntaxError says that the bytes are not a protobuf of the pprof schema.
// The file may be something else altogether: text, an older profile format.
type SyntaxError struct {
	Offset int64  // of the field that cannot be read, in the inflated bytes
	Reason string // what is wrong with it
}

// Error implements error.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("not a pprof protobuf: %s at byte %d", e.Reason, e.Offset)
}

// An InvalidError says that the protobuf can be read, but what it says breaks
// a rule of the format: a reference to nothing, an id used twice.
type InvalidError struct {
	Offset int64  // of the message at fault, in the inflated bytes
	Reason string // names the message and the rule
}

// Error implements error.
func (e *InvalidError) Error() string {
	return fmt.Sprintf("malformed profile: %s (byte %d)", e.Reason, e.Offset)
}

// A ConcatenatedError says that several profiles stand one after the other in
// one file. Their ids collide, so they cannot be read as one.
type ConcatenatedError struct {
	N int // profiles seen, at least 2
}

// Error implements error.
func (e *ConcatenatedError) Error() string {
	return fmt.Sprintf("%d profiles concatenated in one file (split them and pass each by name)", e.N)
}

func syntax(at int64, format string, args ...any) error {
	return &SyntaxError{Offset: at, Reason: fmt.Sprintf(format, args...)}
}

func invalid(at int64, format string, args ...any) error {
	return &InvalidError{Offset: at, Reason: fmt.Sprintf(format, args...)}
}
