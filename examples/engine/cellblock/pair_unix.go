//go:build unix

package cellblock

import (
	"errors"
	"net"
	"os"
	"syscall"
)

// connPair returns the two ends of a Unix socket pair.
func connPair() (server, client net.Conn, err error) {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return nil, nil, os.NewSyscallError("socketpair", err)
	}
	if server, err = fileConn(fds[0]); err != nil {
		return nil, nil, errors.Join(err, syscall.Close(fds[1]))
	}
	if client, err = fileConn(fds[1]); err != nil {
		return nil, nil, errors.Join(err, server.Close())
	}
	return server, client, nil
}

// fileConn makes a connection of fd and closes fd.
func fileConn(fd int) (net.Conn, error) {
	f := os.NewFile(uintptr(fd), "socket pair")
	conn, err := net.FileConn(f)
	return conn, errors.Join(err, f.Close())
}
