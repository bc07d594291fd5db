package plot

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/data"
	"sml/evaluation/measure"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
	"sml/internal/texts"
)

// maxCoveragePanels is the largest number of panels of the coverage plot. Tables may have thousands
// of columns.
const maxCoveragePanels = 24

var coverageByBins = Plot{
	Name:  "coverage",
	Title: "Coverage by prediction and inputs",
	Summary: "The fraction of targets inside their intervals, for ten groups of rows by the prediction and by each column of the table, with its 95 % confidence interval (Wilson's). " +
		"The dashed line is the nominal coverage, which each group should have. In groups that differ from it, drawn in red, intervals are too narrow or too wide; one group in twenty differs by chance.",
	Draw: drawCoverage,
}

// drawCoverage draws a panel for the prediction and for each input column, at most maxCoveragePanels.
func drawCoverage(_ context.Context, r *Rows) (Drawing, error) {
	predictions := r.predictions()
	interval, ok := predictions.Interval(coverage)
	if !ok {
		return Drawing{Note: noStd}, nil
	}
	all := r.binnedCoverages(predictions, interval)
	shown := selectCoverages(all)
	columns := coverageColumns(len(shown))
	return Drawing{
		Panels:      coveragePanels(shown, columns),
		Columns:     columns,
		PanelHeight: coveragePanelHeight,
		Legend:      coverageLegend(),
		Note:        describeCoverage(observedCoverage(predictions, interval), len(all)-len(shown)),
	}, nil
}

// coveragePanelHeight is the height of a panel. Panels are low, so that many of them fit on a page.
const coveragePanelHeight = 1.75 * vg.Inch

// coverageColumns returns how many panels stand side by side. In more columns the names of bins would
// overlap; a single panel has the width of half a page.
func coverageColumns(panels int) int {
	const (
		minColumns = 2
		maxColumns = 3
	)
	return min(maxColumns, max(minColumns, panels))
}

// coveragePanels returns a panel for each column, in rows of the given number of panels. All y axes have the
// same limits; the first panel of each row has their label.
func coveragePanels(coverages []*binnedCoverage, panelsPerRow int) []drawing.Panel {
	const yAxisWidth = vg.Length(45) // about the width of the axis with its labels, beside the data
	dataWidth := drawing.PageWidth/vg.Length(panelsPerRow) - yAxisWidth
	lowest := lowestCoverage(coverages)
	var panels []drawing.Panel
	for i, b := range coverages {
		p := b.newPlot(dataWidth)
		setLimits(&p.Y, lowest, 1)
		if i%panelsPerRow == 0 {
			p.Y.Label.Text = "covered"
		}
		panels = append(panels, drawing.Panel{Title: axisName(b.name), Plot: p})
	}
	return panels
}

// coverageLegend returns the legend of all panels.
func coverageLegend() []drawing.Entry {
	return []drawing.Entry{
		discEntry("covered", shownColour),
		discEntry("differs from "+percent(coverage), drawing.Red),
		drawing.LineEntry(percent(coverage), idealLine),
	}
}

// describeCoverage returns a note on the observed coverage of all rows, and on the number of columns without
// a panel, if there are any.
func describeCoverage(observed float64, hiddenColumns int) string {
	note := fmt.Sprintf("Intervals of %v cover %v.", percent(coverage), percent(observed))
	if hiddenColumns > 0 {
		note += fmt.Sprintf(" %d columns whose groups differ least from this are left out.", hiddenColumns)
	}
	return note
}

// binnedCoverages returns the coverage in the bins of the prediction, and then of each input column. interval
// returns the interval of a row of the column c.
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

// selectCoverages returns the coverages to draw as panels, in the given order: the first, and the
// others with the largest deviations, at most maxCoveragePanels.
func selectCoverages(all []*binnedCoverage) []*binnedCoverage {
	if len(all) <= maxCoveragePanels {
		return all
	}
	ranked := slices.Clone(all[1:])
	slices.SortStableFunc(ranked, func(a, b *binnedCoverage) int { return compare(b.maxDeviation, a.maxDeviation) })
	hidden := ranked[maxCoveragePanels-1:]
	return slices.DeleteFunc(slices.Clone(all), func(b *binnedCoverage) bool { return slices.Contains(hidden, b) })
}

// lowestCoverage returns the lower limit of the y axis of all panels: a multiple of 0.1 below all
// observed coverages. The confidence intervals of bins with few rows may reach below it.
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

// binnedCoverage is the coverage of intervals in the bins of one column. It is a plotter.
type binnedCoverage struct {
	name string // name of the column
	bins
	fractions []coveredFraction // one for each bin

	// maxDeviation is the largest |observed − coverage|·√n of the bins, where n is the number of rows of a
	// bin. The factor √n keeps bins with few rows, whose coverage is uncertain, from being the largest.
	maxDeviation float64
}

// coveredFraction is the fraction of a bin's targets that are inside their intervals.
type coveredFraction struct {
	observed  float64 // NaN if the bin has no weight
	low, high float64 // ends of the 95 % confidence interval
}

