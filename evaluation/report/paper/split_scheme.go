package paper

import (
	"context"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/report/drawing"
)

// splitScheme draws figure 6, on an invented cloud of rows. Pca folds divide the rows along the first
// principal component of the inputs, and label folds along the label, into ten parts with equally many
// rows. Each part in turn is the test set: the outermost two test extrapolation, the others
// interpolation.
func splitScheme(context.Context, *part) (f *drawing.Figure, caption string, err error) {
	rows := drawSchemeRows()
	var labels []float64
	for _, row := range rows {
		labels = append(labels, row.label)
	}
	panels := []drawing.Panel{
		{Title: "pca folds", Plot: newPCAScheme(rows).newPlot(), Square: true}, // for right angles
		{Title: "label folds", Plot: newLabelScheme(labels).newPlot()},
	}
	f = &drawing.Figure{
		Width:  drawing.WideWidth,
		Height: 3.2 * vg.Inch,
		Panels: [][]drawing.Panel{panels}, // one row
		Legend: [][]drawing.Entry{schemeLegend()},
	}
	caption = "The pca folds divide the rows along the first principal component, the label folds along the label. Testing on an inner part is interpolation, on an outer part extrapolation."
	return f, caption, nil
}

// schemeLegend returns the legend entries of the principal component and of the splits with data shift.
func schemeLegend() []drawing.Entry {
	legend := []drawing.Entry{drawing.LineEntry("first principal component", componentLine)}
	for _, s := range drawing.Splits {
		if s.Shift {
			legend = append(legend, drawing.ColourEntry(s.Name, s.Colour))
		}
	}
	return legend
}

// schemeRow is an invented row with two inputs.
type schemeRow struct {
	along  float64 // coordinate of the inputs along the first principal component
	across float64 // coordinate of the inputs at a right angle to the component
	label  float64
}

// drawSchemeRows draws the rows of figure 6, the same ones in each call. The numbers have no further
// meaning: they give a cloud that is clearly longer than wide, and labels with a long tail above.
func drawSchemeRows() []schemeRow {
	const (
		rowCount   = 500
		alongStd   = 1.55
		acrossStd  = 0.62
		labelRange = 1.4  // of the labels without noise, from 0
		labelPower = 1.4  // above 1: small labels are more frequent than large ones
		labelStd   = 0.22 // standard deviation of the noise
		seed       = 1
	)
	rng := rand.New(rand.NewPCG(seed, 0))
	var rows []schemeRow
	for range rowCount {
		var row schemeRow
		row.along = drawBounded(rng, alongStd)
		row.across = drawBounded(rng, acrossStd)
		row.label = labelRange*math.Pow(rng.Float64(), labelPower) + labelStd*rng.NormFloat64()
		rows = append(rows, row)
	}
	return rows
}

// drawBounded draws from N(0, std²) without the tails: a few rows far outside would make the rest of the
// cloud small. It draws again until a value is not in the tails, which takes 1.03 draws on average.
func drawBounded(rng *rand.Rand, std float64) float64 {
	const bound = 2.2 // standard deviations
	for {
		z := rng.NormFloat64()
		if math.Abs(z) < bound {
			return std * z
		}
	}
}

// schemeFolds is the number of folds of either split.
const schemeFolds = 10

var (
	cutLine       = draw.LineStyle{Color: drawing.Ink, Width: 0.5} // between two folds
	componentLine = draw.LineStyle{Color: drawing.Ink, Width: 1.2}
)

// foldColour returns the colour of a fold of a split. kind is "pca" or "label". The first and the last fold
// have the colour of extrapolation.
func foldColour(fold int, kind string) color.NRGBA {
	if fold == 0 || fold == schemeFolds-1 {
		return splitColour(kind + "-extrapolate")
	}
	return splitColour(kind + "-interpolate")
}

// foldEdges returns the schemeFolds + 1 edges of the folds, which have equally many values: the minimum, the
// quantiles between the folds, and the maximum.
func foldEdges(values []float64) []float64 {
	sorted := slices.Sorted(slices.Values(values))
	edges := make([]float64, schemeFolds+1)
	for k := range edges {
		level := float64(k) / schemeFolds
		edges[k] = stat.Quantile(level, stat.Empirical, sorted, nil) // nil: all values have the same weight
	}
	return edges
}

