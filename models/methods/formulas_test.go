package methods_test

import (
	"fmt"
	"math"
	"testing"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/internal/expect"
	"sml/models"
	"sml/models/methods"
)

// The tests of this file compute losses a second time from their papers, by loops over
// plain float64 numbers, for a network of tanh units. A relative error of 1e-12 is some thousand
// roundings.
const formulaTolerance = 1e-12

// formulaRows and formulaTrainingRows are the rows of the batch and of the training set.
const (
	formulaRows         = 7
	formulaTrainingRows = 40
)

// evaluated is the loss of one run in float64, with every number that the run started from.
type evaluated struct {
	loss   float64
	inputs map[string][]float64
	params map[string][]float64
	drawn  map[string][]float64 // noise, by the names of its nodes
}

// evaluate runs a method's objective on made rows.
func evaluate(t *testing.T, s models.Spec) evaluated {
	t.Helper()
	const seed = 3
	build := lossOf(s, formulaRows)
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	r := expect.Must(graph.NewRunner(graph.Compiled, b, build(b)))
	defer r.Close()
	e := evaluated{inputs: make(map[string][]float64), params: make(map[string][]float64)}
	for _, name := range r.Inputs() {
		values := r.Input64(name)
		for i := range values {
			values[i] = math.Sin(float64(3*i + len(name)))
		}
		switch name {
		case "training rows":
			values[0] = formulaTrainingRows
		case "progress":
			values[0] = 0.05
		case "x range":
			copy(values, []float64{3.5, 0, 0.25})
		}
		e.inputs[name] = values
	}
	params.Initialise(seed)
	for i, p := range params.List() {
		e.params[p.Name] = graph.ParamValues(params, params.Float64s(), i)
	}
	r.SampleMasks(graph.MaskKey{Seed: seed})
	expect.NoError(t, r.Run())
	e.loss = r.Output64(0)[0]
	e.drawn = expect.Must(gradcheck.DrawMasks(build, gradcheck.Settings{Seed: seed}))
	return e
}

// dense returns h·W + bias for rows of inputs numbers.
func dense(h []float64, inputs int, weight, bias []float64) []float64 {
	units := len(bias)
	var out []float64
	for row := range len(h) / inputs {
		for u := range units {
			sum := bias[u]
			for i := range inputs {
				sum += h[row*inputs+i] * weight[i*units+u]
			}
			out = append(out, sum)
		}
	}
	return out
}

// applyTanh replaces each number by its tanh.
func applyTanh(h []float64) []float64 {
	for i, v := range h {
		h[i] = math.Tanh(v)
	}
	return h
}

// gaussianNLL returns the mean over rows and targets of log σ + (y − μ)²/2σ², for outputs μ of
// every target, then s of every target with σ = log(1 + eˢ).
func gaussianNLL(out, y []float64, targets int) float64 {
	sum := 0.0
	for i := range y {
		row, target := i/targets, i%targets
		mean := out[row*2*targets+target]
		std := math.Log1p(math.Exp(out[row*2*targets+targets+target]))
		z := (y[i] - mean) / std
		sum += math.Log(std) + z*z/2
	}
	return sum / float64(len(y))
}

func sumOfSquares(values []float64) (sum float64) {
	for _, v := range values {
		sum += v * v
	}
	return sum
}

// formulaSpec is a network of two hidden layers of tanh units.
func formulaSpec(t *testing.T, method string, chosen models.Hyperparameters, targets int) models.Spec {
	return spec(t, method, chosen, func(a *models.Architecture) { a.Targets, a.Activation = targets, "tanh" })
}

func wantLoss(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= formulaTolerance*math.Max(1, math.Abs(want))) {
		t.Errorf("%s: the loss is %.17g, and by its formula %.17g", what, got, want)
	}
}

