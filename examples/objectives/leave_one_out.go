package main

import (
	"context"
	"math"
	"strings"

	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

func init() {
	models.Register(models.Method{
		Name: "leave-one-out", Title: "Leave one out", Summary: "squared error, and one standard deviation from its leave-one-out residuals",
		Source: "Allen 1974, on the linearised last layer",
		Hyperparameters: []models.Hyperparameter{
			{Name: "ridge", Default: 1e-3, Range: models.Range{Min: 1e-9, Max: 1e6}, Help: "added to the diagonal of the last layer's Gauss-Newton matrix"},
		},
		Objective: methods.FullMSE, AfterTraining: fitNoise, Predict: predictNoise, Combine: methods.CombineAsNormal,
	})
}

// fitNoise stores for each target the root of the weighted mean of (r/(1 − h))²: r is a row's residual,
// and its leverage h = w jᵀ (Σ w j jᵀ + λ I)⁻¹ j is how far the row pulls its own prediction, with the
// gradient j of the output by the last layer's parameters.
func fitNoise(ctx context.Context, n *models.TrainedNetwork) error {
	weights := n.Weights()
	var residuals [][]float32 // blocks of [rows, targets]
	err := n.Evaluate(ctx, func(b *graph.Builder, t *models.Task) []*graph.Node {
		return []*graph.Node{b.Sub(t.Y, t.Forward(graph.Full))}
	}, func(_ int, values [][]float32) { residuals = append(residuals, values[0]) })
	if err != nil {
		return err
	}
	residual := flatten(residuals)
	targets := len(residual) / n.Rows()
	grams := make([][]float64, targets) // Σ w j jᵀ
	var gradient []float64              // j
	err = n.Jacobian(ctx, lastLayer, func(row int, jacobian []float32) {
		gradient = resized(gradient, len(jacobian)/targets)
		for target := range grams {
			copyFloats(gradient, jacobian[target*len(gradient):])
			grams[target] = resized(grams[target], len(gradient)*len(gradient))
			addOuter(grams[target], gradient, weights[row])
		}
	})
	if err != nil {
		return err
	}
	roots := make([][]float64, targets)
	for target, gram := range grams {
		for i := range gradient {
			gram[i*len(gradient)+i] += n.Float("ridge")
		}
		roots[target], err = inverseRoot(gram, len(gradient))
		if err != nil {
			return err
		}
	}
	sums := make([]float64, targets)
	err = n.Jacobian(ctx, lastLayer, func(row int, jacobian []float32) {
		for target, root := range roots {
			copyFloats(gradient, jacobian[target*len(gradient):])
			left := float64(residual[row*targets+target]) / max(1e-3, 1-float64(weights[row]*squaredNorm(gradient, root)))
			sums[target] += float64(weights[row] * float64(left*left))
		}
	})
	if err != nil {
		return err
	}
	for target, sum := range sums {
		sums[target] = max(minNoise, math.Sqrt(sum/float64(n.Rows())))
	}
	return n.Store("noise", 1, targets, sums)
}

// lastLayer returns the outputs of a row and the parameters of the last layer.
func lastLayer(b *graph.Builder, t *models.Task) (y *graph.Node, wrt []*graph.Node) {
	y = t.Forward(graph.Full)
	for _, p := range b.ParametersOf(y) {
		if strings.HasPrefix(p.Name(), "output.") {
			wrt = append(wrt, p)
		}
	}
	return y, wrt
}

// predictNoise predicts N(f, σ²) with one σ for all rows.
func predictNoise(b *graph.Builder, m models.Moments) models.PredictionNodes {
	mean := m.Full[0]
	return methods.Normal(mean, b.Repeat(m.Stored("noise"), mean.Shape()[0], mean.Shape()[1]))
}

// squaredNorm returns |vᵀ·matrix|².
func squaredNorm(v, matrix []float64) float64 {
	norm := 0.0
	for j := range v {
		sum := 0.0
		for i, x := range v {
			sum += float64(x * matrix[i*len(v)+j])
		}
		norm += float64(sum * sum)
	}
	return norm
}

// resized returns values if it has n elements, else n zeros.
func resized(values []float64, n int) []float64 {
	if len(values) == n {
		return values
	}
	return make([]float64, n)
}

// copyFloats fills dst with the first elements of src.
func copyFloats(dst []float64, src []float32) {
	for i := range dst {
		dst[i] = float64(src[i])
	}
}

// flatten returns the blocks one behind the other.
func flatten(blocks [][]float32) []float32 {
	var all []float32
	for _, block := range blocks {
		all = append(all, block...)
	}
	return all
}
