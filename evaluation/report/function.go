package report

import (
	"context"
	"fmt"
	"math"
	"slices"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/measure"
	"sml/evaluation/report/chart"
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

// drawFunction draws the predictions over the only input. If the table has several inputs, or a single one that is text
// or always missing, it returns no figure.
func drawFunction(ctx context.Context, r *Rows) (f chart.Figure, note string, err error) {
	reason := r.whyNoFunction()
	if reason != "" {
		return f, reason, nil
	}
	in := r.Inputs[0]
	targets := chart.Layer{Name: "targets", Kind: chart.Cloud, Y: r.predictions().Y, Colour: alertColour}
	for row := range targets.Y {
		targets.X = append(targets.X, in.Value(row))
	}
	known := slices.DeleteFunc(slices.Clone(targets.X), math.IsNaN)
	if len(known) == 0 {
		return f, "the only input is missing in every row", nil
	}
	low, high := chart.Widen(slices.Min(known), slices.Max(known))
	mean, around, err := r.predictFunction(ctx, equidistant(low, high, functionPoints))
	if err != nil {
		return f, "", err
	}
	p := chart.Panel{
		X: chart.Axis{Label: axisName(in.Name), Min: low, Max: high},
		Y: chart.Axis{Label: axisName(r.Target)},
	}
	if in.Field.Kind == data.Date {
		p.X.Ticks = dateTicks(low, high)
	}
	p.Y.Min, p.Y.Max = functionLimits(mean.Y, targets.Y, around)
	entry := chart.Layer{Name: mean.Name, Colour: mean.Colour, Width: mean.Width} // the legend names the mean first
	p.Layers = slices.Concat([]chart.Layer{entry}, around, []chart.Layer{targets, mean})
	f.Panels = []chart.Panel{p}
	return f, "", nil
}

// dateTicks returns ticks of an axis of dates, in seconds since 1970.
func dateTicks(low, high float64) []chart.Tick {
	ticks := chart.RoundTicks(low, high, 3)
	var dates []float64
	for _, tick := range ticks {
		dates = append(dates, tick.Value)
	}
	if len(dates) == 0 {
		return nil
	}
	for i, label := range dateLabels(dates) {
		ticks[i].Label = label
	}
	return ticks
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

// predictFunction predicts rows whose only input has the values x, in ascending order. It returns the line of the mean and,
// to be drawn below it, the band of the intervals and the lines of the sub-networks, as far as the method predicts them.
func (r *Rows) predictFunction(ctx context.Context, x []float64) (mean chart.Layer, around []chart.Layer, err error) {
	rows, err := r.inputRows(x)
	if err != nil {
		return mean, nil, err
	}
	predictions, err := r.predictRows(ctx, rows)
	if err != nil {
		return mean, nil, err
	}
	mean = chart.Layer{Name: "mean", X: x, Y: predictions.Mean, Colour: chart.Blue, Width: 1.4}
	interval, ok := predictions.Interval(coverage)
	if ok {
		band := chart.Layer{Name: percent(coverage) + " interval", Kind: chart.Band, X: x, Colour: areaColour}
		for row := range x {
			low, high := interval(row)
			band.Y = append(band.Y, high)
			band.Y2 = append(band.Y2, low)
		}
		around = append(around, band)
	}
	subNetworks, err := r.predictSubNetworks(ctx, rows)
	line := chart.Layer{Name: fmt.Sprintf("%d sub-networks", len(subNetworks)), X: x, Colour: chart.Pale(chart.Grey), Width: 0.4}
	for _, line.Y = range subNetworks {
		around = append(around, line)
	}
	return mean, around, err
}

// predictRows returns the predictions of rows for the target of r, calibrated if the predictions of r are.
func (r *Rows) predictRows(ctx context.Context, rows data.Subset) (*measure.Column, error) {
	m := r.Model
	predictions, err := evaluation.Predict(ctx, m.Model, rows, r.Sampling)
	if err != nil {
		return nil, err
	}
	if r.Calibrated != nil {
		predictions = m.Calibration.Apply(predictions, nil)
	}
	truth := evaluation.Truth{
		Y:          make([]float64, len(predictions.Values)), // the rows have no targets: InUnit converts zeros
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
	if err != nil || !method.UsesSubNetworks() || r.Number > 0 {
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

// functionLimits returns limits of the y axis that contain the mean, and all but the most extreme targets, ends of intervals
// and sub-networks.
func functionLimits(mean, targets []float64, around []chart.Layer) (low, high float64) {
	const shownFraction = 0.99 // of the values of each kind
	low = slices.Min(mean)
	high = slices.Max(mean)
	kinds := [][]float64{targets, nil} // the second has all sub-networks
	for _, l := range around {
		if l.Kind == chart.Band {
			kinds = append(kinds, l.Y, l.Y2)
		} else {
			kinds[1] = append(kinds[1], l.Y...)
		}
	}
	for _, values := range kinds {
		if len(values) == 0 { // the model does not predict them
			continue
		}
		valuesLow, valuesHigh := chart.Quantiles(values, shownFraction)
		low = min(low, valuesLow)
		high = max(high, valuesHigh)
	}
	return chart.AddBorder(low, high, borderFraction)
}
