package paper

import (
	"image/color"

	"sml/evaluation/report/chart"
)

var cloudColour = color.NRGBA{R: 0x58, G: 0xa8, B: 0xea, A: 0xff}

// residualPanel returns a panel of uncertainties, y, over residuals, x, from −widest to widest and from 0 to highest.
// Lines show where a residual is as large as one and three standard deviations. Without points the panel has a message.
func residualPanel(points chart.Layer, widest, highest float64) chart.Panel {
	p := chart.Panel{
		X: chart.Axis{Min: -widest, Max: widest},
		Y: chart.Axis{Max: highest},
	}
	if len(points.X) == 0 {
		p.Layers = []chart.Layer{{
			Kind:   chart.Texts,
			X:      []float64{0},
			Y:      []float64{highest / 2},
			Labels: []string{"no predictions"},
			Colour: chart.Grey,
		}}
		return p
	}
	points.Kind = chart.Cloud
	points.Colour = cloudColour
	oneSigma := sigmaLine(widest, 1, chart.Orange)
	oneSigma.Name = "1σ: σ = |r|"
	threeSigma := sigmaLine(widest, 3, chart.Blue)
	threeSigma.Name = "3σ: σ = |r|/3"
	p.Layers = []chart.Layer{points, oneSigma, threeSigma}
	return p
}

// sigmaLine returns the V-shaped line on which |r| = factor·σ, for residuals r up to widest.
func sigmaLine(widest, factor float64, colour color.NRGBA) chart.Layer {
	sigma := widest / factor
	return chart.Layer{X: []float64{-widest, 0, widest}, Y: []float64{sigma, 0, sigma}, Colour: colour}
}

// widestResidual returns the absolute value that the given fraction of the residuals do not exceed. It is a quantile of
// the residuals and their negatives, whose distribution is symmetric.
func widestResidual(residuals []float64, fraction float64) float64 {
	bothSigns := make([]float64, 0, 2*len(residuals))
	for _, r := range residuals {
		bothSigns = append(bothSigns, r, -r)
	}
	_, widest := chart.Quantiles(bothSigns, fraction)
	return widest
}
