package report

import (
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// SplitScheme draws figure 6 of the paper, on a made-up cloud of rows: how
// pca folds cut the inputs along their first principal component, and label
// folds the rows along their label, into ten parts of as many rows each. Each
// part in turn is tested on, after training on the others: the outermost two
// for extrapolation, the inner ones for interpolation.
func SplitScheme(seed uint64) *Figure {
	const rows = 500
	rng := rand.New(rand.NewPCG(seed, 0))
	cloud := make([]vg.Point, rows)
	labels := make([]float64, rows)
	for i := range cloud {
		along, across := bounded(rng, 1.55), bounded(rng, 0.62)
		sin, cos := math.Sincos(math.Pi / 7)
		cloud[i] = vg.Point{X: vg.Length(along*cos - across*sin), Y: vg.Length(along*sin + across*cos)}
		labels[i] = 1.4*math.Pow(rng.Float64(), 1.4) + 0.22*rng.NormFloat64()
	}

	inputs := newPlot("input 1", "input 2")
	inputs.X.Min, inputs.X.Max, inputs.Y.Min, inputs.Y.Max = 0, 1, 0, 1
	inputs.Add(&pcaScheme{cloud})

	density := newPlot("label y", "density of rows")
	scheme := newLabelScheme(labels)
	density.X.Min, density.X.Max = scheme.y[0], scheme.y[len(scheme.y)-1]
	density.Y.Min, density.Y.Max = 0, 1.16*slices.Max(scheme.density)
	density.Y.Padding = 0
	density.Add(scheme)
	for _, p := range []*plot.Plot{inputs, density} {
		p.X.Tick.Marker, p.Y.Tick.Marker = plot.ConstantTicks{}, plot.ConstantTicks{}
		p.X.Tick.Length, p.Y.Tick.Length = 0, 0
	}

	legend := []legendEntry{lineEntry("first principal component", componentLine)}
	for _, s := range splits[2:] {
		legend = append(legend, colourEntry(s.name, s.colour))
	}
	return &Figure{
		width: overviewWidth, height: 3.2 * vg.Inch,
		panels: [][]panel{{{title: "pca folds", Plot: inputs}, {title: "label folds", Plot: density}}},
		legend: [][]legendEntry{legend},
	}
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

// outer tells whether a fold is one of the outermost.
func outer(fold int) bool { return fold == 0 || fold == schemeFolds-1 }

func foldColour(fold int, inside, outside string) color.NRGBA {
	name := inside
	if outer(fold) {
		name = outside
	}
	i, err := splitNamed(name)
	if err != nil {
		panic(err) // the names stand in this file
	}
	return splits[i].colour
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

func foldOf(value float64, edges []float64) int {
	for k := 1; k < schemeFolds; k++ {
		if value < edges[k] {
			return k - 1
		}
	}
	return schemeFolds - 1
}

// pcaScheme draws points, their first principal component and its quantiles.
type pcaScheme struct{ points []vg.Point }

// Plot implements plot.Plotter. Its scales are equal on both axes, so that
// right angles are right.
func (s *pcaScheme) Plot(c draw.Canvas, _ *plot.Plot) {
	var x, y []float64
	for _, p := range s.points {
		x, y = append(x, float64(p.X)), append(y, float64(p.Y))
	}
	meanX, meanY := mean(x), mean(y)
	// The axis of the larger variance of a 2 × 2 covariance matrix.
	angle := 0.5 * math.Atan2(2*stat.Covariance(x, y, nil), stat.Variance(x, nil)-stat.Variance(y, nil))
	sin, cos := math.Sincos(angle)
	along, across := make([]float64, len(x)), make([]float64, len(x))
	for i := range x {
		along[i] = (x[i]-meanX)*cos + (y[i]-meanY)*sin
		across[i] = (y[i]-meanY)*cos - (x[i]-meanX)*sin
	}
	edges := cuts(along)
	wide, deep := max(-slices.Min(along), slices.Max(along))+0.4, max(-slices.Min(across), slices.Max(across))+0.25
	scale := min(
		float64(c.Max.X-c.Min.X)/2/(wide*math.Abs(cos)),
		float64(c.Max.Y-c.Min.Y)/2/(0.65*wide*math.Abs(sin)+deep*math.Abs(cos)+0.1),
	)
	center := c.Center()
	at := func(u, v float64) vg.Point {
		return vg.Point{X: center.X + vg.Length(scale*(u*cos-v*sin)), Y: center.Y + vg.Length(scale*(u*sin+v*cos))}
	}
	dot := polygon(12, 1, 1, 0)
	for i := range along {
		dot.draw(c, at(along[i], across[i]), 1.5, foldColour(foldOf(along[i], edges), "pca-interpolate", "pca-extrapolate"), false)
	}
	style := textStyle(tickSize)
	style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
	for fold := range schemeFolds {
		if fold > 0 {
			c.StrokeLines(cutLine, []vg.Point{at(edges[fold], -deep), at(edges[fold], deep)})
		}
		middle := (edges[fold] + edges[fold+1]) / 2
		middle = min(edges[schemeFolds-1]+0.4, max(edges[1]-0.4, middle)) // close to the others
		c.FillText(style, at(middle, -deep), strconv.Itoa(fold))
	}
	start, end := at(-wide, 0), at(wide, 0)
	c.StrokeLines(componentLine, []vg.Point{start, end})
	for _, side := range []float64{-1, 1} {
		sinHead, cosHead := math.Sincos(angle + math.Pi + side*math.Pi/7)
		c.StrokeLines(componentLine, []vg.Point{end, {X: end.X + vg.Length(7*cosHead), Y: end.Y + vg.Length(7*sinHead)}})
	}
}

// labelScheme draws the density of labels, cut at its quantiles.
type labelScheme struct{ y, density, edges []float64 }

// newLabelScheme estimates the density with normal kernels of the width of
// Silverman's rule.
func newLabelScheme(labels []float64) *labelScheme {
	width := 1.06 * stat.StdDev(labels, nil) * math.Pow(float64(len(labels)), -0.2)
	s := &labelScheme{edges: cuts(labels)}
	const steps = 300
	low, high := slices.Min(labels)-2*width, slices.Max(labels)+2*width
	s.edges[0], s.edges[schemeFolds] = low, high
	for i := 0; i <= steps; i++ {
		y, sum := low+(high-low)*float64(i)/steps, 0.0
		for _, label := range labels {
			z := (y - label) / width
			sum += math.Exp(-z * z / 2)
		}
		s.y, s.density = append(s.y, y), append(s.density, sum)
	}
	return s
}

// at is the density at y, between the steps.
func (s *labelScheme) at(y float64) float64 {
	step := s.y[1] - s.y[0]
	i := min(len(s.y)-2, max(0, int((y-s.y[0])/step)))
	return s.density[i] + (y-s.y[i])/step*(s.density[i+1]-s.density[i])
}

// Plot implements plot.Plotter.
func (s *labelScheme) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for fold := range schemeFolds {
		low, high := s.edges[fold], s.edges[fold+1]
		area := []vg.Point{{X: x(low), Y: y(0)}, {X: x(low), Y: y(s.at(low))}}
		for i, v := range s.y {
			if v > low && v < high {
				area = append(area, vg.Point{X: x(v), Y: y(s.density[i])})
			}
		}
		area = append(area, vg.Point{X: x(high), Y: y(s.at(high))}, vg.Point{X: x(high), Y: y(0)})
		c.FillPolygon(foldColour(fold, "label-interpolate", "label-extrapolate"), area)
	}
	for _, edge := range s.edges[1:schemeFolds] {
		c.StrokeLines(cutLine, []vg.Point{{X: x(edge), Y: y(0)}, {X: x(edge), Y: y(s.at(edge))}})
	}
	style := textStyle(tickSize)
	style.XAlign, style.YAlign = draw.XCenter, draw.YBottom
	for fold := range schemeFolds {
		middle := (s.edges[fold] + s.edges[fold+1]) / 2
		c.FillText(style, vg.Point{X: x(middle), Y: y(s.at(middle)) + 4}, strconv.Itoa(fold))
	}
}

var (
	cutLine       = draw.LineStyle{Color: ink, Width: 0.5}
	componentLine = draw.LineStyle{Color: ink, Width: 1.2}
)
