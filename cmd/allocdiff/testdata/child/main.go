// Child is what the benchmarks of allocdiff start instead of the programs they
// measure.
//
//	child measure N COMMAND ARG...   runs COMMAND N times, drains its standard
//	                                 output and prints what it took, as JSON
//	child gunzip FILE...             inflates the files with compress/gzip
//
// Linux counts the memory of the process that forks in the peak of the new one,
// so the parent has to be small: the test binary is not.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

func main() {
	err := errors.New("want measure or gunzip")
	switch {
	case len(os.Args) > 3 && os.Args[1] == "measure":
		err = measure(os.Args[2], os.Args[3:])
	case len(os.Args) > 2 && os.Args[1] == "gunzip":
		err = gunzip(os.Args[2:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "child:", err)
		os.Exit(1)
	}
}

// usage is what the runs took.
type usage struct {
	CPU     time.Duration // user and system, summed
	Wall    time.Duration // summed
	RSS     int64         // bytes, the largest
	Written int64         // bytes of standard output, summed
}

func measure(times string, command []string) error {
	n, err := strconv.Atoi(times)
	if err != nil {
		return err
	}
	var u usage
	for range n {
		if err := u.run(command); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(u)
}

func (u *usage) run(command []string) error {
	var stderr bytes.Buffer
	c := exec.Command(command[0], command[1:]...)
	c.Stdout, c.Stderr = (*counter)(&u.Written), &stderr
	start := time.Now()
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", command[0], err, &stderr)
	}
	u.Wall += time.Since(start)
	u.CPU += c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	rss := c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	if runtime.GOOS != "darwin" { // which counts bytes; others count KiB
		rss *= 1024
	}
	u.RSS = max(u.RSS, rss)
	return nil
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

func gunzip(names []string) error {
	var z gzip.Reader
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		if err := z.Reset(f); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if _, err := io.Copy(io.Discard, &z); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}
