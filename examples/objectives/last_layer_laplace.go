package main

import (
	"context"
	"math"

	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

func init() {
	models.Register(models.Method{
		Name: "last-layer-laplace", Title: "Last-layer Laplace", Summary: "squared error, then Bayesian linear regression on the last hidden layer",
		Source: "Daxberger et al. 2021, section 2, last layer; Bishop 2006, section 3.3, for its closed form",
		Hyperparameters: []models.Hyperparameter{
			{Name: "prior", Default: 1.0, Range: models.Range{Min: 1e-6, Max: 1e6}, Help: "precision of the prior of the last layer's weights and biases"},
		},
		Targets: 1, Objective: methods.FullMSE, AfterTraining: fitLaplace, Predict: predictLaplace, Combine: methods.CombineAsNormal,
	})
}

// minNoise is the smallest noise, in units of the target's standard deviation.
const minNoise = 1e-3

// fitLaplace stores the noise σ, the root of the mean squared residual, and the posterior
// covariance (τ I + Σ w φ φᵀ/σ²)⁻¹ of the last layer's weights and bias: φ is the last hidden
// layer's output and a 1, and τ the precision of the prior. The covariance is stored as a product
// Wᵀ·W with the bias in the last row, so that rounding cannot make a variance negative.
func fitLaplace(ctx context.Context, n *models.TrainedNetwork) error {
	weights := n.Weights()
	var precision []float64 // Σ w φ φᵀ
	var features []float64  // φ of a row
	row, squares, size := 0, 0.0, 0
	err := n.Evaluate(ctx, func(b *graph.Builder, t *models.Task) []*graph.Node {
		return []*graph.Node{t.Layer(""), b.Sub(t.Forward(graph.Full), t.Y)}
	}, func(rows int, values [][]float32) {
		width := len(values[0]) / rows
		if precision == nil {
			size = width + 1
			precision = make([]float64, size*size)
			features = make([]float64, size)
		}
		for i := range rows {
			for j, v := range values[0][i*width:][:width] {
				features[j] = float64(v)
			}
			features[width] = 1
			addOuter(precision, features, weights[row])
			residual := float64(values[1][i])
			squares += float64(weights[row] * float64(residual*residual))
			row++
		}
	})
	if err != nil {
		return err
	}
	noise := max(minNoise, math.Sqrt(squares/float64(n.Rows())))
	for i := range precision {
		precision[i] /= float64(noise * noise)
	}
	for i := range size {
		precision[i*size+i] += n.Float("prior")
	}
	root, err := inverseRoot(precision, size)
	if err != nil {
		return err
	}
	if err := n.Store("noise", 1, 1, []float64{noise}); err != nil {
		return err
	}
	last := (size - 1) * size
	if err := n.Store("weight", size-1, size, root[:last]); err != nil {
		return err
	}
	return n.Store("bias", 1, size, root[last:])
}

// predictLaplace predicts N(f, σ² + φᵀ Σ φ).
func predictLaplace(b *graph.Builder, m models.Moments) models.PredictionNodes {
	mean, noise := m.Full[0], m.Stored("noise")
	variance := b.SumColumns(b.Square(b.Linear(m.Layer(""), m.Stored("weight"), m.Stored("bias"))))
	return methods.Normal(mean, b.Sqrt(b.Add(variance, b.Square(noise))),
		models.Component{Name: models.Aleatoric, Std: b.Repeat(noise, mean.Shape()[0], 1)},
		models.Component{Name: models.Epistemic, Std: b.Sqrt(variance)})
}

// addOuter adds w·v·vᵀ to a matrix.
func addOuter(matrix, v []float64, w float64) {
	for i, x := range v {
		for j, y := range v {
			matrix[i*len(v)+j] += float64(float64(w*x) * y)
		}
	}
}

// inverseRoot returns a matrix R [n, n] with R·Rᵀ = matrix⁻¹, for a symmetric positive definite
// matrix: the transposed inverse of its Cholesky factor.
func inverseRoot(matrix []float64, n int) ([]float64, error) {
	b := graph.New(graph.Float64, new(graph.Params))
	factor := b.Cholesky(b.Constant(n, n, matrix))
	r, err := graph.NewRunner(graph.Compiled, b, b.Transpose(b.SolveLower(factor, b.Identity(n))))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if err := r.Run(); err != nil {
		return nil, err
	}
	return append([]float64(nil), r.Output64(0)...), nil
}
