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

// splitScheme is figure 6, on a made-up cloud of rows: how pca folds cut the inputs
// along their first principal component, and label folds the rows along their label,
// into ten parts of as many rows each. Each part in turn is tested on, after training
// on the others: the outermost two for extrapolation, the inner ones for interpolation.
func splitScheme(context.Context, *part) (*drawing.Figure, string, error) {
	const rows = 500
	rng := rand.New(rand.NewPCG(1, 0))
	var along, across, labels []float64
	for range rows {
		along, across = append(along, bounded(rng, 1.55)), append(across, bounded(rng, 0.62))
		labels = append(labels, 1.4*math.Pow(rng.Float64(), 1.4)+0.22*rng.NormFloat64())
	}

	inputs := drawing.NewPlot("input 1", "input 2")
	cloud := newPCAScheme(along, across)
	inputs.X.Max, inputs.Y.Max = cloud.corner()
	inputs.X.Min, inputs.Y.Min = -inputs.X.Max, -inputs.Y.Max
	inputs.Add(cloud)

	density := drawing.NewPlot("label y", "density of rows")
	scheme := newLabelScheme(labels)
	density.X.Min, density.X.Max = scheme.edges[0], scheme.edges[schemeFolds]
	density.Y.Min, density.Y.Max, density.Y.Padding = 0, 1.16*scheme.highest(), 0
	density.Add(scheme)

	legend := []drawing.Entry{drawing.LineEntry("first principal component", componentLine)}
	for _, s := range drawing.Splits {
		if s.Shift {
			legend = append(legend, drawing.ColourEntry(s.Name, s.Colour))
		}
	}
	return &drawing.Figure{
		Width: drawing.WideWidth, Height: 3.2 * vg.Inch,
		Panels: [][]drawing.Panel{{{Title: "pca folds", Plot: inputs, Square: true}, {Title: "label folds", Plot: density}}},
		Legend: [][]drawing.Entry{legend},
	}, "The splits along the first principal component and along the label: inner parts are interpolation, outer ones extrapolation.", nil
}

// bounded is a normal draw of the given spread, without the far ends, which
// would make the cloud small.
func bounded(rng *rand.Rand, spread float64) float64 {
	for {
		if z := rng.NormFloat64(); math.Abs(z) < 2.2 {
			return spread * z
		}
	}
}

const schemeFolds = 10

var (
	cutLine       = draw.LineStyle{Color: drawing.Ink, Width: 0.5}
	componentLine = draw.LineStyle{Color: drawing.Ink, Width: 1.2}
)

func foldColour(fold int, kind string) color.NRGBA {
	if fold == 0 || fold == schemeFolds-1 {
		return splitColour(kind + "-extrapolate")
	}
	return splitColour(kind + "-interpolate")
}

// cuts are the quantiles between the folds, the least and the most value first
// and last.
func cuts(values []float64) []float64 {
	sorted := slices.Sorted(slices.Values(values))
	edges := make([]float64, schemeFolds+1)
	for k := range edges {
		edges[k] = stat.Quantile(float64(k)/schemeFolds, stat.Empirical, sorted, nil)
	}
	return edges
}

// pcaScheme draws points, their first principal component and its quantiles.
type pcaScheme struct {
	along, across []float64
	wide, deep    float64 // how far the component and the cuts reach
}

func newPCAScheme(along, across []float64) pcaScheme {
	return pcaScheme{along, across, max(-slices.Min(along), slices.Max(along)) + 0.4, max(-slices.Min(across), slices.Max(across)) + 0.25}
}

// schemeAngle is that of the component to the first input.
const schemeAngle = math.Pi / 7

// place is that of a point which lies so far along and across the component.
func (s pcaScheme) place(u, v float64) (x, y float64) {
	sin, cos := math.Sincos(schemeAngle)
	return u*cos - v*sin, u*sin + v*cos
}

