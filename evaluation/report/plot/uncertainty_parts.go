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

// uncertaintyPart is a part of the standard deviation of each row, in the target's unit.
type uncertaintyPart struct {
	name string
	std  []float64
}

var uncertaintyParts = Plot{
	Name: "parts", Title: "Parts of σ",
	Summary: "The rows in twenty parts by σ, the smallest at the left, and for each the root of the mean square of σ and of its parts. " +
		"Aleatoric uncertainty is noise of the data, which more rows do not reduce; epistemic uncertainty is the network's own, which they do.",
	Source: "Kendall and Gal (2017), What uncertainties do we need in Bayesian deep learning for computer vision?",
	Draw: func(_ context.Context, r *Rows) (Drawn, error) {
		c := r.predictions()
		if len(r.parts) == 0 {
			return Drawn{Note: "the method does not separate its standard deviation into parts"}, nil
		}
		if !squarable(c) {
			return Drawn{Note: tooLarge}, nil
		}
		order := orderBySigma(c)
		p := drawing.NewPlot("share of the rows, by σ", "σ and its parts")
		x, whole := rootMeanSquares(c, order, c.Std)
		zeroTo(p, 1, 1.05*max(slices.Max(whole), math.SmallestNonzeroFloat32))
		sigma := draw.LineStyle{Color: drawing.Ink, Width: 1.6}
		p.Add(lineOf(x, whole, sigma))
		legend := []drawing.Entry{drawing.LineEntry("σ", sigma)}
		var shares []string
		for i, part := range r.parts {
			_, values := rootMeanSquares(c, order, part.std)
			style := draw.LineStyle{Color: partColours[i%len(partColours)], Width: 1.6}
			p.Add(lineOf(x, values, style))
			legend = append(legend, drawing.LineEntry(part.name, style))
			shares = append(shares, fmt.Sprintf("%s is %v of σ", part.name, percent(meanShare(c, part.std))))
		}
		return Drawn{Panels: []drawing.Panel{{Plot: p}}, Legend: legend, Note: "On average " + strings.Join(shares, ", and ") + "."}, nil
	},
}

var partColours = []color.NRGBA{drawing.Blue, drawing.Orange, drawing.Red, drawing.Grey}

// orderBySigma returns the numbers of the rows, the smallest σ first.
func orderBySigma(c *measure.Column) []int {
	order := make([]int, len(c.Y))
	for row := range order {
		order[row] = row
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(c.Std[a], c.Std[b]) })
	return order
}

// rootMeanSquares returns the middle of each of twenty parts of the rows (fewer of few rows),
// as a share of all, and the root of the weighted mean square of values in it.
func rootMeanSquares(c *measure.Column, order []int, values []float64) (middles, roots []float64) {
	n := len(order)
	parts := max(1, min(20, n/5))
	for i := range parts {
		var squares, sum float64
		for _, row := range order[i*n/parts : (i+1)*n/parts] {
			w := weight(c, row)
			squares, sum = squares+w*values[row]*values[row], sum+w
		}
		if sum > 0 {
			middles, roots = append(middles, (float64(i)+0.5)/float64(parts)), append(roots, math.Sqrt(squares/sum))
		}
	}
	return middles, roots
}

// meanShare returns the mean of part/σ over the rows with a σ above 0.
func meanShare(c *measure.Column, part []float64) float64 {
	var share, sum float64
	for row, std := range c.Std {
		if w := weight(c, row); std > 0 {
			share, sum = share+w*part[row]/std, sum+w
		}
	}
	if sum == 0 {
		return 0
	}
	return share / sum
}
