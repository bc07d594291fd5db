package main

import (
	"context"
	"math"
	"slices"
	"strings"

	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// init registers "leave-one-out", which estimates the noise after the training.
func init() {
	models.Register(models.Method{
		Name:      "leave-one-out",
		Title:     "Leave one out",
		Summary:   "squared error, and one standard deviation from its leave-one-out residuals",
		Source:    "Allen 1974, on the linearised last layer",
		Objective: methods.FullMSE,
		Hyperparameters: []models.Hyperparameter{
			{Name: "ridge", Default: 1e-3, Range: models.Range{Min: 1e-9, Max: 1e6}, Help: "number that is added to the diagonal of the last layer's Gauss-Newton matrix"},
		},
		AfterTraining: fitNoise,
		Predict:       predictNoise,
		Combine:       models.CombineAsNormal,
	})
}

// minNoise is the smallest noise, in units of the target's standard deviation.
const minNoise = 1e-3

// fitNoise stores for each target the root of the weighted mean of (r/(1 − h))². r is a row's residual, and
//
//	h = w jᵀ (Σ w j jᵀ + λ I)⁻¹ j
//
// is its leverage: how far the row pulls its own prediction. So r/(1 − h) is about the residual that the row
// would have if the network were trained without it. j is the gradient of the row's output with respect to
// the parameters of the last layer, w its weight, and λ the hyperparameter "ridge".
func fitNoise(ctx context.Context, n *models.TrainedNetwork) error {
	residuals, err := trainingResiduals(ctx, n)
	if err != nil {
		return err
	}
	targets := len(residuals) / n.Rows()
	roots, err := leverageRoots(ctx, n, targets)
	if err != nil {
		return err
	}
	const minRemainder = 1e-3 // of 1 − h, which is close to 0 for a row that alone decides a parameter
	weights := n.Weights()
	sums := make([]float64, targets) // Σ w (r/(1 − h))²
	err = n.Jacobian(ctx, lastLayer, func(row int, jacobian []float32) {
		for target, root := range roots {
			j := targetGradient(jacobian, target, targets)
			leverage := float64(weights[row] * squaredNorm(j, root))
			residual := float64(residuals[row*targets+target])
			withoutRow := residual / max(minRemainder, 1-leverage)
			sums[target] += float64(weights[row] * float64(withoutRow*withoutRow))
		}
	})
	if err != nil {
		return err
	}
	stds := make([]float64, targets)
	for target, sum := range sums {
		stds[target] = max(minNoise, math.Sqrt(sum/float64(n.Rows())))
	}
	return n.Store("noise", 1, targets, stds)
}

// trainingResiduals returns y − f for the targets of all training rows, [rows, targets].
func trainingResiduals(ctx context.Context, n *models.TrainedNetwork) ([]float32, error) {
	var residuals []float32
	nodes := func(b *graph.Builder, t *models.Task) []*graph.Node {
		return []*graph.Node{b.Sub(t.Y, t.Forward(graph.Full))}
	}
	appendBlock := func(_ int, values [][]float32) { residuals = append(residuals, values[0]...) }
	err := n.Evaluate(ctx, nodes, appendBlock)
	return residuals, err
}

// leverageRoots returns, for each target, a matrix R with R·Rᵀ = (Σ w j jᵀ + λ I)⁻¹, row by row.
func leverageRoots(ctx context.Context, n *models.TrainedNetwork, targets int) ([][]float64, error) {
	weights := n.Weights()
	sums := make([][]float64, targets) // Σ w j jᵀ [size, size], by target
	size := 0                          // number of the last layer's parameters, known after the first row
	err := n.Jacobian(ctx, lastLayer, func(row int, jacobian []float32) {
		size = len(jacobian) / targets
		for target := range sums {
			if sums[target] == nil {
				sums[target] = make([]float64, size*size)
			}
			addOuter(sums[target], targetGradient(jacobian, target, targets), weights[row])
		}
	})
	if err != nil {
		return nil, err
	}
	roots := make([][]float64, targets)
	for target, matrix := range sums {
		for i := range size {
			matrix[i*size+i] += n.Float("ridge")
		}
		roots[target], err = inverseRoot(matrix, size)
		if err != nil {
			return nil, err
		}
	}
	return roots, nil
}

// lastLayer returns the outputs of a row and the parameters of the last layer, for TrainedNetwork.Jacobian.
func lastLayer(b *graph.Builder, t *models.Task) (y *graph.Node, parameters []*graph.Node) {
	y = t.Forward(graph.Full)
	for _, p := range b.ParametersOf(y) {
		if strings.HasPrefix(p.Name(), "output.") {
			parameters = append(parameters, p)
		}
	}
	return y, parameters
}

// targetGradient returns the gradient of one target's output in a Jacobian [targets, parameters].
func targetGradient(jacobian []float32, target, targets int) []float64 {
	gradient := make([]float64, len(jacobian)/targets)
	for i := range gradient {
		gradient[i] = float64(jacobian[target*len(gradient)+i])
	}
	return gradient
}

// predictNoise returns N(f, σ²) with one stored σ for all rows.
func predictNoise(b *graph.Builder, m models.Moments) models.PredictionNodes {
	mean := m.Full[0]
	rows := mean.Shape()[0]
	targets := mean.Shape()[1]
	return methods.Normal(mean, b.Repeat(m.Stored("noise"), rows, targets))
}

// squaredNorm returns |vᵀ·matrix|², for a square matrix.
func squaredNorm(v, matrix []float64) float64 {
	norm := 0.0
	for column := range v {
		sum := 0.0
		for row, x := range v {
			sum += float64(x * matrix[row*len(v)+column])
		}
		norm += float64(sum * sum)
	}
	return norm
}

// addOuter adds w·v·vᵀ to a matrix, which is stored row by row.
func addOuter(matrix, v []float64, w float64) {
	for i, x := range v {
		for j, y := range v {
			matrix[i*len(v)+j] += float64(float64(w*x) * y)
		}
	}
}

// inverseRoot returns a matrix R [n, n] with R·Rᵀ = matrix⁻¹, for a symmetric positive definite matrix. With
// the Cholesky factor L, L·Lᵀ = matrix, it is (L⁻¹)ᵀ. It computes R by a graph without inputs.
func inverseRoot(matrix []float64, n int) ([]float64, error) {
	b := graph.New(graph.Float64, nil)
	factor := b.Cholesky(b.Constant(n, n, matrix))
	root := b.Transpose(b.SolveLower(factor, b.Identity(n)))
	runner, err := graph.NewRunner(graph.Compiled, b, root)
	if err != nil {
		return nil, err
	}
	defer runner.Close()
	if err := runner.Run(); err != nil {
		return nil, err
	}
	return slices.Clone(runner.Output64(0)), nil // the runner's own values end with Close
}
