package wire

// resolve replaces ids by positions and string indices by strings, once all
// tables are known, and checks them.
func (r *Reader) resolve() error {
	file, raw := &r.file, &r.raw
	if len(file.ends) == 0 {
		return invalid(r.window.offset(), "no string table")
	}
	for i := range file.Mappings {
		m, from := &file.Mappings[i], &raw.mappings[i]
		if err := firstOf(
			r.resolveString(&m.File, from.file, from.at, "mapping"),
			r.resolveString(&m.BuildID, from.build, from.at, "mapping")); err != nil {
			return err
		}
	}
	if i := raw.mappingIndex.build(raw.mappingIDs); i >= 0 {
		return r.twice(raw.mappings[i].at, "mappings", raw.mappingIDs[i])
	}
	if err := r.resolveFunctions(); err != nil {
		return err
	}
	if err := r.resolveLocations(); err != nil {
		return err
	}
	return r.resolveProfile()
}

func (r *Reader) resolveFunctions() error {
	file, table := &r.file, &r.raw.functions
	for i := range file.Functions {
		f := &file.Functions[i]
		// As unsigned numbers, -1 is out of any table.
		if max(uint32(f.Name), uint32(f.SystemName), uint32(f.Filename)) >= uint32(len(file.ends)) {
			return invalid(table.at[i], "function %d refers to a string beyond the %d of the table", table.id[i], len(file.ends))
		}
	}
	if i := r.raw.functionIndex.build(table.id); i >= 0 {
		return r.twice(table.at[i], "functions", table.id[i])
	}
	return nil
}

func (r *Reader) resolveLocations() error {
	file, raw := &r.file, &r.raw
	table := &raw.locations
	for i := range file.Locations {
		l := &file.Locations[i]
		// As in google/pprof, a mapping that is not there means none.
		l.Mapping = raw.mappingIndex.find(raw.mapOf[i])
		for j := l.first; j < l.first+l.count; j++ {
			id := raw.funcOf[j]
			if file.lines[j].Function = raw.functionIndex.find(id); file.lines[j].Function >= 0 {
				continue
			}
			if id == 0 {
				return invalid(table.at[i], "location %d has a line without a function", table.id[i])
			}
			return invalid(table.at[i], "location %d refers to missing function %d", table.id[i], id)
		}
	}
	if i := file.locations.build(table.id); i >= 0 {
		return r.twice(table.at[i], "locations", table.id[i])
	}
	return nil
}

// twice refuses an id that was used before.
func (r *Reader) twice(at int64, what string, id uint64) error {
	if r.file.typeRun > 1 {
		return &ConcatenatedError{N: r.file.typeRun}
	}
	return invalid(at, "several %s with id %d", what, id)
}

func (r *Reader) resolveProfile() error {
	file, raw := &r.file, &r.raw
	for _, t := range raw.types {
		var v ValueType
		if err := r.resolveType(&v, t, "sample type"); err != nil {
			return err
		}
		file.SampleTypes = append(file.SampleTypes, v)
	}
	if len(file.SampleTypes) == 0 && file.samples > 0 {
		return invalid(file.start, "samples without sample types")
	}
	for _, i := range raw.comments {
		var s string
		if err := r.resolveString(&s, i, raw.commentAt, "comment"); err != nil {
			return err
		}
		file.Comments = append(file.Comments, s)
	}
	return firstOf(
		r.resolveType(&file.PeriodType, raw.period, "period type"),
		r.resolveString(&file.DropFrames, raw.drop.index, raw.drop.at, "drop_frames"),
		r.resolveString(&file.KeepFrames, raw.keep.index, raw.keep.at, "keep_frames"),
		r.resolveString(&file.DefaultType, raw.show.index, raw.show.at, "default_sample_type"),
		r.resolveString(&file.DocURL, raw.docs.index, raw.docs.at, "doc_url"))
}

func (r *Reader) resolveType(to *ValueType, t rawType, what string) error {
	return firstOf(
		r.resolveString(&to.Type, t.typ, t.at, what),
		r.resolveString(&to.Unit, t.unit, t.at, what))
}

func (r *Reader) resolveString(to *string, i, at int64, what string) error {
	if n := len(r.file.ends); uint64(i) >= uint64(n) {
		return invalid(at, "%s refers to string %d, the table has %d", what, i, n)
	}
	*to = r.file.String(int32(i))
	return nil
}
