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
	along, across, labels := drawSchemeRows()
	f = chart.Figure{
		Width:       chart.WideWidth,
		PanelHeight: 215,
		Panels:      []chart.Panel{pcaScheme(along, across), labelScheme(labels)},
	}
	caption = "The pca folds divide the rows along the first principal component, the label folds along the label. Testing on an inner part is interpolation, on an outer part extrapolation."
	return f, caption, nil
}

// drawSchemeRows draws the rows of figure 6, the same ones in each call: the coordinates of the inputs along the first
// principal component and across it, and the labels. The numbers have no further meaning: they give a cloud that is
// clearly longer than wide, and labels with a long tail above.
func drawSchemeRows() (along, across, labels []float64) {
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
	for range rowCount {
		along = append(along, drawBounded(rng, alongStd))
		across = append(across, drawBounded(rng, acrossStd))
		labels = append(labels, labelRange*math.Pow(rng.Float64(), labelPower)+labelStd*rng.NormFloat64())
	}
	return along, across, labels
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

// inputsAt returns the two inputs at the coordinates u, along the principal component, and v, across it. The component is
// turned against the first input by a seventh of half a turn.
func inputsAt(u, v float64) (x, y float64) {
	sin, cos := math.Sincos(math.Pi / 7)
	return u*cos - v*sin, u*sin + v*cos
}

// pcaScheme returns a panel of rows over their two inputs, with their first principal component, an arrow, and the lines
// across it that divide them into folds. Each row has the colour of its fold, and each fold its number at one end of the
// lines.
func pcaScheme(along, across []float64) chart.Panel {
	const (
		right  = 3.45 // ends of the axes: a little beyond the arrow and the lines
		top    = 2.61
		length = 3.8  // of half the arrow
		cut    = 1.6  // half the length of a line between two folds
		head   = 0.25 // length of the arrow's head along the component
		width  = 0.12 // of the arrow's head across it, at each side
	)
	p := chart.Panel{
		Title:  "pca folds",
		X:      chart.Axis{Label: "input 1", Min: -right, Max: right},
		Y:      chart.Axis{Label: "input 2", Min: -top, Max: top},
		Layers: foldLayers("pca", chart.Points),
	}
	edges := foldEdges(along)
	for row, u := range along {
		points := &p.Layers[foldOf(u, edges)]
		points.Radius = 1.5
		points.Add(inputsAt(u, across[row]))
	}
	numbers := chart.Layer{Kind: chart.Texts, Colour: chart.Ink}
	for fold := range schemeFolds {
		if fold > 0 {
			p.Layers = append(p.Layers, schemeLine(0.5, edges[fold], -cut, edges[fold], cut))
		}
		numbers.Add(inputsAt(numberPosition(edges, fold), -cut))
		numbers.Labels = append(numbers.Labels, strconv.Itoa(fold))
	}
	component := schemeLine(0, -length, 0, length, 0, length-head, width, length, 0, length-head, -width)
	component.Name = "first principal component"
	p.Layers = append(p.Layers, numbers, component)
	return p
}

// schemeLine returns a line of a width through points, each given by its u and v.
func schemeLine(width float64, coordinates ...float64) chart.Layer {
	line := chart.Layer{Colour: chart.Ink, Width: width}
	for point := range slices.Chunk(coordinates, 2) {
		line.Add(inputsAt(point[0], point[1]))
	}
	return line
}

// numberPosition returns the u at which a fold's number stands: in the middle of the fold. The outer folds
// are wide, and their numbers stay close to the numbers of the inner folds.
func numberPosition(edges []float64, fold int) float64 {
	const maxDistance = 0.4 // of the outer folds' numbers from the inner folds
	firstInner := edges[1]
	lastInner := edges[schemeFolds-1]
	middle := (edges[fold] + edges[fold+1]) / 2
	return min(lastInner+maxDistance, max(firstInner-maxDistance, middle))
}

// labelScheme returns a panel of the density of labels: the area below it in the colours of the folds, with a line between
// two folds and the number of each fold above its middle. The outermost folds extend by two bandwidths beyond the labels,
// as far as the density can be seen.
func labelScheme(labels []float64) chart.Panel {
	const (
		steps          = 30   // of the outline in a fold, enough to look smooth
		headroom       = 1.16 // factor: space for the number above the highest fold
		numberDistance = 0.07 // from the density to a number, as a part of the highest density
	)
	bandwidth := 1.06 * stat.StdDev(labels, nil) * math.Pow(float64(len(labels)), -0.2) // Silverman's rule of thumb
	density := func(label float64) float64 { return kernelDensity(labels, bandwidth, label) }
	edges := foldEdges(labels)
	edges[0] -= 2 * bandwidth
	edges[schemeFolds] += 2 * bandwidth
	areas := foldLayers("label", chart.Band)
	cuts := chart.Layer{Kind: chart.Segments, Colour: chart.Ink, Width: 0.5}
	numbers := chart.Layer{Kind: chart.Texts, Colour: chart.Ink}
	highest := 0.0
	for fold := range schemeFolds {
		low := edges[fold]
		width := edges[fold+1] - low
		for i := range steps + 1 {
			label := low + width*float64(i)/steps
			areas[fold].Add(label, density(label))
		}
		highest = max(highest, slices.Max(areas[fold].Y))
		if fold > 0 {
			cuts.AddBetween(low, 0, low, density(low))
		}
		numbers.Add(low+width/2, density(low+width/2))
		numbers.Labels = append(numbers.Labels, strconv.Itoa(fold))
	}
	for fold := range numbers.Y {
		numbers.Y[fold] += numberDistance * highest
	}
	return chart.Panel{
		Title:  "label folds",
		X:      chart.Axis{Label: "label y", Min: edges[0], Max: edges[schemeFolds]},
		Y:      chart.Axis{Label: "density of rows", Max: headroom * highest},
		Layers: append(areas, cuts, numbers),
	}
}

// kernelDensity returns an estimate of the density of values at x: the mean of normal densities around all of them, with
// the bandwidth as their standard deviation.
func kernelDensity(values []float64, bandwidth, x float64) float64 {
	sum := 0.0
	for _, v := range values {
		z := (x - v) / bandwidth
		sum += math.Exp(-z * z / 2)
	}
	return sum / (float64(len(values)) * bandwidth * math.Sqrt(2*math.Pi))
}
