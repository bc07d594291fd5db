package plot

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
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
	functionPoints = 300 // number of inputs at which the function is predicted
	minSubNetworks = 20  // smallest number of drawn sub-networks
	maxSubNetworks = 100 // largest number of drawn sub-networks
)

var function = Plot{
	Name:  "function",
	Title: "The function",
	Summary: "The model's predictions over its only input: the mean and the interval around it, with the targets. " +
		"Grey lines are single sub-networks, each with one dropout mask for the whole line.",
	Draw: drawFunction,
}

var (
	meanLine         = draw.LineStyle{Color: drawing.Blue, Width: 1.4}
	subNetworkLine   = draw.LineStyle{Color: drawing.TranslucentGrey, Width: 0.4}
	subNetworkSample = draw.LineStyle{Color: drawing.Grey, Width: 0.8} // in the legend, where a single thin line would be too pale
)

// drawFunction draws the predictions over the only input. If the table has several inputs, or a single one
// that is text or always missing, it returns a drawing without panels.
func drawFunction(ctx context.Context, r *Rows) (Drawing, error) {
	switch {
	case r.Model == nil:
		return Drawing{Note: "the model is unknown"}, nil
	case len(r.Inputs) != 1:
		return Drawing{Note: fmt.Sprintf("this plot needs a table with one input column; this table has %d", len(r.Inputs))}, nil
	case r.Inputs[0].Field.Kind == data.Category:
		return Drawing{Note: "the only input column contains text"}, nil
	}
	x := r.knownInputs()
	if len(x) == 0 {
		return Drawing{Note: "the only input is missing in every row"}, nil
	}
	low, high := axes.Widen(slices.Min(x), slices.Max(x))
	f, err := r.predictFunction(ctx, low, high)
	if err != nil {
		return Drawing{}, err
	}
	in := r.Inputs[0]
	targets := r.predictions().Y
	p := drawing.NewPlot(axisName(in.Name), axisName(r.Target))
	setLimits(&p.X, low, high)
	if in.Field.Kind == data.Date {
		p.X.Tick.Marker = dateTicks{}
	}
	yLow, yHigh := f.limits(targets)
	setLimits(&p.Y, yLow, yHigh)
	cloud, outside := newCloud(p, len(targets), func(row int) (float64, float64) { return in.At(row), targets[row] }, alertColour)
	f.addTo(p, cloud)
	return Drawing{
		Panels: []drawing.Panel{{Plot: p, Note: drawing.CountNote(outside, "beyond the axes")}},
		Legend: f.legend(),
	}, nil
}

// knownInputs returns the values of the only input, without missing ones.
func (r *Rows) knownInputs() []float64 {
	n := len(r.predictions().Y)
	x := make([]float64, 0, n)
	for row := range n {
		if v := r.Inputs[0].At(row); !math.IsNaN(v) {
			x = append(x, v)
		}
	}
	return x
}

// functionCurve has a model's predictions at equidistant values of its only input, in the target's unit.
type functionCurve struct {
	x, mean     []float64
	low, high   []float64   // ends of the interval; nil if the model predicts no distribution
	subNetworks [][]float64 // predictions of each sub-network; nil if the method draws none
}

// predictFunction predicts functionPoints rows whose only input goes from low to high.
func (r *Rows) predictFunction(ctx context.Context, low, high float64) (*functionCurve, error) {
	m := r.Model
	f := &functionCurve{}
	for i := range functionPoints {
		f.x = append(f.x, low+(high-low)*float64(i)/(functionPoints-1))
	}
	rows, err := r.inputRows(f.x)
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
	noTruth := evaluation.Truth{Y: make([]float64, len(found.Values)), Columns: m.Targets, Transforms: m.Transforms, Bounds: m.Bounds}
	c, err := found.InUnit(noTruth, r.Number, data.Sound)
	if err != nil {
		return nil, err
	}
	f.mean = c.Mean
	if interval, ok := c.Interval(coverage); ok {
		for row := range f.x {
			rowLow, rowHigh := interval(row)
			f.low = append(f.low, rowLow)
			f.high = append(f.high, rowHigh)
		}
	}
	f.subNetworks, err = r.predictSubNetworks(ctx, rows)
	return f, err
}

