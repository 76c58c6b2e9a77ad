package cellblock

// Scanner merges the segments of a region and returns the newest version of
// each cell, in order: HBase's KeyValueHeap. The zero value is ready for Scan.
type Scanner struct {
	cursors [segments]cursor
	heap    []*cursor // those with cells left, the smallest first
	last    Cell      // the cell returned last, whose older versions are skipped
	started bool
	err     error
}

// cursor reads one segment.
type cursor struct {
	cell Cell
	rest []byte
}

// Scan starts over at row first of g for n rows; rows past the end are not
// there. The Scanner keeps its memory, so that scanning allocates only once.
func (s *Scanner) Scan(g *Region, first, n int) {
	s.heap, s.started, s.err = s.heap[:0], false, nil
	first = min(max(first, 0), g.rows)
	end := min(first+max(n, 0), g.rows)
	for i := range s.cursors {
		seg := &g.segment[i]
		s.cursors[i].rest = seg.block[seg.start[first]:seg.start[end]]
		s.push(&s.cursors[i])
	}
}

// Next returns the next cell, or nil after the last one or if Err is not nil.
// The cell is good until the next call.
func (s *Scanner) Next() *Cell {
	for len(s.heap) > 0 {
		top := s.heap[0]
		older := s.started && compareColumn(&top.cell, &s.last) == 0
		if !older {
			s.last, s.started = top.cell, true
		}
		copy(s.heap, s.heap[1:])
		s.heap = s.heap[:len(s.heap)-1]
		s.push(top)
		if s.err != nil {
			return nil
		}
		if !older {
			return &s.last
		}
	}
	return nil
}

// Err is what stopped the scan before its end, or nil.
func (s *Scanner) Err() error { return s.err }

// push advances c and puts it in its place among the few cursors.
func (s *Scanner) push(c *cursor) {
	if len(c.rest) == 0 {
		return
	}
	size, err := c.cell.parse(c.rest)
	if err != nil {
		s.err = err
		return
	}
	c.rest = c.rest[size:]
	i := len(s.heap)
	s.heap = append(s.heap, c)
	for i > 0 && compareCell(&c.cell, &s.heap[i-1].cell) < 0 {
		s.heap[i] = s.heap[i-1]
		i--
	}
	s.heap[i] = c
}
