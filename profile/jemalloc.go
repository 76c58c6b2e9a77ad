package profile

import (
	"bytes"
	"fmt"
	"math"
	"math/bits"
	"regexp"
	"strconv"
	"strings"

	pprof "github.com/google/pprof/profile"
)

// jemallocCount is one line of counts: all threads (*) or one of them, live
// objects and bytes, allocated objects and bytes, and in the header sometimes
// the thread's name.
var jemallocCount = regexp.MustCompile(`^\s*t(\*|\d+): (\d+): (\d+) \[(\d+): (\d+)\]\s*(.*)$`)

// jemallocStack is the counts of one stack: objects and bytes, live and then
// allocated, for all threads and for each thread.
type jemallocStack struct {
	addresses []uint64
	total     [4]int64
	threads   []jemallocThread
}

type jemallocThread struct {
	id     string
	counts [4]int64
}

// jemalloc reads a heap_v2 text line by line.
type jemalloc struct {
	period int64
	header [4]int64          // counts of all threads and stacks, before scaling
	names  map[string]string // thread id to name, for the threads that have one
	stacks []jemallocStack
}

// parseJemalloc reads jemalloc's heap_v2 text. Each stack gives one sample a
// thread, with the thread's name or its tN as the label "thread".
//
// The counts in the text are of sampled objects and mean little by themselves:
// in the header they do not even add up, because they stand for a scaled sum.
// Like jeprof, parseJemalloc scales each stack by 1/(1-exp(-size/period)). The
// total of a stack is that of its t* line, which its threads share in
// proportion to their own counts.
func parseJemalloc(text []byte) (*pprof.Profile, []string, error) {
	body, cut := cutComments(bytes.TrimPrefix(text, []byte("\ufeff")))
	first, rest, _ := strings.Cut(string(body), "\n")
	_, rate, _ := strings.Cut(strings.TrimSpace(first), "/")
	period, err := strconv.ParseInt(rate, 10, 64)
	if err != nil {
		return nil, nil, fmt.Errorf("line %d: sampling period of a jemalloc heap_v2 profile: %w", cut+1, err)
	}
	j := jemalloc{period: period, names: map[string]string{}}
	maps := ""
	number := cut + 1
	for line := range strings.Lines(rest) {
		number++
		if strings.HasPrefix(line, "MAPPED_LIBRARIES:") {
			_, maps, _ = strings.Cut(rest, "MAPPED_LIBRARIES:")
			break
		}
		if err := j.line(strings.TrimSpace(line)); err != nil {
			return nil, nil, fmt.Errorf("line %d of a jemalloc heap_v2 profile: %w", number, err)
		}
	}
	p := j.profile()
	if err := p.ParseMemoryMap(strings.NewReader(maps)); err != nil {
		return nil, nil, fmt.Errorf("memory map of a jemalloc heap_v2 profile: %w", err)
	}
	if err := p.CheckValid(); err != nil {
		return nil, nil, fmt.Errorf("converting a jemalloc heap_v2 profile: %w", err)
	}
	return p, []string{
		fmt.Sprintf("this is a jemalloc heap_v2 profile: its counts (t*: %d objects, %d bytes in use) are of sampled objects and were scaled up for one sample in %d bytes", j.header[0], j.header[1], period),
		"a jemalloc heap_v2 profile is not symbolised: functions are shown as addresses",
	}, nil
}

func (j *jemalloc) line(line string) error {
	if line == "" {
		return nil
	}
	if addresses, ok := strings.CutPrefix(line, "@"); ok {
		var s jemallocStack
		for field := range strings.FieldsSeq(addresses) {
			a, err := strconv.ParseUint(field, 0, 64)
			if err != nil {
				return fmt.Errorf("address: %w", err)
			}
			s.addresses = append(s.addresses, a)
		}
		j.stacks = append(j.stacks, s)
		return nil
	}
	m := jemallocCount.FindStringSubmatch(line)
	if m == nil {
		return fmt.Errorf("neither a stack nor counts: %s", quoteStart(line))
	}
	var counts [4]int64
	for i := range counts {
		n, err := strconv.ParseInt(m[2+i], 10, 64)
		if err != nil {
			return fmt.Errorf("count: %w", err)
		}
		counts[i] = n
	}
	if err := j.check(counts); err != nil {
		return err
	}
	switch id := m[1]; {
	case len(j.stacks) == 0 && id == "*":
		j.header = counts
	case len(j.stacks) == 0:
		if m[6] != "" {
			j.names[id] = m[6]
		}
	case id == "*":
		j.stacks[len(j.stacks)-1].total = counts
	default:
		s := &j.stacks[len(j.stacks)-1]
		s.threads = append(s.threads, jemallocThread{id, counts})
	}
	return nil
}

