package plot

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/measure"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
)

var (
	oneSigma   = draw.LineStyle{Color: drawing.Ink, Width: 1.1}
	threeSigma = draw.LineStyle{Color: drawing.Red, Width: 1.1}
)

var errorsBySigma = Plot{
	Name: "errors", Title: "σ against the error",
	Summary: "σ over the size of the error, with the lines on which an error is as large as one and three σ: rows below the 3σ line are surprises that no honest σ has many of. " +
		"Beside it the rows in ten parts by σ, the root of the mean squared error of each over that of its σ²: on the dashed line σ is right for all sizes.",
	Source: "Sicking et al. (2021), figure 11; Levi et al. (2022), Evaluating and calibrating uncertainty prediction in regression tasks",
	Draw: func(_ context.Context, r *Rows) (Drawn, error) {
		c := r.predictions()
		if c.Std == nil {
			return Drawn{Note: "the predictions have no standard deviation"}, nil
		}
		if !squarable(c) {
			return Drawn{Note: tooLarge}, nil
		}
		n := len(c.Y)
		sizes := make([]float64, n)
		for row := range sizes {
			sizes[row] = math.Abs(c.Y[row] - c.Mean[row])
		}
		_, widest := axes.Quantiles(sizes, 0.99)
		_, highest := axes.Quantiles(c.Std, 0.99)
		p := drawing.NewPlot("|error|", "σ")
		zeroTo(p, 1.03*widest, 1.06*highest)
		points, outside := cloudOf(p, n, func(row int) (float64, float64) { return sizes[row], c.Std[row] }, cloudColour)
		p.Add(points, straight(0, 0, p.X.Max, p.X.Max, oneSigma), straight(0, 0, p.X.Max, p.X.Max/3, threeSigma))
		d := drawing.NewPlot("σ of a tenth of the rows", "error of these rows")
		var all [][2][]float64
		most := 0.0
		for _, c := range r.versions() {
			sigma, wrong := tenths(c)
			all = append(all, [2][]float64{sigma, wrong})
			most = max(most, slices.Max(sigma), slices.Max(wrong))
		}
		_, most = axes.Widen(0, most)
		zeroTo(d, 1.05*most, 1.05*most)
		d.Add(straight(0, 0, 1.05*most, 1.05*most, honest))
		for i, parts := range all {
			d.Add(lineOf(parts[0], parts[1], r.style(i)), marks{pointsOf(parts[0], parts[1]), r.colour(i), 1.8})
		}
		within := func(times float64) float64 {
			return c.Average(func(row int) float64 {
				if sizes[row] <= times*c.Std[row] {
					return 1
				}
				return 0
			})
		}
		legend := []drawing.Entry{drawing.LineEntry("σ = |error|", oneSigma), drawing.LineEntry("3σ = |error|", threeSigma)}
		if r.Calibrated != nil {
			legend = append(legend, r.versionEntries("")...)
		}
		return Drawn{
			Panels: []drawing.Panel{{Plot: p, Note: drawing.Note(outside, "beyond the axes")}, {Plot: d}}, Across: 2,
			Legend: legend,
			Note:   fmt.Sprintf("%v of the errors are within 1σ and %v within 3σ; of a normal distribution 68.3 %% and 99.7 %% would be.", percent(within(1)), percent(within(3))),
		}, nil
	},
}

// tenths puts rows in ten parts by σ (fewer rows in fewer parts) and returns for each
// the roots of the mean σ² and of the mean squared error.
func tenths(c *measure.Column) (sigma, wrong []float64) {
	n := len(c.Y)
	order := make([]int, n)
	for row := range order {
		order[row] = row
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(c.Std[a], c.Std[b]) })
	parts := max(1, min(10, n/5))
	for i := range parts {
		var s, e, sum float64
		for _, row := range order[i*n/parts : (i+1)*n/parts] {
			w, off := weight(c, row), c.Y[row]-c.Mean[row]
			s, e, sum = s+w*c.Std[row]*c.Std[row], e+w*off*off, sum+w
		}
		if sum > 0 {
			sigma, wrong = append(sigma, math.Sqrt(s/sum)), append(wrong, math.Sqrt(e/sum))
		}
	}
	return sigma, wrong
}
