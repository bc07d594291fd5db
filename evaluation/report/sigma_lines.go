package report

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// widestResidual is the size that the given share of the residuals do not
// exceed.
func widestResidual(points plotter.XYs, share float64) float64 {
	both := make([]float64, 0, 2*len(points))
	for _, point := range points {
		both = append(both, point.X, -point.X)
	}
	_, widest := quantiles(both, share)
	return widest
}

var (
	cloudColour = color.NRGBA{R: 0x58, G: 0xa8, B: 0xea, A: 0xff}
	oneSigma    = draw.LineStyle{Color: orange, Width: 1.1}
	threeSigma  = draw.LineStyle{Color: blue, Width: 1.1}
	sigmaLegend = []legendEntry{lineEntry("1σ: σ = |r|", oneSigma), lineEntry("3σ: σ = |r|/3", threeSigma)}
)

// sigmaLines draws the lines on which a residual is as large as one and three
// standard deviations.
type sigmaLines struct{}

// Plot implements plot.Plotter.
func (sigmaLines) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, line := range []struct {
		times float64
		style draw.LineStyle
	}{{1, oneSigma}, {3, threeSigma}} {
		for _, end := range []float64{p.X.Min, p.X.Max} {
			r := end
			if top := line.times * p.Y.Max; top < max(r, -r) {
				r *= top / max(r, -r)
			}
			c.StrokeLine2(line.style, x(0), y(0), x(r), y(max(r, -r)/line.times))
		}
	}
}
