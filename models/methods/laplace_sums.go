package methods

import (
	"context"

	"sml/graph"
	"sml/internal/linear"
	"sml/models"
)

// sumWeightSquares returns the sum of the squared weights and biases of the given layers.
func sumWeightSquares(ctx context.Context, n *models.TrainedNetwork, which models.Layers) (float64, error) {
	nodes := func(b *graph.Builder, t *models.Task) []*graph.Node {
		var list []*graph.Node
		for _, layer := range t.LinearLayers(which) {
			list = append(list, b.Sum(b.Square(layer.Weight)), b.Sum(b.Square(layer.Bias)))
		}
		return list
	}
	sum := 0.0
	err := n.Evaluate(ctx, nodes, func(_ int, values [][]float32) {
		sum = 0 // each block has the same values
		for _, squares := range values {
			sum += float64(squares[0])
		}
	})
	return sum, err
}

// sumDiagonal returns the diagonal of the Gauss-Newton matrix, the sum over rows and targets of the squared
// derivative of the output by the weight, divided by the squared scale of the target.
func sumDiagonal(ctx context.Context, n *models.TrainedNetwork, which models.Layers, shapes []models.LinearShape, scales []float64) ([]layerCurvature, error) {
	nodes := func(b *graph.Builder, t *models.Task) []*graph.Node {
		var list []*graph.Node
		for _, layer := range t.LinearLayers(which) {
			slopes := b.Mul(sumScaledSquares(b, layer.Slopes, scales), t.Weight())
			list = append(list, b.MatMul(b.Transpose(b.Square(layer.Input)), slopes), b.SumRows(slopes))
		}
		return list
	}
	curvatures := make([]layerCurvature, len(shapes))
	for i, s := range shapes {
		curvatures[i].values = linear.NewMatrix(s.Inputs+1, s.Units)
	}
	addBlock := func(_ int, values [][]float32) {
		for i, c := range curvatures {
			sums := append(values[2*i], values[2*i+1]...) // of the weights, and then of the biases
			units := len(c.values[0])
			for k, v := range sums {
				c.values[k/units][k%units] += float64(v)
			}
		}
	}
	return curvatures, n.Evaluate(ctx, nodes, addBlock)
}

// sumScaledSquares returns the sum over targets of their squared slopes, divided by the squared scales.
func sumScaledSquares(b *graph.Builder, slopes []*graph.Node, scales []float64) *graph.Node {
	var sum *graph.Node
	for k, slope := range slopes {
		square := b.Square(b.Scale(1/scales[k], slope))
		if k == 0 {
			sum = square
		} else {
			sum = b.Add(sum, square)
		}
	}
	return sum
}

// sumKronecker returns the Kronecker-factored Gauss-Newton matrix of each layer: the sum over rows of h·hᵀ for the
// inputs h of the layer and a 1, times the mean over rows of the sum over targets of s·sᵀ for the slopes s, divided
// by the scale of the target. Rows count by their weights. Source: Daxberger et al. 2021, appendix A.
func sumKronecker(ctx context.Context, n *models.TrainedNetwork, which models.Layers, shapes []models.LinearShape, scales []float64) ([]layerCurvature, error) {
	nodes := func(b *graph.Builder, t *models.Task) []*graph.Node {
		var list []*graph.Node
		for _, layer := range t.LinearLayers(which) {
			list = append(list, layer.Input)
			for k, slope := range layer.Slopes {
				list = append(list, b.Scale(1/scales[k], slope))
			}
		}
		return list
	}
	var factors []kroneckerSums
	for _, s := range shapes {
		factors = append(factors, newKroneckerSums(s))
	}
	weights := n.Weights()
	row := 0 // index among all training rows
	addBlock := func(rows int, values [][]float32) {
		for i, f := range factors {
			ofLayer := values[i*(1+len(scales)):][:1+len(scales)]
			f.addRows(ofLayer[0], ofLayer[1:], weights[row:][:rows])
		}
		row += rows
	}
	if err := n.Evaluate(ctx, nodes, addBlock); err != nil {
		return nil, err
	}
	var curvatures []layerCurvature
	for _, f := range factors {
		c, err := f.curvature(n.Rows())
		if err != nil {
			return nil, err
		}
		curvatures = append(curvatures, c)
	}
	return curvatures, nil
}

// kroneckerSums holds sums over rows for one layer, of which only the lower triangles are filled.
type kroneckerSums struct {
	inputs [][]float64 // of h·hᵀ
	slopes [][]float64 // of s·sᵀ
}

// newKroneckerSums returns the sums of no rows.
func newKroneckerSums(s models.LinearShape) kroneckerSums {
	return kroneckerSums{
		inputs: linear.NewMatrix(s.Inputs+1, s.Inputs+1),
		slopes: linear.NewMatrix(s.Units, s.Units),
	}
}

// addRows adds rows with the given inputs [rows, inputs], slopes [rows, units] of each target, and weights.
func (s kroneckerSums) addRows(inputs []float32, slopes [][]float32, weights []float64) {
	h := make([]float64, len(s.inputs))
	h[len(h)-1] = 1 // the bias is the weight of this input
	slope := make([]float64, len(s.slopes))
	for row, w := range weights {
		toDoubles(h[:len(h)-1], inputs[row*(len(h)-1):])
		addOuter(s.inputs, h, w)
		for _, values := range slopes {
			toDoubles(slope, values[row*len(slope):])
			addOuter(s.slopes, slope, w)
		}
	}
}

// toDoubles copies the first values to all elements of dst.
func toDoubles(dst []float64, values []float32) {
	for i, v := range values[:len(dst)] {
		dst[i] = float64(v)
	}
}

// addOuter adds the lower triangle of w·v·vᵀ to a matrix.
func addOuter(matrix [][]float64, v []float64, w float64) {
	for i, row := range matrix {
		factor := float64(w * v[i])
		if factor == 0 { // as often as not behind a ReLU
			continue
		}
		for j, x := range v[:i+1] {
			row[j] += float64(factor * x)
		}
	}
}

// curvature returns the curvature of the layer, given the number of rows. It overwrites the sums.
func (s kroneckerSums) curvature(rows int) (layerCurvature, error) {
	for _, matrix := range [][][]float64{s.inputs, s.slopes} {
		for i, row := range matrix {
			for j := range i {
				matrix[j][i] = row[j]
			}
		}
	}
	for _, row := range s.slopes {
		for j := range row {
			row[j] /= float64(rows)
		}
	}
	return newKronecker(s.inputs, s.slopes)
}
