package report

import (
	"fmt"
	"slices"

	"sml/data"
	"sml/evaluation/explain"
	"sml/evaluation/report/chart"
)

// DependencePicture returns a picture of how predictions depend on a column: for each target, or each class, the mean
// over the rows with the mean interval around it, and grey lines for single rows.
func DependencePicture(d *explain.Dependence) Picture {
	drawn := "mean and mean " + percent(coverage) + " interval"
	if d.Curves[0].Lower == nil {
		drawn = "their mean"
	}
	p := Picture{
		Name:    "dependence",
		Caption: fmt.Sprintf("Predictions of %d rows with each value of %s in turn: %s, and single rows in grey.", d.Rows, d.Column, drawn),
	}
	for _, c := range d.Curves {
		p.Panels = append(p.Panels, dependencePanel(d, c))
	}
	p.Columns = min(2, len(p.Panels))
	return p
}

// dependencePanel returns the panel of one curve. It has lines over numbers and dates, and points over categories.
func dependencePanel(d *explain.Dependence, c explain.DependenceCurve) chart.Panel {
	p := chart.Panel{X: chart.Axis{Label: axisName(d.Column)}, Y: chart.Axis{Label: axisName(c.Target)}}
	if c.Class != "" {
		p.Y.Label = axisName("probability of " + c.Class)
	}
	x := d.Values
	kind := chart.Line
	switch d.Field.Kind {
	case data.Category:
		kind = chart.Points
		x = placeCategories(&p.X, d.Labels)
	case data.Date:
		p.X.Ticks = dateTicks(x[0], slices.Max(x))
	}
	mean := chart.Layer{Name: "mean", Kind: kind, X: x, Y: c.Mean, Colour: chart.Blue, Width: 1.6, Radius: 3}
	p.Layers = []chart.Layer{{Name: mean.Name, Kind: kind, Colour: mean.Colour, Width: mean.Width}} // the legend names it first
	if c.Lower != nil {
		p.Layers = append(p.Layers, intervalLayer(kind, x, c))
	}
	for _, single := range c.Single {
		p.Layers = append(p.Layers, chart.Layer{Name: "single rows", Kind: kind, X: x, Y: single, Colour: chart.Pale(chart.Grey), Width: 0.5, Radius: 1})
	}
	p.Layers = append(p.Layers, mean) // above all others
	return p
}

// placeCategories gives an axis a tick for each category, and returns their places: 0, 1, 2 …
func placeCategories(a *chart.Axis, labels []string) (places []float64) {
	const border = 0.5 // at both ends of the axis
	for i, label := range labels {
		places = append(places, float64(i))
		a.Ticks = append(a.Ticks, chart.Tick{Value: places[i], Label: axisName(label)})
	}
	a.Min = -border
	a.Max = float64(len(labels)) - border
	return places
}

// intervalLayer returns the mean intervals: a band, or for categories a line each.
func intervalLayer(kind chart.Kind, x []float64, c explain.DependenceCurve) chart.Layer {
	name := "mean " + percent(coverage) + " interval"
	if kind == chart.Line {
		return chart.Layer{Name: name, Kind: chart.Band, X: x, Y: c.Upper, Y2: c.Lower, Colour: areaColour}
	}
	return chart.Layer{Name: name, Kind: chart.Segments, X: x, Y: c.Lower, X2: x, Y2: c.Upper, Colour: areaColour, Width: 6}
}
