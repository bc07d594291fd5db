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

// minimumBlue stands on the colours of the bands, which are the same in the dark.
var (
	minimumBlue = color.NRGBA{R: 0x1c, G: 0x60, B: 0xc2, A: 0xff}
	minimumLine = draw.LineStyle{Color: minimumBlue, Width: 1.6}
)

// secondTermSurface is figure 3: the expected second term of the loss over the mean
// μ_drop and the spread σ_drop of the sub-networks, for a residual r ~ N(0,1)
// (evaluation.AnalyticSecondTerm), with the minima over μ_drop for each σ_drop, their
// bifurcation at σ_drop = 2/π, and the two global minima at σ_drop = 0.
func secondTermSurface(context.Context, *part) (*drawing.Figure, string, error) {
	p := drawing.NewPlot("μ_drop", "σ_drop")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -1.5, 1.5, 0, 1.1
	p.X.Tick.Marker, p.Y.Tick.Marker = axes.RoundTicks(5), axes.RoundTicks(5)
	p.X.Padding, p.Y.Padding = 0, 0

	const steps = 60
	var arms plotter.XYs
	for i := -steps; i <= steps; i++ {
		t := float64(i) / steps // along the arms, as μ: σ changes by its square at the bifurcation
		sigma := evaluation.Bifurcation * (1 - t*t)
		arms = append(arms, plotter.XY{X: math.Copysign(evaluation.AnalyticMinimum(sigma), t), Y: sigma})
	}
	p.Add(bands(evaluation.AnalyticSecondTerm),
		&plotter.Line{XYs: arms, LineStyle: minimumLine},
		&plotter.Line{XYs: plotter.XYs{{X: 0, Y: evaluation.Bifurcation}, {X: 0, Y: p.Y.Max}}, LineStyle: minimumLine},
		mark{0, evaluation.Bifurcation, bifurcationMark},
		mark{-evaluation.AnalyticMinimum(0), 0, globalMark}, mark{evaluation.AnalyticMinimum(0), 0, globalMark})

	return &drawing.Figure{
		Width: 5.6 * vg.Inch, Height: 3.9 * vg.Inch,
		Panels: [][]drawing.Panel{{{Plot: p}}},
		Legend: [][]drawing.Entry{{
			drawing.LineEntry("minimum over μ_drop", minimumLine),
			drawing.PointEntry("bifurcation, σ_drop = 2/π", bifurcationMark),
			drawing.PointEntry("global minima", globalMark),
		}, {bandsEntry("L_sml")}},
	}, "The second term of the loss for a Gaussian residual, over mean and standard deviation of the sub-networks, with its minima.", nil
}

func bifurcationMark(c draw.Canvas, at vg.Point) {
	shape.Ring.Draw(c, at, 3.2, minimumBlue, false)
}

func globalMark(c draw.Canvas, at vg.Point) {
	star := shape.Polygon(5, 1.5, 0.65, 90)
	star.Draw(c, at, 3.2, color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}, false)
	star.Draw(c, at, 3.2, minimumBlue, true)
}

// mark is drawn at a point.
type mark struct {
	x, y float64
	draw func(c draw.Canvas, at vg.Point)
}

// Plot implements plot.Plotter.
func (m mark) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	m.draw(c, vg.Point{X: x(m.x), Y: y(m.y)})
}

// The bands of the second term: each 0.1 wide, from light for small values to
// dark for large ones.
const (
	bandsFrom, bandsTo, bandWidth = 0.3, 1.9, 0.1
)

var bandColours = func() color.Palette {
	anchors := []color.NRGBA{
		{0xff, 0xfc, 0xec, 0xff}, {0xfe, 0xe8, 0xb4, 0xff}, {0xfb, 0xc1, 0x76, 0xff},
		{0xee, 0x8a, 0x4a, 0xff}, {0xc9, 0x50, 0x37, 0xff}, {0x8e, 0x29, 0x2f, 0xff}, {0x4e, 0x17, 0x27, 0xff},
	}
	n := int(math.Round((bandsTo - bandsFrom) / bandWidth))
	colours := make(color.Palette, n)
	for i := range colours {
		at := float64(i) / float64(n-1) * float64(len(anchors)-1)
		k := min(int(at), len(anchors)-2)
		mix := func(a, b uint8) uint8 {
			return uint8(math.Round(float64(a) + (at-float64(k))*(float64(b)-float64(a))))
		}
		a, b := anchors[k], anchors[k+1]
		colours[i] = color.NRGBA{R: mix(a.R, b.R), G: mix(a.G, b.G), B: mix(a.B, b.B), A: 0xff}
	}
	return colours
}()

// bandsEntry explains the colours, by the least value of each band.
func bandsEntry(text string) drawing.Entry {
	const wide, high = 12, 10
	return drawing.Entry{Text: text, Width: vg.Length(wide * len(bandColours)), Sample: func(c draw.Canvas, left vg.Point) {
		style := drawing.TextStyle(drawing.NoteSize)
		style.XAlign, style.YAlign, style.Color = draw.XCenter, draw.YCenter, drawing.TextOnColour
		for i, colour := range bandColours {
			x := left.X + vg.Length(wide*i)
			c.FillPolygon(colour, shape.Rectangle(x, left.Y-high/2, x+wide, left.Y+high/2))
			if i > len(bandColours)/2 {
				style.Color = color.White
			}
			c.FillText(style, vg.Point{X: x + wide/2, Y: left.Y}, strconv.FormatFloat(bandsFrom+bandWidth*float64(i), 'f', 1, 64))
		}
	}}
}

// bands fills the data area with the colour of a function's band at each dot.
type bands func(x, y float64) float64

// Plot implements plot.Plotter.
func (f bands) Plot(c draw.Canvas, p *plot.Plot) {
	shape.Raster(c, func(width, height int) image.Image {
		picture := image.NewPaletted(image.Rect(0, 0, width, height), bandColours)
		for j := range height {
			y := p.Y.Max - (float64(j)+0.5)/float64(height)*(p.Y.Max-p.Y.Min)
			for i := range width {
				x := p.X.Min + (float64(i)+0.5)/float64(width)*(p.X.Max-p.X.Min)
				band := int((f(x, y) - bandsFrom) / bandWidth)
				picture.Pix[j*picture.Stride+i] = uint8(min(len(bandColours)-1, max(0, band)))
			}
		}
		return picture
	})
}
