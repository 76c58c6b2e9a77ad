package noise

import (
	"cmp"
	"slices"
)

// FamilyP returns P, or -1 if the row stays out of its family for
// [FalseDiscovery]. Rows that cannot be judged, [Test.Few] or of basis Unknown,
// do: they could not be found and would only hide the others. They are chosen by
// the sum of both sides, of which P is independent under the null hypothesis, so
// this does not bias q (Bourgon et al. 2010).
func (t Test) FamilyP() float64 {
	if t.Basis == Unknown || t.Few() {
		return -1
	}
	return t.P
}

// FalseDiscovery turns the p values of one family into q values, in place: the
// rows of one metric in one view, such as all functions by flat bytes, or all
// pools. Reporting the rows with q <= f keeps the expected share of false ones
// among them to f (Benjamini and Hochberg 1995). The total of a profile is a
// family of one: its q is p. A negative value stands for a row that stays out; it
// becomes 1.
func FalseDiscovery(p []float64) {
	var order []int
	for i := range p {
		if p[i] >= 0 {
			order = append(order, i)
		} else {
			p[i] = 1
		}
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(p[i], p[j]), cmp.Compare(i, j))
	})
	q := 1.0
	for rank := len(order); rank > 0; rank-- {
		i := order[rank-1]
		q = min(q, p[i]*float64(len(order))/float64(rank))
		p[i] = q
	}
}
