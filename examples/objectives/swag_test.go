package main

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sml/models"
	"sml/trainers"
)

// The networks of SWAG have the mean θ̄ of the weights behind half of the steps, and the covariance
// ½ diag(var θ) + D·Dᵀ/(2(K−1)), where a column of D is the difference of weights from their mean up to
// their step. Source: Maddox et al. 2019, section 3.2. Both are computed here in float64 from all
// weights of the training. The mean over n draws has a standard error of √(var/n), a variance one of
// var·√(2/n), and weights are float32.
func TestSWAGDrawsFromTrajectory(t *testing.T) {
	const rank, networks = 5, 1000
	var path [][]float64 // weights behind half of the training
	var drawn [][]float64
	swag, err := models.Lookup("swag")
	if err != nil {
		t.Fatal(err)
	}
	swag.Name = "recorded-swag"
	swag.AfterStep = func(n *models.Trajectory) error {
		if 2*n.Step > n.Steps {
			path = append(path, doubles(n.Parameters()))
		}
		return collectWeights(n)
	}
	swag.AfterTraining = func(ctx context.Context, n *models.TrainedNetwork) error {
		if !slices.Equal(doubles(n.Parameters()), path[len(path)-1]) {
			t.Error("the trained network has other weights than the last step")
		}
		return drawNetworks(ctx, n)
	}
	models.Register(swag)
	f := newFitted(t, "recorded-swag", 1)
	if f.spec, err = models.NewSpec("recorded-swag", models.Hyperparameters{"rank": float64(rank), "networks": float64(networks), "collected": 1000.0}, f.spec.Architecture); err != nil {
		t.Fatal(err)
	}
	f.spec.Weighted = true
	f.settings.Epochs = 4
	r, err := trainers.Train(t.Context(), f.spec, f.rows, f.settings, trainers.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path = path[len(path)-4*700/50/2:] // before, the functions were tried with an untrained network
	networksOf := models.FindSubNetworks(r.Stored[0])
	for i := range networksOf.Len() {
		drawn = append(drawn, doubles(networksOf.Parameters(i)))
	}
	if len(drawn) != networks {
		t.Fatalf("%d networks, want %d", len(drawn), networks)
	}
	for i := range path[0] {
		mean, wantMean, low := 0.0, 0.0, 0.0
		for at, weights := range path {
			wantMean += weights[i]
			if d := weights[i] - wantMean/float64(at+1); at >= len(path)-rank {
				low += d * d
			}
		}
		wantMean /= float64(len(path))
		diagonal := 0.0
		for _, weights := range path {
			diagonal += (weights[i] - wantMean) * (weights[i] - wantMean) / float64(len(path))
		}
		want := diagonal/2 + low/(2*(rank-1))
		for _, weights := range drawn {
			mean += weights[i] / networks
		}
		variance := 0.0
		for _, weights := range drawn {
			variance += (weights[i] - mean) * (weights[i] - mean) / networks
		}
		if math.Abs(mean-wantMean) > 5*math.Sqrt(want/networks)+1e-6 {
			t.Errorf("weight %d has a mean of %v, want %v", i, mean, wantMean)
		}
		if math.Abs(variance-want) > 5*want*math.Sqrt(2.0/networks)+1e-12 {
			t.Errorf("weight %d has a variance of %v, want %v", i, variance, want)
		}
	}
}

// A training whose epochs are all done has what SWAG needs in its last checkpoint.
func TestSWAGResumesBehindItsLastEpoch(t *testing.T) {
	f := newFitted(t, "swag", 2)
	dir := filepath.Join(t.TempDir(), "checkpoint")
	want := f.train(t, trainers.Options{Checkpoint: dir, Program: "p"})
	_, states, err := trainers.ReadCheckpoint(dir, "p")
	if err != nil {
		t.Fatal(err)
	}
	if got := f.train(t, trainers.Options{Resume: states}); !slices.EqualFunc(got.Stored, want.Stored, models.EqualMatrices) {
		t.Error("other sub-networks")
	}
	states[1].Kept[0].Values[0] = float32(math.NaN())
	if _, err := trainers.Train(t.Context(), f.spec, f.rows, f.settings, trainers.Options{Resume: states}); err == nil || !strings.Contains(err.Error(), `a matrix "count" with the value NaN`) {
		t.Error(err)
	}
}

func doubles(values []float32) []float64 {
	list := make([]float64, len(values))
	for i, v := range values {
		list[i] = float64(v)
	}
	return list
}

// Predictions are the mixture of the drawn networks: mean ⟨μ⟩ and variance ⟨σ²⟩ + var μ, by networks in
// plain Go. The networks of the program compute in float32.
func TestSWAGPredictsByItsNetworks(t *testing.T) {
	f := newFitted(t, "swag", 1)
	m := f.train(t, trainers.Options{})
	values := predict(t, m, f.rows)
	networks := m.SubNetworks(0)
	params := m.Members[0].Clone()
	n := float64(networks.Len())
	for row := range 50 {
		var means []float64
		mean, aleatoric := 0.0, 0.0
		for i := range networks.Len() {
			networks.Load(i, params)
			_, out := f.run(params, row)
			std := math.Log1p(math.Exp(out[1]))
			means = append(means, out[0])
			mean += out[0] / n
			aleatoric += std * std / n
		}
		epistemic := 0.0
		for _, v := range means {
			epistemic += (v - mean) * (v - mean) / (n - 1)
		}
		p := values[row]
		if math.Abs(p.Mean()-mean) > 1e-5 {
			t.Errorf("row %d: mean %v, want %v", row, p.Mean(), mean)
		}
		if want := math.Sqrt(aleatoric + epistemic); math.Abs(p.Std()-want) > 1e-5*want {
			t.Errorf("row %d: standard deviation %v, want %v", row, p.Std(), want)
		}
		if want := math.Sqrt(epistemic); !(want > 0) || math.Abs(p.Components[1]-want) > 1e-3*want {
			t.Errorf("row %d: epistemic standard deviation %v, want %v", row, p.Components[1], want)
		}
	}
}
