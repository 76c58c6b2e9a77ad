package wire

// mapping takes a mapping message.
func (r *Reader) mapping(f *field) (err error) {
	at := f.at
	var m Mapping
	raw := rawMapping{at: at}
	var g field
	msg := f.message()
	for err == nil && msg.next(&g) {
		switch g.num {
		case 1:
			m.ID, err = g.number()
		case 2:
			m.Start, err = g.number()
		case 3:
			m.Limit, err = g.number()
		case 4:
			m.Offset, err = g.number()
		case 5:
			raw.file, err = g.signed()
		case 6:
			raw.build, err = g.signed()
		case 7:
			m.HasFunctions, err = g.flag()
		case 8:
			m.HasFilenames, err = g.flag()
		case 9:
			m.HasLineNumbers, err = g.flag()
		case 10:
			m.HasInlineFrames, err = g.flag()
		}
	}
	if err = firstOf(err, msg.err); err != nil {
		return err
	}
	if m.ID == 0 {
		return invalid(at, "mapping with reserved id 0")
	}
	r.file.Mappings = append(r.file.Mappings, m)
	r.raw.mappings = append(r.raw.mappings, raw)
	r.raw.mappingIDs = append(r.raw.mappingIDs, m.ID)
	return full(len(r.file.Mappings), at, "mappings")
}

// function takes a function message.
func (r *Reader) function(f *field) (err error) {
	at := f.at
	var fn Function
	var id uint64
	var g field
	m := f.message()
	for err == nil && m.next(&g) {
		switch g.num {
		case 1:
			id, err = g.number()
		case 2:
			fn.Name, err = g.text()
		case 3:
			fn.SystemName, err = g.text()
		case 4:
			fn.Filename, err = g.text()
		case 5:
			fn.StartLine, err = g.signed()
		}
	}
	if err = firstOf(err, m.err); err != nil {
		return err
	}
	if id == 0 {
		return invalid(at, "function with reserved id 0")
	}
	r.file.Functions = append(r.file.Functions, fn)
	r.raw.functions.add(id, at)
	return full(len(r.file.Functions), at, "functions")
}

// location takes a location message.
func (r *Reader) location(f *field) (err error) {
	at := f.at
	file := &r.file
	l := Location{first: int32(len(file.lines))}
	var id, mapping uint64
	var g field
	m := f.message()
	for err == nil && m.next(&g) {
		switch g.num {
		case 1:
			id, err = g.number()
		case 2:
			mapping, err = g.number()
		case 3:
			l.Address, err = g.number()
		case 4:
			err = r.line(&g)
		case 5:
			l.IsFolded, err = g.flag()
		}
	}
	if err = firstOf(err, m.err); err != nil {
		return err
	}
	if id == 0 {
		return invalid(at, "location with reserved id 0")
	}
	l.count = int32(len(file.lines)) - l.first
	file.Locations = append(file.Locations, l)
	r.raw.locations.add(id, at)
	r.raw.mapOf = append(r.raw.mapOf, mapping)
	return firstOf(full(len(file.Locations), at, "locations"), full(len(file.lines), at, "lines"))
}

// line takes a line message of a location.
func (r *Reader) line(f *field) (err error) {
	var l Line
	var function uint64
	var g field
	m := f.message()
	for err == nil && m.next(&g) {
		switch g.num {
		case 1:
			function, err = g.number()
		case 2:
			l.Line, err = g.signed()
		case 3:
			l.Column, err = g.signed()
		}
	}
	r.file.lines = append(r.file.lines, l)
	r.raw.funcOf = append(r.raw.funcOf, function)
	return firstOf(err, m.err)
}

func (x *ids) add(id uint64, at int64) {
	x.id = append(x.id, id)
	x.at = append(x.at, at)
}

// text returns a string index. That it is in the table is checked when the
// table is known; here, whether it can be in any. If not it becomes -1, which
// is no error yet: another value may follow in the same message and replace it.
func (f *field) text() (int32, error) {
	v, err := f.signed()
	if v < 0 || v > maxEntries {
		return -1, err
	}
	return int32(v), err
}