// newBinnedCoverage returns the coverage in the bins of a column. isCovered says for each row
// whether its target is inside its interval.
func newBinnedCoverage(in input, c *measure.Column, isCovered []bool) *binnedCoverage {
	b := &binnedCoverage{name: in.Name, bins: newBins(in, len(c.Y))}
	sums := make([]coverageSums, len(b.names)) // one for each bin
	for row := range c.Y {
		sums[b.ofRow[row]].add(rowWeight(c, row), isCovered[row])
	}
	b.ofRow = nil // frees memory: tables may have thousands of columns, and all their coverages are kept
	for _, s := range sums {
		fraction, rows := s.fraction()
		b.fractions = append(b.fractions, fraction)
		if rows > 0 {
			deviation := math.Abs(fraction.observed-coverage) * math.Sqrt(float64(rows))
			b.maxDeviation = max(b.maxDeviation, deviation)
		}
	}
	return b
}

// coverageSums has sums over the rows of a bin.
type coverageSums struct {
	weights float64
	squares float64 // of the weights
	covered float64 // weights of the rows whose target is inside its interval
}

// add adds a row.
func (s *coverageSums) add(weight float64, isCovered bool) {
	s.weights += weight
	s.squares += weight * weight
	if isCovered {
		s.covered += weight
	}
}

// fraction returns the covered fraction of the bin's rows, and their effective number. Of a bin without
// weight, nothing is known: any fraction is possible.
func (s coverageSums) fraction() (fraction coveredFraction, rows int) {
	rows = effectiveRows(s.weights, s.squares)
	if rows == 0 {
		return coveredFraction{observed: math.NaN(), low: 0, high: 1}, 0
	}
	fraction.observed = s.covered / s.weights
	fraction.low, fraction.high = wilsonInterval(fraction.observed, rows)
	return fraction, rows
}

// newPlot returns a plot whose data area has the given width. The bins are side by side, each in a slot of
// the same width, and bin i goes from i to i+1 on the x axis. Names that are too wide for a slot are
// slanted.
func (b *binnedCoverage) newPlot(width vg.Length) *plot.Plot {
	const slant = math.Pi / 5 // radians
	p := drawing.NewPlot("", "")
	bins := len(b.names)
	setLimits(&p.X, 0, float64(bins))
	p.X.Padding = 0
	slot := width / vg.Length(bins)
	names, isTooWide := b.nameTicks(slot)
	p.X.Tick.Marker = append(b.edgeTicks(slot), names...)
	if isTooWide {
		p.X.Tick.Label.Rotation = slant
		p.X.Tick.Label.XAlign = draw.XRight // the name ends at its tick
		p.X.Tick.Label.YAlign = draw.YTop
	}
	p.Y.Tick.Marker = axes.RoundTicks(3)
	p.Add(b)
	return p
}

// edgeTicks returns a tick for each edge between ranges. slot is the width of a bin. If labels would
// overlap, it labels only every second edge, every third and so on, counted from the last one.
func (b *binnedCoverage) edgeTicks(slot vg.Length) plot.ConstantTicks {
	const space = vg.Length(6) // between labels
	style := drawing.TextStyle(drawing.TickSize)
	widest := vg.Length(0)
	for _, edge := range b.edges {
		widest = max(widest, style.Width(edge))
	}
	step := max(1, int(math.Ceil(float64((widest+space)/slot)))) // from one labelled edge to the next
	last := len(b.edges) - 1
	var ticks plot.ConstantTicks
	for i, edge := range b.edges {
		label := ""
		if (last-i)%step == 0 {
			label = edge
		}
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: label})
	}
	return ticks
}

// nameTicks returns a tick for each bin with a name, and reports whether any name is too wide for a bin's
// slot of the given width.
func (b *binnedCoverage) nameTicks(slot vg.Length) (ticks plot.ConstantTicks, isTooWide bool) {
	const space = vg.Length(2) // between names
	style := drawing.TextStyle(drawing.TickSize)
	for i, name := range b.names {
		if name == "" {
			continue
		}
		label := shortenName(name)
		if style.Width(label) > slot-space {
			isTooWide = true
		}
		ticks = append(ticks, plot.Tick{Value: binMiddle(i), Label: label})
	}
	return ticks, isTooWide
}

// shortenName returns the name of a bin, shortened to 14 letters.
func shortenName(name string) string {
	const maxLetters = 14
	return texts.Shorten(name, maxLetters)
}

// binMiddle returns the position of the middle of a bin on the x axis.
func binMiddle(bin int) float64 { return float64(bin) + 0.5 }

// Plot implements plot.Plotter. It draws each bin's observed coverage with its confidence interval,
// in red if the interval does not contain the nominal coverage.
func (b *binnedCoverage) Plot(c draw.Canvas, p *plot.Plot) {
	const (
		lineWidth = vg.Length(1.1) // of a confidence interval
		radius    = vg.Length(2)   // of the disc at the observed coverage
	)
	toX, toY := p.Transforms(&c)
	nominal := toY(coverage)
	c.StrokeLine2(idealLine, c.Min.X, nominal, c.Max.X, nominal)
	for bin, fraction := range b.fractions {
		if math.IsNaN(fraction.observed) {
			continue
		}
		colour := shownColour
		containsNominal := fraction.low <= coverage && coverage <= fraction.high
		if !containsNominal {
			colour = drawing.Red
		}
		x := toX(binMiddle(bin))
		bottom := max(c.Min.Y, toY(fraction.low)) // the interval may reach below the axis
		c.StrokeLine2(draw.LineStyle{Color: colour, Width: lineWidth}, x, bottom, x, toY(fraction.high))
		discMarker.Draw(c, vg.Point{X: x, Y: toY(fraction.observed)}, radius, colour, false)
	}
}