// inputRows returns rows with the values x of the only input, after the model's preparation.
func (r *Rows) inputRows(x []float64) (data.Subset, error) {
	in := r.Inputs[0]
	t := &data.Table{Name: "the input " + in.Name, Columns: []string{in.Name}, X: x}
	if r.Model.Preparation != nil {
		t.Fields = []data.Field{in.Field}
		inputs := *r.Model.Preparation
		inputs.Targets = nil // the rows have no target columns
		var err error
		t, _, err = inputs.Table(t)
		if err != nil {
			return data.Subset{}, err
		}
	}
	return t.Subset(nil, r.Model.Inputs, nil), nil
}

// predictSubNetworks returns the predictions of sub-networks of the first ensemble member for the
// first target. It returns nil for other targets, and if the method draws no sub-networks.
func (r *Rows) predictSubNetworks(ctx context.Context, rows data.Subset) ([][]float64, error) {
	method, err := models.Lookup(r.Model.Method)
	if err != nil || !method.UsesSubNetworks || r.Number > 0 {
		return nil, err
	}
	sampling := r.Sampling
	sampling.Samples = min(maxSubNetworks, max(sampling.Samples, minSubNetworks))
	outputs, err := evaluation.SubNetworkOutputs(ctx, r.Model.Model, rows, sampling, true)
	if err != nil {
		return nil, err
	}
	unit := r.Model.Units()[0]
	curves := make([][]float64, len(outputs))
	for i, outputs := range outputs {
		for _, output := range outputs {
			point := models.Prediction{Distribution: distribution.NewPoint(float64(output))}
			curves[i] = append(curves[i], unit.Convert(point).Mean())
		}
	}
	return curves, nil
}

// limits returns limits of the y axis that contain the mean, and all but the most extreme targets, ends of
// intervals and sub-networks.
func (f *functionCurve) limits(targets []float64) (low, high float64) {
	low = slices.Min(f.mean)
	high = slices.Max(f.mean)
	for _, values := range [][]float64{targets, f.low, f.high, slices.Concat(f.subNetworks...)} {
		if len(values) == 0 {
			continue
		}
		valuesLow, valuesHigh := axes.Quantiles(values, 0.99)
		low = min(low, valuesLow)
		high = max(high, valuesHigh)
	}
	return addBorder(low, high)
}

// addTo adds the interval, the sub-networks, the targets and the mean to a plot. Later ones are drawn above
// earlier ones. The limits of p must be set before.
func (f *functionCurve) addTo(p *plot.Plot, targets shape.Cloud) {
	if f.low != nil {
		p.Add(area{f.x, f.low, f.high, areaColour})
	}
	const detail = 0.12 // points; a thinned line deviates by at most this much
	dx := detail * (p.X.Max - p.X.Min) / float64(drawing.PageWidth)
	dy := detail * (p.Y.Max - p.Y.Min) / float64(fullPanelHeight)
	for _, y := range f.subNetworks {
		p.Add(newLine(shape.Thin(f.x, y, dx, dy), subNetworkLine))
	}
	p.Add(targets, newCurve(f.x, f.mean, meanLine))
}

// legend returns the legend entries of the parts that the curve has.
func (f *functionCurve) legend() []drawing.Entry {
	entries := []drawing.Entry{drawing.LineEntry("mean", meanLine)}
	if f.low != nil {
		entries = append(entries, drawing.ColourEntry(percent(coverage)+" interval", areaColour))
	}
	if f.subNetworks != nil {
		entries = append(entries, drawing.LineEntry(fmt.Sprintf("%d sub-networks", len(f.subNetworks)), subNetworkSample))
	}
	return append(entries, discEntry("targets", alertColour))
}
