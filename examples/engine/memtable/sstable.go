package memtable

import (
	"cmp"
	"encoding/binary"
)

// chunkSize is the size of the blocks in which a sorted table is kept.
const chunkSize = 64 << 10

// An SSTable is sorted, immutable rows of many partitions, encoded in blocks.
// A row is in one block.
type SSTable struct {
	chunks [][]byte
	rows   int
}

// Rows returns the number of rows.
func (s *SSTable) Rows() int { return s.rows }

// Bytes returns the size of the encoded rows.
func (s *SSTable) Bytes() int64 {
	var n int64
	for _, c := range s.chunks {
		n += int64(len(c))
	}
	return n
}

// entryHeadSize is a row's partition key and length.
const entryHeadSize = 8 + 4

// room returns the last block with room for n bytes.
func (s *SSTable) room(n int) *[]byte {
	last := len(s.chunks) - 1
	if last < 0 || cap(s.chunks[last])-len(s.chunks[last]) < n {
		s.chunks = append(s.chunks, make([]byte, 0, max(n, chunkSize)))
		last++
	}
	return &s.chunks[last]
}

// append encodes a row of partition key.
func (s *SSTable) append(key uint64, r *Row) {
	size := RowSize(r)
	b := s.room(entryHeadSize + size)
	*b = binary.BigEndian.AppendUint64(*b, key)
	*b = binary.BigEndian.AppendUint32(*b, uint32(size))
	*b = AppendRowHead(*b, r)
	for _, c := range r.cells {
		*b = AppendCell(*b, c)
	}
	s.rows++
}

// flush writes a memtable, which nobody changes any more, to a sorted table.
func flush(m *Memtable) *SSTable {
	s := &SSTable{}
	for _, key := range m.keys() {
		p := m.Partition(key)
		for _, r := range p.Rows(p.root.count()) {
			s.append(key, r)
		}
	}
	return s
}

// cursor walks the encoded rows of a sorted table.
type cursor struct {
	table *SSTable
	chunk int
	rest  []byte
	entry []byte // the current row, empty at the end
}

// next moves to the next row and reports whether there is one.
func (c *cursor) next() bool {
	for len(c.rest) == 0 {
		if c.chunk == len(c.table.chunks) {
			c.entry = nil
			return false
		}
		c.rest = c.table.chunks[c.chunk]
		c.chunk++
	}
	n := entryHeadSize + int(binary.BigEndian.Uint32(c.rest[8:]))
	c.entry, c.rest = c.rest[:n], c.rest[n:]
	return true
}

func (c *cursor) key() uint64       { return binary.BigEndian.Uint64(c.entry) }
func (c *cursor) clustering() int64 { return int64(binary.BigEndian.Uint64(c.entry[entryHeadSize:])) }

func (c *cursor) timestamp() int64 { return int64(binary.BigEndian.Uint64(c.entry[entryHeadSize+8:])) }

// compare orders by partition, then by clustering.
func (c *cursor) compare(d *cursor) int {
	return cmp.Or(cmp.Compare(c.key(), d.key()), cmp.Compare(c.clustering(), d.clustering()))
}

// merge returns a table with the rows of all; of two rows with one clustering
// the newer is kept, of two of one time that of the later table.
func merge(tables []*SSTable) *SSTable {
	var live []*cursor
	for _, t := range tables {
		if c := (&cursor{table: t}); c.next() {
			live = append(live, c)
		}
	}
	out := &SSTable{}
	for len(live) > 0 {
		best := live[0]
		for _, c := range live[1:] {
			if d := c.compare(best); d < 0 || d == 0 && c.timestamp() >= best.timestamp() {
				best = c
			}
		}
		b := out.room(len(best.entry))
		*b = append(*b, best.entry...)
		out.rows++
		live = advance(live, best)
	}
	return out
}

// advance moves every cursor at best's row on and drops those at their end.
func advance(live []*cursor, best *cursor) []*cursor {
	at := *best
	rest := live[:0]
	for _, c := range live {
		if c.compare(&at) != 0 || c.next() {
			rest = append(rest, c)
		}
	}
	return rest
}
