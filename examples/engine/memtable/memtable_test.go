package memtable

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/allocdiff/allocdiff/examples/engine/pool"
)

var testSchema = NewSchema([]string{"S0"}, []string{"C0", "C1", "C2", "C3", "C4"})

// testUpdate returns rows whose values tell where they belong. Every fifth
// cell expires.
func testUpdate(key uint64, first int64, rows int, timestamp int64) *Update {
	u := &Update{Key: key, Columns: testSchema.Columns()}
	for i := range int64(rows) {
		var cells []Cell
		for j, c := range testSchema.Regulars() {
			value := fmt.Appendf(nil, "%d/%d/%s at %d", key, first+i, c.Name, timestamp)
			switch {
			case j == 4:
				cells = append(cells, NewArrayCell(c, timestamp, 60, 1000+first+i, value))
			case j%2 == 0:
				cells = append(cells, NewBufferCell(c, timestamp, 0, NoDeletion, value))
			default:
				cells = append(cells, NewArrayCell(c, timestamp, 0, NoDeletion, value))
			}
		}
		u.Rows = append(u.Rows, NewRow(first+i, timestamp, cells))
	}
	return u
}

// sameRow reports how got differs from want, or nothing.
func sameRow(got, want *Row) error {
	if got.Clustering != want.Clustering || got.Timestamp != want.Timestamp || len(got.cells) != len(want.cells) {
		return fmt.Errorf("row %d at %d with %d cells, want %d at %d with %d",
			got.Clustering, got.Timestamp, len(got.cells), want.Clustering, want.Timestamp, len(want.cells))
	}
	if got.MinLocalDeletionTime() != want.MinLocalDeletionTime() {
		return fmt.Errorf("row %d: minimum deletion time %d, want %d", got.Clustering, got.minLDT, want.minLDT)
	}
	for i, g := range got.cells {
		w := want.cells[i]
		if g.Column() != w.Column() || g.Timestamp() != w.Timestamp() || g.TTL() != w.TTL() ||
			g.LocalDeletionTime() != w.LocalDeletionTime() || !bytes.Equal(g.Value(), w.Value()) {
			return fmt.Errorf("row %d, cell %s: %q, want %q", got.Clustering, w.Column().Name, g.Value(), w.Value())
		}
	}
	return nil
}

// everyChange is the four parts alone, none and all.
func everyChange() map[string]Changes {
	all := map[string]Changes{"before": {}, "after": AllChanges}
	for _, name := range ChangeNames {
		c, err := ParseChanges([]string{name})
		if err != nil {
			panic(err)
		}
		all[name] = c
	}
	return all
}

func TestPutKeepsWhatWasPut(t *testing.T) {
	for name, changes := range everyChange() {
		m, w := New(testSchema), NewWriter(changes)
		for batch := range int64(30) {
			u := testUpdate(7, batch*10, 10, 1)
			m.Put(u, w)
			// The memtable must have copied: spoil what was put.
			for _, r := range u.Rows {
				for _, c := range r.cells {
					clear(c.Value())
				}
				r.Clustering = -1
			}
		}
		want := testUpdate(7, 0, 300, 1).Rows
		got := m.Partition(7).Rows(1000)
		if len(got) != len(want) || m.Rows() != len(want) {
			t.Fatalf("%s: %d rows, counted %d, want %d", name, len(got), m.Rows(), len(want))
		}
		size := 0
		for i := range want {
			if err := sameRow(got[i], want[i]); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			size += want[i].dataSize(true)
		}
		if m.DataSize() != int64(size) {
			t.Errorf("%s: data size %d, want %d", name, m.DataSize(), size)
		}
		for i, want := range []bool{true, true, true, true, true, true} {
			if got := m.collector.seen[i].Load(); got != want {
				t.Errorf("%s: column %d seen %v, want %v", name, i, got, want)
			}
		}
	}
}

