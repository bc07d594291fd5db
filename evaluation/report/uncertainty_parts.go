package report

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"sml/evaluation/measure"
	"sml/evaluation/report/chart"
)

var uncertaintyParts = Plot{
	Name:  "parts",
	Title: "Parts of σ",
	Summary: "The rows in twenty groups by σ, with the smallest σ at the left; for each group the root mean square of σ and of its parts. " +
		"Aleatoric uncertainty is noise in the data, which more training rows do not reduce; epistemic uncertainty is what the network does not know, which more training rows reduce.",
	Source: "Kendall and Gal (2017), What uncertainties do we need in Bayesian deep learning for computer vision?",
	Draw:   drawUncertaintyParts,
}

// partColours are the colours of the parts of σ, in their order.
var partColours = []color.NRGBA{chart.Blue, chart.Orange, chart.Red, chart.Grey}

// drawUncertaintyParts draws σ and its parts over the rows, sorted by σ.
func drawUncertaintyParts(_ context.Context, r *Rows) (f chart.Figure, note string, err error) {
	c := r.predictions()
	if len(r.stdParts) == 0 {
		return f, "the method does not separate its standard deviation into parts", nil
	}
	if !canSquare(c) {
		return f, tooLarge, nil
	}
	const (
		border    = 1.05 // factor
		maxGroups = 20   // points of a curve
	)
	groups := groupRows(sortRows(c.Std), maxGroups, minGroupRows)
	total := groupCurve(c, groups, c.Std)
	total.Name = "σ"
	total.Colour = chart.Ink
	layers := []chart.Layer{total}
	for i, part := range r.stdParts {
		curve := groupCurve(c, groups, part.values)
		curve.Name = part.name
		curve.Colour = partColours[i%len(partColours)]
		layers = append(layers, curve)
	}
	highest := max(slices.Max(total.Y), math.SmallestNonzeroFloat32) // the axis needs a length, even if all σ are 0
	f.Panels = []chart.Panel{{
		X:      chart.Axis{Label: "fraction of the rows, by σ", Max: 1},
		Y:      chart.Axis{Label: "σ and its parts", Max: border * highest},
		Layers: layers,
	}}
	return f, r.describeParts(c), nil
}

// groupCurve returns a line with a point for each group of rows: X is the middle of the group as a fraction of all rows,
// since groups are about equally large, and Y the root of the weighted mean of its squared values. It leaves out groups
// whose weights are all 0.
func groupCurve(c *measure.Column, groups [][]int, values []float64) chart.Layer {
	curve := chart.Layer{Width: 1.6}
	for i, rows := range groups {
		root, ok := rootMeanSquare(c, rows, values)
		if ok {
			curve.Add((float64(i)+0.5)/float64(len(groups)), root)
		}
	}
	return curve
}

// describeParts returns a sentence with the mean ratio of each part to σ. c has the predictions whose standard deviation
// the parts make up.
func (r *Rows) describeParts(c *measure.Column) string {
	var ratios []string
	for _, part := range r.stdParts {
		ratios = append(ratios, fmt.Sprintf("%s is %v of σ", part.name, percent(meanRatio(c, part.values))))
	}
	return "On average " + strings.Join(ratios, ", and ") + "."
}

// meanRatio returns the weighted mean of part/σ over the rows with σ above 0, and 0 if there are no such rows.
func meanRatio(c *measure.Column, part []float64) float64 {
	var weights, ratios float64 // sums
	for row, std := range c.Std {
		if std > 0 {
			weight := c.Weight(row)
			weights += weight
			ratios += weight * part[row] / std
		}
	}
	if weights == 0 {
		return 0
	}
	return ratios / weights
}
