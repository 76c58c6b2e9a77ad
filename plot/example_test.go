package plot_test

import (
	"bytes"
	"fmt"
	"image/png"

	"github.com/allocdiff/allocdiff/plot"
	"github.com/allocdiff/allocdiff/profile"
)

func ExamplePNG() {
	percent := -8.8
	total := profile.Row{
		Name:    "Total",
		Before:  profile.Amount{Value: 97 << 10},
		After:   profile.Amount{Value: 88 << 10},
		Delta:   -9 << 10,
		Percent: &percent,
		Verdict: profile.Down,
	}
	report := &profile.Report{
		Title:   "Allocations: trunk → patch",
		Verdict: "Allocated bytes fell by 9.00 KiB/op (-8.8%), real.",
		Metrics: []profile.MetricReport{{Metric: profile.AllocSpace, Kind: profile.Heap, Per: profile.PerOp, Total: total}},
	}
	var file bytes.Buffer
	if err := plot.PNG(&file, report, plot.Options{Theme: plot.Dark, Width: 1200}); err != nil {
		fmt.Println(err)
		return
	}
	picture, err := png.DecodeConfig(&file)
	fmt.Println(picture.Width, err)
	// Output: 1200 <nil>
}
