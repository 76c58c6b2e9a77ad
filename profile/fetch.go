package profile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
)

// maxKept bounds what is held in memory of one input: the bytes of a pipe or
// of a URL, and legacy text to convert.
const maxKept = 1 << 30

func fetch(client *http.Client, req *http.Request) ([]byte, error) {
	resp, err := client.Do(req)
	if err != nil {
		return nil, cause(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answered %s", resp.Status)
	}
	return readLimited(resp.Body)
}

func readLimited(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxKept+1))
	if err != nil {
		return nil, fmt.Errorf("reading: %w", err)
	}
	if len(data) > maxKept {
		return nil, fmt.Errorf("more than %d MiB, too much to hold in memory", maxKept>>20)
	}
	return data, nil
}

// cause strips the path or address from an error, because the caller names
// the input itself.
func cause(err error) error {
	var pathErr *fs.PathError
	var urlErr *url.Error
	switch {
	case errors.As(err, &pathErr):
		return pathErr.Err
	case errors.As(err, &urlErr):
		return urlErr.Err
	}
	return err
}

type memory struct{ *bytes.Reader }

func (memory) Close() error { return nil }

func bytesReader(data []byte) io.ReadSeekCloser { return memory{bytes.NewReader(data)} }
