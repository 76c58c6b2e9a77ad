package cellblock

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
)

// headerSize is the length in front of a reply.
const headerSize = 4

// Conn is a client's connection, both ends of it: a pair of Unix sockets where
// there are any. Handlers call Reply, the client's goroutine calls Discard.
type Conn struct {
	server, client net.Conn
	read           []byte

	// The client may have a whole reply, ask again and be answered by another
	// handler before the first returns from Reply.
	mu     sync.Mutex
	header [headerSize]byte
	parts  [2][]byte
	chain  net.Buffers // header and block, as HBase's BufferChain
}

// NewConn connects a client. Close releases both ends.
func NewConn() (*Conn, error) {
	server, client, err := connPair()
	if err != nil {
		return nil, fmt.Errorf("connecting a client: %w", err)
	}
	return &Conn{server: server, client: client, read: make([]byte, 64<<10)}, nil
}

// Reply sends a block behind its length, without copying it.
func (c *Conn) Reply(block []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	binary.BigEndian.PutUint32(c.header[:], uint32(len(block)))
	c.parts = [2][]byte{c.header[:], block}
	c.chain = c.parts[:]
	if _, err := c.chain.WriteTo(c.server); err != nil {
		return fmt.Errorf("sending a reply: %w", err)
	}
	c.parts = [2][]byte{}
	return nil
}

// Discard reads one reply and returns the length of its block.
func (c *Conn) Discard() (int, error) {
	if _, err := io.ReadFull(c.client, c.read[:headerSize]); err != nil {
		return 0, fmt.Errorf("reading a reply's header: %w", err)
	}
	size := int(binary.BigEndian.Uint32(c.read))
	for left := size; left > 0; {
		n, err := c.client.Read(c.read[:min(left, len(c.read))])
		if err != nil {
			return 0, fmt.Errorf("reading a reply's block: %w", err)
		}
		left -= n
	}
	return size, nil
}

// Close closes both ends.
func (c *Conn) Close() error { return errors.Join(c.server.Close(), c.client.Close()) }
