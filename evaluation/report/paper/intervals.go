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

// intervals draws each of the paper's scores beside the seeds' scores and the interval in which the seeds
// expect one more draw: a panel for each measure, a column for each data set. It returns nil unless the
// report has several seeds.
func intervals(_ context.Context, r *report.Report) (*drawing.Figure, string, error) {
	if newPart(r) == nil {
		return nil, "", nil
	}
	all := compare.NewSeeds(r.Seeds, reference)
	if len(all.Spreads) == 0 {
		return nil, "", nil
	}
	columns := slices.DeleteFunc(slices.Clone(datasets), func(name string) bool {
		return !slices.ContainsFunc(all.Spreads, func(s compare.Spread) bool { return s.Dataset == name })
	})
	methods := slices.DeleteFunc(Methods(), func(name string) bool {
		return !slices.ContainsFunc(all.Spreads, func(s compare.Spread) bool { return s.Method == name })
	})
	markers, err := shape.Markers(methods)
	if err != nil {
		return nil, "", err
	}
	figure := &drawing.Figure{Width: drawing.WideWidth, Height: 0.85 * vg.Inch} // legend and names of the data sets
	for _, name := range publishedMeasures {
		isOfMeasure := func(s compare.Spread) bool { return s.Measure == name }
		panel := intervalPanel{columns: columns, methods: methods, markers: markers, axis: measureScale(name)}
		for _, s := range all.Spreads {
			if isOfMeasure(s) {
				panel.spreads = append(panel.spreads, s)
			}
		}
		if len(panel.spreads) == 0 {
			continue
		}
		a := all.Agreement(isOfMeasure)
		note := fmt.Sprintf("%d of %d inside", a.Inside, a.Intervals)
		figure.Panels = append(figure.Panels, []drawing.Panel{{Title: measure.Title(name), Note: note, Plot: panel.newPlot()}})
		figure.Height += 1.95 * vg.Inch
	}
	nameDatasets(figure.Panels[len(figure.Panels)-1][0].Plot, columns)
	figure.Legend = intervalLegend(len(all.Seeds), methods, markers)
	caption := fmt.Sprintf("The paper's scores beside those of %d seeds, on test rows of random folds. Lines are the intervals in which the seeds expect one more draw in %.0f %% of cases, cut at the axes' ends.", len(all.Seeds), 100*compare.Coverage)
	return figure, caption, nil
}

// intervalLegend returns a line that explains the marks and lines, and a line of the methods.
func intervalLegend(seeds int, methods []string, markers []shape.Marker) [][]drawing.Entry {
	marks := []drawing.Entry{
		drawing.ColourEntry("the paper's, inside", drawing.Blue),
		drawing.ColourEntry("outside", drawing.Red),
		drawing.LineEntry(fmt.Sprintf("where %d seeds expect one more draw", seeds), intervalLine),
		drawing.PointEntry("a seed", drawSeed),
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

// drawSeed draws a short dash.
func drawSeed(c draw.Canvas, center vg.Point) {
	c.StrokeLine2(seedLine, center.X-2, center.Y, center.X+2, center.Y)
}

// scale maps numbers to places on an axis.
type scale struct {
	place    func(float64) float64
	smallest float64 // smallest number that has a place
	ticks    func(low, high float64) []plot.Tick
}

var (
	linear = scale{
		place:    func(x float64) float64 { return x },
		smallest: math.Inf(-1),
		ticks:    axes.RoundTicks(4).Ticks,
	}
	logarithmic = scale{place: math.Log10, smallest: axes.LeastLogarithm, ticks: axes.DecadeTicks}

	// symmetric is about linear near 0, and about logarithmic beyond 1 on either side.
	symmetric = scale{place: math.Asinh, smallest: math.Inf(-1), ticks: symmetricTicks}
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

// symmetricTicks returns ticks at 0 and at the positive and negative powers of ten. In a wide range it
// labels only the even powers from 100 on.
func symmetricTicks(low, high float64) []plot.Tick {
	ticks := []plot.Tick{{Value: 0, Label: "0"}}
	furthest := max(-low, high)
	isWide := furthest >= 1000
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
	axis    scale
}

func (d intervalPanel) newPlot() *plot.Plot {
	low, high := d.limits()
	p := drawing.NewPlot("", "")
	p.X.Min = 0
	p.X.Max = float64(len(d.columns))
	p.X.Padding = 0
	p.X.Tick.Length = 0
	p.X.Tick.Marker = plot.ConstantTicks{}
	bottom := d.axis.place(low)
	top := d.axis.place(high)
	margin := 0.05 * (top - bottom)
	p.Y.Min = bottom - margin
	p.Y.Max = top + margin
	p.Y.Padding = 0
	if !(p.Y.Min < p.Y.Max) { // all values are equal
		p.Y.Min, p.Y.Max = p.Y.Min-1, p.Y.Min+1
	}
	var ticks plot.ConstantTicks
	for _, t := range d.axis.ticks(low, high) {
		t.Value = d.axis.place(t.Value)
		ticks = append(ticks, t)
	}
	p.Y.Tick.Marker = ticks
	p.Add(d)
	return p
}

// limits returns the smallest and the largest score that has a place on the axis.
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

// Plot implements plot.Plotter.
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
		if !(score >= d.axis.smallest) {
			return c.Min.Y
		}
		return min(c.Max.Y, max(c.Min.Y, toY(d.axis.place(score))))
	}
	for _, s := range d.spreads {
		d.drawSpread(c, s, toX(d.place(s)), clampedY)
	}
}

// place returns the place of a spread on the x axis: its method's within the column of its data set.
func (d intervalPanel) place(s compare.Spread) float64 {
	column := slices.Index(d.columns, s.Dataset)
	method := slices.Index(d.methods, s.Method)
	return float64(column) + (float64(method)+0.8)/(float64(len(d.methods))+0.6)
}

// drawSpread draws the interval, the seeds and the paper's score at x, unless a seed has no finite
// value. toY returns the height of a score.
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
	marker := d.markers[slices.Index(d.methods, s.Method)]
	marker.Draw(c, vg.Point{X: x, Y: toY(s.Reference)}, 2.1, colour, false)
}

// nameDatasets writes the names of the data sets below a plot. More than eight names slant.
func nameDatasets(p *plot.Plot, names []string) {
	var ticks plot.ConstantTicks
	for i, name := range names {
		ticks = append(ticks, plot.Tick{Value: float64(i) + 0.5, Label: name})
	}
	p.X.Tick.Marker = ticks
	p.X.Tick.Label.YAlign = draw.YTop
	if len(names) > 8 {
		p.X.Tick.Label.Rotation = math.Pi / 6
		p.X.Tick.Label.XAlign = draw.XRight
	}
}
