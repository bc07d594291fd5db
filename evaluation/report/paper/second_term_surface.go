package paper

import (
	"context"
	"image/color"
	"math"
	"strconv"

	"sml/evaluation/report/chart"
)

// minimumBlue is the colour of the minima, which contrasts with the colours of the bands.
var minimumBlue = color.NRGBA{R: 0x1c, G: 0x60, B: 0xc2, A: 0xff}

// secondTermSurface draws figure 3: the expected second term of the loss over the mean μ_drop and the standard deviation
// σ_drop of the sub-networks, for a residual r ~ N(0,1) (see expectedSecondTerm). Lines are the minima over
// μ_drop for each σ_drop. They bifurcate at σ_drop = 2/π, and end in two global minima at σ_drop = 0.
func secondTermSurface(context.Context, *part) (f chart.Figure, caption string, err error) {
	const (
		largestMu    = 1.5  // a little beyond the global minima, at ±√(2/π) ≈ ±0.8
		largestSigma = 1.1  // a little beyond the bifurcation, at 2/π ≈ 0.64
		starHeight   = 0.02 // of the middle of a star above the x axis, so that the star is complete
	)
	globalMinimum := bestMean(0) // its μ_drop; the other one is at the negative μ_drop
	arms := minimumArms()
	stem := chart.Straight(0, bifurcation, 0, largestSigma, minimumBlue)
	stem.Width = arms.Width
	f = chart.Figure{
		Width:       400,
		PanelHeight: 270,
		Panels: []chart.Panel{{
			X: chart.Axis{Label: "μ_drop", Min: -largestMu, Max: largestMu, Ticks: chart.RoundTicks(-largestMu, largestMu, 5)},
			Y: chart.Axis{Label: "σ_drop", Max: largestSigma, Ticks: chart.RoundTicks(0, largestSigma, 5)},
			Layers: append([]chart.Layer{
				{Kind: chart.Image, At: func(x, y float64) color.NRGBA { return bandColour(expectedSecondTerm(x, y)) }},
				arms,
				stem,
				{
					Name:   "bifurcation, σ_drop = 2/π",
					Kind:   chart.Points,
					X:      []float64{0},
					Y:      []float64{bifurcation},
					Radius: 3.2,
					Colour: minimumBlue,
				}, {
					Name:   "global minima",
					Kind:   chart.Points,
					X:      []float64{-globalMinimum, globalMinimum},
					Y:      []float64{starHeight, starHeight},
					Mark:   chart.Star,
					Radius: 3.6,
					Colour: minimumBlue,
				},
			}, bandEntries()...),
		}},
	}
	caption = "The expected second term of the loss for a normal residual, over the mean and the standard deviation of the sub-networks, with its minima."
	return f, caption, nil
}

// minimumArms returns the line of the minima from one global minimum, at σ = 0 and negative μ, through the bifurcation
// to the other one, at positive μ.
func minimumArms() chart.Layer {
	const steps = 60 // on each side
	arms := chart.Layer{Name: "minimum over μ_drop", Colour: minimumBlue, Width: 1.6}
	for i := -steps; i <= steps; i++ {
		t := float64(i) / steps          // from −1 through 0, the bifurcation, to 1
		sigma := bifurcation * (1 - t*t) // near the bifurcation σ changes with the square of μ
		arms.Add(math.Copysign(bestMean(sigma), t), sigma)
	}
	return arms
}

// The colours show the second term in bands of equal width.
const (
	bandsLow  = 0.3
	bandWidth = 0.1
)

// bandColours are the colours of the bands, from light for small values to dark for large ones.
var bandColours = []color.NRGBA{
	{0xff, 0xfc, 0xec, 0xff}, {0xff, 0xf4, 0xd6, 0xff}, {0xfe, 0xec, 0xbf, 0xff}, {0xfd, 0xe0, 0xa8, 0xff},
	{0xfc, 0xd1, 0x8f, 0xff}, {0xfb, 0xc1, 0x76, 0xff}, {0xf6, 0xab, 0x64, 0xff}, {0xf1, 0x95, 0x53, 0xff},
	{0xe7, 0x7e, 0x46, 0xff}, {0xd8, 0x67, 0x3f, 0xff}, {0xc9, 0x50, 0x37, 0xff}, {0xb1, 0x40, 0x34, 0xff},
	{0x9a, 0x31, 0x31, 0xff}, {0x81, 0x25, 0x2d, 0xff}, {0x68, 0x1e, 0x2a, 0xff}, {0x4e, 0x17, 0x27, 0xff},
}

// bandColour returns the colour of the value's band. Values beyond the bands have the nearest band's colour.
func bandColour(value float64) color.NRGBA {
	band := int((value - bandsLow) / bandWidth)
	return bandColours[min(len(bandColours)-1, max(0, band))]
}

// bandEntries returns a legend entry for every third band, with the smallest value of the band.
func bandEntries() []chart.Layer {
	const step = 3
	var entries []chart.Layer
	for i := 0; i < len(bandColours); i += step {
		lowest := strconv.FormatFloat(bandsLow+bandWidth*float64(i), 'f', 1, 64)
		entries = append(entries, chart.Layer{Name: "L_sml ≥ " + lowest, Kind: chart.Boxes, Colour: bandColours[i]})
	}
	return entries
}
