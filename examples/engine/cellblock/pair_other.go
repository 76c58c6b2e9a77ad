//go:build !unix

package cellblock

import (
	"errors"
	"net"
)

// connPair returns the two ends of a TCP connection over the loopback.
func connPair() (server, client net.Conn, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	// The connection is complete in the listener's backlog before Accept.
	if client, err = net.Dial("tcp", l.Addr().String()); err != nil {
		return nil, nil, errors.Join(err, l.Close())
	}
	if server, err = l.Accept(); err != nil {
		return nil, nil, errors.Join(err, client.Close(), l.Close())
	}
	return server, client, l.Close()
}
