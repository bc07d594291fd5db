package models

import (
	"fmt"
	"slices"

	"sml/graph"
)

// Names of the buffers of encodeBins, [1, inputs·bins] each.
const (
	binStarts = "bins.start" // lower edge of each bin
	binScales = "bins.scale" // 1 divided by the width of each bin; 0 for a bin that is not used
)

const (
	// minBinWidth is the smallest width of a bin, in standard deviations of the input. Values of an input
	// that are closer are rarely known so exactly.
	minBinWidth = 1e-3

	// clipScale bounds clipped inputs: they are between −clipScale and clipScale. Source: Holzmüller et
	// al. 2024, appendix A.
	clipScale = 3
)

// checkEncoding returns an error unless the numbers of bins and of frequencies are valid and the indicators are inputs.
func (a Architecture) checkEncoding() error {
	if err := Limits.Bins.Check("the number of bins", a.Bins); err != nil {
		return err
	}
	if err := Limits.Periodic.Check("the number of frequencies", a.Periodic); err != nil {
		return err
	}
	for _, i := range a.Indicators {
		if i < 0 || i >= a.Inputs {
			return fmt.Errorf("there is no indicator %d among %d inputs", i, a.Inputs)
		}
	}
	return nil
}

// encode returns the numbers [rows, a.FirstLayerInputs()] that the network's first layer gets for inputs
// x [rows, a.Inputs]: the inputs, with embeddings in place of embedded columns, the bins of the binned inputs and
// the periodic embeddings. If there are bins, the inputs are clipped smoothly to x/√(1 + x²/9), so that an outlier is
// not far from all other rows (Holzmüller et al. 2024, appendix A).
func (a Architecture) encode(b *graph.Builder, x *graph.Node) *graph.Node {
	parts := graph.Nodes{a.embed(b, x)}
	if a.Bins > 0 {
		parts[0] = smoothClip(b, parts[0])
	}
	if bins := a.encodeBins(b, x); bins != nil {
		parts = append(parts, bins)
	}
	if periodic := a.encodePeriodic(b, x); periodic != nil {
		parts = append(parts, periodic)
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return b.Concat(parts...)
}

// encodeCopies returns encode for inputs x [rows, a.Inputs], or for inputs of each copy side by side,
// [rows, a.Copies·a.Inputs]: then [rows, a.Copies·a.FirstLayerInputs()].
func (a Architecture) encodeCopies(b *graph.Builder, x *graph.Node) *graph.Node {
	rows, columns := x.Shape()[0], x.Shape()[1]
	if columns == a.Inputs {
		return a.encode(b, x)
	}
	copies := columns / a.Inputs
	encoded := a.encode(b, b.Reshape(x, rows*copies, a.Inputs))
	return b.Reshape(encoded, rows, copies*a.FirstLayerInputs())
}

// withoutEncoding returns the architecture of a network whose inputs are neither embedded nor encoded.
func (a Architecture) withoutEncoding() Architecture {
	a.Embeddings = nil
	a.Bins = 0
	a.Periodic = 0
	a.Indicators = nil
	return a
}

// smoothClip returns x/√(1 + x²/clipScale²), element by element: about x near 0, and always between −clipScale
// and clipScale.
func smoothClip(b *graph.Builder, x *graph.Node) *graph.Node {
	ratio := b.Scale(1.0/(clipScale*clipScale), b.Square(x))
	return b.Div(x, b.Sqrt(b.Shift(ratio, 1)))
}

// encodeBins returns the piecewise-linear encoding [rows, n·bins] of the n binned inputs of x [rows, a.Inputs], or
// nil if there are none. For each bin of an input from start to end it has min(max((x − start)/(end − start), 0), 1): the
// bins below the value are 1, the bins above it 0, and its own bin says where it lies. A layer on
// the encoding is a piecewise-linear function of each input. Source: Gorishniy et al. 2022, section 3.2; unlike
// there, the first bin is not below 0 and the last not above 1 for values outside all bins.
//
// Edges of the bins are buffers, which FitBins sets.
func (a Architecture) encodeBins(b *graph.Builder, x *graph.Node) *graph.Node {
	inputs := a.BinnedInputs()
	n := len(inputs)
	if n == 0 {
		return nil
	}
	bins := a.binsPerInput(n)
	starts := b.Buffer(binStarts, 1, n*bins, graph.Fill(0))
	scales := b.Buffer(binScales, 1, n*bins, graph.Fill(1))
	repeated := repeatColumns(b, selectColumns(b, x, inputs), bins)
	return b.Clip(b.Mul(b.Sub(repeated, starts), scales), 0, 1)
}

// FitBins sets the edges of the bins of new parameters. values[i] holds the values of the i-th of
// Architecture.BinnedInputs in the training rows, or in a sample of them, in ascending order. It does nothing if
// the network has no bins.
func (s Spec) FitBins(params *graph.Params, values [][]float32) {
	if len(values) == 0 {
		return
	}
	bins := s.Architecture.binsPerInput(len(values))
	starts := paramByName(params, binStarts)
	scales := paramByName(params, binScales)
	for i, sorted := range values {
		setBins(starts[i*bins:(i+1)*bins], scales[i*bins:(i+1)*bins], sorted)
	}
}

// paramByName returns the values of the float32 parameter with the given name.
func paramByName(params *graph.Params, name string) []float32 {
	i := slices.IndexFunc(params.List(), func(p graph.Param) bool { return p.Name == name })
	return graph.ParamValues(params, params.Float32s(), i)
}

// setBins sets the start and the scale of each bin of one input, whose values are sorted. As many values are in each
// bin, unless bins would be narrower than minBinWidth: they become one, and the bins that are left over have
// the scale 0, so that their encoding is 0 for all rows.
func setBins(starts, scales, sorted []float32) {
	clear(starts)
	clear(scales)
	last := len(sorted) - 1
	used := 0
	start := sorted[0]
	for bin := range starts {
		end := sorted[(bin+1)*last/len(starts)]
		if end-start < minBinWidth {
			continue
		}
		starts[used] = start
		scales[used] = 1 / (end - start)
		used++
		start = end
	}
}
