package wire_test

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"

	"github.com/allocdiff/allocdiff/profile/internal/wire"
)

type cost struct{ flat, cum int64 }

func printCosts(total int64, costs map[string]*cost) string {
	var lines []string
	for name, c := range costs {
		lines = append(lines, fmt.Sprintf("%q %d %d", name, c.flat, c.cum))
	}
	sort.Strings(lines)
	return fmt.Sprintf("total %d\n%s", total, strings.Join(lines, "\n"))
}

// peerCosts adds up value i per function name with google/pprof's types.
func peerCosts(p *pprof.Profile, i int) string {
	costs := map[string]*cost{}
	at := func(name string) *cost {
		if costs[name] == nil {
			costs[name] = &cost{}
		}
		return costs[name]
	}
	var total int64
	for _, s := range p.Sample {
		v := s.Value[i]
		total += v
		var names []string
		for _, l := range s.Location {
			if len(l.Line) == 0 {
				names = append(names, fmt.Sprintf("%x", l.Address))
			}
			for _, line := range l.Line {
				names = append(names, line.Function.Name)
			}
		}
		seen := map[string]bool{}
		for j, name := range names {
			if j == 0 {
				at(name).flat += v
			}
			if !seen[name] {
				seen[name] = true
				at(name).cum += v
			}
		}
	}
	return printCosts(total, costs)
}

// costsOf adds up value i per function name from the stream of samples: only
// the frames that a sample does not share with the one before are looked at.
func costsOf(t *testing.T, r *wire.Reader, data []byte, i int) string {
	t.Helper()
	f, err := r.Open(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	costs := map[string]*cost{}
	var total int64
	var path []string // root first
	var depth []int   // length of path up to each location, root first
	open := map[string]bool{}
	err = f.Walk(func(s *wire.Sample) error {
		depth = depth[:s.Shared]
		path = path[:lastOf(depth)]
		for j := len(s.Locations) - 1 - s.Shared; j >= 0; j-- {
			lines := f.LinesOf(s.Locations[j])
			if len(lines) == 0 {
				path = append(path, fmt.Sprintf("%x", f.Locations[s.Locations[j]].Address))
			}
			for k := len(lines) - 1; k >= 0; k-- {
				path = append(path, f.String(f.Functions[lines[k].Function].Name))
			}
			depth = append(depth, len(path))
		}
		v := s.Values[i]
		total += v
		clear(open)
		for j, name := range path {
			if costs[name] == nil {
				costs[name] = &cost{}
			}
			if !open[name] {
				costs[name].cum += v
			}
			open[name] = true
			if j == len(path)-1 {
				costs[name].flat += v
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return printCosts(total, costs)
}

func lastOf(depth []int) int {
	if len(depth) == 0 {
		return 0
	}
	return depth[len(depth)-1]
}
