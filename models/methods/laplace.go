package methods

import (
	"context"
	"fmt"
	"math"

	"sml/graph"
	"sml/models"
)

// Laplace approximations. A network is trained by the squared error. Afterwards its weights θ in some layers get the
// normal distribution N(θ*, (H + τI)⁻¹): θ* are the trained weights, H is the generalised Gauss-Newton matrix of the
// negative log-likelihood, and τ the precision of the prior of the weights. Predictions linearise the network at θ*.
//
// The precision of the prior and the noise of the targets have the largest marginal likelihood. With all layers, the
// noise is the root mean squared residual: Kronecker factors and diagonals of large layers determine more weights
// than there are rows, and the most likely noise can then be larger than the targets' own standard deviation.
//
// The Kronecker-factored H of the last layer is H itself, since the slopes of the outputs by that layer are the
// same for all rows. So laplace-ll has the complete covariance of each target's weights.
var (
	laplaceLastLayer = laplace{layers: models.LastLayer, twin: "laplace-ll-diag"}.addTo(models.Method{
		Name:    "laplace-ll",
		Title:   "Laplace-LL",
		Summary: "Laplace approximation of the last layer's weights, with their covariance, after training by the squared error",
	})
	laplaceLastLayerDiagonal = laplace{layers: models.LastLayer, isDiagonal: true}.addTo(models.Method{
		Name:    "laplace-ll-diag",
		Title:   "Laplace-LL-diag",
		Summary: "Laplace approximation of the last layer's weights without correlations, for very wide layers",
	})
	laplaceKronecker = laplace{layers: models.AllLayers, twin: "laplace-diag"}.addTo(models.Method{
		Name:    "laplace-kron",
		Title:   "Laplace-Kron",
		Summary: "Laplace approximation of the weights of all layers, with a Kronecker-factored covariance for each layer",
	})
	laplaceDiagonal = laplace{layers: models.AllLayers, isDiagonal: true}.addTo(models.Method{
		Name:    "laplace-diag",
		Title:   "Laplace-diag",
		Summary: "Laplace approximation of the weights of all layers without correlations, for very wide layers",
	})
)

// laplace is a Laplace approximation.
type laplace struct {
	layers     models.Layers // layers whose weights have a distribution: all or the last
	isDiagonal bool          // whether the weights of a layer are uncorrelated; otherwise H is Kronecker-factored
	twin       string        // name of the method for the same layers without correlations; "" if this is it
}

// addTo returns the method m with the approximation.
func (l laplace) addTo(m models.Method) models.Method {
	m.Source = "Daxberger et al. 2021, sections 2 and 3; MacKay 1992 for the marginal likelihood; Immer et al. 2021 for the linearised prediction"
	m.Objective = FullMSE
	m.AfterTraining = l.fit
	m.Predict = l.predict
	m.Combine = models.CombineAsNormal
	return m
}

// fit stores the noise of each target and, for each layer, the variance of its weights in the basis of eigenvectors
// of H.
func (l laplace) fit(ctx context.Context, n *models.TrainedNetwork) error {
	shapes, err := n.LinearShapes(l.layers)
	if err != nil {
		return err
	}
	if err := l.checkMemory(shapes); err != nil {
		return err
	}
	scales, err := residualScales(ctx, n)
	if err != nil {
		return err
	}
	sum := sumKronecker
	if l.isDiagonal {
		sum = sumDiagonal
	}
	curvatures, err := sum(ctx, n, l.layers, shapes, scales)
	if err != nil {
		return err
	}
	weightSquares, err := sumWeightSquares(ctx, n, l.layers)
	if err != nil {
		return err
	}
	likelihood := marginalLikelihood{
		targetValues:  float64(n.Rows() * len(scales)),
		weightSquares: weightSquares,
		noiseIsKnown:  l.layers == models.AllLayers,
	}
	for _, c := range curvatures {
		likelihood.eigenvalues = append(likelihood.eigenvalues, c.values...)
	}
	prior, noise := likelihood.maximise()
	return store(n, curvatures, scales, prior, noise)
}

