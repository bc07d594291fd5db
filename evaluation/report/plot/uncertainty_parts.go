package plot

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

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
	order := sortRows(c.Std)
	p := drawing.NewPlot("fraction of the rows, by σ", "σ and its parts")
	middles, sigmas := rootMeanSquares(c, order, c.Std)
	highest := max(slices.Max(sigmas), math.SmallestNonzeroFloat32) // above 0, even if all σ are 0
	setLimitsFromZero(p, 1, 1.05*highest)
	sigmaLine := draw.LineStyle{Color: drawing.Ink, Width: 1.6}
	p.Add(newCurve(middles, sigmas, sigmaLine))
	legend := []drawing.Entry{drawing.LineEntry("σ", sigmaLine)}
	var sentences []string
	for i, part := range r.stdParts {
		_, roots := rootMeanSquares(c, order, part.values)
		style := draw.LineStyle{Color: partColours[i%len(partColours)], Width: 1.6}
		p.Add(newCurve(middles, roots, style))
		legend = append(legend, drawing.LineEntry(part.name, style))
		sentences = append(sentences, fmt.Sprintf("%s is %v of σ", part.name, percent(meanRatio(c, part.values))))
	}
	return Drawing{
		Panels: []drawing.Panel{{Plot: p}},
		Legend: legend,
		Note:   "On average " + strings.Join(sentences, ", and ") + ".",
	}, nil
}

// partColours are the colours of the parts of σ, in their order.
var partColours = []color.NRGBA{drawing.Blue, drawing.Orange, drawing.Red, drawing.Grey}

// rootMeanSquares divides the rows, in the given order, into maxGroups groups of equal size, or fewer
// groups of at least minGroupRows rows. It returns the root of the weighted mean square of the values in
// each group, and the middle of each group as a fraction of all rows. Groups without weight are left
// out.
func rootMeanSquares(c *measure.Column, order []int, values []float64) (middles, roots []float64) {
	const (
		maxGroups    = 20
		minGroupRows = 5
	)
	n := len(order)
	groups := max(1, min(maxGroups, n/minGroupRows))
	for i := range groups {
		var weights, squares float64
		for _, row := range order[i*n/groups : (i+1)*n/groups] {
			weight := rowWeight(c, row)
			weights += weight
			squares += weight * values[row] * values[row]
		}
		if weights > 0 {
			middles = append(middles, (float64(i)+0.5)/float64(groups))
			roots = append(roots, math.Sqrt(squares/weights))
		}
	}
	return middles, roots
}

// meanRatio returns the weighted mean of part/σ over the rows with σ above 0, and 0 if there are no
// such rows.
func meanRatio(c *measure.Column, part []float64) float64 {
	var weights, ratios float64
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
