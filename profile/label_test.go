package profile

import "testing"

func TestRankLabel(t *testing.T) {
	const none labelClass = -1
	for _, tt := range []struct {
		key, by string
		class   labelClass
		rank    int
	}{
		{"pool", "", poolKey, 0},
		{"pool", "auto", poolKey, 0},
		{"Thread-Pool", "", poolKey, 1},
		{"actor", "", poolKey, 10},
		{"thread", "", threadKey, 0},
		{"thread name", "", threadKey, 1},
		{"thread.name", "", threadKey, 1},
		{"thread_name", "", threadKey, 1},
		{"THREAD_COMM", "", threadKey, 2},
		{"task name", "", threadKey, 3},
		{"comm", "", processKey, 0},
		{"thread id", "", identityKey, 1},
		{"thread.id", "", identityKey, 1},
		{"thread native id", "", identityKey, 2},
		{"tid", "", identityKey, 0},
		{"span id", "", none, 0},
		{"bytes", "", none, 0},
		{"addr", "", none, 0},
		{"pprof::base", "", none, 0},
		{"pool", "thread", none, 0},
		{"thread", "thread", threadKey, 0},
		{"comm", "thread", processKey, 0},
		{"span id", "thread", none, 0},
		{"pool", "label:stmt.tag", none, 0},
		{"thread", "label:stmt.tag", none, 0},
		{"stmt.tag", "label:stmt.tag", poolKey, 0},
		{"Stmt_Tag", "label:stmt.tag", poolKey, 0},
		{"tid", "label:stmt.tag", identityKey, 0},
		{"tid", "label:tid", poolKey, 0},
		{"thread_name", "label:thread name", threadKey, 1},
	} {
		class, rank, ok := rankLabel(tt.key, tt.by)
		if !ok {
			class = none
		}
		if class != tt.class || rank != tt.rank {
			t.Errorf("rankLabel(%q, %q): got %d %d, want %d %d", tt.key, tt.by, class, rank, tt.class, tt.rank)
		}
	}
}