// TestEachChangeSavesItsObjects counts exactly what the ticket's items save:
// two iterators a put, and a closure for each of ten rows.
func TestEachChangeSavesItsObjects(t *testing.T) {
	objects := func(c Changes) float64 {
		m, w := New(testSchema), NewWriter(c)
		u := testUpdate(1, 0, 10, 1)
		m.Put(u, w)
		return testing.AllocsPerRun(1000, func() { m.Put(u, w) })
	}
	before := objects(Changes{})
	for _, c := range []struct {
		name  string
		saved float64
	}{{"before", 0}, {"iter", 2}, {"closure", 10}, {"datasize", 0}, {"minldt", 0}, {"after", 12}} {
		if got := before - objects(everyChange()[c.name]); got != c.saved {
			t.Errorf("%s saves %v objects a put, want %v of %v", c.name, got, c.saved, before)
		}
	}
}

func TestParseChanges(t *testing.T) {
	if c, err := ParseChanges(ChangeNames); err != nil || c != AllChanges {
		t.Errorf("all names: %+v, %v, want %+v", c, err, AllChanges)
	}
	if c, err := ParseChanges([]string{"iter", "lambda"}); err == nil {
		t.Errorf("unknown name: %+v, want an error", c)
	}
}

func TestStoreFlushesAndMerges(t *testing.T) {
	flushers, compactors := pool.MemtableFlushWriter.Start(1), pool.CompactionExecutor.Start(1)
	mutations := pool.MutationStage.Start(1)
	set := pool.Set{mutations, flushers, compactors}
	s := NewStore(testSchema, AllChanges, 1, 5, flushers, compactors)
	worker := &pool.Worker{Pool: mutations}
	// Four memtables of five puts. All write the same 20 rows in 2 partitions.
	for put := range 20 {
		s.Put(testUpdate(uint64(put%2), int64(put%5)*4, 4, int64(put)), worker)
	}
	set.Drain()
	set.Close()
	stats := s.Stats()
	if stats.Flushes != 4 || stats.Compactions != 1 {
		t.Fatalf("%d flushes and %d compactions, want 4 and 1", stats.Flushes, stats.Compactions)
	}
	if stats.CompactedBytes >= stats.FlushedBytes {
		t.Errorf("the merge wrote %d of %d bytes, want less", stats.CompactedBytes, stats.FlushedBytes)
	}
	if got := s.merged.Rows(); got != 40 {
		t.Errorf("%d rows are left, want 40", got)
	}
	c := cursor{table: s.merged}
	var last cursor
	for i := 0; c.next(); i++ {
		if i > 0 && c.compare(&last) <= 0 {
			t.Fatalf("row %d is out of order", i)
		}
		if c.timestamp() < 10 {
			t.Errorf("row %d is of put %d, want the last one of its clustering, at least 10", i, c.timestamp())
		}
		row, n, err := DecodeRow(c.entry[entryHeadSize:], testSchema)
		if err != nil || n != len(c.entry)-entryHeadSize {
			t.Fatalf("row %d: decoded %d bytes of %d, %v", i, n, len(c.entry)-entryHeadSize, err)
		}
		want := testUpdate(c.key(), row.Clustering, 1, row.Timestamp).Rows[0]
		if err := sameRow(row, want); err != nil {
			t.Fatal(err)
		}
		last = c
	}
}

func FuzzDecodeRow(f *testing.F) {
	row := testUpdate(1, 2, 1, 3).Rows[0]
	b := AppendRowHead(nil, row)
	for _, c := range row.cells {
		b = AppendCell(b, c)
	}
	f.Add(b)
	f.Add(b[:len(b)-1])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		row, n, err := DecodeRow(b, testSchema)
		if err != nil {
			return
		}
		if n > len(b) {
			t.Fatalf("decoded %d bytes of %d", n, len(b))
		}
		if RowSize(row) > n {
			t.Fatalf("row of %d bytes says its size is %d", n, RowSize(row))
		}
	})
}

func BenchmarkPut(b *testing.B) {
	for _, name := range []string{"before", "iter", "datasize", "closure", "minldt", "after"} {
		b.Run(name, func(b *testing.B) {
			m, w := New(testSchema), NewWriter(everyChange()[name])
			u := testUpdate(1, 0, 10, 1)
			b.ReportAllocs()
			for b.Loop() {
				m.Put(u, w)
			}
		})
	}
}
