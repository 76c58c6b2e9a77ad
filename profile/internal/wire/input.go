package wire

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// fileBuffer is the size of the reads from the file.
const fileBuffer = 64 << 10

// maxWindow bounds the history that a zstd stream may ask for, in bytes.
const maxWindow = 64 << 20

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// A source counts the bytes taken from the file and, in the first pass, hashes
// them. It remembers the file's own error, so that a failing disk is not taken
// for a damaged stream.
type source struct {
	file io.Reader
	sum  hash.Hash // nil: do not hash
	n    int64
	err  error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.file.Read(p)
	s.n += int64(n)
	if s.sum != nil {
		s.sum.Write(p[:n])
	}
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// An input inflates one file. It is reused from file to file and from pass to
// pass.
type input struct {
	src   source
	hash  hash.Hash
	file  *bufio.Reader // over src
	codec string        // "", "gzip" or "zstd"
	gz    *gzip.Reader
	zs    *zstd.Decoder
	extra int64 // where the bytes after the gzip stream start; 0: none
}

// rewind starts a pass: it goes back to the start of the file and finds the
// compression by its magic bytes.
func (in *input) rewind(file io.ReadSeeker, first bool) error {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("rewinding the file: %w", err)
	}
	in.src = source{file: file}
	if first {
		if in.hash == nil {
			in.hash = sha256.New()
		}
		in.hash.Reset()
		in.src.sum = in.hash
	}
	if in.file == nil {
		in.file = bufio.NewReaderSize(nil, fileBuffer)
	}
	in.file.Reset(&in.src)
	in.extra = 0
	magic, err := in.file.Peek(len(zstdMagic))
	if err != nil && err != io.EOF {
		return in.failure(err)
	}
	switch {
	case bytes.HasPrefix(magic, gzipMagic):
		in.codec = "gzip"
		if in.gz == nil {
			in.gz = new(gzip.Reader)
		}
		return in.member()
	case bytes.Equal(magic, zstdMagic):
		in.codec = "zstd"
		return in.frames()
	}
	in.codec = ""
	return nil
}

// member starts the next member of a gzip file. It returns io.EOF after the
// last one.
func (in *input) member() error {
	magic, err := in.file.Peek(len(gzipMagic))
	if err != nil && err != io.EOF {
		return in.failure(err)
	}
	if !bytes.Equal(magic, gzipMagic) {
		if len(magic) > 0 {
			in.extra = in.offset()
		}
		return io.EOF
	}
	if err := in.gz.Reset(in.file); err != nil {
		return in.failure(err)
	}
	// Members are taken one by one, to know where the last one ends.
	in.gz.Multistream(false)
	return nil
}

// frames starts the zstd decoder.
func (in *input) frames() error {
	if in.zs == nil {
		zs, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return fmt.Errorf("starting the zstd decoder: %w", err)
		}
		in.zs = zs
	}
	if err := in.zs.Reset(in.file); err != nil {
		return in.failure(err)
	}
	return nil
}

// Read returns inflated bytes.
func (in *input) Read(p []byte) (n int, err error) {
	switch in.codec {
	case "gzip":
		n, err = in.gz.Read(p)
		if err == io.EOF {
			// All errors of member are final already.
			return n, in.member()
		}
	case "zstd":
		n, err = in.zs.Read(p)
	default:
		n, err = in.file.Read(p)
	}
	if err != nil && err != io.EOF {
		err = in.failure(err)
	}
	return n, err
}

// drain reads the file to its end, for its size and hash.
func (in *input) drain() error {
	if _, err := io.Copy(io.Discard, in.file); err != nil {
		return in.failure(err)
	}
	return nil
}

// offset is the position in the file of the next byte to be inflated.
func (in *input) offset() int64 { return in.src.n - int64(in.file.Buffered()) }

// failure names what went wrong: the file or its compression.
func (in *input) failure(err error) error {
	if in.src.err != nil {
		return fmt.Errorf("reading the file: %w", in.src.err)
	}
	if in.codec == "" {
		return fmt.Errorf("reading the file: %w", err)
	}
	return &StreamError{Codec: in.codec, Offset: in.offset(), Err: err}
}
