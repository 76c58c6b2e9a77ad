package response

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/allocdiff/allocdiff/examples/engine/memtable"
)

var schema = memtable.NewSchema(nil, []string{"C0", "C1", "C2", "C3", "C4"})

// testRows returns rows whose values tell where they belong; the last cell of
// a row expires.
func testRows(n int) []*memtable.Row {
	rows := make([]*memtable.Row, n)
	for i := range rows {
		var cells []memtable.Cell
		for j, c := range schema.Regulars() {
			ttl, deletion := int32(0), int64(memtable.NoDeletion)
			if j == 4 {
				ttl, deletion = 60, int64(1000+i)
			}
			value := fmt.Appendf(nil, "%05d/%s is thirty-four bytes long", i, c.Name)
			cells = append(cells, memtable.NewBufferCell(c, int64(i), ttl, deletion, value))
		}
		rows[i] = memtable.NewRow(int64(i), int64(i), cells)
	}
	return rows
}

// estimator returns the named one or ends the test.
func estimator(t testing.TB, name string, limit int) Estimator {
	t.Helper()
	e, err := NewEstimator(name, limit, 4)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestResponsesDecodeToTheRowsPutIn(t *testing.T) {
	for _, name := range EstimatorNames {
		e := estimator(t, name, 64<<10)
		for _, n := range []int{0, 1, 2, 175, 500, 3, 175, 1000} {
			want := testRows(n)
			r := New(want, n, e)
			got, err := r.Rows(schema, n)
			if err != nil || len(got) != n {
				t.Fatalf("%s, %d rows: decoded %d, %v", name, n, len(got), err)
			}
			size := 0
			for i, g := range got {
				w := want[i]
				size += memtable.RowSize(w)
				if g.Clustering != w.Clustering || g.MinLocalDeletionTime() != w.MinLocalDeletionTime() || len(g.Cells()) != len(w.Cells()) {
					t.Fatalf("%s, %d rows: row %d is %+v, want %+v", name, n, i, g, w)
				}
				for j, c := range g.Cells() {
					if !bytes.Equal(c.Value(), w.Cells()[j].Value()) || c.TTL() != w.Cells()[j].TTL() {
						t.Fatalf("%s, %d rows: row %d cell %d is %q, want %q", name, n, i, j, c.Value(), w.Cells()[j].Value())
					}
				}
			}
			if r.Size() != size {
				t.Errorf("%s, %d rows: size %d, want %d", name, n, r.Size(), size)
			}
		}
	}
}

func TestFramesReadBack(t *testing.T) {
	want := testRows(20)
	frame := NewResultSet(want).AppendFrame(nil)
	values := 0
	rows, err := ReadFrame(frame, func(row, column int, v []byte) {
		if w := want[row].Cells()[column].Value(); !bytes.Equal(v, w) {
			t.Errorf("row %d column %d: %q, want %q", row, column, v, w)
		}
		values++
	})
	if err != nil || rows != 20 || values != 100 {
		t.Errorf("%d rows, %d values, %v, want 20 and 100", rows, values, err)
	}
	for n := range len(frame) {
		if _, err := ReadFrame(frame[:n], func(int, int, []byte) {}); err == nil {
			t.Fatalf("a frame cut at %d of %d bytes is read without error", n, len(frame))
		}
	}
}

func TestBufferSizes(t *testing.T) {
	for _, c := range []struct{ capacity, need, want int }{
		{128, 1, 256},
		{128, 128, 256},
		{128, 1000, 1128},
		{0, 18, 18},
		{64 << 20, 1, 128 << 20},
		{64<<20 + 2, 1, 96<<20 + 3},
	} {
		d := DataOutputBuffer{buf: make([]byte, c.capacity)}
		if got := d.newSize(c.need); got != c.want {
			t.Errorf("capacity %d, %d more: %d, want %d", c.capacity, c.need, got, c.want)
		}
	}
}

// TestLadder counts the buffers of a 40 kB page: 128, 256 ... 65536 before,
// one after.
func TestLadder(t *testing.T) {
	rows := testRows(175)
	buffers := func(initial int) float64 {
		r := &LocalDataResponse{}
		return testing.AllocsPerRun(100, func() { r.build(rows, initial) })
	}
	size := New(rows, 0, fixed{}).Size()
	if size <= 32<<10 || size > 64<<10 {
		t.Fatalf("the page has %d bytes, want 32 to 64 KiB", size)
	}
	if got := New(rows, 0, fixed{}).Allocated(); got != 128<<10-128 {
		t.Errorf("from %d bytes: %d bytes, want 131,072 less the first 128", InitialSize, got)
	}
	if got := buffers(InitialSize); got != 10 {
		t.Errorf("from %d bytes: %v buffers, want 10", InitialSize, got)
	}
	if got := buffers(size); got != 1 {
		t.Errorf("from the right size: %v buffers, want 1", got)
	}
}

func BenchmarkNew(b *testing.B) {
	rows := testRows(175)
	for _, name := range EstimatorNames {
		b.Run(name, func(b *testing.B) {
			e := estimator(b, name, 128<<10)
			for range quantileEvery {
				New(rows, 0, e)
			}
			b.ReportAllocs()
			b.SetBytes(int64(New(rows, 0, e).Size()))
			for b.Loop() {
				New(rows, 0, e)
			}
		})
	}
}

func BenchmarkRows(b *testing.B) {
	r := New(testRows(175), 0, fixed{})
	b.ReportAllocs()
	b.SetBytes(int64(r.Size()))
	for b.Loop() {
		if _, err := r.Rows(schema, 175); err != nil {
			b.Fatal(err)
		}
	}
}
