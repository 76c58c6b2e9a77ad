package wire

// An index finds the position in a table by the id that the file uses. Ids are
// usually 1, 2, 3 and so on, but may be any number above 0.
type index struct {
	dense []int32          // position + 1 by id; 0: none
	rest  map[uint64]int32 // the same for ids beyond dense
	plain uint64           // ids 1 to plain are at positions 0 to plain-1; dense and rest are not used
}

// build indexes a table by its ids. It returns the position of the first entry
// whose id is taken, or -1.
func (x *index) build(ids []uint64) int {
	x.plain = 0
	for x.plain < uint64(len(ids)) && ids[x.plain] == x.plain+1 {
		x.plain++
	}
	if x.plain == uint64(len(ids)) {
		x.dense = x.dense[:0]
		clear(x.rest)
		return -1
	}
	x.plain = 0
	// Room for ids with some gaps; what is beyond costs a map lookup.
	size := uint64(2*len(ids) + 64)
	highest := uint64(0)
	for _, id := range ids {
		if id < size {
			highest = max(highest, id)
		}
	}
	if n := int(highest) + 1; n <= cap(x.dense) {
		x.dense = x.dense[:n]
		clear(x.dense)
	} else {
		x.dense = make([]int32, n)
	}
	clear(x.rest)
	for i, id := range ids {
		if x.find(id) >= 0 {
			return i
		}
		if id < uint64(len(x.dense)) {
			x.dense[id] = int32(i + 1)
			continue
		}
		if x.rest == nil {
			x.rest = make(map[uint64]int32)
		}
		x.rest[id] = int32(i + 1)
	}
	return -1
}

// find returns the position of the entry with that id, or -1.
func (x *index) find(id uint64) int32 {
	if id-1 < x.plain {
		return int32(id - 1)
	}
	return x.search(id)
}

func (x *index) search(id uint64) int32 {
	if id < uint64(len(x.dense)) {
		return x.dense[id] - 1
	}
	return x.rest[id] - 1
}
