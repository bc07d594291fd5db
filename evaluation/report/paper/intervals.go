package paper

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/measure"
	"sml/evaluation/report"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
	"sml/evaluation/report/internal/compare"
	"sml/evaluation/report/internal/shape"
)

// intervals draws each score of the paper beside the seeds' scores and the interval that predicts the score of
// one more seed: a panel for each measure, a column for each data set. The figure is nil unless the report has
// several seeds and scores of the paper.
func intervals(_ context.Context, r *report.Report) (f *drawing.Figure, caption string, err error) {
	if newPart(r) == nil {
		return nil, "", nil
	}
	seeds := compare.NewSeeds(r.Seeds, reference)
	if len(seeds.Spreads) == 0 {
		return nil, "", nil
	}
	f, err = drawIntervals(seeds)
	caption = fmt.Sprintf("The paper's scores and those of %d seeds, on test rows of random folds. Each grey line is the interval that contains the score of one more seed in %.0f %% of cases, cut at the ends of the axis.", len(seeds.Seeds), 100*compare.Coverage)
	return f, caption, err
}

// drawIntervals draws the spreads of the seeds, of which there is at least one. It returns shape.ErrMarkers if
// there are more methods than markers.
func drawIntervals(seeds compare.Seeds) (*drawing.Figure, error) {
	const (
		footHeight  = 0.85 * vg.Inch // of the legend and the names of the data sets
		panelHeight = 1.95 * vg.Inch
	)
	shownDatasets := namesOfSpreads(datasets, seeds.Spreads, func(s compare.Spread) string { return s.Dataset })
	methods := namesOfSpreads(Methods(), seeds.Spreads, func(s compare.Spread) string { return s.Method })
	markers, err := shape.Markers(methods)
	if err != nil {
		return nil, err
	}
	figure := &drawing.Figure{Width: drawing.WideWidth, Height: footHeight}
	for _, name := range publishedMeasures {
		panel := intervalPanel{columns: shownDatasets, methods: methods, markers: markers, axis: measureScale(name)}
		for _, s := range seeds.Spreads {
			if s.Measure == name {
				panel.spreads = append(panel.spreads, s)
			}
		}
		if len(panel.spreads) == 0 {
			continue
		}
		agreement := seeds.Agreement(func(s compare.Spread) bool { return s.Measure == name })
		note := fmt.Sprintf("%d of %d inside", agreement.Inside, agreement.Intervals)
		figure.Panels = append(figure.Panels, []drawing.Panel{{Title: measure.Title(name), Note: note, Plot: panel.newPlot()}})
		figure.Height += panelHeight
	}
	lowest := figure.Panels[len(figure.Panels)-1][0] // its names hold for the panels above, too
	nameDatasets(lowest.Plot, shownDatasets)
	figure.Legend = intervalLegend(len(seeds.Seeds), methods, markers)
	return figure, nil
}

// namesOfSpreads returns the names that occur among the spreads, in the order of names. nameOf returns the name
// of a spread, such as its data set.
func namesOfSpreads(names []string, spreads []compare.Spread, nameOf func(compare.Spread) string) []string {
	occurring := compare.DistinctNames(spreads, nameOf)
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !slices.Contains(occurring, name) })
}

// intervalLegend returns a line that explains the marks and lines, and a line of the methods.
func intervalLegend(seeds int, methods []string, markers []shape.Marker) [][]drawing.Entry {
	marks := []drawing.Entry{
		drawing.ColourEntry("paper, inside the interval", drawing.Blue),
		drawing.ColourEntry("paper, outside", drawing.Red),
		drawing.LineEntry(fmt.Sprintf("%.0f %% interval of %d seeds", 100*compare.Coverage, seeds), intervalLine),
		drawing.PointEntry("one seed", drawSeed),
	}
	var shapes []drawing.Entry
	for i, method := range methods {
		shapes = append(shapes, shape.MarkerEntry(methodTitle(method), markers[i]))
	}
	return [][]drawing.Entry{marks, shapes}
}

var (
	intervalLine = draw.LineStyle{Color: drawing.Grey, Width: 0.8}
	seedLine     = draw.LineStyle{Color: drawing.Ink, Width: 0.4}
)

// drawSeed draws the mark of a seed's score: a short dash.
func drawSeed(c draw.Canvas, center vg.Point) {
	const halfWidth = 2 // points
	c.StrokeLine2(seedLine, center.X-halfWidth, center.Y, center.X+halfWidth, center.Y)
}

// scale maps scores to coordinates on an axis, which is linear in the coordinates.
type scale struct {
	coordinate func(score float64) float64
	smallest   float64                             // smallest score with a coordinate
	ticks      func(low, high float64) []plot.Tick // ticks between two scores
}

var (
	linear = scale{
		coordinate: func(score float64) float64 { return score },
		smallest:   math.Inf(-1),
		ticks:      axes.RoundTicks(4).Ticks,
	}
	logarithmic = scale{coordinate: math.Log10, smallest: axes.LeastLogarithm, ticks: axes.DecadeTicks}

	// symmetric is nearly linear between −1 and 1, and nearly logarithmic beyond, for scores of either sign
	// that differ by many powers of ten.
	symmetric = scale{coordinate: math.Asinh, smallest: math.Inf(-1), ticks: symmetricTicks}
)

// measureScale returns the scale of a measure's axis.
func measureScale(name string) scale {
	switch name {
	case "rmse", "ws":
		return logarithmic
	case "nll":
		return symmetric
	}
	return linear
}

