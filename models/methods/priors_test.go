package methods_test

import (
	"math"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/methods"
)

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

// wantLoss reports an error unless got is want up to some thousand roundings.
func wantLoss(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12*math.Max(1, math.Abs(want))) {
		t.Errorf("%s: the loss is %.17g, and by its formula %.17g", what, got, want)
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
		{methods.BayesByBackprop, models.Hyperparameters{"kl": 0.5, "warm-up": 0.2}, map[string]float64{"divergence": 96}, 48},
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
