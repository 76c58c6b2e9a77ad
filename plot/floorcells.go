package plot

import (
	"fmt"
	"image/color"

	"github.com/allocdiff/allocdiff/profile"
)

// floorColor is the area colour of the changes of a row that stay unseen: dark
// where they hold the first fall that is planned for.
func (p *page) floorColor(r *floorRow) color.NRGBA {
	if r.seen() {
		return p.before
	}
	return p.noise
}

// floorKeys explains the colours, as far as rows use them.
func (p *page) floorKeys(r *profile.NoiseReport, rows []floorRow) []key {
	if len(r.Falls) == 0 {
		return nil
	}
	var seen, hidden bool
	for i := range rows {
		if rows[i].Down != nil {
			seen, hidden = seen || rows[i].seen(), hidden || !rows[i].seen()
		}
	}
	fall := fallText(r.Falls[0])
	var keys []key
	if seen {
		keys = append(keys, key{"unseen, smaller than " + fall, p.before})
	}
	if hidden {
		keys = append(keys, key{"unseen, " + fall + " among them", p.noise})
	}
	if len(r.Falls) > 1 {
		fall += ", " + fallText(r.Falls[1])
	}
	return append(keys, key{fall, p.less})
}

// floorFields fills the columns behind the bars.
func (p *page) floorFields(r *profile.NoiseReport, rows []floorRow) []field {
	value := field{head: "Value", rank: 3}
	count := field{head: "Events/run", rank: 4}
	sampling := field{head: "Sampling", rank: 7}
	scatter := field{head: "Scatter", rank: 2}
	smallest := field{head: "Seen from"}
	reach := make([]field, len(r.Falls))
	for i, fall := range r.Falls {
		reach[i] = field{head: "To see " + fallText(fall), rank: 6 * i}
	}
	for i := range rows {
		row := &rows[i]
		plain := func(text string) cell { return cell{text, bodyLetter, p.ink} }
		value.cells = append(value.cells, plain(row.unit.with(row.unit.amount(row.Value))))
		count.cells = append(count.cells, plain(known(row.N > 0, true, func() string { return events(row.N) })))
		sampling.cells = append(sampling.cells, plain(cvText(row.Sampling)))
		scatter.cells = append(scatter.cells, plain(cvText(row.Scatter)))
		smallest.cells = append(smallest.cells, cell{smallestText(row), deltaLetter, p.ink})
		for j := range reach {
			text, c := "–", p.muted
			if j < len(row.Reach) {
				text, c = p.fit(smallLetter, row.Reach[j].Short(row.metric.Runs), reachWidth), p.ink
				if row.Few {
					text = "few: " + text
				}
			}
			reach[j].cells = append(reach[j].cells, cell{text, smallLetter, c})
		}
	}
	return append([]field{value, count, sampling, scatter, smallest}, reach...)
}

// fallText is a fall that is planned for in percent.
func fallText(f float64) string { return narrow(profile.FormatFall(finite(f)), f) }

// cvText is a coefficient of variation in percent.
func cvText(cv *float64) string {
	if cv == nil {
		return "–"
	}
	v := 100 * finite(*cv)
	switch {
	case v == 0:
		return "0%"
	case v < 0.005:
		return "<0.01%"
	case v < 0.995:
		return narrow(fmt.Sprintf("%.2f%%", v), v)
	}
	return narrow(fmt.Sprintf("%.1f%%", v), v)
}

// smallestText is the smallest changes that would be seen.
func smallestText(r *floorRow) string {
	if r.Down == nil || r.Up == nil {
		return "unknown"
	}
	return narrow(profile.FormatSmallest(finite(*r.Down)), *r.Down) + " / " + narrow(profile.FormatSmallest(finite(*r.Up)), *r.Up)
}