// pcaScheme is a plotter of rows over their two inputs, with their first principal component and the lines
// that divide them into folds. In its coordinates, u is along the component and v is across it.
type pcaScheme struct {
	rows        []schemeRow
	edges       []float64 // u of the edges of the folds, as from foldEdges
	reachAlong  float64   // largest |u| of the component's line
	reachAcross float64   // largest |v| of the lines between the folds
}

// newPCAScheme returns a plotter of the rows. Its lines extend a little beyond the farthest rows.
func newPCAScheme(rows []schemeRow) pcaScheme {
	const (
		extraAlong  = 0.4
		extraAcross = 0.25
	)
	var s pcaScheme
	var along []float64
	for _, row := range rows {
		along = append(along, row.along)
		s.reachAlong = max(s.reachAlong, math.Abs(row.along))
		s.reachAcross = max(s.reachAcross, math.Abs(row.across))
	}
	s.rows = rows
	s.edges = foldEdges(along)
	s.reachAlong += extraAlong
	s.reachAcross += extraAcross
	return s
}

// schemeAngle is the angle between the component and the first input, in radians.
const schemeAngle = math.Pi / 7

// inputsAt returns the two inputs at the coordinates u and v, by a rotation through schemeAngle.
func (s pcaScheme) inputsAt(u, v float64) (x, y float64) {
	sin, cos := math.Sincos(schemeAngle)
	return u*cos - v*sin, u*sin + v*cos
}

// newPlot returns a plot with the scheme.
func (s pcaScheme) newPlot() *plot.Plot {
	p := drawing.NewPlot("input 1", "input 2")
	right, top := s.corner()
	p.X.Min = -right
	p.X.Max = right
	p.Y.Min = -top
	p.Y.Max = top
	p.Add(s)
	return p
}

// corner returns the upper right corner of the plot. The lower left corner is equally far from 0. At the
// right, the plot ends with the component; above, it has space for the upper end of the last line between two
// folds.
func (s pcaScheme) corner() (x, y float64) {
	const (
		lastLine = 0.65 // a little more than the u of the last line, as a part of reachAlong
		space    = 0.1  // above the last line
	)
	x, _ = s.inputsAt(s.reachAlong, 0)
	_, y = s.inputsAt(lastLine*s.reachAlong, s.reachAcross)
	return x, y + space
}

// Plot implements plot.Plotter. The panel must be square, so that right angles are right. Each row has the
// colour of its fold, and each fold has its number at one end of the lines.
func (s pcaScheme) Plot(c draw.Canvas, p *plot.Plot) {
	const rowRadius = vg.Length(1.5)
	toX, toY := p.Transforms(&c)
	point := func(u, v float64) vg.Point {
		x, y := s.inputsAt(u, v)
		return vg.Point{X: toX(x), Y: toY(y)}
	}
	for _, row := range s.rows {
		colour := foldColour(foldOf(row.along, s.edges), "pca")
		dot.Draw(c, point(row.along, row.across), rowRadius, colour, false)
	}
	style := drawing.TextStyle(drawing.TickSize)
	style.XAlign = draw.XCenter
	style.YAlign = draw.YCenter
	for fold := range schemeFolds {
		if fold > 0 {
			edge := s.edges[fold]
			c.StrokeLines(cutLine, []vg.Point{point(edge, -s.reachAcross), point(edge, s.reachAcross)})
		}
		c.FillText(style, point(s.numberPosition(fold), -s.reachAcross), strconv.Itoa(fold))
	}
	drawComponent(c, point(-s.reachAlong, 0), point(s.reachAlong, 0))
}

// numberPosition returns the u at which a fold's number stands: in the middle of the fold. The outer folds
// are wide, and their numbers stay close to the numbers of the inner folds.
func (s pcaScheme) numberPosition(fold int) float64 {
	const maxDistance = 0.4 // of the outer folds' numbers from the inner folds
	firstInner := s.edges[1]
	lastInner := s.edges[schemeFolds-1]
	middle := (s.edges[fold] + s.edges[fold+1]) / 2
	return min(lastInner+maxDistance, max(firstInner-maxDistance, middle))
}

// foldOf returns the fold of a value, given the edges of all folds. An inner edge belongs to the fold above.
func foldOf(value float64, edges []float64) int {
	fold := 0
	for fold < schemeFolds-1 && value >= edges[fold+1] {
		fold++
	}
	return fold
}

