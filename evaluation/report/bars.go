package report

import (
	"math"

	"sml/evaluation/measure"
	"sml/evaluation/report/internal/compare"
	"sml/internal/statistics"
)

// bars compares methods by their mean over the data sets, as a page shows it
// at a glance: a bar for ours, a tick for the reference's.
type bars struct {
	Caption   string
	Of        int // data sets
	Bars      []bar
	Reference bool // whether there is a tick
	Beyond    bool // whether a bar is longer than the scale
}

type bar struct {
	Method, Value, Reference string
	Width, Tick              float64 // percent of the scale; a tick below 0 is none
	Beyond                   bool    // longer than the scale
}

// longest is how many times the median a bar may be. A longer one, or one that
// is infinite, would leave the others too short to compare.
const longest = 4

func newBars(scores []measure.Score, reference compare.Reference, split, name string, title func(label string) string) bars {
	g := newGrid(scores, split, name).common()
	b := bars{Caption: measure.Title(name), Of: len(g.datasets)}
	if b.Of == 0 {
		return b
	}
	own, other := make([]float64, len(g.methods)), make([]float64, len(g.methods))
	var there []float64
	for i, method := range g.methods {
		own[i], other[i] = statistics.Mean(g.over(method, ours)), statistics.Mean(g.over(method, reference.Score))
		if !math.IsNaN(own[i]) {
			there = append(there, own[i])
		}
	}
	limit, scale := longest*statistics.Median(there), 0.0
	for _, x := range append(there, other...) {
		if statistics.Finite(x) && x <= limit {
			scale = max(scale, x)
		}
	}
	percent := func(x float64) float64 { return 100 * min(1, max(0, x/scale)) }
	for i, name := range titles(g.methods, title) {
		bar := bar{Method: name, Value: printed(own[i]), Tick: -1}
		if scale > 0 && !math.IsNaN(own[i]) {
			bar.Width, bar.Beyond = percent(own[i]), own[i] > scale
		}
		if !math.IsNaN(other[i]) {
			bar.Reference, b.Reference = printed(other[i]), true
			if other[i] <= scale {
				bar.Tick = percent(other[i])
			}
		}
		b.Beyond = b.Beyond || bar.Beyond
		b.Bars = append(b.Bars, bar)
	}
	return b
}