// symmetricTicks returns ticks at 0 and at the positive and negative powers of ten from low to high. If the
// range reaches 1000, it labels only 0 and the even powers from 100 on, since more labels would overlap.
func symmetricTicks(low, high float64) []plot.Tick {
	const minWide = 1000 // score
	ticks := []plot.Tick{{Value: 0, Label: "0"}}
	furthest := max(-low, high)
	isWide := furthest >= minWide
	for power := 1.0; power <= furthest; power *= 10 {
		isEven := int(math.Round(math.Log10(power)))%2 == 0
		isLabelled := !isWide || isEven && power > 1
		for _, v := range []float64{-power, power} {
			label := ""
			if isLabelled {
				label = strings.ReplaceAll(fmt.Sprintf("%g", v), "-", "−")
			}
			ticks = append(ticks, plot.Tick{Value: v, Label: label})
		}
	}
	return slices.DeleteFunc(ticks, func(t plot.Tick) bool { return t.Value < low || t.Value > high })
}

// intervalPanel is a plotter of the spreads of one measure.
type intervalPanel struct {
	spreads []compare.Spread
	columns []string // data sets
	methods []string
	markers []shape.Marker // by method
	axis    scale          // scale of the y axis
}

// newPlot returns the plot of the panel. Its columns have no names, which only the lowest panel of the figure
// gets.
func (d intervalPanel) newPlot() *plot.Plot {
	const marginFraction = 0.05 // space at the ends of the axis, as a fraction of the range of the scores
	low, high := d.limits()
	p := drawing.NewPlot("", "")
	p.X.Min = 0
	p.X.Max = float64(len(d.columns))
	p.X.Padding = 0
	p.X.Tick.Length = 0
	p.X.Tick.Marker = plot.ConstantTicks{}
	bottom := d.axis.coordinate(low)
	top := d.axis.coordinate(high)
	margin := marginFraction * (top - bottom)
	p.Y.Min = bottom - margin
	p.Y.Max = top + margin
	p.Y.Padding = 0
	if !(p.Y.Min < p.Y.Max) { // all values are equal, or none has a coordinate
		middle := p.Y.Min
		p.Y.Min = middle - 1
		p.Y.Max = middle + 1
	}
	var ticks plot.ConstantTicks // of scores, moved to their coordinates
	for _, t := range d.axis.ticks(low, high) {
		t.Value = d.axis.coordinate(t.Value)
		ticks = append(ticks, t)
	}
	p.Y.Tick.Marker = ticks
	p.Add(d)
	return p
}

// limits returns the smallest and the largest score with a coordinate on the axis.
func (d intervalPanel) limits() (low, high float64) {
	low = math.Inf(1)
	high = math.Inf(-1)
	for _, s := range d.spreads {
		for _, x := range append(slices.Clone(s.Values), s.Reference) {
			if x >= d.axis.smallest && !math.IsInf(x, 0) {
				low = min(low, x)
				high = max(high, x)
			}
		}
	}
	return low, high
}

// Plot implements plot.Plotter. Scores beyond the axis are drawn at its ends.
func (d intervalPanel) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	for _, tick := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if tick.Label != "" {
			c.StrokeLine2(drawing.GridLine, c.Min.X, toY(tick.Value), c.Max.X, toY(tick.Value))
		}
	}
	for column := 1; column < len(d.columns); column++ {
		edge := toX(float64(column))
		c.StrokeLine2(drawing.GridLine, edge, c.Min.Y, edge, c.Max.Y)
	}
	clampedY := func(score float64) vg.Length { // within the canvas
		hasCoordinate := score >= d.axis.smallest // false for NaN
		if !hasCoordinate {
			return c.Min.Y
		}
		return min(c.Max.Y, max(c.Min.Y, toY(d.axis.coordinate(score))))
	}
	for _, s := range d.spreads {
		d.drawSpread(c, s, toX(d.xCoordinate(s)), clampedY)
	}
}

// xCoordinate returns where a spread is drawn on the x axis. Column i, of a data set, is from i to i+1; the
// methods have equal distances in it, and a little space at both ends.
func (d intervalPanel) xCoordinate(s compare.Spread) float64 {
	const border = 0.8 // from the ends of a column to the first and the last method, in distances of two methods
	column := slices.Index(d.columns, s.Dataset)
	method := slices.Index(d.methods, s.Method)
	columnWidth := float64(len(d.methods)) + (2*border - 1) // in distances of two methods
	return float64(column) + (float64(method)+border)/columnWidth
}

// drawSpread draws the interval, the seeds' values and the paper's score at x. It draws nothing if there is
// no interval, because a seed's value is not finite. toY returns the height at which a score is drawn.
func (d intervalPanel) drawSpread(c draw.Canvas, s compare.Spread, x vg.Length, toY func(score float64) vg.Length) {
	inside, ok := s.HoldsReference()
	if !ok {
		return
	}
	low, high := s.Interval()
	c.StrokeLine2(intervalLine, x, toY(low), x, toY(high))
	for _, v := range s.Values {
		drawSeed(c, vg.Point{X: x, Y: toY(v)})
	}
	colour := drawing.Red
	if inside {
		colour = drawing.Blue
	}
	const radius = 2.1 // points
	marker := d.markers[slices.Index(d.methods, s.Method)]
	marker.Draw(c, vg.Point{X: x, Y: toY(s.Reference)}, radius, colour, false)
}

// nameDatasets writes the names of the data sets below a plot, slanted if they are too many to fit side by
// side.
func nameDatasets(p *plot.Plot, names []string) {
	const maxUpright = 8 // number of names that fit
	var ticks plot.ConstantTicks
	for i, name := range names {
		ticks = append(ticks, plot.Tick{Value: float64(i) + 0.5, Label: name})
	}
	p.X.Tick.Marker = ticks
	p.X.Tick.Label.YAlign = draw.YTop
	if len(names) > maxUpright {
		p.X.Tick.Label.Rotation = math.Pi / 6
		p.X.Tick.Label.XAlign = draw.XRight
	}
}
