package profile

import "testing"

// Names learned from the labels of CPU profiles reach the heap profiles of the
// same side.
func TestLearnedPools(t *testing.T) {
	tests := []struct{ name, by, cpu, heap, want string }{
		{
			"shared closure helper", "",
			`main.group.func1;runtime/pprof.Do;main.group.func1.1;main.run.func1;main.read [pool=read] 30
main.group.func1;runtime/pprof.Do;main.group.func1.1;main.run.func2;main.write [pool=write] 30
`, `main.group.func1;runtime/pprof.Do;main.group.func1.1;main.run.func1;main.decode 1
main.group.func1;runtime/pprof.Do;main.group.func1.1;main.run.func2;main.encode 2
main.group.func1;runtime/pprof.Do;main.group.func1.1;main.run.func3 4
main.other 8
`, "main.group 4, main.other 8, read 1, write 2",
		},
		{
			"shortest prefix", "",
			"main.loop;main.step;main.a [pool=read] 20\n",
			"main.loop;main.b 1\nmain.loop 2\n", "read 3",
		},
		{
			"too few samples of a closure", "",
			"main.start.func1;main.a [pool=read] 9\n",
			"main.start.func1;main.b 1\n", "main.start 1",
		},
		{
			"95 percent", "",
			"main.loop;main.a [pool=read] 95\nmain.loop;main.b [pool=write] 5\nmain.pump;main.a [pool=read] 94\nmain.pump;main.b [pool=write] 6\n",
			"main.loop;main.x 1\nmain.pump;main.x 2\n", "main.pump 2, read 1",
		},
		{
			"unlabelled samples count against a name", "",
			"main.loop;main.a [pool=read] 90\nmain.loop;main.b 10\n",
			"main.loop;main.x 1\n", "main.loop 1",
		},
		{
			"a pool without a label keeps its entry function", "",
			"main.loop [pool=read] 50\nmain.gossip 50\n",
			"main.loop 1\nmain.gossip 2\n", "main.gossip 2, read 1",
		},
		{
			"a longer stack than the one before", "",
			"main.start;main.run;main.loop;main.a [pool=read] 50\nmain.start;main.run;main.loop;main.b [pool=write] 50\n",
			"main.start;main.run;main.loop 1\nmain.start;main.run;main.loop;main.a 2\nmain.start;main.run;main.loop;main.b 4\n", "main.start 1, read 2, write 4",
		},
		{
			"by another label", "label:stage",
			"main.loop [pool=read;stage=s1] 50\n",
			"main.loop 1\nmain.other 2\n", "(no thread label) 2, s1 1",
		},
		{"by root nothing is learned", "root", "main.loop [pool=read] 50\n", "main.loop 1\n", "main.loop 1"},
	}
	for _, tt := range tests {
		cpu := "# period cpu/nanoseconds 10\nsamples/count\nruntime.mcall 0\n" + tt.cpu
		heap := "alloc_space/bytes\nruntime.mcall 0\n" + tt.heap
		for _, order := range [][]string{{cpu, heap}, {heap, cpu}} {
			s := readSide(t, Options{Pools: PoolOptions{By: tt.by}}, texts(order...)...)
			for _, c := range s.Costs {
				if got := poolText(s, c); c.Kind == Heap && got != tt.want {
					t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
				}
			}
		}
	}
}

// A user rule on a CPU label names the heap samples too.
func TestLearnedRules(t *testing.T) {
	o := Options{Pools: PoolOptions{Rules: rulesOf(t, "Reads=label:stage~^read")}}
	s := readSide(t, o, texts("samples/count\nruntime.mcall 0\nmain.loop [stage=read-1] 50\n", "alloc_space/bytes\nruntime.mcall 0\nmain.loop 1\nmain.x 2\n")...)
	if got, want := poolText(s, s.Costs[1]), "Reads 1, main.x 2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
