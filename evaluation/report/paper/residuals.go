package paper

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
	"sml/evaluation/report/internal/shape"
)

var (
	cloudColour = color.NRGBA{R: 0x58, G: 0xa8, B: 0xea, A: 0xff}
	oneSigma    = draw.LineStyle{Color: drawing.Orange, Width: 1.1}
	threeSigma  = draw.LineStyle{Color: drawing.Blue, Width: 1.1}
	sigmaLegend = []drawing.Entry{drawing.LineEntry("1σ: σ = |r|", oneSigma), drawing.LineEntry("3σ: σ = |r|/3", threeSigma)}
)

// residualPlot shows uncertainties over residuals, from −widest to widest and from 0
// to highest, with the lines on which a residual is as large as one and three
// standard deviations; where there are no points it says so.
func residualPlot(points plotter.XYs, widest, highest float64, radius vg.Length) *plot.Plot {
	p := drawing.NewPlot("", "")
	p.X.Padding, p.Y.Padding = 0, 2
	line := func(times float64, style draw.LineStyle) *plotter.Line {
		return &plotter.Line{XYs: plotter.XYs{{X: -widest, Y: widest / times}, {}, {X: widest, Y: widest / times}}, LineStyle: style}
	}
	if len(points) > 0 {
		p.Add(shape.Cloud{Points: points, Colour: cloudColour, Radius: radius}, line(1, oneSigma), line(3, threeSigma))
	} else {
		p.Add(shape.Message("no predictions"))
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -widest, widest, 0, highest
	return p
}

// widestResidual is the size that the given share of the residuals do not exceed.
func widestResidual(points plotter.XYs, share float64) float64 {
	both := make([]float64, 0, 2*len(points))
	for _, point := range points {
		both = append(both, point.X, -point.X)
	}
	_, widest := axes.Quantiles(both, share)
	return widest
}
