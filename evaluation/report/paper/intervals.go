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

// intervals shows each of the paper's scores beside the seeds' and the interval in
// which they expect one more draw: a panel for each measure, a column for each data
// set. There is no such figure of one seed.
func intervals(_ context.Context, r *report.Report) (*drawing.Figure, string, error) {
	p := newPart(r)
	if p == nil {
		return nil, "", nil
	}
	all := compare.NewSeeds(r.Seeds, reference)
	if len(all.Spreads) == 0 {
		return nil, "", nil
	}
	there := func(name string) bool {
		return slices.ContainsFunc(all.Spreads, func(s compare.Spread) bool { return s.Dataset == name })
	}
	columns := slices.DeleteFunc(slices.Clone(datasets), func(name string) bool { return !there(name) })
	methods := slices.DeleteFunc(Methods(), func(name string) bool {
		return !slices.ContainsFunc(all.Spreads, func(s compare.Spread) bool { return s.Method == name })
	})
	markers, err := shape.Markers(methods)
	if err != nil {
		return nil, "", err
	}
	figure := &drawing.Figure{Width: drawing.WideWidth, Height: 0.85 * vg.Inch}
	for _, name := range publishedMeasures {
		panel := intervalPanel{columns: columns, methods: methods, markers: markers, axis: linear}
		for _, s := range all.Spreads {
			if s.Measure == name {
				panel.spreads = append(panel.spreads, s)
			}
		}
		if len(panel.spreads) == 0 {
			continue
		}
		switch name {
		case "rmse", "ws":
			panel.axis = logarithmic
		case "nll":
			panel.axis = bothWays
		}
		a := all.Agreement(func(s compare.Spread) bool { return s.Measure == name })
		figure.Panels = append(figure.Panels, []drawing.Panel{{
			Title: measure.Title(name), Note: fmt.Sprintf("%d of %d inside", a.Inside, a.Intervals), Plot: panel.plot(),
		}})
		figure.Height += 1.95 * vg.Inch
	}
	nameSets(figure.Panels[len(figure.Panels)-1][0].Plot, columns)
	var shapes []drawing.Entry
	for i, method := range methods {
		shapes = append(shapes, shape.MarkerEntry(methodTitle(method), markers[i]))
	}
	figure.Legend = [][]drawing.Entry{{
		drawing.ColourEntry("the paper's, inside", drawing.Blue), drawing.ColourEntry("outside", drawing.Red),
		drawing.LineEntry(fmt.Sprintf("where %d seeds expect one more draw", len(all.Seeds)), intervalLine),
		drawing.PointEntry("a seed", func(c draw.Canvas, at vg.Point) { seedMark(c, at) }),
	}, shapes}
	return figure, fmt.Sprintf("The paper's scores beside those of %d seeds, on test rows of random folds. Lines are the intervals in which the seeds expect one more draw in %.0f %% of cases, cut at the axes' ends.", len(all.Seeds), 100*compare.Coverage), nil
}

var (
	intervalLine = draw.LineStyle{Color: drawing.Grey, Width: 0.8}
	seedLine     = draw.LineStyle{Color: drawing.Ink, Width: 0.4}
)

// seedMark is a short dash.
func seedMark(c draw.Canvas, at vg.Point) { c.StrokeLine2(seedLine, at.X-2, at.Y, at.X+2, at.Y) }

// scale is how an axis shows numbers: place is where, ticks those that it names.
type scale struct {
	place func(float64) float64
	least float64 // that has a place
	ticks func(low, high float64) []plot.Tick
}

var (
	linear = scale{func(x float64) float64 { return x }, math.Inf(-1), axes.RoundTicks(4).Ticks}

	logarithmic = scale{math.Log10, axes.LeastLogarithm, axes.DecadeTicks}

	// Linear about 0, and logarithmic beyond 1 on either side.
	bothWays = scale{math.Asinh, math.Inf(-1), func(low, high float64) []plot.Tick {
		ticks := []plot.Tick{{Value: 0, Label: "0"}}
		wide := max(-low, high) >= 1000
		for power := 1.0; power <= max(-low, high); power *= 10 {
			for _, v := range []float64{-power, power} {
				label := ""
				if even := int(math.Round(math.Log10(power)))%2 == 0; !wide || even && power > 1 {
					label = strings.ReplaceAll(fmt.Sprintf("%g", v), "-", "−")
				}
				ticks = append(ticks, plot.Tick{Value: v, Label: label})
			}
		}
		return slices.DeleteFunc(ticks, func(t plot.Tick) bool { return t.Value < low || t.Value > high })
	}}
)

// intervalPanel draws the spreads of one measure.
type intervalPanel struct {
	spreads []compare.Spread
	columns []string
	methods []string
	markers []shape.Marker
	axis    scale
}

func (d intervalPanel) plot() *plot.Plot {
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range d.spreads {
		for _, x := range append(slices.Clone(s.Values), s.Reference) {
			if x >= d.axis.least && !math.IsInf(x, 0) {
				low, high = min(low, x), max(high, x)
			}
		}
	}
	p := drawing.NewPlot("", "")
	p.X.Min, p.X.Max, p.X.Padding, p.X.Tick.Length = 0, float64(len(d.columns)), 0, 0
	p.X.Tick.Marker = plot.ConstantTicks{}
	margin := 0.05 * (d.axis.place(high) - d.axis.place(low))
	p.Y.Min, p.Y.Max, p.Y.Padding = d.axis.place(low)-margin, d.axis.place(high)+margin, 0
	if !(p.Y.Min < p.Y.Max) { // one number
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

// Plot implements plot.Plotter.
func (d intervalPanel) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, tick := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if tick.Label != "" {
			c.StrokeLine2(drawing.GridLine, c.Min.X, y(tick.Value), c.Max.X, y(tick.Value))
		}
	}
	for column := 1; column < len(d.columns); column++ {
		c.StrokeLine2(drawing.GridLine, x(float64(column)), c.Min.Y, x(float64(column)), c.Max.Y)
	}
	at := func(v float64) vg.Length {
		if !(v >= d.axis.least) {
			return c.Min.Y
		}
		return min(c.Max.Y, max(c.Min.Y, y(d.axis.place(v))))
	}
	for _, s := range d.spreads {
		i := slices.Index(d.methods, s.Method)
		where := x(float64(slices.Index(d.columns, s.Dataset)) + (float64(i)+0.8)/(float64(len(d.methods))+0.6))
		low, high := s.Interval()
		if inside, ok := s.HoldsReference(); ok {
			c.StrokeLine2(intervalLine, where, at(low), where, at(high))
			for _, v := range s.Values {
				seedMark(c, vg.Point{X: where, Y: at(v)})
			}
			colour := drawing.Red
			if inside {
				colour = drawing.Blue
			}
			d.markers[i].Draw(c, vg.Point{X: where, Y: at(s.Reference)}, 2.1, colour, false)
		}
	}
}

// nameSets writes the names of data sets below a plot, slanting.
func nameSets(p *plot.Plot, names []string) {
	var ticks plot.ConstantTicks
	for i, name := range names {
		ticks = append(ticks, plot.Tick{Value: float64(i) + 0.5, Label: name})
	}
	p.X.Tick.Marker = ticks
	p.X.Tick.Label.YAlign = draw.YTop
	if len(names) > 8 {
		p.X.Tick.Label.Rotation, p.X.Tick.Label.XAlign = math.Pi/6, draw.XRight
	}
}
