// Package profiletest makes pprof profiles for tests: small ones from folded
// text ([Profile], [Bytes], [File]), Go heap profiles with the runtime's own
// scaling ([Heap]), and large ones by seed ([Generate]).
//
// # Folded text
//
// One sample a line, frames from the root to the leaf, values in base units:
//
//	// a note; empty lines are skipped as well
//	# period space/bytes 524288
//	# time 2026-11-30T12:00:00Z
//	# duration 30s
//	# comment allocdiff.ops=1000
//	# default alloc_space
//	# mapping 0x400000-0x500000 /bin/app 5f2e...
//	alloc_objects/count alloc_space/bytes
//	main.run;main.build;bytes.growSlice [pool=read;bytes:bytes=128] 3 384
//	main.run;main.build @build.go:12 > main.fill @fill.go:7 1 64
//	main.run;0x4010ff 1 64
//	(no stack) 1 16
//
// The first line that is neither a directive nor a note names the sample
// types as type/unit, separated by spaces. Every later line is a stack,
// optional labels in brackets, and one value for each sample type.
//
// Directives start with "#" and may stand anywhere before the sample that
// needs them. "comment" and "mapping" may be repeated; "drop" and "keep" set
// the regular expressions of the same name.
//
// Frames are separated by ";" (write "\;" for one inside a name). Each frame
// is one location with one line:
//
//   - "name" is a function without a file;
//   - "name @file:12" has a file and a line;
//   - "outer > inner" (spaces around ">") is one location with inlined lines,
//     the outermost function first as in the stack;
//   - "0x4010ff" is a location without lines, in the mapping that holds the
//     address, if any;
//   - "(no stack)" alone is a sample without locations.
//
// Equal frames share a location, equal functions (name and file) share a
// function.
//
// Labels are separated by ";". "key=value" is a string label; "key:unit=128"
// with an integer is a numeric label whose unit may be empty ("bytes:=128",
// as the Go runtime writes it). A key may be repeated. Brackets inside a
// value have to be balanced: "[thread=[worker-3 tid=42]]".
package profiletest
