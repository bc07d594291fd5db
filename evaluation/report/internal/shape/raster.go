package shape

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// rasterDensity is that of the pictures within a figure, in dots per inch.
const rasterDensity = 300

// Raster draws a picture over the data area, rounded to whole dots: render
// returns it for the size given, in dots.
func Raster(c draw.Canvas, render func(width, height int) image.Image) {
	const dot = vg.Inch / rasterDensity
	size := c.Rectangle.Size()
	width, height := int(math.Round(float64(size.X/dot))), int(math.Round(float64(size.Y/dot)))
	if width < 1 || height < 1 {
		return
	}
	c.DrawImage(c.Rectangle, render(width, height))
}

// Cloud draws many points as a picture, in which they are small discs, the
// fuller the more of them lie upon one another. Paths would make an SVG file
// of many megabytes. Points outside the axes are not drawn.
type Cloud struct {
	Points plotter.XYs
	Counts []int // how many points each stands for; nil: one
	Colour color.NRGBA
	Radius vg.Length // of a disc
}

// Plot implements plot.Plotter.
func (s Cloud) Plot(c draw.Canvas, p *plot.Plot) {
	Raster(c, func(width, height int) image.Image {
		depth := s.depth(p, width, height)
		most := 1.0
		for _, d := range depth {
			most = max(most, d)
		}
		// On a scale of logarithms, both a single point and the middle of the
		// cloud can be seen.
		single := 1 / (1 + 0.3*math.Log(most))
		opacity := func(depth float64) float64 {
			if depth <= 1 {
				return single * depth
			}
			return single + (1-single)*math.Log(depth)/math.Log(most)
		}
		const shades = 64
		palette := make(color.Palette, shades)
		for i := range palette {
			shade := s.Colour
			shade.A = uint8(math.Round(255 * float64(i) / (shades - 1)))
			palette[i] = shade
		}
		picture := image.NewPaletted(image.Rect(0, 0, width, height), palette)
		for i, d := range depth {
			picture.Pix[i] = uint8(math.Round(opacity(d) * (shades - 1)))
		}
		return picture
	})
}

// depth is how many discs lie on each dot, from the upper left on; a disc
// covers the dots at its rim in part.
func (s Cloud) depth(p *plot.Plot, width, height int) []float64 {
	depth := make([]float64, width*height)
	radius := float64(s.Radius) * rasterDensity / float64(vg.Inch)
	for k, point := range s.Points {
		times := 1.0
		if s.Counts != nil {
			times = float64(s.Counts[k])
		}
		x, y := p.X.Norm(point.X)*float64(width), (1-p.Y.Norm(point.Y))*float64(height)
		if !(x >= 0 && x <= float64(width) && y >= 0 && y <= float64(height)) {
			continue
		}
		for j := max(0, int(y-radius)); j <= min(height-1, int(y+radius+1)); j++ {
			for i := max(0, int(x-radius)); i <= min(width-1, int(x+radius+1)); i++ {
				covered := radius + 0.5 - math.Hypot(float64(i)+0.5-x, float64(j)+0.5-y)
				depth[j*width+i] += times * min(1, max(0, covered))
			}
		}
	}
	return depth
}

// Outside counts the points that lie outside the axes of the plot, or nowhere.
func Outside(points plotter.XYs, p *plot.Plot) int {
	n := 0
	for _, point := range points {
		if !(point.X >= p.X.Min && point.X <= p.X.Max && point.Y >= p.Y.Min && point.Y <= p.Y.Max) {
			n++
		}
	}
	return n
}
