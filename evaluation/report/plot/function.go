package plot

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg/draw"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
	"sml/evaluation/report/internal/shape"
	"sml/models"
	"sml/models/distribution"
)

const (
	functionPoints = 300 // of the grid
	mostLines      = 100 // of sub-networks
)

var function = Plot{
	Name: "function", Title: "The function",
	Summary: "What the model says over its only input: the mean, the interval around it, and the targets. Grey lines are single sub-networks, each with one mask for all of the line.",
	Draw: func(ctx context.Context, r *Rows) (Drawn, error) {
		switch {
		case r.Model == nil:
			return Drawn{Note: "the model is not known"}, nil
		case len(r.Inputs) != 1:
			return Drawn{Note: fmt.Sprintf("it is of tables with one input, and there are %d", len(r.Inputs))}, nil
		case r.Inputs[0].Field.Kind == data.Category:
			return Drawn{Note: "the only input is a text"}, nil
		}
		in, c, n := r.Inputs[0], r.predictions(), len(r.predictions().Y)
		x := make([]float64, 0, n)
		for row := range n {
			if v := in.At(row); !math.IsNaN(v) {
				x = append(x, v)
			}
		}
		if len(x) == 0 {
			return Drawn{Note: "the only input is missing in all rows"}, nil
		}
		low, high := axes.Widen(slices.Min(x), slices.Max(x))
		f, err := r.along(ctx, in, low, high)
		if err != nil {
			return Drawn{}, err
		}
		p := drawing.NewPlot(plain(in.Name), plain(r.Target))
		p.X.Min, p.X.Max = low, high
		if in.Field.Kind == data.Date {
			p.X.Tick.Marker = dates{}
		}
		lowest, highest := slices.Min(f.mean), slices.Max(f.mean)
		for _, ends := range [][]float64{c.Y, f.low, f.high, slices.Concat(f.lines...)} {
			if len(ends) == 0 {
				continue
			}
			l, h := axes.Quantiles(ends, 0.99)
			lowest, highest = min(lowest, l), max(highest, h)
		}
		p.Y.Min, p.Y.Max = bordered(lowest, highest)
		var legend []drawing.Entry
		if f.low != nil {
			p.Add(area{f.x, f.low, f.high, areaColour})
		}
		cloud, outside := cloudOf(p, n, func(row int) (float64, float64) { return in.At(row), c.Y[row] }, alertColour)
		const detail = 0.12 // points, below which a line is thinned
		dx, dy := detail*(high-low)/float64(drawing.PageWidth), detail*(p.Y.Max-p.Y.Min)/float64(oneHeight)
		for _, line := range f.lines {
			p.Add(pathOf(shape.Thin(f.x, line, dx, dy), subNetworkLine))
		}
		mean := draw.LineStyle{Color: drawing.Blue, Width: 1.4}
		p.Add(cloud, lineOf(f.x, f.mean, mean))
		legend = append(legend, drawing.LineEntry("mean", mean))
		if f.low != nil {
			legend = append(legend, drawing.ColourEntry(percent(f.coverage)+" interval", areaColour))
		}
		if f.lines != nil {
			legend = append(legend, drawing.LineEntry(fmt.Sprintf("%d sub-networks", len(f.lines)), draw.LineStyle{Color: drawing.Grey, Width: 0.8}))
		}
		legend = append(legend, dotsEntry("targets", alertColour))
		return Drawn{Panels: []drawing.Panel{{Plot: p, Note: drawing.Note(outside, "beyond the axes")}}, Legend: legend}, nil
	},
}

var subNetworkLine = draw.LineStyle{Color: drawing.Veil, Width: 0.4}

// grid is what a model says over one input, in the target's own unit.
type grid struct {
	x, mean   []float64
	low, high []float64 // of the interval; nil: there is none
	coverage  float64
	lines     [][]float64 // of sub-networks
}

// along predicts rows at equal distances.
func (r *Rows) along(ctx context.Context, in input, low, high float64) (*grid, error) {
	m := r.Model
	g := &grid{}
	for i := range functionPoints {
		g.x = append(g.x, low+(high-low)*float64(i)/(functionPoints-1))
	}
	rows, err := r.rowsAt(in, g.x)
	if err != nil {
		return nil, err
	}
	found, err := evaluation.Predict(ctx, m.Model, rows, r.Sampling)
	if err != nil {
		return nil, err
	}
	if r.Calibrated != nil {
		found = m.Calibration.Apply(found, nil)
	}
	truth := evaluation.Truth{Y: make([]float64, len(found.Values)), Columns: m.Targets, Transforms: m.Transforms}
	c, err := found.InUnit(truth, r.Number, data.Sound)
	if err != nil {
		return nil, err
	}
	g.mean = c.Mean
	if limits, ok := c.Interval(coverage); ok {
		g.coverage = coverage
		for row := range g.x {
			l, h := limits(row)
			g.low, g.high = append(g.low, l), append(g.high, h)
		}
	}
	g.lines, err = r.subNetworks(ctx, rows)
	return g, err
}

// rowsAt are rows of the input alone, as the model's inputs are made of it.
func (r *Rows) rowsAt(in input, x []float64) (data.Subset, error) {
	t := &data.Table{Name: "the input " + in.Name, Columns: []string{in.Name}, X: x}
	if r.Model.Preparation != nil {
		t.Fields = []data.Field{in.Field}
		inputs := *r.Model.Preparation
		inputs.Targets = nil
		var err error
		if t, _, err = inputs.Table(t); err != nil {
			return data.Subset{}, err
		}
	}
	return t.Subset(nil, r.Model.Inputs, nil), nil
}

// subNetworks are the lines of sub-networks of the first network, none where the method
// draws none.
func (r *Rows) subNetworks(ctx context.Context, rows data.Subset) ([][]float64, error) {
	method, err := models.Lookup(r.Model.Method)
	if err != nil || !method.Stochastic || r.Number > 0 {
		return nil, err
	}
	s := r.Sampling
	s.Samples = min(mostLines, max(s.Samples, 20))
	lines, err := evaluation.SubNetworkOutputs(ctx, r.Model.Model, rows, s, true)
	if err != nil {
		return nil, err
	}
	var transform distribution.Transform
	if r.Model.Transforms != nil {
		transform = r.Model.Transforms[0]
	}
	all := make([][]float64, len(lines))
	for i, line := range lines {
		for _, v := range line {
			all[i] = append(all[i], evaluation.InUnit(models.Prediction{Distribution: distribution.NewPoint(float64(v))}, r.Model.Targets[0], transform).Mean())
		}
	}
	return all, nil
}
