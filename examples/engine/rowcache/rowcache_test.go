package rowcache

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
)

func key(i int) Key {
	var k Key
	binary.BigEndian.PutUint64(k[:], uint64(i))
	copy(k[8:], "row-key.")
	return k
}

// row is a row that tells which key and version it belongs to.
func row(i, version, cells, size int) *Row {
	r := &Row{}
	for c := range cells {
		value := bytes.Repeat([]byte{byte(i + 31*version + c)}, size)
		r.Cells = append(r.Cells, &Cell{Timestamp: int64(version), Value: value})
	}
	return r
}

func equal(a, b *Row) bool {
	return slices.EqualFunc(a.Cells, b.Cells, func(x, y *Cell) bool {
		return x.Timestamp == y.Timestamp && bytes.Equal(x.Value, y.Value)
	})
}

// caches returns one of each kind on ordinary memory, which the race detector
// watches, unlike memory that is mapped.
func caches(capacity int) map[string]Cache {
	arena := func() *Arena {
		return newArena(make([]byte, arenaSize(capacity, 4)), func([]byte) error { return nil })
	}
	return map[string]Cache{
		"serializing":    newSerializing(arena(), capacity),
		"offheap":        newOffheap(arena(), capacity, 4, true),
		"offheap-nocopy": newOffheap(arena(), capacity, 4, false),
	}
}

// arenaOf returns the arena and what the cache's tables take of it.
func arenaOf(c Cache) (*Arena, int) {
	switch c := c.(type) {
	case *Serializing:
		return c.arena, 0
	case *Offheap:
		tables := 0
		for _, s := range c.segments {
			_, length := class(s.buckets * bucketSize)
			tables += length
		}
		return c.arena, tables
	}
	panic("unknown cache")
}

// checkArena checks that memory is lent for nothing but entries and tables, and
// that what was ever lent is lent or in a free list.
func checkArena(t *testing.T, name string, c Cache) {
	t.Helper()
	a, tables := arenaOf(c)
	if got, want := a.Lent(), c.Stats().Bytes+tables; got != want {
		t.Errorf("%s: arena has lent %d bytes, want %d for entries and tables", name, got, want)
	}
	if got, want := a.lent+a.idle, a.next-grain; got != want {
		t.Errorf("%s: %d bytes are lent or free, want all %d ever lent", name, got, want)
	}
	idle := 0
	for cl, off := range a.free {
		for ; off != 0; off = int(binary.LittleEndian.Uint64(a.mem[off:])) {
			length := (cl + 1) * grain
			if cl >= fineClasses {
				length = 2048 << (cl - fineClasses)
			}
			idle += length
		}
	}
	if idle != a.idle {
		t.Errorf("%s: free lists hold %d bytes, want %d", name, idle, a.idle)
	}
}

func TestSerialisedSize(t *testing.T) {
	r := row(1, 2, 5, 34)
	if got := r.size(); got != 188 {
		t.Errorf("five cells of 34 bytes serialise to %d bytes, want 188", got)
	}
	for _, r := range []*Row{r, {}, row(3, 4, 1, 0), row(5, 6, 3, 65535)} {
		buf := make([]byte, r.size())
		r.serialise(buf)
		if got := deserialise(buf); len(r.Cells) > 0 && !equal(got, r) || len(got.Cells) != len(r.Cells) {
			t.Errorf("row of %d cells came back different", len(r.Cells))
		}
	}
}

// TestAgainstModel compares the caches with a map while nothing is evicted.
func TestAgainstModel(t *testing.T) {
	for name, c := range caches(64 << 20) {
		r := rand.New(rand.NewPCG(1, 7438))
		model := map[int]*Row{}
		for step := range 40_000 {
			i := r.IntN(20_000)
			if r.IntN(2) == 0 {
				model[i] = row(i, step, r.IntN(6), r.IntN(100))
				if !c.Put(key(i), model[i]) {
					t.Fatalf("%s: step %d: Put(%d) refused", name, step, i)
				}
				continue
			}
			got, want := c.Get(key(i)), model[i]
			if (got == nil) != (want == nil) || got != nil && !equal(got, want) {
				t.Fatalf("%s: step %d: Get(%d) = %v, want %v", name, step, i, got, want)
			}
		}
		if s := c.Stats(); s.Entries != len(model) || s.Evictions != 0 {
			t.Errorf("%s: %d entries and %d evictions, want %d and 0", name, s.Entries, s.Evictions, len(model))
		}
		checkArena(t, name, c)
	}
}

// TestLRU fills one shard's worth and checks that the one read is the survivor.
func TestLRU(t *testing.T) {
	for name, c := range caches(64 << 10) {
		for i := range 5000 {
			c.Put(key(i), row(i, 1, 5, 34))
			if got := c.Get(key(0)); got == nil || !equal(got, row(0, 1, 5, 34)) {
				t.Fatalf("%s: key 0, read after every Put, was evicted after %d", name, i)
			}
		}
		s := c.Stats()
		if s.Evictions == 0 || s.Entries+int(s.Evictions) != 5000 || s.Bytes > 64<<10 {
			t.Errorf("%s: %+v, want 5000 entries and evictions in all and at most 65536 bytes", name, s)
		}
		// Of each shard the newest are there.
		if c.Get(key(4999)) == nil {
			t.Errorf("%s: the key put last is gone", name)
		}
		if c.Get(key(1)) != nil {
			t.Errorf("%s: key 1, never read, is still there", name)
		}
		checkArena(t, name, c)
	}
}

