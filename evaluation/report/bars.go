package report

import (
	"math"
	"slices"

	"sml/evaluation/measure"
	"sml/evaluation/report/internal/compare"
	"sml/internal/statistics"
)

// bars compares methods by their mean over the data sets, in the summary of a page: a bar for our
// score, and a tick for the reference's.
type bars struct {
	Caption   string
	Datasets  int // number of data sets that all methods have scores on
	Bars      []bar
	Reference bool // whether a bar has a score of the reference
	Beyond    bool // whether a bar is longer than the scale
}

type bar struct {
	Method, Value, Reference string  // title and scores; Reference is "" if there is none
	Width                    float64 // percentage of the scale
	Tick                     float64 // percentage of the scale; below 0 if there is no tick
	Beyond                   bool    // whether the bar is longer than the scale
}

// maxMedians is the length of the scale, at most, in medians of the scores. Longer bars, and infinite
// ones, would leave the others too short to compare.
const maxMedians = 4

func newBars(scores []measure.Score, reference compare.Reference, split, name string, title func(label string) string) bars {
	g := newGrid(scores, split, name).common()
	b := bars{Caption: measure.Title(name), Datasets: len(g.datasets)}
	if b.Datasets == 0 {
		return b
	}
	own := make([]float64, len(g.methods))   // mean of each method
	other := make([]float64, len(g.methods)) // reference's mean of each method; NaN if it has none
	for i, method := range g.methods {
		own[i] = statistics.Mean(g.column(method, scoreMean))
		other[i] = statistics.Mean(g.column(method, reference.Score))
	}
	scale := barScale(own, other)
	for i, name := range titles(g.methods, title) {
		bar := newBar(name, own[i], other[i], scale)
		b.Reference = b.Reference || bar.Reference != ""
		b.Beyond = b.Beyond || bar.Beyond
		b.Bars = append(b.Bars, bar)
	}
	return b
}

// barScale returns the largest score that is at most maxMedians times the median of our scores.
func barScale(own, other []float64) float64 {
	numbers := slices.DeleteFunc(slices.Clone(own), math.IsNaN)
	limit := maxMedians * statistics.Median(numbers)
	scale := 0.0
	for _, x := range append(numbers, other...) {
		if statistics.IsFinite(x) && x <= limit {
			scale = max(scale, x)
		}
	}
	return scale
}

func newBar(method string, own, other, scale float64) bar {
	percentOfScale := func(x float64) float64 { return 100 * min(1, max(0, x/scale)) }
	b := bar{Method: method, Value: formatScore(own), Tick: -1}
	if scale > 0 && !math.IsNaN(own) {
		b.Width = percentOfScale(own)
		b.Beyond = own > scale
	}
	if !math.IsNaN(other) {
		b.Reference = formatScore(other)
		if other <= scale {
			b.Tick = percentOfScale(other)
		}
	}
	return b
}
