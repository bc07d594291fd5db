package paper

import (
	"context"
	"image"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
	"sml/evaluation/report/internal/shape"
)

// minimumBlue is the colour of the minima. It contrasts with the colours of the bands, which do not
// change in dark mode.
var minimumBlue = color.NRGBA{R: 0x1c, G: 0x60, B: 0xc2, A: 0xff}

var minimumLine = draw.LineStyle{Color: minimumBlue, Width: 1.6}

// secondTermSurface draws figure 3: the expected second term of the loss over the mean μ_drop and the
// standard deviation σ_drop of the sub-networks, for a residual r ~ N(0,1) (see
// evaluation.AnalyticSecondTerm). Lines are the minima over μ_drop for each σ_drop. They bifurcate at
// σ_drop = 2/π, and end in two global minima at σ_drop = 0.
func secondTermSurface(context.Context, *part) (f *drawing.Figure, caption string, err error) {
	p := drawing.NewPlot("μ_drop", "σ_drop")
	const (
		largestMu    = 1.5 // a little beyond the global minima, at ±√(2/π) ≈ ±0.8
		largestSigma = 1.1 // a little beyond the bifurcation, at 2/π ≈ 0.64
	)
	p.X.Min = -largestMu
	p.X.Max = largestMu
	p.X.Padding = 0
	p.X.Tick.Marker = axes.RoundTicks(5)
	p.Y.Min = 0
	p.Y.Max = largestSigma
	p.Y.Padding = 0
	p.Y.Tick.Marker = axes.RoundTicks(5)
	globalMinimum := evaluation.AnalyticMinimum(0)                             // its μ_drop; the other one is at the negative μ_drop
	stem := plotter.XYs{{X: 0, Y: evaluation.Bifurcation}, {X: 0, Y: p.Y.Max}} // above the bifurcation
	p.Add(
		bands(evaluation.AnalyticSecondTerm),
		&plotter.Line{XYs: minimumArms(), LineStyle: minimumLine},
		&plotter.Line{XYs: stem, LineStyle: minimumLine},
		placedMark{x: 0, y: evaluation.Bifurcation, draw: drawBifurcation},
		placedMark{x: -globalMinimum, y: 0, draw: drawGlobalMinimum},
		placedMark{x: globalMinimum, y: 0, draw: drawGlobalMinimum},
	)
	f = &drawing.Figure{
		Width:  5.6 * vg.Inch,
		Height: 3.9 * vg.Inch,
		Panels: [][]drawing.Panel{{{Plot: p}}},
		Legend: [][]drawing.Entry{{
			drawing.LineEntry("minimum over μ_drop", minimumLine),
			drawing.PointEntry("bifurcation, σ_drop = 2/π", drawBifurcation),
			drawing.PointEntry("global minima", drawGlobalMinimum),
		}, {bandsEntry("L_sml")}},
	}
	caption = "The expected second term of the loss for a normal residual, over the mean and the standard deviation of the sub-networks, with its minima."
	return f, caption, nil
}

// minimumArms returns the line of the minima from one global minimum, at σ = 0 and negative μ, through the
// bifurcation to the other one, at positive μ.
func minimumArms() plotter.XYs {
	const steps = 60 // on each side
	var arms plotter.XYs
	for i := -steps; i <= steps; i++ {
		t := float64(i) / steps                     // from −1 through 0, the bifurcation, to 1
		sigma := evaluation.Bifurcation * (1 - t*t) // near the bifurcation σ changes with the square of μ
		mu := math.Copysign(evaluation.AnalyticMinimum(sigma), t)
		arms = append(arms, plotter.XY{X: mu, Y: sigma})
	}
	return arms
}

// drawBifurcation draws a blue dot.
func drawBifurcation(c draw.Canvas, center vg.Point) {
	shape.Ring.Draw(c, center, 3.2, minimumBlue, false)
}

// drawGlobalMinimum draws a white star with a blue rim.
func drawGlobalMinimum(c draw.Canvas, center vg.Point) {
	star := shape.Polygon(5, 1.5, 0.65, 90)
	star.Draw(c, center, 3.2, color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}, false)
	star.Draw(c, center, 3.2, minimumBlue, true)
}

