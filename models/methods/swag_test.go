package methods_test

import (
	"math"
	"slices"
	"testing"

	"sml/data"
	"sml/evaluation"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/trainers"
)

// trainSWAG trains a small network with dropout, which SWAG does not use, on Friedman's function.
func trainSWAG(t *testing.T, method string, h models.Hyperparameters) (*models.Model, data.Subset) {
	t.Helper()
	table := data.Friedman(700, 3)
	x := data.FitScalers(table.X, table.Columns, nil)
	y := data.FitScalers(table.Y, table.Targets, nil)
	rows := table.Subset(nil, x, y)
	spec := expect.Must(models.NewSpec(method, h, models.Architecture{Inputs: 10, Targets: 1, Hidden: []int{6}, Dropout: 0.3, Drop: models.AllLayers}))
	r := expect.Must(trainers.Train(t.Context(), spec, rows, trainers.Settings{Epochs: 4, Batch: 50, Seed: 5, LearningRate: 0.005}, trainers.Options{}))
	return r.Model(spec, x, y), rows
}

// recordTrajectory registers the method under another name with an AfterStep that appends the weights behind half of
// the steps to the returned path, too.
func recordTrajectory(t *testing.T, method, name string) (path *[][]float64) {
	t.Helper()
	m := expect.Must(models.Lookup(method))
	path = new([][]float64)
	collect := m.AfterStep
	m.Name = name
	m.AfterStep = func(t *models.Trajectory) error {
		if 2*t.Step > t.Steps {
			*path = append(*path, doubles(t.Parameters()))
		}
		return collect(t)
	}
	models.Register(m)
	return path
}

// doubles returns values as float64.
func doubles(values []float32) []float64 {
	var list []float64
	for _, v := range values {
		list = append(list, float64(v))
	}
	return list
}

// The drawn networks have the mean θ̄ of the weights behind half of the steps, and the variances
// ½ var θ + (D·Dᵀ)ᵢᵢ/(2(K−1)), where a column of D is the difference of weights from their mean up to their step;
// without deviations var θ. Source: Maddox et al. 2019, section 3.2. Both are computed here in float64 from all
// weights of the training. The mean over n draws has a standard error of √(var/n), a variance one of var·√(2/n), and
// weights are float32.
func TestSWAGDrawsFromTrajectory(t *testing.T) {
	const networks = 1000
	const steps = 4 * 700 / 50 / 2 // that are collected
	for _, c := range []struct {
		method, name string
		rank         int
	}{{"swag", "recorded-swag", 5}, {"swag-pu", "recorded-swag-pu", 5}, {"swag", "recorded-swag-diag", 0}} {
		path := recordTrajectory(t, c.method, c.name)
		m, _ := trainSWAG(t, c.name, models.Hyperparameters{"rank": float64(c.rank), "networks": float64(networks), "collected": 1000.0})
		collected := (*path)[len(*path)-steps:] // before, the functions were tried with an untrained network
		drawn := m.SubNetworks(0)
		if drawn.Len() != networks {
			t.Fatalf("there are %d networks; want %d", drawn.Len(), networks)
		}
		for i := range collected[0] {
			wantMean, want := expectedMoments(collected, i, c.rank)
			mean, variance := 0.0, 0.0
			for k := range networks {
				mean += float64(drawn.Parameters(k)[i]) / networks
			}
			for k := range networks {
				deviation := float64(drawn.Parameters(k)[i]) - mean
				variance += deviation * deviation / networks
			}
			if math.Abs(mean-wantMean) > 5*math.Sqrt(want/networks)+1e-6 {
				t.Errorf("%s: weight %d has a mean of %v; want %v", c.name, i, mean, wantMean)
			}
			if math.Abs(variance-want) > 5*want*math.Sqrt(2.0/networks)+1e-12 {
				t.Errorf("%s: weight %d has a variance of %v; want %v", c.name, i, variance, want)
			}
		}
	}
}

// expectedMoments returns the mean and the variance of weight i in networks that are drawn after the weights of path
// were collected.
func expectedMoments(path [][]float64, i, rank int) (mean, variance float64) {
	steps := float64(len(path))
	latest := 0.0 // sum of the squares of the latest deviations
	for at, weights := range path {
		mean += weights[i]
		deviation := weights[i] - mean/float64(at+1)
		if at >= len(path)-rank {
			latest += deviation * deviation
		}
	}
	mean /= steps
	for _, weights := range path {
		variance += (weights[i] - mean) * (weights[i] - mean) / steps
	}
	if rank == 0 {
		return mean, variance
	}
	return mean, variance/2 + latest/float64(2*(rank-1))
}

