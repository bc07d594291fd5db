package chart

import (
	"image"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// density is the number of dots per inch of PNG files and of pictures within a figure.
const density = 300

// dotsOf returns the size of the data area in dots, at least 1 in each direction.
func dotsOf(c draw.Canvas) (width, height int) {
	dots := func(length vg.Length) int { return max(1, int(math.Round(float64(length/vg.Inch*density)))) }
	size := c.Rectangle.Size()
	return dots(size.X), dots(size.Y)
}

// drawImage fills the data area with a picture. Each dot has the colour of l.At at its middle.
func (l Layer) drawImage(c draw.Canvas, p *plot.Plot) {
	width, height := dotsOf(c)
	picture := image.NewNRGBA(image.Rect(0, 0, width, height))
	for row := range height {
		y := p.Y.Max - (float64(row)+0.5)/float64(height)*(p.Y.Max-p.Y.Min) // row 0 is at the top
		for column := range width {
			x := p.X.Min + (float64(column)+0.5)/float64(width)*(p.X.Max-p.X.Min)
			picture.SetNRGBA(column, row, l.At(x, y))
		}
	}
	c.DrawImage(c.Rectangle, picture)
}

// drawCloud draws the points as a picture of small translucent discs. (As paths, many points would make an SVG file of
// many megabytes.) The more discs overlap at the densest dot, the less opaque is a single disc. The picture has a
// palette, which makes its file smaller; the index of a colour is its opacity.
func (l Layer) drawCloud(c draw.Canvas, p *plot.Plot) {
	const dimming = 0.3 // how much a single disc loses for each factor of e in the number of discs; chosen by eye
	width, height := dotsOf(c)
	overlap := l.overlap(p, width, height)
	mostDiscs := max(1, slices.Max(overlap))
	discOpacity := 1 / (1 + dimming*math.Log(mostDiscs))
	picture := image.NewPaletted(image.Rect(0, 0, width, height), shades(l.Colour))
	for dot, discs := range overlap { // Pix, too, has the dots row by row from the top
		shade := opacity(discs, discOpacity, mostDiscs) * (shadeCount - 1)
		picture.Pix[dot] = uint8(math.Round(shade))
	}
	c.DrawImage(c.Rectangle, picture)
}

// opacity returns the opacity, from 0 to 1, of a dot that lies in the given number of discs: discOpacity for one disc, and
// 1 for mostDiscs, the largest number at any dot. The logarithm keeps a single point visible beside the middle of the
// cloud.
func opacity(discs, discOpacity, mostDiscs float64) float64 {
	if discs <= 1 {
		return discOpacity * discs
	}
	return discOpacity + (1-discOpacity)*math.Log(discs)/math.Log(mostDiscs)
}

// shadeCount is the number of colours in a cloud. More could not be told apart.
const shadeCount = 64

// shades returns shades of a colour, from transparent to opaque.
func shades(c color.NRGBA) color.Palette {
	palette := make(color.Palette, shadeCount)
	for i := range palette {
		c.A = uint8(math.Round(255 * float64(i) / (shadeCount - 1)))
		palette[i] = c
	}
	return palette
}

// overlap returns how many discs lie on each dot of a picture of the data area, row by row from the top. width and
// height are the picture's size in dots. Points beyond the axes are ignored.
func (l Layer) overlap(p *plot.Plot, width, height int) []float64 {
	picture := discCounts{width: width, height: height, ofDot: make([]float64, width*height)}
	radius := l.discRadius() * density / float64(vg.Inch) // dots
	for i := range l.X {
		count := 1.0
		if l.Counts != nil {
			count = float64(l.Counts[i])
		}
		x := p.X.Norm(l.X[i]) * float64(width)        // dots from the left
		y := (1 - p.Y.Norm(l.Y[i])) * float64(height) // dots from the top
		isInside := x >= 0 && x <= float64(width) && y >= 0 && y <= float64(height)
		if isInside { // false for NaN
			picture.add(x, y, radius, count)
		}
	}
	return picture.ofDot
}

// discRadius returns the radius of the cloud's discs in points. By default, discs are smaller if there are more points, so
// that they do not hide one another.
func (l Layer) discRadius() float64 {
	const (
		fewPoints  = 500
		manyPoints = 5000
	)
	switch {
	case l.Radius != 0:
		return l.Radius
	case len(l.X) <= fewPoints:
		return 1.3
	case len(l.X) <= manyPoints:
		return 0.9
	default:
		return 0.5
	}
}

// discCounts has the number of discs on each dot of a picture.
type discCounts struct {
	width, height int       // in dots
	ofDot         []float64 // row by row from the top; a disc counts in part where it covers a dot in part
}

// add adds count discs around the point x, y, which lies x dots from the left edge and y dots from the top. A disc
// covers a dot fully if the dot's middle is at least half a dot inside the disc's rim, and not at all if it is at least
// half a dot outside. Between these, it covers the dot in part, so that the rim has soft edges.
func (d *discCounts) add(x, y, radius, count float64) {
	firstRow := max(0, int(y-radius))
	lastRow := min(d.height-1, int(y+radius+1))
	firstColumn := max(0, int(x-radius))
	lastColumn := min(d.width-1, int(x+radius+1))
	for row := firstRow; row <= lastRow; row++ {
		for column := firstColumn; column <= lastColumn; column++ {
			distance := math.Hypot(float64(column)+0.5-x, float64(row)+0.5-y) // between the middles of dot and disc
			covered := min(1, max(0, radius+0.5-distance))
			d.ofDot[row*d.width+column] += count * covered
		}
	}
}