// Blundell et al. 2015: weights w = μ + log(1 + e^ρ)·ε (section 3.2), and the loss
// Σ log q(w) − log P(w) − log P(D|w) (equation 2) with P(w) = ½ N(w; 0, 1) + ½ N(w; 0, e⁻¹²)
// (equation 7), here divided by the number of training values, N·T, and warmed up.
func TestBayesIsItsFormula(t *testing.T) {
	for _, targets := range []int{1, 2} {
		e := evaluate(t, formulaSpec(t, "bayes", models.Hyperparameters{"kl": 0.7}, targets))
		density := func(x, mean, std float64) float64 {
			return math.Exp(-(x-mean)*(x-mean)/(2*std*std)) / (std * math.Sqrt(2*math.Pi))
		}
		divergence, stream := 0.0, 0
		draw := func(name string) []float64 {
			noise := e.drawn[fmt.Sprintf("normal noise of sub-network 0, stream %d", stream)]
			stream++
			var w []float64
			for i, mean := range e.params[name] {
				std := math.Log1p(math.Exp(e.params[name+".rho"][i]))
				v := mean + std*noise[i]
				prior := 0.5*density(v, 0, 1) + 0.5*density(v, 0, math.Exp(-6))
				divergence += math.Log(density(v, mean, std)) - math.Log(prior)
				w = append(w, v)
			}
			return w
		}
		h, units := e.inputs["x"], 3
		for _, name := range []string{"hidden1", "hidden2", "output"} {
			weight := draw(name + ".weight")
			bias := draw(name + ".bias")
			if h = dense(h, units, weight, bias); name != "output" {
				h = applyTanh(h)
			}
			units = len(bias)
		}
		warm := 0.05 / 0.2 // progress over warm-up
		want := gaussianNLL(h, e.inputs["y"], targets) + 0.7*warm*divergence/formulaTrainingRows/float64(targets)
		wantLoss(t, fmt.Sprint(targets, " targets"), e.loss, want)
	}
}

// Gal et al. 2017: every layer, the first included, has its inputs multiplied by the
// relaxed coins of equation 5, and adds l²/2·|W|²/(1 − p) and K·(p log p + (1 − p) log(1 − p))
// for its K inputs (equations 3 and 4), here divided by the number of training values.
func TestConcreteIsItsFormula(t *testing.T) {
	for _, targets := range []int{1, 2} {
		e := evaluate(t, formulaSpec(t, "concrete", models.Hyperparameters{"length-scale": 0.5, "entropy": 0.7}, targets))
		// drop returns units behind the coins of a rate, and the rate.
		drop := func(h []float64, from string, stream int) ([]float64, float64) {
			p := 1 / (1 + math.Exp(-e.params[from+".dropout"][0]))
			var left []float64
			for i, u := range e.drawn[fmt.Sprintf("uniform noise of sub-network 0, stream %d", stream)] {
				z := 1 / (1 + math.Exp(-(math.Log(p)-math.Log(1-p)+math.Log(u)-math.Log(1-u))/0.1))
				left = append(left, h[i]*(1-z)/(1-p))
			}
			return left, p
		}
		penalty, from, h, units := 0.0, "input", e.inputs["x"], 3
		for i, name := range []string{"hidden1", "hidden2", "output"} {
			dropped, p := drop(h, from, i)
			weight, bias := e.params[name+".weight"], e.params[name+".bias"]
			penalty += 0.5 * 0.5 / 2 * sumOfSquares(weight) / (1 - p)
			penalty += 0.7 * float64(units) * (p*math.Log(p) + (1-p)*math.Log(1-p))
			if h = dense(dropped, units, weight, bias); name != "output" {
				h = applyTanh(h)
			}
			from, units = name, len(bias)
		}
		want := gaussianNLL(h, e.inputs["y"], targets) + penalty/formulaTrainingRows/float64(targets)
		wantLoss(t, fmt.Sprint(targets, " targets"), e.loss, want)
	}
}

