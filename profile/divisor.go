package profile

import (
	"errors"
	"fmt"
)

// divisor returns what the values of one run are divided by.
func (r *sideReader) divisor(p *Profile) (float64, error) {
	switch r.side.per {
	case PerOp:
		if r.ops > 0 {
			if p.Ops > 0 && p.Ops != r.ops {
				p.Warnings = append(p.Warnings, fmt.Sprintf("its comments tell %s operations, --ops tells %s, which is used", Count(p.Ops), Count(r.ops)))
			}
			p.Ops = r.ops
		}
		if p.Ops <= 0 {
			return 0, fmt.Errorf("%s: tells no number of operations (comment allocdiff.ops=N) though others do; give them with --ops BEFORE,AFTER", p.Name)
		}
		return p.Ops, nil
	case PerSecond:
		if p.Duration <= 0 {
			return 0, fmt.Errorf("%s: has no duration, so nothing can be shown per second; use --per total or --ops", p.Name)
		}
		return float64(p.Duration) / 1e9, nil
	}
	return 1, nil
}

// choosePer decides what values are divided by: operations when all sides tell
// theirs, unless the user wishes otherwise.
func choosePer(wish Per, readers []*sideReader) (Per, error) {
	known := true
	for _, r := range readers {
		known = known && (r.ops > 0 || r.side.Profiles[0].Ops > 0)
	}
	switch {
	case wish == PerOp && !known:
		return "", errors.New("the number of operations is not known on both sides; give it with --ops BEFORE,AFTER")
	case wish != "":
		return wish, nil
	case known:
		return PerOp, nil
	}
	return PerRun, nil
}
