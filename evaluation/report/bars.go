package report

import (
	"math"
	"slices"

	"sml/internal/statistics"
)

// barChart compares the methods' mean scores over the data sets in the summary of a page. Each method has
// a bar for our score and a tick for the reference's.
type barChart struct {
	Caption   string
	Nominal   float64 // best score, such as 0.9 for a coverage; 0 if lower is better
	Datasets  int     // number of data sets on which all methods have a score
	Bars      []bar
	Reference bool // whether the reference has a score for any bar
	Beyond    bool // whether any bar is longer than the scale
}

// bar is the bar of one method. The page's template draws it.
type bar struct {
	Method    string  // title of the method
	Value     string  // our mean score
	Reference string  // the reference's mean score; "" if there is none
	Width     float64 // percentage of the scale
	Tick      float64 // position of the reference's score as a percentage of the scale; -1 for no tick
	Beyond    bool    // whether the bar is longer than the scale; it then fades out
}

// maxMedians is the largest length of the scale, in medians of the scores. Longer bars, and infinite
// ones, would leave the others too short to compare.
const maxMedians = 4

// newBarChart returns the chart of r.Shown by one measure on one split. It has no bars if there is no data set on
// which all methods have a score.
func (r *Report) newBarChart(split, measureName string) barChart {
	g := newGrid(r.Shown, split, measureName).common()
	chart := barChart{
		Caption:  g.measure.Title,
		Nominal:  g.measure.Nominal,
		Datasets: len(g.datasets),
	}
	if chart.Datasets == 0 {
		return chart
	}
	ourMeans := make([]float64, len(g.methods))       // over the data sets, by method
	referenceMeans := make([]float64, len(g.methods)) // NaN if the reference lacks a score
	for i, method := range g.methods {
		ourMeans[i] = statistics.Mean(g.column(method, scoreMean))
		referenceMeans[i] = statistics.Mean(g.column(method, r.Reference.score))
	}
	scale := barScale(ourMeans, referenceMeans)
	for i, method := range g.methods {
		b := newBar(r.MethodTitle(method), ourMeans[i], referenceMeans[i], scale)
		chart.Reference = chart.Reference || b.Reference != ""
		chart.Beyond = chart.Beyond || b.Beyond
		chart.Bars = append(chart.Bars, b)
	}
	return chart
}

// barScale returns the score at the end of the scale: the largest score of at most maxMedians times the
// median of our scores. It returns 0 if there is none.
func barScale(ours, references []float64) float64 {
	numbers := slices.DeleteFunc(slices.Clone(ours), math.IsNaN)
	limit := maxMedians * statistics.Median(numbers)
	scale := 0.0
	for _, x := range append(numbers, references...) {
		if statistics.IsFinite(x) && x <= limit { // references may be NaN
			scale = max(scale, x)
		}
	}
	return scale
}

// newBar returns the bar of a method. Either score is NaN if it does not exist. The bar has no length if
// the scale is 0.
func newBar(title string, ours, reference, scale float64) bar {
	percentOfScale := func(x float64) float64 { return 100 * min(1, max(0, x/scale)) }
	b := bar{Method: title, Value: formatScore(ours), Tick: -1} // the template draws no tick at -1
	if scale > 0 && !math.IsNaN(ours) {
		b.Width = percentOfScale(ours)
		b.Beyond = ours > scale
	}
	if !math.IsNaN(reference) {
		b.Reference = formatScore(reference)
		if reference <= scale {
			b.Tick = percentOfScale(reference)
		}
	}
	return b
}
