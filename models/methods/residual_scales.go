package methods

import (
	"context"
	"math"

	"sml/graph"
	"sml/models"
)

// minNoise is the smallest noise of a target, in units of its standard deviation. A network that fits its training
// rows exactly would otherwise have none.
const minNoise = 1e-3

// noiseName is the name of the stored matrix [1, targets] with the standard deviation of each target's noise.
const noiseName = "noise"

// residualScales returns the root mean squared residual of each target, at least minNoise: the noise of the targets
// of a network that is trained by the squared error. Rows count by their weights.
func residualScales(ctx context.Context, n *models.TrainedNetwork) ([]float64, error) {
	nodes := func(b *graph.Builder, t *models.Task) []*graph.Node {
		return []*graph.Node{b.Sub(t.Forward(graph.Full), t.Y)}
	}
	weights := n.Weights()
	row := 0              // index among all training rows
	var squares []float64 // sum of each target
	addBlock := func(rows int, values [][]float32) {
		residuals := values[0]
		targets := len(residuals) / rows
		if squares == nil {
			squares = make([]float64, targets)
		}
		for i, r := range residuals {
			square := float64(float64(r) * float64(r))
			squares[i%targets] += float64(weights[row+i/targets] * square)
		}
		row += rows
	}
	if err := n.Evaluate(ctx, nodes, addBlock); err != nil {
		return nil, err
	}
	var scales []float64
	for _, sum := range squares {
		scales = append(scales, max(minNoise, math.Sqrt(sum/float64(n.Rows()))))
	}
	return scales, nil
}
