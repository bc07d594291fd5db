package shape

import (
	"image"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// rasterDensity is the number of dots per inch of pictures within a figure.
const rasterDensity = 300

// Raster draws a picture over the data area. render returns the picture for a size in dots.
func Raster(c draw.Canvas, render func(width, height int) image.Image) {
	const dot = vg.Inch / rasterDensity
	size := c.Rectangle.Size()
	width := int(math.Round(float64(size.X / dot)))
	height := int(math.Round(float64(size.Y / dot)))
	if width < 1 || height < 1 {
		return
	}
	c.DrawImage(c.Rectangle, render(width, height))
}

// Cloud is a plotter that draws many points as a picture of small translucent discs: the more discs
// overlap, the more opaque is their colour. (As paths, they would make an SVG file of many
// megabytes.) Points outside the axes are not drawn.
type Cloud struct {
	Points plotter.XYs
	Counts []int // number of discs at each of Points, in their order; nil if there is one each
	Colour color.NRGBA
	Radius vg.Length // of a disc
}

// Plot implements plot.Plotter. The more discs overlap at the densest dot, the less opaque is a single
// disc. The picture has a palette, which makes its file smaller; a colour's index is its opacity.
func (s Cloud) Plot(c draw.Canvas, p *plot.Plot) {
	const dimming = 0.3 // a single disc is the less opaque for each factor of e in the number of discs; chosen by eye
	Raster(c, func(width, height int) image.Image {
		overlap := s.overlap(p, width, height)
		largest := max(1, slices.Max(overlap))
		single := 1 / (1 + dimming*math.Log(largest)) // opacity of a single disc
		picture := image.NewPaletted(image.Rect(0, 0, width, height), s.palette())
		for dot, discs := range overlap { // Pix, too, has the dots row by row from the top
			picture.Pix[dot] = uint8(math.Round(opacity(discs, single, largest) * (shades - 1)))
		}
		return picture
	})
}

// opacity returns the opacity, from 0 to 1, of a dot that lies in the given number of discs. single is
// the opacity of one disc, and largest the largest number of discs at any dot. The logarithm keeps a
// single point visible beside the middle of the cloud.
func opacity(discs, single, largest float64) float64 {
	if discs <= 1 {
		return single * discs
	}
	return single + (1-single)*math.Log(discs)/math.Log(largest)
}

// shades is the number of colours in a cloud, from transparent to opaque. More could not be told apart.
const shades = 64

// palette returns shades of the cloud's colour, from transparent to opaque.
func (s Cloud) palette() color.Palette {
	palette := make(color.Palette, shades)
	for i := range palette {
		shade := s.Colour
		shade.A = uint8(math.Round(255 * float64(i) / (shades - 1)))
		palette[i] = shade
	}
	return palette
}

// overlap returns how many discs lie on each dot of a picture of the data area, row by row from the top.
// width and height are the picture's size in dots. Points outside the axes are ignored.
func (s Cloud) overlap(p *plot.Plot, width, height int) []float64 {
	counts := discCounts{width: width, height: height, ofDot: make([]float64, width*height)}
	radius := float64(s.Radius) * rasterDensity / float64(vg.Inch) // dots
	for i, point := range s.Points {
		count := 1.0
		if s.Counts != nil {
			count = float64(s.Counts[i])
		}
		x := p.X.Norm(point.X) * float64(width)
		y := (1 - p.Y.Norm(point.Y)) * float64(height)                              // downwards, other than on the axis
		isInside := x >= 0 && x <= float64(width) && y >= 0 && y <= float64(height) // false for NaN
		if isInside {
			counts.add(x, y, radius, count)
		}
	}
	return counts.ofDot
}

// discCounts has the number of discs on each dot of a picture.
type discCounts struct {
	width, height int       // in dots
	ofDot         []float64 // row by row from the top; a disc counts in part where it covers a dot in part
}

// add adds count discs around the point x, y, which lies x dots from the left edge and y dots from the top.
// A disc covers a dot fully if the dot's middle is at least half a dot inside its rim, not at all if it is
// half a dot outside, and in proportion between them: the rim has soft edges.
func (d *discCounts) add(x, y, radius, count float64) {
	firstRow := max(0, int(y-radius))
	lastRow := min(d.height-1, int(y+radius+1))
	firstColumn := max(0, int(x-radius))
	lastColumn := min(d.width-1, int(x+radius+1))
	for row := firstRow; row <= lastRow; row++ {
		for column := firstColumn; column <= lastColumn; column++ {
			distance := math.Hypot(float64(column)+0.5-x, float64(row)+0.5-y) // of the dot's middle from the disc's
			d.ofDot[row*d.width+column] += count * min(1, max(0, radius+0.5-distance))
		}
	}
}

// CountOutside returns the number of points outside the axes of the plot.
func CountOutside(points plotter.XYs, p *plot.Plot) int {
	outside := 0
	for _, point := range points {
		isInside := point.X >= p.X.Min && point.X <= p.X.Max && point.Y >= p.Y.Min && point.Y <= p.Y.Max
		if !isInside { // also if a coordinate is NaN
			outside++
		}
	}
	return outside
}
