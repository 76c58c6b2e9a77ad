package cellblock

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"testing"
)

var small = Shape{Rows: 60, Columns: 8, Seed: 1}

// newest returns, in order, the newest version of every cell in rows
// first..first+n-1, found without merging.
func newest(t *testing.T, g *Region, first, n int) [][]byte {
	t.Helper()
	var all []Cell
	for _, s := range g.segment {
		for block := s.block; len(block) > 0; {
			var c Cell
			size, err := c.parse(block)
			if err != nil {
				t.Fatalf("segment cannot be read: %v", err)
			}
			all, block = append(all, c), block[size:]
		}
	}
	slices.SortFunc(all, func(a, b Cell) int { return compareCell(&a, &b) })
	var out [][]byte
	for i, c := range all {
		if i > 0 && compareColumn(&all[i-1], &c) == 0 {
			continue
		}
		if bytes.Compare(c.Row, rowKey(first)) >= 0 && bytes.Compare(c.Row, rowKey(first+n)) < 0 {
			out = append(out, c.Encoded)
		}
	}
	return out
}

func decoded(t *testing.T, block []byte) [][]byte {
	t.Helper()
	var out [][]byte
	if err := Decode(block, func(c *Cell) { out = append(out, slices.Clone(c.Encoded)) }); err != nil {
		t.Fatalf("block of %d bytes: %v", len(block), err)
	}
	return out
}

func equal(a, b [][]byte) bool { return slices.EqualFunc(a, b, bytes.Equal) }

func TestScanMerges(t *testing.T) {
	g := NewRegion(small)
	older := 0
	var s Scanner
	for _, first := range []int{0, 1, 30, 50, 55, 60, 99} {
		s.Scan(g, first, 10)
		var got [][]byte
		for c := s.Next(); c != nil; c = s.Next() {
			if c.Timestamp != 2 {
				older++
			}
			got = append(got, c.Encoded)
		}
		if s.Err() != nil {
			t.Fatalf("scan from %d: %v", first, s.Err())
		}
		if want := newest(t, g, first, 10); !equal(got, want) {
			t.Errorf("scan from %d gives %d cells, want the %d newest", first, len(got), len(want))
		}
	}
	if older > 0 {
		t.Errorf("scans returned %d older versions, want 0", older)
	}
}

// TestBlocks checks that every variant gives the same block, again and again:
// no buffer is lent twice and none keeps the bytes of an earlier reply.
func TestBlocks(t *testing.T) {
	g := NewRegion(small)
	for _, variant := range Variants {
		u, err := NewIPC(variant, 4)
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for handler := range 4 {
			wg.Go(func() {
				var s Scanner
				for i := range 40 {
					first := (i*7 + handler*13) % 50
					s.Scan(g, first, 10)
					block := u.BuildCellBlock(&s)
					if got, want := decoded(t, block), newest(t, g, first, 10); !equal(got, want) {
						t.Errorf("%s: rows from %d: block has %d cells, want %d", variant, first, len(got), len(want))
					}
					u.Done(block)
				}
			})
		}
		wg.Wait()
	}
}

func TestBytesAtTheSite(t *testing.T) {
	g := NewRegion(Shape{Rows: 100, Columns: 32, Seed: 2})
	perBlock := map[string]float64{}
	for _, variant := range Variants {
		u, err := NewIPC(variant, 1)
		if err != nil {
			t.Fatal(err)
		}
		var s Scanner
		ladder := func() int {
			s.Scan(g, 0, 10)
			block := u.BuildCellBlock(&s)
			u.Done(block)
			return len(block)
		}
		ladder()
		perBlock[variant] = testing.AllocsPerRun(20, func() { ladder() })
	}
	if perBlock["after"] != 0 {
		t.Errorf("after: %v allocations a block, want 0", perBlock["after"])
	}
	if perBlock["broken"] != perBlock["before"] || perBlock["before"] < 4 {
		t.Errorf("broken: %v allocations a block, want as many as before, %v, and at least 4", perBlock["broken"], perBlock["before"])
	}
	if perBlock["upped"] >= perBlock["before"] {
		t.Errorf("upped: %v allocations a block, want fewer than before, %v", perBlock["upped"], perBlock["before"])
	}
}

