package check_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sml/graph"
	"sml/models"
	"sml/models/methods"
	"sml/models/networks"
	"sml/trainers/check"
)

// images takes 64 inputs for pictures of 8×8 pixels, and puts two convolutions with ReLU,
// a pooling and a dense layer on them.
func images(channels int) func(*graph.Builder, *graph.Node, models.Architecture) models.Forward {
	return func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
		return func(pass graph.Pass) *graph.Node {
			rows := x.Shape()[0]
			h := b.Reshape(x, rows, 8, 8, 1)
			h = b.ReLU(networks.Conv2D(b, "conv1", h, channels, graph.Window{Height: 3, Width: 3, Padding: 1}))
			h = b.MaxPool(h, graph.Window{Height: 2, Width: 2})
			h = b.ReLU(networks.Conv2D(b, "conv2", h, 2*channels, graph.Window{Height: 3, Width: 3, Padding: 1}))
			h = b.MaxPool(h, graph.Window{Height: 2, Width: 2})
			flat := b.Reshape(h, rows, 4*2*channels)
			if a.Drop.Drops(0, 1) {
				flat = b.Dropout(flat, pass, 0, a.Dropout)
			}
			return networks.Dense(b, "output", flat, a.Outputs)
		}
	}
}

// spectral is a dense network whose weights are divided by their largest singular value, which
// one step of a power iteration in every training step estimates.
// Source: Miyato et al. 2018, algorithm 1.
func spectral(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	unit := func(v *graph.Node) *graph.Node {
		return b.Div(v, b.Sqrt(b.AddConst(b.Sum(b.Square(v)), 1e-12)))
	}
	dense := func(name string, h *graph.Node, width int) *graph.Node {
		in := h.Shape()[1]
		w := b.Param(name+".weight", in, width, graph.Uniform(1/math.Sqrt(float64(in))))
		u := b.Buffer(name+".u", 1, width, graph.Normal(1))
		v := b.StopGradient(unit(b.MatMul(u, b.Transpose(w))))
		next := b.StopGradient(unit(b.MatMul(v, w)))
		if b.Training() {
			b.Update(name+".u", next)
			u = next
		} else {
			u = unit(u)
		}
		sigma := b.Sum(b.Mul(b.MatMul(v, w), u))
		return b.Add(b.MatMul(h, b.Div(w, sigma)), b.Param(name+".bias", 1, width, graph.Fill(0)))
	}
	return func(pass graph.Pass) *graph.Node {
		h := x
		for i, width := range a.Hidden {
			h = b.ReLU(dense(fmt.Sprintf("hidden%d", i+1), h, width))
			if a.Drop.Drops(i, len(a.Hidden)) {
				h = b.Dropout(h, pass, i, a.Dropout)
			}
		}
		return networks.Dense(b, "output", h, a.Outputs)
	}
}

// spectralImages takes 256 inputs for pictures of 16×16 pixels: four convolutions and a dense
// layer, with spectral normalisation by five steps of the power iteration.
func spectralImages(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	unit := func(v *graph.Node) *graph.Node {
		return b.Div(v, b.Sqrt(b.AddConst(b.Sum(b.Square(v)), 1e-12)))
	}
	weights := func(name string, in, out int) *graph.Node {
		w := b.Param(name+".weight", in, out, graph.Uniform(math.Sqrt(3/float64(in))))
		u := b.Buffer(name+".u", 1, out, graph.Normal(1))
		var v *graph.Node
		for range 5 {
			v = unit(b.MatMul(u, b.Transpose(w)))
			u = unit(b.MatMul(v, w))
		}
		b.Update(name+".u", u)
		u, v = b.StopGradient(u), b.StopGradient(v)
		return b.Div(w, b.Sum(b.Mul(b.MatMul(v, w), u)))
	}
	bias := func(name string, out int) *graph.Node { return b.Param(name+".bias", 1, out, graph.Fill(0)) }
	return func(pass graph.Pass) *graph.Node {
		rows := x.Shape()[0]
		h, channels := b.Reshape(x, rows, 16, 16, 1), 1
		for i, out := range []int{8, 8, 16, 16} {
			name := fmt.Sprintf("conv%d", i+1)
			h = b.ReLU(b.Conv2D(h, weights(name, 9*channels, out), bias(name, out), graph.Window{Height: 3, Width: 3, Padding: 1}))
			if i%2 == 1 {
				h = b.MaxPool(h, graph.Window{Height: 2, Width: 2})
			}
			channels = out
		}
		flat := b.Reshape(h, rows, 16*channels)
		flat = b.ReLU(b.Add(b.MatMul(flat, weights("dense", 16*channels, 32)), bias("dense", 32)))
		return networks.Dense(b, "output", flat, a.Outputs)
	}
}

func init() {
	models.RegisterNetwork(models.Network{Name: "special-images", Build: images(8)})
	models.RegisterNetwork(models.Network{Name: "special-spectral-images", Build: spectralImages})
	models.RegisterNetwork(models.Network{Name: "special-spectral", Build: spectral})
	models.RegisterNetwork(models.Network{Name: "special-one-std", Activations: networks.Activations(), Build: func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
		mean := a
		mean.Outputs = a.Targets
		f := networks.MLP(b, x, mean)
		return func(pass graph.Pass) *graph.Node {
			return b.Concat(f(pass), b.Repeat(b.Param("std", 1, a.Outputs-a.Targets, graph.Fill(0)), x.Shape()[0], a.Outputs-a.Targets))
		}
	}})
	models.RegisterNetwork(models.Network{Name: "special-covariance", Build: covariance})
}

