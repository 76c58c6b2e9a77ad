package wire

// A ValueType names what a number counts and in which unit.
type ValueType struct {
	Type, Unit string // such as "alloc_space" and "bytes"
}

// A Mapping is a piece of a program or library in the address space.
type Mapping struct {
	ID                   uint64 // as in the file, never 0
	Start, Limit, Offset uint64 // first address, address after the last, offset in File
	File, BuildID        string

	HasFunctions, HasFilenames, HasLineNumbers, HasInlineFrames bool
}

// A Function is a named function. Its strings are indices for File.String.
type Function struct {
	Name, SystemName, Filename int32
	StartLine                  int64 // 0: unknown
}

// A Location is a program counter, or an anonymous place in the source. Its
// lines are File.LinesOf.
type Location struct {
	Address  uint64
	Mapping  int32 // index into File.Mappings; -1: none
	first    int32 // of its lines in File.lines
	count    int32
	IsFolded bool // several locations share these lines
}

// A Line is one frame of a location.
type Line struct {
	Function     int32 // index into File.Functions
	Line, Column int64 // 0: unknown
}

// A File is a profile without its samples. It belongs to the Reader that
// opened it: the next Open of that Reader overwrites it, except for the
// strings, which stay valid. It must not be used by two goroutines at a time.
type File struct {
	// SampleTypes says what Sample.Values holds.
	SampleTypes []ValueType
	// DefaultType is the Type of the sample type to show first; "": none given.
	DefaultType string
	// PeriodType and Period say how often a sample was taken; zero: unknown.
	PeriodType ValueType
	Period     int64
	// TimeNanos is the time of collection since 1970 (UTC); 0: unknown.
	TimeNanos int64
	// DurationNanos is how long the profile covers; 0: unknown.
	DurationNanos int64
	Comments      []string
	// DropFrames and KeepFrames are regular expressions of frames that the
	// writer suggests to hide. They are reported, not applied.
	DropFrames, KeepFrames string
	DocURL                 string

	Mappings  []Mapping
	Functions []Function
	Locations []Location
	lines     []Line

	// Size is the length of the file as stored, in bytes, and SHA256 its hash.
	Size   int64
	SHA256 [32]byte
	// Codec is the compression: "gzip", "zstd", or "" for none.
	Codec string
	// Extra is the position in the file of bytes after its gzip stream that
	// are no part of it, and were ignored; 0: there are none.
	Extra int64

	text    []byte   // all strings, one after the other
	ends    []uint32 // ends[i] is the end of string i in text
	cache   []string // strings made so far
	samples int64
	start   int64 // offset of the first sample
	typeRun int   // how often a list of sample types starts; more than 1: concatenated

	locations index
	reader    *Reader
}

// NumStrings is the length of the string table.
func (f *File) NumStrings() int { return len(f.ends) }

// NumSamples is how many samples Walk will visit.
func (f *File) NumSamples() int64 { return f.samples }

// String returns string i of the table; string 0 is "". The bytes are as
// stored and need not be UTF-8. A string is made on first use, and does not
// keep the File alive.
func (f *File) String(i int32) string {
	if len(f.cache) != len(f.ends) {
		f.cache = append(f.cache[:0], make([]string, len(f.ends))...)
	}
	if f.cache[i] == "" {
		f.cache[i] = string(f.Bytes(i))
	}
	return f.cache[i]
}

// Bytes returns the bytes of string i without making a string, to look up a
// map by. They must not be changed, and are valid as long as the File.
func (f *File) Bytes(i int32) []byte {
	start := uint32(0)
	if i > 0 {
		start = f.ends[i-1]
	}
	end := f.ends[i]
	return f.text[start:end:end]
}

// LinesOf returns the frames of a location, an index into Locations. The first
// is the innermost: it was inlined into the next one, and so on. A location
// that is not symbolised has none.
func (f *File) LinesOf(location int32) []Line {
	l := &f.Locations[location]
	end := l.first + l.count
	return f.lines[l.first:end:end]
}

// keep is how many entries of a table are kept for the next file. What is
// beyond is a large file, and its memory is worth more than its reuse.
const keep = 1 << 16

// Forget gives back the memory of Mappings, Functions, Locations and LinesOf if
// they are large. Walk and String do not need them.
func (f *File) Forget() {
	if max(len(f.Functions), len(f.Locations), len(f.lines)) > keep {
		f.Mappings, f.Functions, f.Locations, f.lines = nil, nil, nil, nil
	}
}

// reset empties the File and keeps its memory.
func (f *File) reset(r *Reader) {
	clear(f.cache)
	*f = File{
		SampleTypes: f.SampleTypes[:0],
		Comments:    f.Comments[:0],
		Mappings:    f.Mappings[:0],
		Functions:   f.Functions[:0],
		Locations:   f.Locations[:0],
		lines:       f.lines[:0],
		text:        f.text[:0],
		ends:        f.ends[:0],
		cache:       f.cache[:0],
		locations:   f.locations,
		reader:      r,
	}
}
