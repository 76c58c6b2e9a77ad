package cellblock

import (
	"encoding/binary"
	"math/rand/v2"
)

// Shape describes the rows of a region.
type Shape struct {
	// Rows and Columns are counts, both at least 1.
	Rows, Columns int
	// Seed makes the region; the same shape gives the same region.
	Seed uint64
}

// Rows of 32 columns whose values are zipfian from 0 to 8 kB: ten of them make
// 190 kB on average. The ticket says "zipfian, 0..8k" and replies of 120 to 240
// kB, but not how ten rows come to that; several columns are our assumption.
const (
	valueSkew = 1.1
	valueMax  = 8191
	segments  = 3 // a memstore and two store files
)

var family = []byte("f")

// Region is a range of rows, spread over the memstore and two store files.
// Every cell is in one of them and one in four has an older version in another.
type Region struct {
	segment [segments]segment
	rows    int
}

// segment is a sorted run of encoded cells; start[r] is where row r begins, or
// would begin, and the last element is the length.
type segment struct {
	block []byte
	start []int
}

// NewRegion makes the rows of a shape.
func NewRegion(s Shape) *Region {
	rng := rand.New(rand.NewPCG(s.Seed, 13142))
	zipf := rand.NewZipf(rng, valueSkew, 1, valueMax)
	value := make([]byte, valueMax)
	for i := range value {
		value[i] = byte('a' + rng.IntN(26))
	}
	g := &Region{rows: s.Rows}
	var qualifier [2]byte
	for r := range s.Rows {
		row := rowKey(r)
		for i := range g.segment {
			g.segment[i].start = append(g.segment[i].start, len(g.segment[i].block))
		}
		for c := range s.Columns {
			binary.BigEndian.PutUint16(qualifier[:], uint16(c))
			newest, older := rng.IntN(segments), rng.IntN(4*segments)
			g.segment[newest].add(row, qualifier[:], 2, value[:zipf.Uint64()])
			if older < segments && older != newest {
				g.segment[older].add(row, qualifier[:], 1, value[:zipf.Uint64()])
			}
		}
	}
	for i := range g.segment {
		g.segment[i].start = append(g.segment[i].start, len(g.segment[i].block))
	}
	return g
}

func (s *segment) add(row, qualifier []byte, timestamp int64, value []byte) {
	s.block = appendCell(s.block, row, family, qualifier, timestamp, value)
}

// rowKey is the key of row r: 16 digits, as YCSB's, in the order of r.
func rowKey(r int) []byte {
	key := []byte("user000000000000")
	for i := len(key) - 1; r > 0; i, r = i-1, r/10 {
		key[i] = byte('0' + r%10)
	}
	return key
}

// Rows is the number of rows.
func (g *Region) Rows() int { return g.rows }
