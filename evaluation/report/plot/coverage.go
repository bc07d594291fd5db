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
	c := r.predictions()
	interval, ok := c.Interval(coverage)
	if !ok {
		return Drawing{Note: noStd}, nil
	}
	all := r.binnedCoverages(c, interval)
	shown := selectCoverages(all)
	d := Drawing{Columns: min(3, max(2, len(shown))), PanelHeight: 1.75 * vg.Inch}
	lowest := lowestCoverage(shown)
	const yAxisWidth = vg.Length(45) // with its labels
	width := drawing.PageWidth/vg.Length(d.Columns) - yAxisWidth
	for i, b := range shown {
		p := b.newPlot(width)
		p.Y.Min = lowest
		p.Y.Max = 1
		if i%d.Columns == 0 {
			p.Y.Label.Text = "covered"
		}
		d.Panels = append(d.Panels, drawing.Panel{Title: axisName(b.name), Plot: p})
	}
	d.Note = fmt.Sprintf("Intervals of %v cover %v.", percent(coverage), percent(observedCoverage(c, interval)))
	if hidden := len(all) - len(shown); hidden > 0 {
		d.Note += fmt.Sprintf(" %d columns whose groups differ least from this are left out.", hidden)
	}
	d.Legend = []drawing.Entry{
		discEntry("covered", shownColour),
		discEntry("differs from "+percent(coverage), drawing.Red),
		drawing.LineEntry(percent(coverage), idealLine),
	}
	return d, nil
}

// binnedCoverages returns the coverage by the prediction, and then by each input column.
func (r *Rows) binnedCoverages(c *measure.Column, interval func(row int) (low, high float64)) []*binnedCoverage {
	inside := make([]bool, len(c.Y))
	for row, y := range c.Y {
		low, high := interval(row)
		inside[row] = low <= y && y <= high
	}
	prediction := input{
		Name:  "prediction",
		Field: data.Field{Kind: data.Number},
		At:    func(row int) float64 { return c.Mean[row] },
	}
	coverages := []*binnedCoverage{newBinnedCoverage(prediction, c, inside)}
	for _, in := range r.Inputs {
		coverages = append(coverages, newBinnedCoverage(in, c, inside))
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
		maxLowest = 0.75
		border    = 0.02 // below the lowest coverage
	)
	lowest := maxLowest
	for _, b := range coverages {
		for _, observed := range b.observed {
			if !math.IsNaN(observed) {
				lowest = min(lowest, observed-border)
			}
		}
	}
	return max(0, math.Floor(lowest*10)/10)
}

// binnedCoverage is the coverage of intervals in the bins of one column. It is a plotter.
type binnedCoverage struct {
	name string // name of the column
	bins

	observed  []float64 // observed coverage of each bin; NaN if the bin has no weight
	low, high []float64 // 95 % confidence interval of the coverage of each bin

	// maxDeviation is the largest |observed − coverage|·√n of the bins, where n is the number of rows of a
	// bin. The factor √n keeps bins with few rows, whose coverage is uncertain, from being the largest.
	maxDeviation float64
}

// newBinnedCoverage returns the coverage in the bins of a column. inside reports for each row
// whether its target is inside its interval.
func newBinnedCoverage(in input, c *measure.Column, inside []bool) *binnedCoverage {
	b := &binnedCoverage{name: in.Name, bins: newBins(in, len(c.Y))}
	n := len(b.names)
	weights := make([]float64, n) // sums over the rows of each bin
	squares := make([]float64, n)
	covered := make([]float64, n)
	for row := range c.Y {
		bin := b.ofRow[row]
		weight := rowWeight(c, row)
		weights[bin] += weight
		squares[bin] += weight * weight
		if inside[row] {
			covered[bin] += weight
		}
	}
	b.ofRow = nil // frees memory; the counts are done
	for bin := range n {
		rows := effectiveRows(weights[bin], squares[bin])
		observed, low, high := math.NaN(), 0.0, 1.0
		if rows > 0 {
			observed = covered[bin] / weights[bin]
			low, high = wilsonInterval(observed, rows)
			b.maxDeviation = max(b.maxDeviation, math.Abs(observed-coverage)*math.Sqrt(float64(rows)))
		}
		b.observed = append(b.observed, observed)
		b.low = append(b.low, low)
		b.high = append(b.high, high)
	}
	return b
}

// newPlot returns a plot of the given width. The bins are side by side, each in a slot of the same width.
func (b *binnedCoverage) newPlot(width vg.Length) *plot.Plot {
	p := drawing.NewPlot("", "")
	bins := len(b.names)
	p.X.Min = 0
	p.X.Max = float64(bins)
	p.X.Padding = 0
	slot := width / vg.Length(bins)
	names, tooWide := b.nameTicks(slot)
	p.X.Tick.Marker = append(b.edgeTicks(slot), names...)
	if tooWide {
		p.X.Tick.Label.Rotation = math.Pi / 5
		p.X.Tick.Label.XAlign = draw.XRight
		p.X.Tick.Label.YAlign = draw.YTop
	}
	p.Y.Tick.Marker = axes.RoundTicks(3)
	p.Add(b)
	return p
}

// edgeTicks returns a tick for each edge between ranges. slot is the width of a bin. If labels would
// overlap, it labels only every second edge, every third and so on, counted from the last one.
func (b *binnedCoverage) edgeTicks(slot vg.Length) plot.ConstantTicks {
	const space = 6 // between labels, in points
	style := drawing.TextStyle(drawing.TickSize)
	widest := vg.Length(0)
	for _, edge := range b.edges {
		widest = max(widest, style.Width(edge))
	}
	step := max(1, int(math.Ceil(float64((widest+space)/slot)))) // from one labelled edge to the next
	var ticks plot.ConstantTicks
	for i, edge := range b.edges {
		label := ""
		if (len(b.edges)-1-i)%step == 0 {
			label = edge
		}
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: label})
	}
	return ticks
}

// nameTicks returns a tick for each bin with a name, and reports whether any name is too wide for a bin's
// slot of the given width.
func (b *binnedCoverage) nameTicks(slot vg.Length) (ticks plot.ConstantTicks, tooWide bool) {
	style := drawing.TextStyle(drawing.TickSize)
	for i, name := range b.names {
		if name == "" {
			continue
		}
		label := shortenName(name)
		tooWide = tooWide || style.Width(label) > slot-2
		ticks = append(ticks, plot.Tick{Value: float64(i) + 0.5, Label: label})
	}
	return ticks, tooWide
}

// shortenName returns the name of a bin, shortened to 14 letters.
func shortenName(name string) string {
	const maxLetters = 14
	name = axisName(name)
	letters := []rune(name)
	if len(letters) <= maxLetters {
		return name
	}
	return string(letters[:maxLetters-1]) + "…"
}

// Plot implements plot.Plotter. It draws each bin's observed coverage with its confidence interval,
// in red if the interval does not contain the nominal coverage.
func (b *binnedCoverage) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	c.StrokeLine2(idealLine, c.Min.X, toY(coverage), c.Max.X, toY(coverage))
	for bin, observed := range b.observed {
		if math.IsNaN(observed) {
			continue
		}
		colour := shownColour
		if !(b.low[bin] <= coverage && coverage <= b.high[bin]) {
			colour = drawing.Red
		}
		x := toX(float64(bin) + 0.5)
		c.StrokeLine2(draw.LineStyle{Color: colour, Width: 1.1}, x, max(c.Min.Y, toY(b.low[bin])), x, toY(b.high[bin]))
		discMarker.Draw(c, vg.Point{X: x, Y: toY(observed)}, 2, colour, false)
	}
}
