package report

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"sml/data"
	"sml/evaluation/measure"
	"sml/evaluation/report/chart"
	"sml/internal/texts"
)

// maxCoveragePanels is the largest number of panels of the coverage plot. Tables may have thousands of columns.
const maxCoveragePanels = 24

var coverageByBins = Plot{
	Name:  "coverage",
	Title: "Coverage by prediction and inputs",
	Summary: "The fraction of targets inside their intervals, for ten groups of rows by the prediction and by each column of the table, with its 95 % confidence interval (Wilson's). " +
		"The dashed line is the nominal coverage, which each group should have. In groups of 30 rows or more that differ from it, drawn in red, intervals are too narrow or too wide; one group in twenty differs by chance.",
	Draw: drawCoverage,
}

// drawCoverage draws a panel for the prediction and for each input column, at most maxCoveragePanels. All y axes have
// the same limits; the first panel of each row has their label.
func drawCoverage(_ context.Context, r *Rows) (f chart.Figure, note string, err error) {
	predictions := r.predictions()
	interval, ok := predictions.Interval(coverage)
	if !ok {
		return f, noStd, nil
	}
	const ( // in more columns the names of bins would overlap; a single panel has the width of half a page
		minColumns = 2
		maxColumns = 3
	)
	all := r.binnedCoverages(predictions, interval)
	shown := selectCoverages(all)
	f.Columns = min(maxColumns, max(minColumns, len(shown)))
	f.PanelHeight = 140 // low, so that many of them fit on a page
	lowest := lowestCoverage(shown)
	for i, b := range shown {
		p := b.panel(lowest)
		if i%f.Columns == 0 {
			p.Y.Label = "covered"
		}
		f.Panels = append(f.Panels, p)
	}
	return f, describeCoverage(predictions.CoveredFraction(interval), len(all)-len(shown)), nil
}

// describeCoverage returns a note on the observed coverage of all rows, and on the number of columns without a panel, if
// there are any.
func describeCoverage(observed float64, hiddenColumns int) string {
	note := fmt.Sprintf("Intervals of %v cover %v.", percent(coverage), percent(observed))
	if hiddenColumns > 0 {
		note += fmt.Sprintf(" %d columns whose groups differ least from this are left out.", hiddenColumns)
	}
	return note
}

// binnedCoverages returns the coverage in the bins of the prediction, and then of each input column. interval returns
// the interval of a row of the column c.
func (r *Rows) binnedCoverages(c *measure.Column, interval func(row int) (low, high float64)) []*binnedCoverage {
	isCovered := make([]bool, len(c.Y))
	for row, target := range c.Y {
		low, high := interval(row)
		isCovered[row] = low <= target && target <= high
	}
	prediction := input{
		Name:  "prediction",
		Field: data.Field{Kind: data.Number},
		Value: func(row int) float64 { return c.Mean[row] },
	}
	coverages := []*binnedCoverage{newBinnedCoverage(prediction, c, isCovered)}
	for _, in := range r.Inputs {
		coverages = append(coverages, newBinnedCoverage(in, c, isCovered))
	}
	return coverages
}

// selectCoverages returns the coverages to draw as panels, in the given order: the first, and the others with the
// largest deviations, at most maxCoveragePanels.
func selectCoverages(all []*binnedCoverage) []*binnedCoverage {
	if len(all) <= maxCoveragePanels {
		return all
	}
	ranked := slices.Clone(all[1:])
	slices.SortStableFunc(ranked, func(a, b *binnedCoverage) int { return cmp.Compare(b.maxDeviation, a.maxDeviation) })
	hidden := ranked[maxCoveragePanels-1:]
	return slices.DeleteFunc(slices.Clone(all), func(b *binnedCoverage) bool { return slices.Contains(hidden, b) })
}

// lowestCoverage returns the lower limit of the y axis of all panels: a multiple of 0.1 below all observed coverages.
// The confidence intervals of bins with few rows may reach below it.
func lowestCoverage(coverages []*binnedCoverage) float64 {
	const (
		maxLowest = 0.75 // keeps small differences from looking large
		border    = 0.02 // below the lowest coverage
	)
	lowest := maxLowest
	for _, b := range coverages {
		for _, fraction := range b.fractions {
			if !math.IsNaN(fraction.observed) {
				lowest = min(lowest, fraction.observed-border)
			}
		}
	}
	return max(0, math.Floor(lowest*10)/10)
}

// binnedCoverage is the coverage of intervals in the bins of one column.
type binnedCoverage struct {
	name string // name of the column
	bins
	fractions []observedFraction // one for each bin

	// maxDeviation is the largest |observed − coverage|·√n of the bins, where n is the number of rows of a bin. The
	// factor √n keeps bins with few rows, whose coverage is uncertain, from being the largest.
	maxDeviation float64
}

// observedFraction is the weighted fraction of rows with a property, such as a target inside its interval.
type observedFraction struct {
	observed  float64 // NaN if the rows have no weight
	low, high float64 // ends of the 95 % confidence interval
	rows      int     // effective number of rows
}