func TestStreamDoubles(t *testing.T) {
	s := stream{buf: allocate(16)}
	c := Cell{Encoded: make([]byte, 20)}
	var caps []int
	for range 6 {
		s.writeCell(&c)
		caps = append(caps, cap(s.buf))
	}
	if want := []int{32, 64, 128, 128, 128, 256}; !slices.Equal(caps, want) {
		t.Errorf("capacities after each cell = %v, want %v", caps, want)
	}
}

func TestBoundedPool(t *testing.T) {
	p := NewBoundedPool(1000, 100, 2)
	first := p.Get()
	if cap(first) != 100 {
		t.Fatalf("first buffer has %d bytes, want the initial 100", cap(first))
	}
	p.Put(make([]byte, 5, 1001))
	p.Put(make([]byte, 5, 300))
	p.Put(make([]byte, 5, 500))
	p.Put(make([]byte, 5, 200))
	want := PoolStats{Misses: 1, TooLarge: 1, Full: 1, Average: 400, Buffers: 2, HeldBytes: 800}
	if got := p.Stats(); got != want {
		t.Errorf("Stats = %+v, want %+v", got, want)
	}
	if a, b, c := p.Get(), p.Get(), p.Get(); cap(a) != 300 || len(a) != 0 || cap(b) != 500 || cap(c) != 400 {
		t.Errorf("Get gave capacities %d, %d, %d and length %d, want 300, 500, 400 and 0", cap(a), cap(b), cap(c), len(a))
	}
	p.Put(make([]byte, 0, 120))
	if got := p.Stats().Average; got != 400 {
		t.Errorf("Average after a small buffer = %d, want 400: it only rises", got)
	}
}

func TestDecodeRejects(t *testing.T) {
	var s stream
	var c Cell
	if _, err := c.parse(appendCell(nil, []byte("r"), family, []byte("q"), 1, []byte("v"))); err != nil {
		t.Fatal(err)
	}
	s.writeCell(&c)
	good := s.buf
	for cut := 1; cut < len(good); cut++ {
		if err := Decode(good[:cut], func(*Cell) {}); err == nil {
			t.Errorf("block cut to %d of %d bytes was accepted", cut, len(good))
		}
	}
	for i := range good {
		bad := slices.Clone(good)
		bad[i] ^= 0x80
		// Lengths must be caught; other bytes are data. Neither may panic.
		if err := Decode(bad, func(*Cell) {}); err == nil && i < lengthPrefix+lengthsSize+2 {
			t.Errorf("block with byte %d changed was accepted", i)
		}
	}
}

func TestConn(t *testing.T) {
	c, err := NewConn()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}()
	sizes := []int{0, 1, 4096, 1 << 20, 7}
	sent := make(chan error, 1)
	go func() {
		for _, n := range sizes {
			if err := c.Reply(make([]byte, n)); err != nil {
				sent <- err
				return
			}
		}
		sent <- nil
	}()
	for _, want := range sizes {
		if got, err := c.Discard(); got != want || err != nil {
			t.Fatalf("Discard = %d, %v, want %d", got, err, want)
		}
	}
	if err := <-sent; err != nil {
		t.Error(err)
	}
}

// TestConnByTurns has another handler answer each request, while the one before
// may still be on its way out.
func TestConnByTurns(t *testing.T) {
	c, err := NewConn()
	if err != nil {
		t.Fatal(err)
	}
	requests := make(chan int)
	var handlers sync.WaitGroup
	for range 4 {
		handlers.Go(func() {
			for n := range requests {
				if err := c.Reply(make([]byte, n)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range 3000 {
		want := 1 + i*977%9000
		requests <- want
		if got, err := c.Discard(); got != want || err != nil {
			t.Fatalf("reply %d: Discard = %d, %v, want %d", i, got, err, want)
		}
	}
	close(requests)
	handlers.Wait()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// BenchmarkCellBlock is a scan of ten rows, encoded; no socket.
func BenchmarkCellBlock(b *testing.B) {
	g := NewRegion(Shape{Rows: 1000, Columns: 32, Seed: 1})
	for _, variant := range Variants {
		b.Run(fmt.Sprintf("variant=%s", variant), func(b *testing.B) {
			u, err := NewIPC(variant, 16)
			if err != nil {
				b.Fatal(err)
			}
			var s Scanner
			b.ReportAllocs()
			size := 0
			for i := 0; b.Loop(); i++ {
				s.Scan(g, i*37%990, 10)
				block := u.BuildCellBlock(&s)
				size += len(block)
				u.Done(block)
			}
			b.ReportMetric(float64(size)/float64(b.N), "block-B/op")
		})
	}
}
