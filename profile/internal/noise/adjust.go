package noise

import (
	"cmp"
	"slices"
)

// Adjust sets Q of all tests of one family: the rows of one metric in one
// view, such as all functions by flat bytes, or all pools. Reporting the rows
// with Q <= f keeps the expected share of false ones among them to f (Benjamini
// and Hochberg 1995). The total of a profile is a family of one: its Q is P.
//
// Rows that cannot be judged, [Test.Few] or of basis Unknown, stay out of the
// family and keep Q = 1: they could not be found and would only hide the
// others. They are chosen by the sum of both sides, of which P is independent
// under the null hypothesis, so this does not bias Q (Bourgon et al. 2010).
func Adjust(tests []Test) {
	var order []int
	for i := range tests {
		tests[i].Q = 1
		if tests[i].Basis != Unknown && !tests[i].Few() {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(tests[i].P, tests[j].P), cmp.Compare(i, j))
	})
	q := 1.0
	for rank := len(order); rank > 0; rank-- {
		t := &tests[order[rank-1]]
		q = min(q, t.P*float64(len(order))/float64(rank))
		t.Q = q
	}
}
