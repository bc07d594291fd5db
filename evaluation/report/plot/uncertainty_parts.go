package plot

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/measure"
	"sml/evaluation/report/drawing"
)

var uncertaintyParts = Plot{
	Name:  "parts",
	Title: "Parts of σ",
	Summary: "The rows in twenty groups by σ, with the smallest σ at the left; for each group the root mean square of σ and of its parts. " +
		"Aleatoric uncertainty is noise in the data, which more training rows do not reduce; epistemic uncertainty is what the network does not know, which more training rows reduce.",
	Source: "Kendall and Gal (2017), What uncertainties do we need in Bayesian deep learning for computer vision?",
	Draw:   drawUncertaintyParts,
}

// drawUncertaintyParts draws σ and its parts over the rows, sorted by σ.
func drawUncertaintyParts(_ context.Context, r *Rows) (Drawing, error) {
	c := r.predictions()
	if len(r.stdParts) == 0 {
		return Drawing{Note: "the method does not separate its standard deviation into parts"}, nil
	}
	if !canSquare(c) {
		return Drawing{Note: tooLarge}, nil
	}
	const border = 1.05 // factor
	groups := groupRows(sortRows(c.Std), maxPartGroups, minGroupRows)
	sigmas := groupCurve(c, groups, c.Std)
	highest := max(slices.Max(yValues(sigmas)), math.SmallestNonzeroFloat32) // above 0, even if all σ are 0
	p := drawing.NewPlot("fraction of the rows, by σ", "σ and its parts")
	setLimitsFromZero(p, 1, border*highest)
	p.Add(newLine(sigmas, totalLine))
	legend := []drawing.Entry{drawing.LineEntry("σ", totalLine)}
	for i, part := range r.stdParts {
		style := partLine(i)
		p.Add(newLine(groupCurve(c, groups, part.values), style))
		legend = append(legend, drawing.LineEntry(part.name, style))
	}
	return Drawing{
		Panels: []drawing.Panel{{Plot: p}},
		Legend: legend,
		Note:   r.describeParts(c),
	}, nil
}

// describeParts returns a sentence with the mean ratio of each part to σ. c has the predictions whose
// standard deviation the parts make up.
func (r *Rows) describeParts(c *measure.Column) string {
	var ratios []string
	for _, part := range r.stdParts {
		ratios = append(ratios, fmt.Sprintf("%s is %v of σ", part.name, percent(meanRatio(c, part.values))))
	}
	return "On average " + strings.Join(ratios, ", and ") + "."
}

// totalLine is the style of the curve of σ.
var totalLine = draw.LineStyle{Color: drawing.Ink, Width: 1.6}

// partColours are the colours of the parts of σ, in their order.
var partColours = []color.NRGBA{drawing.Blue, drawing.Orange, drawing.Red, drawing.Grey}

// partLine returns the style of the curve of part i of σ.
func partLine(i int) draw.LineStyle {
	return draw.LineStyle{Color: partColours[i%len(partColours)], Width: totalLine.Width}
}

// maxPartGroups is the largest number of groups of rows, which are the points of a curve.
const maxPartGroups = 20

// groupCurve returns a point for each group of rows: X is the middle of the group as a fraction of all
// rows, since groups are about equally large, and Y the root of the weighted mean of its squared values.
// It leaves out groups whose weights are all 0.
func groupCurve(c *measure.Column, groups [][]int, values []float64) plotter.XYs {
	var points plotter.XYs
	for i, rows := range groups {
		root, ok := rootMeanSquare(c, rows, values)
		if ok {
			middle := (float64(i) + 0.5) / float64(len(groups))
			points = append(points, plotter.XY{X: middle, Y: root})
		}
	}
	return points
}

// meanRatio returns the weighted mean of part/σ over the rows with σ above 0, and 0 if there are no
// such rows.
func meanRatio(c *measure.Column, part []float64) float64 {
	var weights, ratios float64 // sums
	for row, std := range c.Std {
		if std > 0 {
			weight := rowWeight(c, row)
			weights += weight
			ratios += weight * part[row] / std
		}
	}
	if weights == 0 {
		return 0
	}
	return ratios / weights
}
