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
	cloudColour    = color.NRGBA{R: 0x58, G: 0xa8, B: 0xea, A: 0xff}
	oneSigmaLine   = draw.LineStyle{Color: drawing.Orange, Width: 1.1}
	threeSigmaLine = draw.LineStyle{Color: drawing.Blue, Width: 1.1}
	sigmaLegend    = []drawing.Entry{drawing.LineEntry("1σ: σ = |r|", oneSigmaLine), drawing.LineEntry("3σ: σ = |r|/3", threeSigmaLine)}
)

// residualPlot returns a plot of uncertainties over residuals, from −widest to widest and from 0 to
// highest. Lines show where a residual is as large as one and three standard deviations. Without points
// the plot has a message.
func residualPlot(points plotter.XYs, widest, highest float64, radius vg.Length) *plot.Plot {
	p := drawing.NewPlot("", "")
	p.X.Padding = 0
	p.Y.Padding = 2
	if len(points) > 0 {
		cloud := shape.Cloud{Points: points, Colour: cloudColour, Radius: radius}
		p.Add(cloud, newSigmaLine(widest, 1, oneSigmaLine), newSigmaLine(widest, 3, threeSigmaLine))
	} else {
		p.Add(shape.Message("no predictions"))
	}
	p.X.Min = -widest
	p.X.Max = widest
	p.Y.Min = 0
	p.Y.Max = highest
	return p
}

// newSigmaLine returns the V-shaped line on which |r| = factor·σ, for residuals r up to widest.
func newSigmaLine(widest, factor float64, style draw.LineStyle) *plotter.Line {
	sigma := widest / factor
	return &plotter.Line{XYs: plotter.XYs{{X: -widest, Y: sigma}, {X: 0, Y: 0}, {X: widest, Y: sigma}}, LineStyle: style}
}

// widestResidual returns the absolute value that the given fraction of the residuals do not exceed. It is a
// quantile of the residuals and their negatives, whose distribution is symmetric.
func widestResidual(points plotter.XYs, fraction float64) float64 {
	bothSigns := make([]float64, 0, 2*len(points))
	for _, point := range points {
		bothSigns = append(bothSigns, point.X, -point.X)
	}
	_, widest := axes.Quantiles(bothSigns, fraction)
	return widest
}