// placedMark is a plotter of a mark at a point of the data area.
type placedMark struct {
	x, y float64
	draw func(c draw.Canvas, center vg.Point)
}

// Plot implements plot.Plotter.
func (m placedMark) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	m.draw(c, vg.Point{X: toX(m.x), Y: toY(m.y)})
}

// The colours show the second term in bands of equal width.
const (
	bandsLow  = 0.3
	bandsHigh = 1.9
	bandWidth = 0.1
)

// bandColours are the colours of the bands, from light for small values to dark for large ones.
var bandColours = interpolateColours([]color.NRGBA{
	{0xff, 0xfc, 0xec, 0xff}, {0xfe, 0xe8, 0xb4, 0xff}, {0xfb, 0xc1, 0x76, 0xff},
	{0xee, 0x8a, 0x4a, 0xff}, {0xc9, 0x50, 0x37, 0xff}, {0x8e, 0x29, 0x2f, 0xff}, {0x4e, 0x17, 0x27, 0xff},
}, int(math.Round((bandsHigh-bandsLow)/bandWidth)))

// interpolateColours returns count colours at equal distances, from the first anchor over all others to the
// last. Between two anchors it mixes their colours.
func interpolateColours(anchors []color.NRGBA, count int) color.Palette {
	colours := make(color.Palette, count)
	for i := range colours {
		position := float64(i) / float64(count-1) * float64(len(anchors)-1) // 1.5 is in the middle between anchors 1 and 2
		left := min(int(position), len(anchors)-2)                          // the last colour has an anchor at its right, too
		fraction := position - float64(left)
		a := anchors[left]
		b := anchors[left+1]
		colours[i] = color.NRGBA{
			R: mixChannels(a.R, b.R, fraction),
			G: mixChannels(a.G, b.G, fraction),
			B: mixChannels(a.B, b.B, fraction),
			A: 0xff,
		}
	}
	return colours
}

// mixChannels returns a channel of a colour between a and b: a for the fraction 0, and b for 1.
func mixChannels(a, b uint8, fraction float64) uint8 {
	return uint8(math.Round(float64(a) + fraction*(float64(b)-float64(a))))
}

// bandsEntry returns a legend entry with all colours, each with the smallest value of its band. The numbers
// are dark on the light half of the colours, and white on the dark half.
func bandsEntry(text string) drawing.Entry {
	const ( // of a colour, in points
		width  = 12
		height = 10
	)
	sample := func(c draw.Canvas, left vg.Point) {
		style := drawing.TextStyle(drawing.NoteSize)
		style.XAlign = draw.XCenter
		style.YAlign = draw.YCenter
		style.Color = drawing.TextOnColour
		for i, colour := range bandColours {
			x := left.X + vg.Length(width*i)
			c.FillPolygon(colour, shape.Rectangle(x, left.Y-height/2, x+width, left.Y+height/2))
			if i > len(bandColours)/2 {
				style.Color = color.White
			}
			lowest := strconv.FormatFloat(bandsLow+bandWidth*float64(i), 'f', 1, 64)
			c.FillText(style, vg.Point{X: x + width/2, Y: left.Y}, lowest)
		}
	}
	return drawing.Entry{Text: text, Width: vg.Length(width * len(bandColours)), Sample: sample}
}

// bands is a plotter that fills the data area with the colours of a function's bands.
type bands func(x, y float64) float64

// Plot implements plot.Plotter. It draws an image with a pixel for each point of the raster, whose colour is the
// band of the function's value in the pixel's middle. Values beyond the bands have the nearest band's colour.
func (f bands) Plot(c draw.Canvas, p *plot.Plot) {
	shape.Raster(c, func(width, height int) image.Image {
		picture := image.NewPaletted(image.Rect(0, 0, width, height), bandColours)
		for row := range height {
			y := p.Y.Max - (float64(row)+0.5)/float64(height)*(p.Y.Max-p.Y.Min) // row 0 is at the top
			for column := range width {
				x := p.X.Min + (float64(column)+0.5)/float64(width)*(p.X.Max-p.X.Min)
				band := int((f(x, y) - bandsLow) / bandWidth)
				picture.Pix[row*picture.Stride+column] = uint8(min(len(bandColours)-1, max(0, band)))
			}
		}
		return picture
	})
}