// minRowsToDiffer is the number of rows of a bin from which its coverage may be said to differ from the nominal coverage:
// the coverage of fewer rows says too little, even if its confidence interval is on one side.
const minRowsToDiffer = 30

// differs reports whether the coverage of the bin differs from the nominal coverage.
func (f observedFraction) differs() bool {
	return f.rows >= minRowsToDiffer && (f.low > coverage || f.high < coverage)
}

// newBinnedCoverage returns the coverage in the bins of a column. isCovered says for each row whether its target is
// inside its interval.
func newBinnedCoverage(in input, c *measure.Column, isCovered []bool) *binnedCoverage {
	b := &binnedCoverage{name: in.Name, bins: newBins(in, len(c.Y))}
	weights := make([][]float64, len(b.names))      // of the rows of each bin
	coveredWeights := make([]float64, len(b.names)) // sum over the covered rows of each bin
	for row := range c.Y {
		bin := b.ofRow[row]
		weights[bin] = append(weights[bin], c.Weight(row))
		if isCovered[row] {
			coveredWeights[bin] += c.Weight(row)
		}
	}
	b.ofRow = nil // frees memory: tables may have thousands of columns, and all their coverages are kept
	for bin := range weights {
		fraction := newFraction(weights[bin], coveredWeights[bin])
		b.fractions = append(b.fractions, fraction)
		if fraction.rows > 0 {
			deviation := math.Abs(fraction.observed-coverage) * math.Sqrt(float64(fraction.rows))
			b.maxDeviation = max(b.maxDeviation, deviation)
		}
	}
	return b
}

// newFraction returns the fraction of rows with the given weights. weight is the sum of the weights of the rows that have
// the property. Of rows without weight, any fraction is possible.
func newFraction(weights []float64, weight float64) observedFraction {
	rows := effectiveRows(weights, len(weights))
	if rows == 0 {
		return observedFraction{observed: math.NaN(), low: 0, high: 1}
	}
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	f := observedFraction{observed: weight / sum, rows: rows}
	f.low, f.high = wilsonInterval(f.observed, rows)
	return f
}

// panel returns a panel with each bin's observed coverage and its confidence interval, in red if it differs from
// the nominal coverage. The bins are side by side: bin i goes from i to i+1 on the x axis. The y axis begins at
// lowest.
func (b *binnedCoverage) panel(lowest float64) chart.Panel {
	const radius = 2
	bins := float64(len(b.names))
	nominal := chart.Ideal(0, coverage, bins, coverage)
	nominal.Name = percent(coverage)
	usual := chart.Layer{Name: "covered", Kind: chart.Points, Colour: shownColour, Radius: radius}
	unusual := chart.Layer{Name: "differs from " + percent(coverage), Kind: chart.Points, Colour: chart.Red, Radius: radius}
	usualIntervals := chart.Layer{Kind: chart.Segments, Colour: shownColour}
	unusualIntervals := chart.Layer{Kind: chart.Segments, Colour: chart.Red}
	for bin, fraction := range b.fractions {
		if math.IsNaN(fraction.observed) {
			continue
		}
		points := &usual
		intervals := &usualIntervals
		if fraction.differs() {
			points = &unusual
			intervals = &unusualIntervals
		}
		points.Add(binMiddle(bin), fraction.observed)
		intervals.AddBetween(binMiddle(bin), fraction.low, binMiddle(bin), fraction.high)
	}
	return chart.Panel{
		Title:  axisName(b.name),
		X:      chart.Axis{Max: bins, Ticks: b.ticks()},
		Y:      chart.Axis{Min: lowest, Max: 1, Ticks: chart.RoundTicks(lowest, 1, 3)},
		Layers: []chart.Layer{usualIntervals, unusualIntervals, usual, unusual, nominal},
	}
}

// ticks returns a tick for each edge between ranges, and for each bin with a name.
func (b *binnedCoverage) ticks() []chart.Tick {
	const (
		maxLetters = 12 // of a name
		maxEdges   = 6  // with labels; of more edges, every second one has a label
	)
	lastLabel := len(b.edges) - 1 // index of the last edge with a label
	hasMissing := len(b.names) >= len(b.edges)
	if hasMissing {
		lastLabel-- // the name of the bin of missing values is beside the last edge
	}
	var ticks []chart.Tick
	for i, label := range b.edges {
		isSkipped := len(b.edges) > maxEdges && (lastLabel-i)%2 == 1
		if i > lastLabel || isSkipped {
			label = ""
		}
		ticks = append(ticks, chart.Tick{Value: float64(i), Label: label})
	}
	for i, name := range b.names {
		if name != "" {
			ticks = append(ticks, chart.Tick{Value: binMiddle(i), Label: texts.Shorten(name, maxLetters)})
		}
	}
	return ticks
}

// binMiddle returns the position of the middle of a bin on the x axis.
func binMiddle(bin int) float64 { return float64(bin) + 0.5 }