// check refuses counts that cannot be scaled.
func (j *jemalloc) check(counts [4]int64) error {
	for _, c := range [][]int64{counts[:2], counts[2:]} {
		if c[0] == 0 && c[1] != 0 {
			return fmt.Errorf("%d bytes without objects", c[1])
		}
		objects, space := scaleSampled(c[0], c[1], j.period)
		if max(c[0], c[1], objects, space) > 1<<53 || min(objects, space) < 0 {
			return fmt.Errorf("%d objects of %d bytes are more than any memory holds", c[0], c[1])
		}
	}
	return nil
}

func (j *jemalloc) profile() *pprof.Profile {
	p := &pprof.Profile{
		PeriodType: &pprof.ValueType{Type: "space", Unit: "bytes"},
		Period:     j.period,
		SampleType: []*pprof.ValueType{{Type: "objects", Unit: "count"}, {Type: "space", Unit: "bytes"}},
	}
	allocated := false // only with prof_accum:true
	for _, s := range j.stacks {
		allocated = allocated || s.total[2] != 0
	}
	if allocated {
		p.SampleType = []*pprof.ValueType{
			{Type: "alloc_objects", Unit: "count"},
			{Type: "alloc_space", Unit: "bytes"},
			{Type: "inuse_objects", Unit: "count"},
			{Type: "inuse_space", Unit: "bytes"},
		}
	}
	locations := map[uint64]*pprof.Location{}
	for _, s := range j.stacks {
		var stack []*pprof.Location
		for _, address := range s.addresses {
			address-- // from the return address to the call
			loc := locations[address]
			if loc == nil {
				loc = &pprof.Location{Address: address}
				locations[address] = loc
				p.Location = append(p.Location, loc)
			}
			stack = append(stack, loc)
		}
		p.Sample = append(p.Sample, j.samples(s, stack, allocated)...)
	}
	return p
}

// samples gives a stack's samples, one a thread, or one for all if the text
// does not tell the threads. The rounded values add up to the stack's own.
func (j *jemalloc) samples(s jemallocStack, stack []*pprof.Location, allocated bool) []*pprof.Sample {
	total := s.total
	total[0], total[1] = scaleSampled(total[0], total[1], j.period)
	total[2], total[3] = scaleSampled(total[2], total[3], j.period)
	var sum, below [4]int64
	for _, t := range s.threads {
		for i := range sum {
			sum[i] += t.counts[i]
		}
	}
	for i := range sum {
		if sum[i] == 0 && total[i] != 0 {
			sum, s.threads = s.total, []jemallocThread{{"", s.total}}
			break
		}
	}
	var samples []*pprof.Sample
	for _, t := range s.threads {
		var v [4]int64
		for i := range v {
			lower := portion(total[i], below[i], sum[i])
			below[i] += t.counts[i]
			v[i] = portion(total[i], below[i], sum[i]) - lower
		}
		sample := &pprof.Sample{Location: stack, Value: v[:2]}
		if allocated {
			sample.Value = []int64{v[2], v[3], v[0], v[1]}
		}
		if size := objectSize(s.total); size > 0 {
			sample.NumLabel = map[string][]int64{"bytes": {size}}
		}
		if t.id != "" {
			name := j.names[t.id]
			if name == "" {
				name = "t" + t.id
			}
			sample.Label = map[string][]string{"thread": {name}, "thread_id": {t.id}}
		}
		samples = append(samples, sample)
	}
	return samples
}

// portion is total*part/sum, for 0 <= part <= sum; 0 if sum is 0.
func portion(total, part, sum int64) int64 {
	hi, lo := bits.Mul64(uint64(total), uint64(part))
	if hi >= uint64(sum) { // sum is 0, or has overflowed
		return 0
	}
	q, _ := bits.Div64(hi, lo, uint64(sum))
	return int64(q)
}

// objectSize is the mean size of a stack's objects, of the allocated ones if
// they were counted.
func objectSize(counts [4]int64) int64 {
	switch {
	case counts[2] > 0:
		return counts[3] / counts[2]
	case counts[0] > 0:
		return counts[1] / counts[0]
	}
	return 0
}

// scaleSampled estimates objects and bytes from those sampled: an object of
// size S is sampled with probability 1-exp(-S/period).
func scaleSampled(count, size, period int64) (objects, space int64) {
	if count == 0 || size == 0 || period <= 1 {
		return count, size
	}
	mean := float64(size) / float64(count)
	scale := 1 / (1 - math.Exp(-mean/float64(period)))
	return int64(float64(count) * scale), int64(float64(size) * scale)
}
