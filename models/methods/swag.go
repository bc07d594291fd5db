package methods

import (
	"context"
	"errors"
	"fmt"
	"math"

	"sml/graph"
	"sml/models"
)

// Stochastic weight averaging, Gaussian: weights from the end of a training with a constant learning rate have a
// normal distribution, from which networks are drawn. swag is for networks that predict a mean, swagParametric for
// networks that predict a standard deviation as well.
var (
	swag = newSWAG(models.Method{
		Name:          "swag",
		Title:         "SWAG",
		Summary:       "networks with weights from a normal distribution, which is fitted to the weights along the end of the training by the squared error",
		Objective:     FullMSE,
		SubNetworks:   models.SubNetworkMoments,
		Predict:       predictSWAG,
		AfterTraining: storeNoiseAndNetworks,
	})
	swagParametric = newSWAG(models.Method{
		Name:          "swag-pu",
		Title:         "SWAG-PU",
		Summary:       "as swag, with networks that predict mean and standard deviation",
		Objective:     GaussianNLL,
		Outputs:       models.Outputs(2),
		SubNetworks:   models.EachSubNetwork,
		Predict:       PredictMixtureOfDraws,
		AfterTraining: addDrawnNetworks,
	})
)

// newSWAG returns the method m with the parts that all SWAG methods have.
func newSWAG(m models.Method) models.Method {
	m.Source = "Maddox et al. 2019, algorithm 1 and equation 1"
	m.Hyperparameters = []models.Hyperparameter{
		{Name: "start", Default: 0.5, Range: models.Range{Min: 0, Max: 0.99}, Help: "fraction of the training before weights are collected"},
		{Name: "collected", Default: 50.0, Whole: true, Range: models.Range{Min: 2, Max: 1e6}, Help: "number of times that weights are collected after it"},
		{Name: "rank", Default: 20.0, Whole: true, Range: models.Range{Min: 0, Max: 1000}, Help: "number of deviations of the weights from their mean that are kept, 2 or more; 0 for uncorrelated weights"},
		{Name: "networks", Default: 30.0, Whole: true, Range: models.Range{Min: 2, Max: 1000}, Help: "number of networks that are drawn"},
	}
	m.AfterStep = collectWeights
	m.Combine = models.CombineAsNormal
	return m
}

// Names of the matrices that collectWeights keeps.
const (
	keptCount      = "count"      // [1, 1]: how often weights were collected
	keptMean       = "mean"       // [1, weights]: mean of the collected weights
	keptSquares    = "squares"    // [1, weights]: sum of their squared deviations from the mean
	keptDeviations = "deviations" // [rank, weights]: latest deviations from the mean so far
)

// collectWeights updates, at evenly spaced steps of the training, the mean of the weights, the sum of their
// squared deviations from it, and the latest deviations. t.Keep returns the same numbers in every step, also
// after an interruption. Source of the update: Welford 1962; a mean of squares would lose the small
// deviations in float32.
func collectWeights(t *models.Trajectory) error {
	weights := t.Parameters()
	size := len(weights)
	rank := t.Int("rank")
	if rank == 1 {
		return errors.New("rank=1: one deviation has no spread: want 2 or more, or 0 for uncorrelated weights")
	}
	if err := checkSWAGMemory(size, rank, t.Int("networks")); err != nil {
		return err
	}
	count := t.Keep(keptCount, 1, 1)
	mean := t.Keep(keptMean, 1, size)
	squares := t.Keep(keptSquares, 1, size)
	var deviations []float32
	if rank > 0 {
		deviations = t.Keep(keptDeviations, rank, size)
	}
	stepsBefore := int(float64(t.Float("start") * float64(t.Steps)))
	interval := max(1, (t.Steps-stepsBefore)/t.Int("collected")) // in steps
	isCollected := t.Step > stepsBefore && (t.Steps-t.Step)%interval == 0
	if !isCollected {
		return nil
	}
	latest := make([]float32, size)
	if rank > 0 {
		oldest := int(count[0]) % rank
		latest = deviations[oldest*size:][:size] // the latest deviations take the place of the oldest
	}
	count[0]++
	for i, w := range weights {
		fromOldMean := w - mean[i]
		mean[i] += fromOldMean / count[0]
		latest[i] = w - mean[i]
		squares[i] += float32(fromOldMean * latest[i])
	}
	return nil
}