// covariance has a covariance of its last layer's weights in a buffer, which is
// filled after the training: the variance of a row is φᵀ Σ φ.
func covariance(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	return func(pass graph.Pass) *graph.Node {
		h := x
		for i, width := range a.Hidden {
			h = b.Tanh(networks.Dense(b, fmt.Sprintf("hidden%d", i+1), h, width))
			if a.Drop.Drops(i, len(a.Hidden)) {
				h = b.Dropout(h, pass, i, a.Dropout)
			}
		}
		n := h.Shape()[1]
		covariance := b.Buffer("covariance", n, n, graph.Fill(0))
		variance := b.SumColumns(b.Mul(b.MatMul(h, covariance), h))
		return b.Concat(networks.Dense(b, "output", h, 1), variance)
	}
}

// unusual are methods whose gradients or results only look wrong.
func unusual() map[string]models.Method {
	return map[string]models.Method{
		"images":               {Objective: methods.FullMSE, Network: "special-images"},
		"images with std":      {Objective: methods.GaussianNLL, Outputs: models.Outputs(2), Predict: methods.Gaussian, Network: "special-images"},
		"images with dropout":  {Objective: methods.DropoutNLL, Outputs: models.Outputs(2), Predict: methods.MixtureOfDraws, Network: "special-images", Stochastic: true, Draws: true, Drop: models.AllLayers},
		"deep spectral images": {Objective: methods.FullMSE, Network: "special-spectral-images"},
		"spectral":             {Objective: methods.FullMSE, Network: "special-spectral"},
		"spectral with std":    {Objective: methods.GaussianNLL, Outputs: models.Outputs(2), Predict: methods.Gaussian, Network: "special-spectral"},
		"covariance": {Outputs: models.Outputs(2), Targets: 1, Network: "special-covariance", Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			return t.MSE(b.Split(t.Forward(graph.Full), 2)[0], t.Y)
		}, Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
			return methods.Normal(m.Full[0], b.Sqrt(b.ClampMin(m.Full[1], 0)))
		}},
		"critic":               adversarial(0.2),
		"strong critic":        adversarial(0.02),
		"variance head":        {Objective: meanAndVariance, Outputs: models.Outputs(2), Predict: gaussian(rootOfSoftplus)},
		"log std":              {Objective: logStd, Outputs: models.Outputs(2), Predict: gaussian((*graph.Builder).Exp)},
		"classes":              classes(1),
		"quantiles":            {Objective: pinball(0.05, 0.5, 0.95), Outputs: models.Outputs(3), Predict: quantiles(0.05, 0.5, 0.95)},
		"one std for all rows": {Predict: methods.Gaussian, Outputs: models.Outputs(2), Objective: methods.GaussianNLL, Network: "special-one-std"},
		"adversarial inputs": {Objective: seeing(func(b *graph.Builder, t *models.Task) *graph.Node {
			slope := b.Grad(t.MSE(t.Forward(graph.Full), t.Y), t.X)[0]
			return b.StopGradient(b.Add(t.X, b.Scale(0.05, b.Sign(slope))))
		})},
	}
}

// adversarial trains against a critic, in one loss: the critic tells targets from
// predictions, and the gradient that reaches the network from it has the other sign.
// Source: Ganin and Lempitsky 2015, for the reversed gradient.
func adversarial(weight float64) models.Method {
	return models.Method{Targets: 1, Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
		out := t.Forward(graph.Full)
		reversed := b.Sub(b.Scale(2, b.StopGradient(out)), out)
		critic := func(y *graph.Node) *graph.Node {
			return t.Network("critic", b.Concat(t.X, y), models.Architecture{Outputs: 1})(graph.Full)
		}
		return b.WeightedSum(
			graph.Term{Name: "error", Weight: weight, Value: t.MSE(out, t.Y)},
			graph.Term{Name: "critic", Weight: 1, Value: t.Mean(b.Add(b.Softplus(b.Neg(critic(t.Y))), b.Softplus(critic(reversed))))},
		)
	}}
}

// Nothing fails, and the mean and the uncertainty of held-out rows get no note either.
func TestUnusualMethodsPass(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	for name, m := range unusual() {
		m.Name = "unusual-" + strings.ReplaceAll(name, " ", "-")
		if m.Predict == nil {
			m.Predict = methods.FullNetwork
		}
		models.Register(m)
		settings := check.Settings{Seed: 1, Inputs: map[string]int{"special-images": 64, "special-spectral-images": 256}[m.Network]}
		t.Run(name, func(t *testing.T) {
			r, err := check.Method(m.Name, settings)
			if err != nil || !r.Passed() {
				t.Fatalf("%v\n%s", err, r)
			}
			for _, f := range r.Findings {
				if f.Status != check.Passed && (f.Check == "held-out" || f.Check == "calibration") {
					t.Errorf("%s", r)
				}
			}
		})
	}
}
