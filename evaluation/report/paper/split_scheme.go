package paper

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"sml/evaluation/report/chart"
)

// splitScheme draws figure 6, on an invented cloud of rows. Pca folds divide the rows along the first principal
// component of the inputs, and label folds along the label, into ten parts with equally many rows. Each part in turn is
// the test set: the outermost two test extrapolation, the others interpolation.
func splitScheme(context.Context, *part) (f chart.Figure, caption string, err error) {
	rows := drawSchemeRows()
	var labels []float64
	for _, row := range rows {
		labels = append(labels, row.label)
	}
	f = chart.Figure{
		Width:       chart.WideWidth,
		PanelHeight: 215,
		Panels:      []chart.Panel{newPCAScheme(rows).panel(), newLabelScheme(labels).panel()},
	}
	caption = "The pca folds divide the rows along the first principal component, the label folds along the label. Testing on an inner part is interpolation, on an outer part extrapolation."
	return f, caption, nil
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

// foldLayers returns a layer of the given kind for each fold of a split, with the name and the colour of its test rows.
// split is "pca" or "label".
func foldLayers(split string, kind chart.Kind) []chart.Layer {
	layers := make([]chart.Layer, schemeFolds)
	for fold := range layers {
		name := split + "-interpolate"
		if fold == 0 || fold == schemeFolds-1 {
			name = split + "-extrapolate"
		}
		layers[fold] = chart.Layer{Name: name, Kind: kind, Colour: splitColour(name)}
	}
	return layers
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

// foldOf returns the fold of a value, given the edges of all folds. An inner edge belongs to the fold above.
func foldOf(value float64, edges []float64) int {
	fold := 0
	for fold < schemeFolds-1 && value >= edges[fold+1] {
		fold++
	}
	return fold
}

// pcaScheme has rows over their two inputs, with their first principal component and the lines that divide them into
// folds. In its coordinates, u is along the component and v is across it.
type pcaScheme struct {
	rows        []schemeRow
	edges       []float64 // u of the edges of the folds, as from foldEdges
	reachAlong  float64   // largest |u| of the component's line
	reachAcross float64   // largest |v| of the lines between the folds
}

// newPCAScheme returns the scheme of the rows. Its lines extend a little beyond the farthest rows.
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

// panel returns a panel with the scheme. Each row has the colour of its fold, and each fold has its number at one end of
// the lines.
func (s pcaScheme) panel() chart.Panel {
	const aspect = 1.32 // of the data area's width to its height, so that right angles are right
	end, _ := s.inputsAt(s.reachAlong, 0)
	top := max(s.top(), end/aspect)
	p := chart.Panel{
		Title:  "pca folds",
		X:      chart.Axis{Label: "input 1", Min: -aspect * top, Max: aspect * top},
		Y:      chart.Axis{Label: "input 2", Min: -top, Max: top},
		Layers: foldLayers("pca", chart.Points),
	}
	for _, row := range s.rows {
		points := &p.Layers[foldOf(row.along, s.edges)]
		points.Radius = 1.5
		points.Add(s.inputsAt(row.along, row.across))
	}
	numbers := chart.Layer{Kind: chart.Texts, Colour: chart.Ink}
	for fold := range schemeFolds {
		if fold > 0 {
			edge := s.edges[fold]
			cut := s.line(edge, -s.reachAcross, edge, s.reachAcross)
			cut.Width = 0.5
			p.Layers = append(p.Layers, cut)
		}
		numbers.Add(s.inputsAt(s.numberPosition(fold), -s.reachAcross))
		numbers.Labels = append(numbers.Labels, strconv.Itoa(fold))
	}
	p.Layers = append(p.Layers, numbers)
	p.Layers = append(p.Layers, s.component()...)
	return p
}

// line returns a line between two points, given by their u and v.
func (s pcaScheme) line(u0, v0, u1, v1 float64) chart.Layer {
	x0, y0 := s.inputsAt(u0, v0)
	x1, y1 := s.inputsAt(u1, v1)
	return chart.Straight(x0, y0, x1, y1, chart.Ink)
}

// component returns the principal component as an arrow.
func (s pcaScheme) component() []chart.Layer {
	const (
		headLength = 0.25 // along the component
		headWidth  = 0.12 // across it, at each side
	)
	shaft := s.line(-s.reachAlong, 0, s.reachAlong, 0)
	shaft.Name = "first principal component"
	return []chart.Layer{
		shaft,
		s.line(s.reachAlong-headLength, headWidth, s.reachAlong, 0),
		s.line(s.reachAlong-headLength, -headWidth, s.reachAlong, 0),
	}
}

// top returns the upper end of the panel: a little above the upper end of the last line between two folds.
func (s pcaScheme) top() float64 {
	const (
		lastLine = 0.65 // a little more than the u of the last line, as a part of reachAlong
		space    = 0.1  // above the last line
	)
	_, y := s.inputsAt(lastLine*s.reachAlong, s.reachAcross)
	return y + space
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

// labelScheme has the density of labels, divided at its quantiles. The density is a kernel density estimate.
type labelScheme struct {
	labels    []float64
	edges     []float64 // edges of the folds, as from foldEdges, the outermost beyond the labels
	bandwidth float64   // standard deviation of the normal kernels
}

// newLabelScheme returns the scheme of the density of labels. The outermost folds extend by two bandwidths
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

// panel returns a panel with the scheme: the area below the density in the colours of the folds, with a line between two
// folds and the number of each fold above its middle.
func (s labelScheme) panel() chart.Panel {
	const (
		headroom       = 1.16 // factor: space for the number above the highest fold
		numberDistance = 0.07 // from the density to a number, as a part of the highest density
	)
	areas := foldLayers("label", chart.Band)
	cuts := chart.Layer{Kind: chart.Segments, Colour: chart.Ink, Width: 0.5}
	numbers := chart.Layer{Kind: chart.Texts, Colour: chart.Ink}
	highest := 0.0
	for fold := range schemeFolds {
		low := s.edges[fold]
		middle := (low + s.edges[fold+1]) / 2
		for _, label := range s.foldLabels(fold) {
			areas[fold].Add(label, s.density(label))
		}
		highest = max(highest, slices.Max(areas[fold].Y))
		if fold > 0 {
			cuts.AddBetween(low, 0, low, s.density(low))
		}
		numbers.Add(middle, s.density(middle))
		numbers.Labels = append(numbers.Labels, strconv.Itoa(fold))
	}
	for fold := range numbers.Y {
		numbers.Y[fold] += numberDistance * highest
	}
	return chart.Panel{
		Title:  "label folds",
		X:      chart.Axis{Label: "label y", Min: s.edges[0], Max: s.edges[schemeFolds]},
		Y:      chart.Axis{Label: "density of rows", Max: headroom * highest},
		Layers: append(areas, cuts, numbers),
	}
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