// drawComponent draws the principal component as an arrow. Its direction is schemeAngle, since a unit has the
// same length on both axes.
func drawComponent(c draw.Canvas, start, end vg.Point) {
	const (
		headLength = 7           // points
		headAngle  = math.Pi / 7 // between the arrow and each side of its head
	)
	c.StrokeLines(componentLine, []vg.Point{start, end})
	for _, side := range []float64{-1, 1} {
		sin, cos := math.Sincos(schemeAngle + math.Pi + side*headAngle) // + π: the head points back from the end
		barb := vg.Point{X: vg.Length(headLength * cos), Y: vg.Length(headLength * sin)}
		c.StrokeLines(componentLine, []vg.Point{end, end.Add(barb)})
	}
}

// labelScheme is a plotter of the density of labels, divided at its quantiles. The density is a kernel
// density estimate.
type labelScheme struct {
	labels    []float64
	edges     []float64 // edges of the folds, as from foldEdges, the outermost beyond the labels
	bandwidth float64   // standard deviation of the normal kernels
}

// newLabelScheme returns a plotter of the density of labels. The outermost folds extend by two bandwidths
// beyond the labels, as far as the density can be seen.
func newLabelScheme(labels []float64) labelScheme {
	n := float64(len(labels))
	s := labelScheme{
		labels:    labels,
		edges:     foldEdges(labels),
		bandwidth: 1.06 * stat.StdDev(labels, nil) * math.Pow(n, -0.2), // Silverman's rule of thumb
	}
	s.edges[0] -= 2 * s.bandwidth
	s.edges[schemeFolds] += 2 * s.bandwidth
	return s
}

// newPlot returns a plot with the scheme.
func (s labelScheme) newPlot() *plot.Plot {
	const headroom = 1.16 // factor: space for the number above the highest fold
	p := drawing.NewPlot("label y", "density of rows")
	p.X.Min = s.edges[0]
	p.X.Max = s.edges[schemeFolds]
	p.Y.Min = 0
	p.Y.Max = headroom * s.maxDensity()
	p.Y.Padding = 0
	p.Add(s)
	return p
}

// density returns the estimated density at y: the mean of the normal densities around all labels.
func (s labelScheme) density(y float64) float64 {
	sum := 0.0
	for _, label := range s.labels {
		z := (y - label) / s.bandwidth
		sum += math.Exp(-z * z / 2)
	}
	return sum / (float64(len(s.labels)) * s.bandwidth * math.Sqrt(2*math.Pi))
}

// foldLabels returns equidistant labels from one edge of a fold to the other.
func (s labelScheme) foldLabels(fold int) []float64 {
	const steps = 30 // enough for the outline of the density to look smooth
	labels := make([]float64, steps+1)
	for i := range labels {
		labels[i] = s.edges[fold] + (s.edges[fold+1]-s.edges[fold])*float64(i)/steps
	}
	return labels
}

// maxDensity returns the largest density of any fold.
func (s labelScheme) maxDensity() float64 {
	highest := 0.0
	for fold := range schemeFolds {
		for _, y := range s.foldLabels(fold) {
			highest = max(highest, s.density(y))
		}
	}
	return highest
}

// Plot implements plot.Plotter. It fills the area below the density in the colours of the folds, with a line
// between two folds and the number of each fold above its middle.
func (s labelScheme) Plot(c draw.Canvas, p *plot.Plot) {
	const numberDistance = 4 // points, from the density to a number
	toX, toY := p.Transforms(&c)
	style := drawing.TextStyle(drawing.TickSize)
	style.XAlign = draw.XCenter
	style.YAlign = draw.YBottom
	for fold := range schemeFolds {
		low := s.edges[fold]
		high := s.edges[fold+1]
		outline := []vg.Point{{X: toX(high), Y: toY(0)}, {X: toX(low), Y: toY(0)}} // the base, from right to left
		for _, label := range s.foldLabels(fold) {
			outline = append(outline, vg.Point{X: toX(label), Y: toY(s.density(label))})
		}
		c.FillPolygon(foldColour(fold, "label"), outline)
		if fold > 0 {
			c.StrokeLine2(cutLine, toX(low), toY(0), toX(low), toY(s.density(low)))
		}
		middle := (low + high) / 2
		c.FillText(style, vg.Point{X: toX(middle), Y: toY(s.density(middle)) + numberDistance}, strconv.Itoa(fold))
	}
}
