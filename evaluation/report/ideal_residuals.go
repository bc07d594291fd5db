package report

import (
	"math/rand/v2"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// IdealResiduals draws figure 10 of the paper: what residuals and
// uncertainties look like where the uncertainties are right. 3000 standard
// deviations σ ~ U(0,2) are drawn, and a residual r ~ N(0,σ) for each; 68.3 %
// of the points lie above the 1σ lines and 99.7 % above the 3σ lines.
func IdealResiduals(seed uint64) *Figure {
	rng := rand.New(rand.NewPCG(seed, 0))
	points := make(plotter.XYs, 3000)
	for i := range points {
		std := 2 * rng.Float64()
		points[i] = plotter.XY{X: std * rng.NormFloat64(), Y: std}
	}
	p := newPlot("residual r", "uncertainty σ")
	p.Y.Padding = 0
	p.X.Max = 1.02 * widestResidual(points, 1)
	p.X.Min = -p.X.Max
	p.Y.Min, p.Y.Max = 0, 2.04
	p.X.Tick.Marker, p.Y.Tick.Marker = roundTicks(5), roundTicks(4)
	p.Add(cloud{points, cloudColour, 1.1}, sigmaLines{})
	return &Figure{
		width: 5 * vg.Inch, height: 3.6 * vg.Inch,
		panels: [][]panel{{{Plot: p}}},
		legend: [][]legendEntry{sigmaLegend},
	}
}
