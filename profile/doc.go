// Package profile compares pprof profiles taken before and after a change. It
// holds numbers: it draws, prints and logs nothing and never ends the program.
//
// # The pipeline
//
//	load → attribute → compare → judge → report
//
// Each step is a word that stands as a file here:
//
//  1. Load. A [Finder] turns the arguments of a side (files, folders, globs,
//     standard input, URLs) into a [Source] of opened-on-demand [Input] values.
//     Each is recognised by its first bytes; older formats are converted to the
//     pprof protobuf, anything else is refused with the reason. A [Profile] is
//     the header and tables of one input; its samples are read as a stream
//     (internal/wire) and never held.
//  2. Attribute. [Sides] walks the samples of both sides at once and adds each
//     to its functions, thread pool and object size: the [Costs] of a run. The
//     runs of a side are folded together, by kind of profile, as they are read.
//  3. Compare. [Compare] pairs the metrics of the sides by type and unit and
//     their rows by name, and gives a [Diff]. Addresses and numbers of functions
//     mean nothing in another build: attribute by name first, subtract second.
//  4. Judge. Each row is tested against the noise (internal/noise) and gets a
//     [Verdict]; rows of one table are tested as one family. [Diff.Check]
//     decides a [Gate] by the same tests.
//  5. Report. [NewReport] collects what is to be printed in one [Report]. Every
//     output reads it and computes nothing.
//
// [Read] and [Explain] take the first two steps for one side alone, to tell how
// its pools were found.
//
// # Functions
//
// Flat belongs to the leaf frame, cum to every function of the stack once per
// sample. Owner belongs to the first frame, from the leaf, that is outside the
// runtime, the standard library and other modules than the program's own: the
// function a reviewer can change. Inlined frames count as frames; the innermost
// is the leaf.
//
// # Pools
//
// A sample is in exactly one pool. In this order, what first gives a name
// decides: the user's rules; a label that names a pool; a label, or a root
// frame, that names a thread, folded to the pool of that thread; a name that
// CPU profiles of the comparison teach for the frames at the root; the entry
// function of the goroutine. Go heap profiles carry no labels
// (golang.org/issue/23458), hence the last two.
//
// # Units
//
// Values are in base units (bytes, objects, nanoseconds) and exact integers
// until a report divides them: by operations, seconds or runs, as [Per] says.
// Nothing is scaled to make totals equal. Only printers choose KiB or ms.
// Percentages are of the same row's before.
//
// # Invariants
//
//   - Conservation: flat, owner, pool, pool × function and size rows each add up
//     to the total exactly. What cannot be placed has a row of its own, such as
//     (no stack), (stack cut) or (no thread label); what a table leaves out is in
//     its Other row. Only cum rows overlap.
//   - Antisymmetry: swapped sides give the same rows with every sign flipped.
//   - Identity: a side against itself gives zeros.
//   - Order: files, samples, labels and tables may come in any order. Numbers of
//     names and pools depend on it and so never reach a report; rows are sorted
//     by |delta|, then name, then pool.
//   - Determinism: no clock, no randomness, no environment. Equal inputs give
//     equal reports.
//   - Agreement: flat and cum are those of google/pprof.
//   - Input is not trusted: it may be refused but not panic, and names are made
//     printable when they are read.
//
// # The statistics, for whoever maintains this
//
// A profile is a sample, so a difference may be chance. What is needed to tell
// is carried along in every [Estimate], which adds up like the values do:
//
//   - Value, the sum as written in the profiles.
//   - N, the sampled events behind it, and Variance, what sampling alone makes
//     it wobble. The Go runtime keeps an object of size S with probability
//     p = 1-exp(-S/R) at rate R and writes its count divided by p. R is in the
//     header and S in the label "bytes", so the kept count is recovered exactly,
//     row by row (noise.Heap, used in model.go). Where all events weigh the same
//     (CPU ticks, counts) the period tells N; where nothing does, the greatest
//     common divisor of the values is taken and the report says "inferred";
//     where that is 1 there is no noise model and the verdict is "unknown".
//   - Miss and Weight guard rows of few large objects, of which one may simply
//     not have been seen.
//   - Squares, the scatter between runs, of a Sum over several.
//
// Two estimates are compared as two counts of N events: a conditional binomial
// test in its mid-p form, whose inversion is the interval of the ratio; the
// interval of the difference is put together from those of the sides (MOVER).
// With repeated runs the variance of a row is widened by the scatter of its own
// runs, drawn towards the run noise that all functions share, because five runs
// alone say little about one row; Student's t takes the place of the normal.
// With one run a side a fixed scatter is assumed and the word is "beyond
// sampling noise", not "real". Then Benjamini and Hochberg's adjustment over the
// rows of a table keeps the share of false ones among the reported changes;
// rows of fewer than 6 events do not take part and are "few". CPU totals scatter
// less than counts would, since the timer ticks evenly: they are compared run by
// run (Welch).
//
// Rules that are easy to break:
//
//   - Recover counts from bytes, never from objects: those were cut to integers.
//   - Add estimates before testing; never add p values or average ratios.
//   - A row that is absent from a run is a zero of that run, not a missing value.
//   - Recover the events of a profile at its own rate before it is added to
//     others, whose rate may differ.
//   - The test and the interval of the ratio agree: p < 0.05 exactly if the 95 %
//     interval excludes 1. Change one and the other has to follow.
//   - A threshold is on the sum of both sides' events, on which the test
//     conditions. One on either side alone would bias it.
//
// The method with its sources is in the package comment of internal/noise;
// interval coverage, false positives and power are measured by its simulations
// (sim_test.go) and against the runtime itself (runtime_test.go, program_test.go).
package profile
