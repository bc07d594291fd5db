package plot

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/measure"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
	"sml/evaluation/report/internal/shape"
	"sml/models"
	"sml/models/distribution"
)

const (
	functionPoints = 300 // number of inputs at which the function is predicted: one for about two points of the width
	minSubNetworks = 20  // smallest number of drawn sub-networks; fewer would not show the spread
	maxSubNetworks = 100 // largest number of drawn sub-networks; more would hide one another
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
	reason := r.whyNoFunction()
	if reason != "" {
		return Drawing{Note: reason}, nil
	}
	known := r.knownInputs()
	if len(known) == 0 {
		return Drawing{Note: "the only input is missing in every row"}, nil
	}
	low, high := axes.Widen(slices.Min(known), slices.Max(known))
	f, err := r.predictFunction(ctx, equidistant(low, high, functionPoints))
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
	cloud, outside := newCloud(p, len(targets), func(row int) (x, y float64) { return in.Value(row), targets[row] }, alertColour)
	f.addTo(p, cloud)
	return Drawing{
		Panels: []drawing.Panel{{Plot: p, Note: drawing.CountNote(outside, "beyond the axes")}},
		Legend: f.legend(),
	}, nil
}

// whyNoFunction returns the reason why the predictions are no function of a single number or date, or "" if
// they are one.
func (r *Rows) whyNoFunction() string {
	switch {
	case r.Model == nil:
		return "the model is unknown"
	case len(r.Inputs) != 1:
		return fmt.Sprintf("this plot needs a table with one input column; this table has %d", len(r.Inputs))
	case r.Inputs[0].Field.Kind == data.Category:
		return "the only input column contains text"
	default:
		return ""
	}
}

// knownInputs returns the values of the only input, without missing ones.
func (r *Rows) knownInputs() []float64 {
	n := len(r.predictions().Y)
	known := make([]float64, 0, n)
	for row := range n {
		value := r.Inputs[0].Value(row)
		if !math.IsNaN(value) {
			known = append(known, value)
		}
	}
	return known
}

// equidistant returns n numbers from low to high.
func equidistant(low, high float64, n int) []float64 {
	numbers := make([]float64, n)
	for i := range numbers {
		numbers[i] = low + (high-low)*float64(i)/float64(n-1)
	}
	return numbers
}

// functionCurve has a model's predictions over its only input, in the target's unit.
type functionCurve struct {
	mean        plotter.XYs
	intervals   []span        // nil if the model predicts no distribution
	subNetworks []plotter.XYs // predictions of each sub-network; nil if the method draws none
}

// predictFunction predicts rows whose only input has the values x, in ascending order.
func (r *Rows) predictFunction(ctx context.Context, x []float64) (*functionCurve, error) {
	rows, err := r.inputRows(x)
	if err != nil {
		return nil, err
	}
	predictions, err := r.predictRows(ctx, rows)
	if err != nil {
		return nil, err
	}
	f := &functionCurve{mean: zipPoints(x, predictions.Mean)}
	interval, ok := predictions.Interval(coverage)
	if ok {
		for row, value := range x {
			low, high := interval(row)
			f.intervals = append(f.intervals, span{x: value, low: low, high: high})
		}
	}
	subNetworks, err := r.predictSubNetworks(ctx, rows)
	if err != nil {
		return nil, err
	}
	for _, y := range subNetworks {
		f.subNetworks = append(f.subNetworks, zipPoints(x, y))
	}
	return f, nil
}

// predictRows returns the predictions of rows for the target r, calibrated if r is.
func (r *Rows) predictRows(ctx context.Context, rows data.Subset) (*measure.Column, error) {
	m := r.Model
	predictions, err := evaluation.Predict(ctx, m.Model, rows, r.Sampling)
	if err != nil {
		return nil, err
	}
	if r.Calibrated != nil {
		predictions = m.Calibration.Apply(predictions, nil)
	}
	// InUnit converts true targets, too. These rows have none, and zeros take their place.
	truth := evaluation.Truth{
		Y:          make([]float64, len(predictions.Values)),
		Columns:    m.Targets,
		Transforms: m.Transforms,
		Bounds:     m.Bounds,
	}
	return predictions.InUnit(truth, r.Number, data.Sound)
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
	outputs, err := evaluation.SubNetworkOutputs(ctx, r.Model.Model, rows, sampling)
	if err != nil {
		return nil, err
	}
	unit := r.Model.Units()[0]
	curves := make([][]float64, len(outputs))
	for i, rowOutputs := range outputs {
		for _, output := range rowOutputs {
			// Only distributions are converted to the target's unit. A point is one without spread.
			point := models.Prediction{Distribution: distribution.NewPoint(float64(output))}
			curves[i] = append(curves[i], unit.Convert(point).Mean())
		}
	}
	return curves, nil
}

// limits returns limits of the y axis that contain the mean, and all but the most extreme targets, ends of
// intervals and sub-networks.
func (f *functionCurve) limits(targets []float64) (low, high float64) {
	const shownFraction = 0.99 // of the values of each kind
	var lowerEnds, upperEnds []float64
	for _, s := range f.intervals {
		lowerEnds = append(lowerEnds, s.low)
		upperEnds = append(upperEnds, s.high)
	}
	subNetworks := yValues(slices.Concat(f.subNetworks...))
	means := yValues(f.mean)
	low = slices.Min(means)
	high = slices.Max(means)
	for _, values := range [][]float64{targets, lowerEnds, upperEnds, subNetworks} {
		if len(values) == 0 { // the model does not predict them
			continue
		}
		valuesLow, valuesHigh := axes.Quantiles(values, shownFraction)
		low = min(low, valuesLow)
		high = max(high, valuesHigh)
	}
	return addBorder(low, high)
}

// addTo adds the intervals, the sub-networks, the targets and the mean to a plot. Later ones are drawn above
// earlier ones. The limits of p must be set before: lines are thinned as far as nobody sees it.
func (f *functionCurve) addTo(p *plot.Plot, targets shape.Cloud) {
	if f.intervals != nil {
		p.Add(area{spans: f.intervals, colour: areaColour})
	}
	const maxDeviation = 0.12 // points between a line and the thinned line
	unitX := maxDeviation * (p.X.Max - p.X.Min) / float64(drawing.PageWidth)
	unitY := maxDeviation * (p.Y.Max - p.Y.Min) / float64(fullPanelHeight)
	for _, points := range f.subNetworks {
		x, y := xValues(points), yValues(points)
		p.Add(newLine(shape.Thin(x, y, unitX, unitY), subNetworkLine))
	}
	p.Add(targets, newLine(f.mean, meanLine))
}

// legend returns the legend entries of the parts that the curve has.
func (f *functionCurve) legend() []drawing.Entry {
	entries := []drawing.Entry{drawing.LineEntry("mean", meanLine)}
	if f.intervals != nil {
		entries = append(entries, drawing.ColourEntry(percent(coverage)+" interval", areaColour))
	}
	if f.subNetworks != nil {
		entries = append(entries, drawing.LineEntry(fmt.Sprintf("%d sub-networks", len(f.subNetworks)), subNetworkSample))
	}
	return append(entries, discEntry("targets", alertColour))
}
