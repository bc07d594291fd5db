package plot

import (
	"gonum.org/v1/plot"

	"sml/data"
	"sml/evaluation/report/internal/axes"
)

// dateTicks is a ticker of an axis of dates, in seconds since 1970.
type dateTicks struct{}

// Ticks implements plot.Ticker.
func (dateTicks) Ticks(low, high float64) []plot.Tick {
	ticks := axes.RoundTicks(3).Ticks(low, high)
	var dates []float64
	for _, tick := range ticks {
		dates = append(dates, tick.Value)
	}
	if len(dates) == 0 {
		return nil
	}
	for i, label := range edgeLabels(dates, data.Field{Kind: data.Date}) {
		ticks[i].Label = label
	}
	return ticks
}
