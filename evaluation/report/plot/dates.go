package plot

import (
	"gonum.org/v1/plot"

	"sml/data"
	"sml/evaluation/report/internal/axes"
)

// dates are ticks of an axis of seconds since 1970.
type dates struct{}

// Ticks implements plot.Ticker.
func (dates) Ticks(low, high float64) []plot.Tick {
	ticks := axes.RoundTicks(3).Ticks(low, high)
	var values []float64
	for _, tick := range ticks {
		values = append(values, tick.Value)
	}
	if len(values) == 0 {
		return nil
	}
	for i, label := range shortened(values, data.Field{Kind: data.Date}) {
		ticks[i].Label = label
	}
	return ticks
}
