package plot

import "github.com/allocdiff/allocdiff/profile"

// cpu draws CPU time beside the main metric: its pools, and its functions where
// one of them really changed or no pool is known.
func (p *page) cpu(m *profile.MetricReport) {
	known := len(m.Pools.Rows) > 0
	if known {
		p.pools(m, cpuRows)
	}
	if !known || anyRow(m.Functions().Rows, real) {
		p.functions(m, cpuRows)
	}
}

func real(r *profile.Row) bool { return r.Verdict.Real() }
