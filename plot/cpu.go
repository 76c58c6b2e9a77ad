package plot

import "github.com/allocdiff/allocdiff/profile"

// cpu draws CPU time beside the main metric: its pools, or its functions where
// no pool is known.
func (p *page) cpu(m *profile.MetricReport) {
	if len(m.Pools.Rows) > 0 {
		p.pools(m, cpuRows)
		return
	}
	p.bars(m, m.Functions(), cpuRows, "Functions: change in "+m.Metric.Noun()+perWords(m.Per))
}
