// Package wire reads the pprof protobuf (profile.proto) as a stream.
//
// Reading takes two passes over the input:
//
//  1. Open inflates the file once, skips over the samples, and keeps the
//     tables: strings, mappings, functions, locations. Ids of the file become
//     indices into those tables, and every rule of the format that concerns
//     the tables is checked.
//  2. Walk inflates it again and hands out the samples one at a time, in file
//     order, checking each one.
//
// Two passes, because writers disagree about the order: Go's runtime writes
// the strings last, google/pprof writes the samples first. A profile whose
// inflated bytes fit in a small buffer is inflated only once.
//
// # Memory
//
// The inflated bytes pass through a window, so memory grows with the tables
// and with the longest stack, never with the number of samples. A Reader keeps
// its buffers for the next file; in the steady state a sample costs no
// allocation.
//
// # What is accepted
//
// The same bytes that google/pprof accepts as a protobuf profile, with the
// same meaning, except that
//   - zstd is read beside gzip and raw bytes;
//   - bytes after the end of the gzip stream are reported (File.Extra), not
//     refused;
//   - a gzip header with reserved flags set is refused;
//   - a string, a sample or another single message longer than 64 MiB, more
//     than 16,777,216 entries in one table or locations in one sample, and more
//     than 1 GiB of strings are refused;
//   - a zstd stream that needs more than 64 MiB of history is refused.
//
// Legacy text and binary formats are not read here. DropFrames and KeepFrames
// are reported and not applied.
//
// # Errors
//
// ErrEmpty, StreamError (compression), SyntaxError (not a protobuf of this
// schema), InvalidError (a protobuf that breaks a rule of profiles) and
// ConcatenatedError. Offsets are positions in the inflated bytes, except
// StreamError.Offset and File.Extra, which are positions in the file.
package wire
