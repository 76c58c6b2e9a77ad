package profile

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestShort(t *testing.T) {
	for _, c := range []struct {
		about string
		names []string
		want  []string
	}{
		{
			"go path",
			[]string{"github.com/org/repo/pkg.(*T).Method", "runtime.main", "encoding/json.(*decodeState).object"},
			[]string{"pkg.(*T).Method", "runtime.main", "json.(*decodeState).object"},
		},
		{"only as much path as tells them apart", []string{"a/x/pkg.F", "a/y/pkg.F", "b/other.F"}, []string{"x/pkg.F", "y/pkg.F", "other.F"}},
		{"a path that is the end of another", []string{"pkg.F", "a/pkg.F"}, []string{"pkg.F", "a/pkg.F"}},
		{"slash in type arguments", []string{"m/slices.Sort[github.com/x/y.T]"}, []string{"slices.Sort[github.com/x/y.T]"}},
		{"module version", []string{"github.com/org/yaml/v3.Parse"}, []string{"yaml/v3.Parse"}},
		{
			"java",
			[]string{"org.apache.cassandra.io.util.DataOutputBuffer.expandToFit", "java.nio.HeapByteBuffer.<init>"},
			[]string{"o.a.c.io.util.DataOutputBuffer.expandToFit", "java.nio.HeapByteBuffer.<init>"},
		},
		{"java, long", []string{"org.apache.kafka.common.record.internal.DefaultRecordBatch.next"}, []string{"o.a.k.c.r.i.DefaultRecordBatch.next"}},
		{"java, same initials", []string{"org.apache.cassandra.db.A.f", "org.apache.calcite.db.A.f"}, []string{"org.apache.cassandra.db.A.f", "org.apache.calcite.db.A.f"}},
		{"cut in the middle", []string{"pkg.(*VeryLongTypeNameOfSomething).methodWithAnEvenLongerName"}, []string{"pkg.(*VeryLongTypeNam…thodWithAnEvenLongerName"}},
		{
			"equal after the cut",
			[]string{"pkg.(*VeryLongTypeNameNumberOne).methodWithAnEvenLongerName", "pkg.(*VeryLongTypeNameNumberTwo).methodWithAnEvenLongerName"},
			[]string{"pkg.(*VeryLongTypeNam…thodWithAnEvenLongerName", "pkg.(*VeryLongTypeNa…dWithAnEvenLongerName (2)"},
		},
		{"twice the same", []string{"a/p.F", "a/p.F"}, []string{"p.F", "p.F"}},
		{
			"pools",
			[]string{"Native-Transport-Requests", "kafka/producer", "GET /api/v1.0/users", "(no thread label)"},
			[]string{"Native-Transport-Requests", "kafka/producer", "GET /api/v1.0/users", "(no thread label)"},
		},
		{"odd", []string{"", "/", "a/", ".", "日本語/関数.実行"}, []string{"", "/", "a/", ".", "関数.実行"}},
	} {
		if got := Short(c.names, 46); !slices.Equal(got, c.want) {
			t.Errorf("%s: Short(%q) = %q, want %q", c.about, c.names, got, c.want)
		}
	}
}

// Distinct names must stay distinct and fit, whatever they are.
func TestShortUnique(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "b", "/", ".", "T", "(*T)", "…", " (2)", "org.", "v2", "longlonglong", "é", "$1"}
	for range 500 {
		names := make([]string, 1+rng.IntN(80))
		for i := range names {
			var b strings.Builder
			for range rng.IntN(12) {
				b.WriteString(parts[rng.IntN(len(parts))])
			}
			names[i] = b.String()
		}
		width := 8 + rng.IntN(40)
		got := Short(names, width)
		if err := checkShort(names, got, width); err != nil {
			t.Fatalf("Short(%q, %d) = %q: %v", names, width, got, err)
		}
		reversed := slices.Clone(names)
		slices.Reverse(reversed)
		again := Short(reversed, width)
		slices.Reverse(again)
		if !slices.Equal(got, again) {
			t.Fatalf("Short(%q, %d) depends on the order: got %q, reversed %q", names, width, got, again)
		}
	}
}

func checkShort(names, got []string, width int) error {
	if len(got) != len(names) {
		return fmt.Errorf("got %d names, want %d", len(got), len(names))
	}
	of := make(map[string]string)
	for i, s := range got {
		if full, ok := of[s]; ok && full != names[i] {
			return fmt.Errorf("%q and %q are both %q", full, names[i], s)
		}
		of[s] = names[i]
		if n := utf8.RuneCountInString(s); n > width {
			return fmt.Errorf("%q has %d characters, want at most %d", s, n, width)
		}
	}
	return nil
}