// Lakshminarayanan et al. 2017, algorithm 1: the likelihood at x and at x + ε·sign ∇ₓ, where
// ε is 0.01 times the range of each input (section 2.3). The gradient of a linear network is
// ∂NLL/∂μ·∂μ/∂x + ∂NLL/∂s·∂s/∂x.
func TestAdversarialIsItsFormula(t *testing.T) {
	for _, targets := range []int{1, 2} {
		s := spec(t, "adv-de", nil, func(a *models.Architecture) { a.Targets, a.Hidden = targets, nil })
		e := evaluate(t, s)
		const inputs = 3
		x, y, ranges := e.inputs["x"], e.inputs["y"], e.inputs["x range"]
		weight, bias := e.params["output.weight"], e.params["output.bias"]
		out := dense(x, inputs, weight, bias)
		worse := make([]float64, len(x))
		for i := range x {
			row, input := i/inputs, i%inputs
			slope := 0.0
			for target := range targets {
				mean, s := out[row*2*targets+target], out[row*2*targets+targets+target]
				std := math.Log1p(math.Exp(s))
				off := y[row*targets+target] - mean
				byMean := -off / (std * std)
				byStd := 1/std - off*off/(std*std*std)
				slope += byMean*weight[input*2*targets+target] + byStd/(1+math.Exp(-s))*weight[input*2*targets+targets+target]
			}
			worse[i] = x[i] + 0.01*ranges[input]*math.Copysign(1, slope)
		}
		want := gaussianNLL(out, y, targets) + gaussianNLL(dense(worse, inputs, weight, bias), y, targets)
		wantLoss(t, fmt.Sprint(targets, " targets"), e.loss, want)
	}
}

// Likelihoods add over targets, and weights have one prior. So twice the loss of two equal
// targets, which is a mean over them, is twice the likelihood of one and the prior once; and
// the loss of one target is the likelihood and the prior.
func TestPriorsCountOnceForAllTargets(t *testing.T) {
	for _, c := range []struct {
		method    models.Objective
		chosen    models.Hyperparameters
		penalties map[string]float64
		prior     float64 // for all training rows together
	}{
		{methods.BayesByBackprop, models.Hyperparameters{"kl": 1.0, "warm-up": 0.2}, map[string]float64{"divergence": 48}, 48},
		{methods.ConcreteDropout, models.Hyperparameters{"length-scale": 2.0, "entropy": 0.5}, map[string]float64{"weights": 16, "entropy": -8}, 2*16 - 4},
	} {
		const rows, trainingRows = 2, 16
		out, y := []float64{0.5, -1, -0.25, 2}, []float64{1, -0.75} // μ and s of each row
		loss := func(targets int) float64 {
			params := new(graph.Params)
			b := graph.New(graph.Float64, params)
			for _, name := range []string{"divergence", "weights", "entropy"} {
				if v, ok := c.penalties[name]; ok {
					b.Penalty(name, b.Const(v))
				}
			}
			outputs, target := b.Input("out", rows, 2*targets), b.Input("y", rows, targets)
			node := c.method(b, models.NewTask(b, func(graph.Pass) *graph.Node { return outputs }, target, c.chosen))
			r := expect.Must(graph.NewRunner(graph.Compiled, b, node))
			defer r.Close()
			for row := range rows {
				for k := range targets {
					r.Input64("out")[row*2*targets+k] = out[row*2]
					r.Input64("out")[row*2*targets+targets+k] = out[row*2+1]
					r.Input64("y")[row*targets+k] = y[row]
				}
			}
			for name, value := range map[string]float64{"training rows": trainingRows, "progress": 1} {
				if to := r.Input64(name); to != nil {
					to[0] = value
				}
			}
			expect.NoError(t, r.Run())
			return r.Output64(0)[0]
		}
		likelihood := gaussianNLL(out, y, 1)
		prior := c.prior / trainingRows // exact: powers of 2
		wantLoss(t, "one target", loss(1), likelihood+prior)
		wantLoss(t, "twice the loss of two equal targets", 2*loss(2), 2*likelihood+prior)
	}
}