// store stores the standard deviation of the noise of each target and the distribution of the weights of each layer.
func store(n *models.TrainedNetwork, curvatures []layerCurvature, scales []float64, prior, noise float64) error {
	var stds []float64
	for _, scale := range scales {
		stds = append(stds, float64(scale*math.Sqrt(noise)))
	}
	if err := n.Store(noiseName, 1, len(stds), stds); err != nil {
		return err
	}
	for i, c := range curvatures {
		if err := c.store(n, i, prior, noise); err != nil {
			return err
		}
	}
	return nil
}

// maxCurvatureBytes bounds the memory of the Kronecker factors of one network.
const maxCurvatureBytes = 1 << 30

// checkMemory returns an error if the Kronecker factors of the layers take more than maxCurvatureBytes. A diagonal
// has as many numbers as there are weights, which fit into memory already.
func (l laplace) checkMemory(shapes []models.LinearShape) error {
	if l.isDiagonal {
		return nil
	}
	// A factor, its eigenvectors, the reflections that lead to them, and their copy for the model.
	const bytesPerElement = 8 + 8 + 4 + 12
	total := 0.0
	largest := 0
	diagonal := 0.0
	for _, s := range shapes {
		inputs, units := float64(s.Inputs+1), float64(s.Units) // with the bias
		total += float64(bytesPerElement * (float64(inputs*inputs) + float64(units*units)))
		diagonal += float64(8 * inputs * units)
		largest = max(largest, s.Inputs+1, s.Units)
	}
	if total <= maxCurvatureBytes {
		return nil
	}
	return fmt.Errorf("the covariances of up to %d × %d elements in %d layers need %.3g GB: want at most %.3g GB; choose fewer units, or the method %s, which needs %.2g GB",
		largest, largest, len(shapes), total/1e9, maxCurvatureBytes/1e9, l.twin, diagonal/1e9)
}

// predict returns N(f, σ² + J Σ Jᵀ) for the output f of the network, its derivatives J by the weights, their
// covariance Σ and the noise σ. The aleatoric component is σ, the epistemic √(J Σ Jᵀ), a sum over the layers:
//
//	Σᵢⱼ (Q₁ᵀh)ᵢ² (Q₂ᵀs)ⱼ² vᵢⱼ
//
// for the inputs h of a layer and a 1, the slopes s of the output by the layer, the bases Q₁ and Q₂ (the identity for
// a diagonal), and the variances v of the weights in these bases. Source: Immer et al. 2021, equation 10.
func (l laplace) predict(b *graph.Builder, m models.Moments) models.PredictionNodes {
	mean := m.Full[0]
	var variances []*graph.Node // of each target, [rows, 1]
	for i, layer := range m.LinearLayers(l.layers) {
		perUnit := l.variancePerUnit(b, m, i, layer.Input)
		for k, slope := range layer.Slopes {
			if !l.isDiagonal {
				slope = b.MatMul(slope, m.Stored(slopeBasisName(i)))
			}
			variance := b.SumColumns(b.Mul(perUnit, b.Square(slope)))
			if i == 0 {
				variances = append(variances, variance)
			} else {
				variances[k] = b.Add(variances[k], variance)
			}
		}
	}
	variance := b.Concat(variances...)
	noise := m.Stored(noiseName)
	std := b.Sqrt(b.Add(variance, b.Square(noise)))
	return Normal(mean, std, uncertaintyComponents(repeatRow(b, noise, mean.Shape()[0]), b.Sqrt(variance))...)
}

// variancePerUnit returns, for the inputs h [rows, inputs] of layer i, the variance of each unit in the basis of the
// slopes, [rows, units].
func (l laplace) variancePerUnit(b *graph.Builder, m models.Moments, i int, h *graph.Node) *graph.Node {
	if l.isDiagonal {
		return b.Linear(b.Square(h), m.Stored(varianceName(i)), m.Stored(biasVarianceName(i)))
	}
	rotated := b.Linear(h, m.Stored(inputBasisName(i)), m.Stored(biasBasisName(i)))
	return b.MatMul(b.Square(rotated), m.Stored(varianceName(i)))
}