// TestNoMemoryLost evicts rows of all sizes and then the rest.
func TestNoMemoryLost(t *testing.T) {
	const capacity = 1 << 20
	for name, c := range caches(capacity) {
		r := rand.New(rand.NewPCG(2, 7438))
		for i := range 12_000 {
			c.Put(key(r.IntN(4_000)), row(i, i, 1+r.IntN(5), r.IntN(400)))
		}
		checkArena(t, name, c)
		if s := c.Stats(); s.Evictions < 4_000 {
			t.Errorf("%s: %d evictions, want over 4000", name, s.Evictions)
		}
		// A row that is too large for the cache removes its key.
		large := row(1, 1, 40, 60_000)
		for i := range 4_000 {
			if c.Put(key(i), large) {
				t.Fatalf("%s: a row of 2.4 MB was stored in 1 MiB", name)
			}
		}
		a, tables := arenaOf(c)
		if got := a.Lent() - tables; got != 0 || c.Stats().Entries != 0 {
			t.Errorf("%s: %d bytes lent for %d entries after removing all, want 0", name, got, c.Stats().Entries)
		}
		checkArena(t, name, c)
	}
}

// TestArenaFull has an arena smaller than the cache may be.
func TestArenaFull(t *testing.T) {
	arena := func() *Arena { return newArena(make([]byte, 4*firstBuckets*bucketSize+256<<10), nil) }
	for name, c := range map[string]Cache{
		"serializing": newSerializing(arena(), 64<<20),
		"offheap":     newOffheap(arena(), 64<<20, 4, true),
	} {
		for i := range 8_000 {
			if c.Put(key(i), row(i, 1, 5, 34)) {
				if got := c.Get(key(i)); got == nil || !equal(got, row(i, 1, 5, 34)) {
					t.Fatalf("%s: row %d is not what was put", name, i)
				}
			}
		}
		if s := c.Stats(); s.Evictions == 0 || s.Entries == 0 {
			t.Errorf("%s: %+v, want evictions and entries", name, s)
		}
		checkArena(t, name, c)
	}
}

// TestConcurrent reads and replaces rows that are being evicted.
func TestConcurrent(t *testing.T) {
	for name, c := range caches(64 << 10) {
		var wg sync.WaitGroup
		for g := range 4 {
			wg.Go(func() {
				r := rand.New(rand.NewPCG(3, uint64(g)))
				for range 4000 {
					i := r.IntN(400)
					if r.IntN(3) == 0 {
						c.Put(key(i), row(i, r.IntN(100), 5, 34))
						continue
					}
					got := c.Get(key(i))
					if got == nil {
						continue
					}
					if version := int(got.Cells[0].Timestamp); !equal(got, row(i, version, 5, 34)) {
						t.Errorf("%s: row %d, version %d is torn", name, i, version)
						return
					}
				}
			})
		}
		wg.Wait()
		checkArena(t, name, c)
	}
}

// TestLiveObjects counts the heap objects that an entry costs.
func TestLiveObjects(t *testing.T) {
	const entries = 10_000
	live := func(c Cache) float64 {
		before := liveObjects()
		for i := range entries {
			c.Put(key(i), row(i, 1, 5, 34))
		}
		return (liveObjects() - before) / entries
	}
	all := caches(32 << 20)
	if got := live(all["serializing"]); got < 0.9 || got > 1.2 {
		t.Errorf("serializing: %.3f live objects an entry, want about 1", got)
	}
	if got := live(all["offheap"]); got > 0.01 {
		t.Errorf("offheap: %.3f live objects an entry, want 0", got)
	}
	runtime.KeepAlive(all)
}

func liveObjects() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapObjects)
}

func TestMapped(t *testing.T) {
	c, err := NewOffheap(1<<20, true)
	if err != nil {
		t.Fatal(err)
	}
	want := row(1, 1, 5, 34)
	c.Put(key(1), want)
	if got := c.Get(key(1)); got == nil || !equal(got, want) {
		t.Errorf("Get = %v, want the row put", got)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if _, err := NewSerializing(-1 << 40); err == nil {
		t.Error("a cache of negative size was made, want an error")
	}
}

// BenchmarkGet reads keys at random, all of which are there.
func BenchmarkGet(b *testing.B) {
	for _, entries := range []int{1000, 100_000} {
		for _, name := range []string{"serializing", "offheap", "offheap-nocopy"} {
			b.Run(fmt.Sprintf("entries=%d/cache=%s", entries, name), func(b *testing.B) {
				c := caches(entries * 512)[name]
				for i := range entries {
					c.Put(key(i), row(i, 1, 5, 34))
				}
				r := rand.New(rand.NewPCG(4, 4))
				b.ReportAllocs()
				for b.Loop() {
					if c.Get(key(r.IntN(entries))) == nil {
						b.Fatal("a key is missing")
					}
				}
			})
		}
	}
}
