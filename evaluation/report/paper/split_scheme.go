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
func splitScheme(context.Context, *part) (*drawing.Figure, string, error) {
	const rows = 500
	rng := rand.New(rand.NewPCG(1, 0))
	var along, across, labels []float64 // coordinates along the component and across it, and labels
	for range rows {
		along = append(along, drawBounded(rng, 1.55))
		across = append(across, drawBounded(rng, 0.62))
		labels = append(labels, 1.4*math.Pow(rng.Float64(), 1.4)+0.22*rng.NormFloat64())
	}

	inputs := drawing.NewPlot("input 1", "input 2")
	cloud := newPCAScheme(along, across)
	inputs.X.Max, inputs.Y.Max = cloud.corner()
	inputs.X.Min = -inputs.X.Max
	inputs.Y.Min = -inputs.Y.Max
	inputs.Add(cloud)

	density := drawing.NewPlot("label y", "density of rows")
	scheme := newLabelScheme(labels)
	density.X.Min = scheme.edges[0]
	density.X.Max = scheme.edges[schemeFolds]
	density.Y.Min = 0
	density.Y.Max = 1.16 * scheme.maxDensity()
	density.Y.Padding = 0
	density.Add(scheme)

	legend := []drawing.Entry{drawing.LineEntry("first principal component", componentLine)}
	for _, s := range drawing.Splits {
		if s.Shift {
			legend = append(legend, drawing.ColourEntry(s.Name, s.Colour))
		}
	}
	return &drawing.Figure{
		Width:  drawing.WideWidth,
		Height: 3.2 * vg.Inch,
		Panels: [][]drawing.Panel{{{Title: "pca folds", Plot: inputs, Square: true}, {Title: "label folds", Plot: density}}},
		Legend: [][]drawing.Entry{legend},
	}, "The pca folds divide the rows along the first principal component, the label folds along the label. Testing on an inner part is interpolation, on an outer part extrapolation.", nil
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
	cutLine       = draw.LineStyle{Color: drawing.Ink, Width: 0.5}
	componentLine = draw.LineStyle{Color: drawing.Ink, Width: 1.2}
)

// foldColour returns the colour of a fold. kind is pca or label.
func foldColour(fold int, kind string) color.NRGBA {
	if fold == 0 || fold == schemeFolds-1 {
		return splitColour(kind + "-extrapolate")
	}
	return splitColour(kind + "-interpolate")
}

// foldEdges returns the edges of the folds, which have equally many values: the minimum, the quantiles
// between the folds, and the maximum.
func foldEdges(values []float64) []float64 {
	sorted := slices.Sorted(slices.Values(values))
	edges := make([]float64, schemeFolds+1)
	for k := range edges {
		edges[k] = stat.Quantile(float64(k)/schemeFolds, stat.Empirical, sorted, nil)
	}
	return edges
}

// pcaScheme is a plotter of rows, their first principal component and its quantiles. A row's
// coordinates are u along the component and v across it.
type pcaScheme struct {
	along, across []float64 // u and v of each row
	reachAlong    float64   // largest |u| of the component's line
	reachAcross   float64   // largest |v| of the lines between the folds
}

// newPCAScheme returns a plotter of rows with the coordinates along and across the first principal
// component. The lines extend a little beyond the farthest rows.
func newPCAScheme(along, across []float64) pcaScheme {
	return pcaScheme{
		along:       along,
		across:      across,
		reachAlong:  max(-slices.Min(along), slices.Max(along)) + 0.4,
		reachAcross: max(-slices.Min(across), slices.Max(across)) + 0.25,
	}
}

// schemeAngle is the angle between the component and the first input, in radians.
const schemeAngle = math.Pi / 7

// inputsAt returns the two inputs of a row with the coordinates u and v.
func (s pcaScheme) inputsAt(u, v float64) (x, y float64) {
	sin, cos := math.Sincos(schemeAngle)
	return u*cos - v*sin, u*sin + v*cos
}

// corner returns the upper right corner of the plot. The lower left corner is equally far from 0.
func (s pcaScheme) corner() (x, y float64) {
	x, _ = s.inputsAt(s.reachAlong, 0)
	_, y = s.inputsAt(0.65*s.reachAlong, s.reachAcross)
	return x, y + 0.1
}

// Plot implements plot.Plotter. The panel must be square, so that right angles are right.
func (s pcaScheme) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	point := func(u, v float64) vg.Point {
		x, y := s.inputsAt(u, v)
		return vg.Point{X: toX(x), Y: toY(y)}
	}
	edges := foldEdges(s.along)
	for i, u := range s.along {
		dot.Draw(c, point(u, s.across[i]), 1.5, foldColour(foldOf(u, edges), "pca"), false)
	}
	style := drawing.TextStyle(drawing.TickSize)
	style.XAlign = draw.XCenter
	style.YAlign = draw.YCenter
	for fold := range schemeFolds {
		if fold > 0 {
			c.StrokeLines(cutLine, []vg.Point{point(edges[fold], -s.reachAcross), point(edges[fold], s.reachAcross)})
		}
		middle := (edges[fold] + edges[fold+1]) / 2
		middle = min(edges[schemeFolds-1]+0.4, max(edges[1]-0.4, middle)) // the numbers of the outer folds stay close to the others
		c.FillText(style, point(middle, -s.reachAcross), strconv.Itoa(fold))
	}
	drawComponent(c, point(-s.reachAlong, 0), point(s.reachAlong, 0))
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
		sin, cos := math.Sincos(schemeAngle + math.Pi + side*headAngle)
		c.StrokeLines(componentLine, []vg.Point{end, end.Add(vg.Point{X: vg.Length(headLength * cos), Y: vg.Length(headLength * sin)})})
	}
}

// labelScheme is a plotter of the density of labels, divided at its quantiles. The density is a kernel
// density estimate.
type labelScheme struct {
	labels    []float64
	edges     []float64 // edges of the folds, as from foldEdges, the outermost beyond the labels
	bandwidth float64   // standard deviation of the normal kernels, by Silverman's rule
}

// newLabelScheme returns a plotter of the density of labels. The outermost folds extend by two bandwidths
// beyond the labels, as far as the density can be seen.
func newLabelScheme(labels []float64) labelScheme {
	s := labelScheme{
		labels:    labels,
		edges:     foldEdges(labels),
		bandwidth: 1.06 * stat.StdDev(labels, nil) * math.Pow(float64(len(labels)), -0.2),
	}
	s.edges[0] -= 2 * s.bandwidth // the density reaches beyond the labels
	s.edges[schemeFolds] += 2 * s.bandwidth
	return s
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
	const steps = 30
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

// Plot implements plot.Plotter.
func (s labelScheme) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	style := drawing.TextStyle(drawing.TickSize)
	style.XAlign = draw.XCenter
	style.YAlign = draw.YBottom
	for fold := range schemeFolds {
		low := s.edges[fold]
		high := s.edges[fold+1]
		outline := []vg.Point{{X: toX(high), Y: toY(0)}, {X: toX(low), Y: toY(0)}}
		for _, label := range s.foldLabels(fold) {
			outline = append(outline, vg.Point{X: toX(label), Y: toY(s.density(label))})
		}
		c.FillPolygon(foldColour(fold, "label"), outline)
		if fold > 0 {
			c.StrokeLine2(cutLine, toX(low), toY(0), toX(low), toY(s.density(low)))
		}
		middle := (low + high) / 2
		c.FillText(style, vg.Point{X: toX(middle), Y: toY(s.density(middle)) + 4}, strconv.Itoa(fold))
	}
}