// checkSWAGMemory returns an error if the deviations or the drawn networks, of the given number of weights each, take
// more memory than a model may.
func checkSWAGMemory(weights, rank, networks int) error {
	const bytesPerWeight = 4
	const limit = bytesPerWeight * models.MaxWeights
	check := func(what string, count int, remedy string) error {
		need := float64(bytesPerWeight) * float64(count) * float64(weights)
		if need <= limit {
			return nil
		}
		return fmt.Errorf("%d %s of %d weights need %.3g GB: want at most %.3g GB; %s", count, what, weights, need/1e9, limit/1e9, remedy)
	}
	if err := check("deviations", rank, "choose a smaller rank; rank=0 needs none"); err != nil {
		return err
	}
	return check("networks", networks, "choose fewer networks")
}

// storeNoiseAndNetworks adds the drawn networks, and stores the noise of the targets: the root mean squared residual
// of the network with the mean of the collected weights.
func storeNoiseAndNetworks(ctx context.Context, n *models.TrainedNetwork) error {
	if err := addDrawnNetworks(ctx, n); err != nil {
		return err
	}
	mean, err := n.WithParameters(n.KeptValues(keptMean))
	if err != nil {
		return err
	}
	noise, err := residualScales(ctx, mean)
	if err != nil {
		return err
	}
	return n.Store(noiseName, 1, len(noise), noise)
}

// addDrawnNetworks adds networks with the weights
//
//	θ̄ + σ·z₁/√2 + D·z₂/√(2(K−1))
//
// to the model. θ̄ and σ are mean and standard deviation of each weight, D has the K latest deviations as
// columns, and z₁ and z₂ are standard normal numbers. Without deviations, weights are θ̄ + σ·z₁. Source: Maddox et
// al. 2019, equation 1 and section 3.2.
func addDrawnNetworks(_ context.Context, n *models.TrainedNetwork) error {
	d := weightDistribution{
		mean:       n.KeptValues(keptMean),
		squares:    n.KeptValues(keptSquares),
		deviations: n.KeptValues(keptDeviations),
		count:      float64(n.KeptValues(keptCount)[0]),
	}
	d.rank = min(n.Int("rank"), int(d.count))
	if d.count < 2 {
		return fmt.Errorf("SWAG needs weights of 2 steps, and has %v: train longer, or lower start", d.count)
	}
	for k := range n.Int("networks") {
		z1 := n.Normal(uint64(2*k), len(d.mean)) // each draw has a random stream of its own
		z2 := n.Normal(uint64(2*k+1), d.rank)
		if err := n.AddSubNetwork(d.weights(z1, z2)); err != nil {
			return err
		}
	}
	return nil
}

// weightDistribution is the normal distribution of collected weights.
type weightDistribution struct {
	mean, squares []float32 // of each weight: mean, and sum of the squared deviations from it
	deviations    []float32 // [rank, weights], in any order
	rank          int       // number of deviations, 0 for uncorrelated weights
	count         float64   // how often weights were collected
}

// weights returns weights for standard normal numbers: one for each weight, and one for each deviation.
func (d weightDistribution) weights(z1, z2 []float64) []float64 {
	ownShare := 1.0
	if d.rank > 0 {
		ownShare = 1 / math.Sqrt2
	}
	weights := make([]float64, len(d.mean))
	for i := range weights {
		std := float64(ownShare * math.Sqrt(max(0, float64(d.squares[i]))/d.count))
		weights[i] = float64(d.mean[i]) + float64(std*z1[i])
		for k, z := range z2 {
			deviation := float64(d.deviations[k*len(d.mean)+i])
			weights[i] += float64(deviation*z) / math.Sqrt(2*float64(d.rank-1))
		}
	}
	return weights
}

// predictSWAG returns the normal distribution with the mean of the drawn networks' outputs, and the variance of these
// plus the noise's.
func predictSWAG(b *graph.Builder, m models.Moments) models.PredictionNodes {
	noise := repeatRow(b, m.Stored(noiseName), m.Mean[0].Shape()[0])
	std := b.Sqrt(b.Add(b.Square(m.Std[0]), b.Square(noise)))
	return Normal(m.Mean[0], std, uncertaintyComponents(noise, m.Std[0])...)
}