// corner is the upper right end of what is drawn; the lower left is as far.
func (s pcaScheme) corner() (x, y float64) {
	right, _ := s.place(s.wide, 0)
	_, up := s.place(0.65*s.wide, s.deep)
	return right, up + 0.1
}

// Plot implements plot.Plotter. Its panel is square, so that right angles are right.
func (s pcaScheme) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	at := func(u, v float64) vg.Point {
		x, y := s.place(u, v)
		return vg.Point{X: toX(x), Y: toY(y)}
	}
	edges := cuts(s.along)
	style := drawing.TextStyle(drawing.TickSize)
	style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
	for i, u := range s.along {
		fold := 0
		for fold < schemeFolds-1 && u >= edges[fold+1] {
			fold++
		}
		dot.Draw(c, at(u, s.across[i]), 1.5, foldColour(fold, "pca"), false)
	}
	for fold := range schemeFolds {
		if fold > 0 {
			c.StrokeLines(cutLine, []vg.Point{at(edges[fold], -s.deep), at(edges[fold], s.deep)})
		}
		middle := (edges[fold] + edges[fold+1]) / 2
		middle = min(edges[schemeFolds-1]+0.4, max(edges[1]-0.4, middle)) // close to the others
		c.FillText(style, at(middle, -s.deep), strconv.Itoa(fold))
	}
	end := at(s.wide, 0)
	c.StrokeLines(componentLine, []vg.Point{at(-s.wide, 0), end})
	for _, side := range []float64{-1, 1} {
		sinHead, cosHead := math.Sincos(schemeAngle + math.Pi + side*math.Pi/7)
		c.StrokeLines(componentLine, []vg.Point{end, end.Add(vg.Point{X: vg.Length(7 * cosHead), Y: vg.Length(7 * sinHead)})})
	}
}

// labelScheme draws the density of labels, cut at its quantiles.
type labelScheme struct {
	labels, edges []float64
	width         float64 // of the normal kernels of the density, by Silverman's rule
}

func newLabelScheme(labels []float64) labelScheme {
	s := labelScheme{labels, cuts(labels), 1.06 * stat.StdDev(labels, nil) * math.Pow(float64(len(labels)), -0.2)}
	s.edges[0] -= 2 * s.width
	s.edges[schemeFolds] += 2 * s.width
	return s
}

func (s labelScheme) density(y float64) float64 {
	sum := 0.0
	for _, label := range s.labels {
		z := (y - label) / s.width
		sum += math.Exp(-z * z / 2)
	}
	return sum / (float64(len(s.labels)) * s.width * math.Sqrt(2*math.Pi))
}

// fold is a line of labels within a fold, from edge to edge.
func (s labelScheme) fold(fold int) []float64 {
	const steps = 30
	line := make([]float64, steps+1)
	for i := range line {
		line[i] = s.edges[fold] + (s.edges[fold+1]-s.edges[fold])*float64(i)/steps
	}
	return line
}

func (s labelScheme) highest() float64 {
	highest := 0.0
	for fold := range schemeFolds {
		for _, y := range s.fold(fold) {
			highest = max(highest, s.density(y))
		}
	}
	return highest
}

// Plot implements plot.Plotter.
func (s labelScheme) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := drawing.TextStyle(drawing.TickSize)
	style.XAlign, style.YAlign = draw.XCenter, draw.YBottom
	for fold := range schemeFolds {
		low, high := s.edges[fold], s.edges[fold+1]
		area := []vg.Point{{X: x(high), Y: y(0)}, {X: x(low), Y: y(0)}}
		for _, v := range s.fold(fold) {
			area = append(area, vg.Point{X: x(v), Y: y(s.density(v))})
		}
		c.FillPolygon(foldColour(fold, "label"), area)
		if fold > 0 {
			c.StrokeLine2(cutLine, x(low), y(0), x(low), y(s.density(low)))
		}
		middle := (low + high) / 2
		c.FillText(style, vg.Point{X: x(middle), Y: y(s.density(middle)) + 4}, strconv.Itoa(fold))
	}
}
