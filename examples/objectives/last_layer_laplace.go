package main

import (
	"context"
	"math"
	"slices"

	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// init registers "last-layer-laplace", which computes the distribution of the last layer's weights after the
// training.
func init() {
	models.Register(models.Method{
		Name:      "last-layer-laplace",
		Title:     "Last-layer Laplace",
		Summary:   "squared error, then Bayesian linear regression on the last hidden layer",
		Source:    "Daxberger et al. 2021, section 2, last layer; Bishop 2006, section 3.3, for its closed form",
		Objective: methods.FullMSE,
		Hyperparameters: []models.Hyperparameter{
			{Name: "prior", Default: 1.0, Range: models.Range{Min: 1e-6, Max: 1e6}, Help: "precision of the prior of the last layer's weights and biases"},
		},
		Targets:       1,
		AfterTraining: fitLaplace,
		Predict:       predictLaplace,
		Combine:       methods.CombineAsNormal,
	})
}

// minNoise is the smallest noise, in units of the target's standard deviation.
const minNoise = 1e-3

// fitLaplace stores the noise σ, the root of the mean squared residual, and the posterior covariance
//
//	(τ I + Σ w φ φᵀ/σ²)⁻¹
//
// of the last layer's weights and bias. φ is the output of the last hidden layer and a 1, w a row's weight,
// and τ the precision of the prior. The covariance is stored as a root R with R·Rᵀ = covariance, so that
// rounding cannot make a variance negative: the rows for the weights as "weight", the row for the bias as
// "bias".
func fitLaplace(ctx context.Context, n *models.TrainedNetwork) error {
	sums, err := sumTrainingRows(ctx, n)
	if err != nil {
		return err
	}
	size := sums.size
	noise := max(minNoise, math.Sqrt(sums.squares/float64(n.Rows())))
	precision := sums.features
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
	lastRow := (size - 1) * size
	if err := n.Store("weight", size-1, size, root[:lastRow]); err != nil {
		return err
	}
	return n.Store("bias", 1, size, root[lastRow:])
}

// rowSums holds sums over the training rows.
type rowSums struct {
	size     int       // number of elements of φ
	features []float64 // Σ w φ φᵀ [size, size]
	squares  float64   // Σ w r² of the residuals r
}

// sumTrainingRows returns the sums over the training rows of a network.
func sumTrainingRows(ctx context.Context, n *models.TrainedNetwork) (rowSums, error) {
	var sums rowSums
	row := 0 // index among all training rows
	weights := n.Weights()
	nodes := func(b *graph.Builder, t *models.Task) []*graph.Node {
		return []*graph.Node{t.Layer(""), b.Sub(t.Forward(graph.Full), t.Y)}
	}
	addBlock := func(rows int, values [][]float32) {
		layers, residuals := values[0], values[1]
		units := len(layers) / rows
		for i := range rows {
			sums.addRow(layers[i*units:][:units], residuals[i], weights[row])
			row++
		}
	}
	err := n.Evaluate(ctx, nodes, addBlock)
	return sums, err
}

// addRow adds a row with the given output of the last hidden layer, residual and weight to the sums.
func (s *rowSums) addRow(layer []float32, residual float32, weight float64) {
	if s.features == nil {
		s.size = len(layer) + 1
		s.features = make([]float64, s.size*s.size)
	}
	phi := make([]float64, s.size)
	for i, v := range layer {
		phi[i] = float64(v)
	}
	phi[len(layer)] = 1 // the bias is the weight of this element
	addOuter(s.features, phi, weight)
	r := float64(residual)
	s.squares += float64(weight * float64(r*r))
}

// predictLaplace returns N(f, σ² + φᵀ Σ φ) with the posterior covariance Σ = R·Rᵀ, so that φᵀ Σ φ is the sum
// of the squares of φᵀ R. The noise σ is the aleatoric, √(φᵀ Σ φ) the epistemic standard deviation.
func predictLaplace(b *graph.Builder, m models.Moments) models.PredictionNodes {
	mean := m.Full[0]
	noise := m.Stored("noise")
	phiR := b.Linear(m.Layer(""), m.Stored("weight"), m.Stored("bias"))
	variance := b.SumColumns(b.Square(phiR))
	std := b.Sqrt(b.Add(variance, b.Square(noise)))
	return methods.Normal(mean, std,
		models.Component{Name: models.Aleatoric, Std: b.Repeat(noise, mean.Shape()[0], 1)},
		models.Component{Name: models.Epistemic, Std: b.Sqrt(variance)})
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
	b := graph.New(graph.Float64, new(graph.Params))
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
