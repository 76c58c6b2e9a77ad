// Package noise says which differences between sampled profiles are real.
//
// It holds numbers only: no profile types, no names, no units but those of the
// values it is given (bytes, objects or nanoseconds). The steps, in order:
//
//  1. A [Scale] turns the written value of one profile sample into an
//     [Estimate]: the value, its sampling variance and the number of sampled
//     events behind it. The writer of a Go heap profile has divided every
//     count by the chance of being sampled; Scale undoes that exactly.
//  2. Estimates add. A [Side] is the sum for one row of the report (a
//     function, a pool, the total) over the runs of one side.
//  3. [RunNoise] estimates how much more than sampling the runs scatter, from
//     all functions together. It becomes [Method.Tau2].
//  4. [Method.Compare] tests one row: p value, effective samples, inflation.
//  5. [FalseDiscovery] turns the p values of one family of rows into q values
//     (Benjamini-Hochberg).
//  6. [Method.Verdict] is the word for a row. [Method.Ratio], [Method.Delta],
//     [Method.Before] and [Method.After] are its intervals; they cost up to a
//     fifth of a millisecond each (BenchmarkIntervals), so ask for them only for rows that are
//     printed. [Method.Need] says what would settle an unclear row.
//
// # The model
//
// The Go runtime samples each allocation of slot size S independently with
// probability p = 1-exp(-S/R), where R is the sampling period in bytes. A
// sampled object stands for w = S/p bytes; n of them estimate X = n*w with
// variance n*w*w*(1-p) (Horvitz-Thompson). Sums of such rows are compared as
// if they were N = X/W events of equal weight W = V/X: given their sum, the
// events of the after side are binomial, which gives an exact conditional test
// (Przyborowski and Wilenski 1940) in its mid-p form (Lancaster 1961). Its
// inversion is the interval of the ratio; the interval of the difference
// follows from those of the two sides (MOVER, Zou and Donner 2008).
//
// With several runs a side the variance is widened by a factor phi, estimated
// for each row and drawn towards the value which the run noise common to all
// functions predicts (after Paule and Mandel 1982, Smyth 2004, Lund et al. 2012).
// With one run a side nothing in the data tells run noise; an assumed
// coefficient of variation, [Method.RunCV], takes its place.
//
// Decide by bytes. An object count leans on its smallest objects, of which each
// sample stands for thousands, so below some 30 effective events its interval
// is worth showing but not its verdict.
//
// # Invariants
//
// No result is ever NaN or infinite: what has no bound says so in a field.
// Swapping the sides leaves P unchanged, inverts the ratio and its interval,
// and negates the difference and its interval. The interval of the ratio at
// confidence c excludes 1 exactly if P < 1-c, except for the basis Scatter, where
// P is of the difference. Everything is a pure function of its arguments.
package noise
