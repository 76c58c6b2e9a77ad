package profile

import "testing"

// flatText are the flat rows of a side's first profile.
func flatText(s *Side) string { return tableText(gotSums(s, s.Costs[0]).flat) }

// Rows may be packages, files or lines. Owners are still told by function.
func TestRowsBy(t *testing.T) {
	text := `samples/count
runtime.main;main.run @/home/a/app/main.go:3;example.com/engine/btree.(*Tree).Put @/root/go/pkg/mod/example.com/engine@v1.2.3/btree/tree.go:7 1
runtime.main;main.run @/home/a/app/main.go:4;example.com/engine/btree.build @/root/go/pkg/mod/example.com/engine@v1.2.3/btree/tree.go:9 2
runtime.main;main.run @/home/a/app/main.go:4 4
runtime.main;0x4010ff 8
`
	tests := []struct{ by, flat, cum string }{
		{
			"function", "0x4010ff 8, example.com/engine/btree.(*Tree).Put 1, example.com/engine/btree.build 2, main.run 4",
			"0x4010ff 8, example.com/engine/btree.(*Tree).Put 1, example.com/engine/btree.build 2, main.run 7, runtime.main 15",
		},
		{"package", "0x4010ff 8, example.com/engine/btree 3, main 4", "0x4010ff 8, example.com/engine/btree 3, main 7, runtime 15"},
		{"file", "0x4010ff 8, app/main.go 4, example.com/engine/btree/tree.go 3", "(no file) 15, 0x4010ff 8, app/main.go 7, example.com/engine/btree/tree.go 3"},
		{
			"line", "0x4010ff 8, example.com/engine/btree.(*Tree).Put tree.go:7 1, example.com/engine/btree.build tree.go:9 2, main.run main.go:4 4",
			"0x4010ff 8, example.com/engine/btree.(*Tree).Put tree.go:7 1, example.com/engine/btree.build tree.go:9 2, main.run main.go:3 1, main.run main.go:4 6, runtime.main (no file):0 15",
		},
	}
	for _, tt := range tests {
		s := readSide(t, Options{By: tt.by, TrimPath: []string{"/home/a"}}, texts(text)...)
		got := gotSums(s, s.Costs[0])
		if flat := tableText(got.flat); flat != tt.flat {
			t.Errorf("by %s: got flat %s, want %s", tt.by, flat, tt.flat)
		}
		if cum := tableText(got.cum); cum != tt.cum {
			t.Errorf("by %s: got cum %s, want %s", tt.by, cum, tt.cum)
		}
	}
}

// The leaf of an allocation profile of async-profiler is the allocated class: it
// has the flat value, but it owns nothing.
func TestAllocatedClass(t *testing.T) {
	text := `# comment Produced by async-profiler
allocations/bytes
[read-1 tid=7];java/lang/Thread.run;org/acme/App.read;byte[] 524288
[read-2 tid=8];java/lang/Thread.run;org/acme/App.read;org/acme/Row 1048576
byte[] 524288
`
	r := reportOf(t, text, text, Options{})
	m := &r.Metrics[0]
	rows := func(table *Table) string {
		got := map[string][]int64{}
		for _, row := range table.Rows {
			addTo(got, row.Name, []int64{int64(row.Before.Value)})
		}
		return tableText(got)
	}
	if got, want := rows(&m.Types), "byte[] 1048576, org/acme/Row 1048576"; got != want {
		t.Errorf("types: got %s, want %s", got, want)
	}
	if got, want := rows(&m.Owner), "byte[] 524288, org/acme/App.read 1572864"; got != want {
		t.Errorf("owners: got %s, want %s", got, want)
	}
	if got, want := rows(&m.Pools), "(no thread label) 524288, read 1572864"; got != want {
		t.Errorf("pools: got %s, want %s", got, want)
	}
	// The same stacks without the comment are functions.
	s := readSide(t, Options{}, texts("allocations/bytes\norg/acme/App.read;org/acme/Row 7\n")...)
	if got, want := flatText(s), "org/acme/Row 7"; got != want || s.Costs[0].Types {
		t.Errorf("without the comment: got %s, types %t, want %s", got, s.Costs[0].Types, want)
	}
}