// swag predicts the mean ⟨μ⟩ and the variance var μ + σ² of the drawn networks, where σ² is the mean squared residual
// of the network with the mean of the weights; swag-pu predicts ⟨μ⟩ and var μ + ⟨σ²⟩. Networks are computed here one
// row at a time. Source: Maddox et al. 2019, equation 1; Kendall and Gal 2017, equation 9.
func TestSWAGPredictsByItsNetworks(t *testing.T) {
	for _, method := range []string{"swag", "swag-pu"} {
		m, rows := trainSWAG(t, method, nil)
		p := expect.Must(evaluation.Predict(t.Context(), m, rows, evaluation.Sampling{}))
		for row := range 20 {
			mean, aleatoric, epistemic := mixNetworks(t, m, rows, row)
			got := p.Values[row]
			if math.Abs(got.Mean()-mean) > 1e-5 {
				t.Errorf("%s, row %d: the mean is %v; want %v", method, row, got.Mean(), mean)
			}
			if want := math.Sqrt(epistemic); !(want > 0) || math.Abs(got.Components[1]-want) > 1e-3*want {
				t.Errorf("%s, row %d: the epistemic standard deviation is %v; want %v", method, row, got.Components[1], want)
			}
			if method == "swag" {
				noise := got.Components[0] // its value has a test of its own
				aleatoric = noise * noise
			}
			if want := math.Sqrt(aleatoric + epistemic); math.Abs(got.Std()-want) > 1e-5*want {
				t.Errorf("%s, row %d: the standard deviation is %v; want %v", method, row, got.Std(), want)
			}
		}
	}
}

// mixNetworks returns the mean of the sub-networks' means, of their variances, and the variance of their means.
func mixNetworks(t *testing.T, m *models.Model, rows data.Subset, row int) (mean, aleatoric, epistemic float64) {
	t.Helper()
	networks := m.SubNetworks(0)
	params := m.Members[0].Clone()
	n := float64(networks.Len())
	var means []float64
	for i := range networks.Len() {
		networks.Load(i, params)
		outputs := runNetwork(t, m.Spec, params, rows, row)
		means = append(means, outputs[0])
		mean += outputs[0] / n
		std := math.Log1p(math.Exp(outputs[len(outputs)-1]))
		aleatoric += std * std / n
	}
	for _, v := range means {
		epistemic += (v - mean) * (v - mean) / (n - 1)
	}
	return mean, aleatoric, epistemic
}

// runNetwork returns the outputs of a network for a row, in plain Go.
func runNetwork(t *testing.T, s models.Spec, p *graph.Params, rows data.Subset, row int) []float64 {
	t.Helper()
	inputs := s.Architecture.Inputs
	h := make([]float64, inputs)
	for i := range h {
		h[i] = (rows.X[row*inputs+i] - rows.XScale[i].Mean) / rows.XScale[i].Std
	}
	layers := len(p.List()) / 2
	for layer := range layers {
		weight := graph.ParamValues(p, p.Float32s(), 2*layer)
		next := doubles(graph.ParamValues(p, p.Float32s(), 2*layer+1)) // the biases
		for j := range next {
			for i, v := range h {
				next[j] += v * float64(weight[i*len(next)+j])
			}
			if layer < layers-1 {
				next[j] = max(0, next[j])
			}
		}
		h = next
	}
	return h
}

// The noise of swag is the root mean squared residual of the network whose weights are the mean of the collected
// ones. One draw of a thousand is close to no draw: the networks' mean weights are the collected ones' up to the error
// of a mean, which moves the residuals by less than a hundredth.
func TestSWAGNoise(t *testing.T) {
	m, rows := trainSWAG(t, "swag", models.Hyperparameters{"networks": 1000.0})
	networks := m.SubNetworks(0)
	sums := make([]float64, len(networks.Parameters(0)))
	for k := range networks.Len() {
		for i, v := range networks.Parameters(k) {
			sums[i] += float64(v) / float64(networks.Len())
		}
	}
	params := m.Members[0].Clone()
	copy(params.Float32s(), singles(sums))
	squares := 0.0
	for row := range 700 {
		y := (rows.Y[row] - rows.YScale[0].Mean) / rows.YScale[0].Std
		residual := runNetwork(t, m.Spec, params, rows, row)[0] - y
		squares += residual * residual / 700
	}
	i := slices.IndexFunc(m.Stored[0], func(m models.Matrix) bool { return m.Name == "noise" })
	if got, want := float64(m.Stored[0][i].Values[0]), math.Sqrt(squares); math.Abs(got-want) > 0.01*want {
		t.Errorf("the noise is %v; want %v", got, want)
	}
}

// Matrices that do not fit into memory are refused before a training, with their size and what to do.
func TestSWAGRefusesLargeMatrices(t *testing.T) {
	for want, h := range map[string]models.Hyperparameters{
		"1000 deviations of 300001 weights need 1.2 GB: want at most 1.07 GB; choose a smaller rank; rank=0 needs none": {"rank": 1000.0},
		"900 networks of 300001 weights need 1.08 GB: want at most 1.07 GB; choose fewer networks":                      {"networks": 900.0},
		"rank=1: one deviation has no spread: want 2 or more, or 0 for uncorrelated weights":                            {"rank": 1.0},
	} {
		spec := expect.Must(models.NewSpec("swag", h, models.Architecture{Inputs: 3, Targets: 1, Hidden: []int{60_000}}))
		expect.Error(t, spec.Examine(1), want)
	}
}
