package optimizer_test

import (
	"testing"

	"sml/models"
	"sml/trainers/optimizer"
)

// The values are those of PyTorch 1.13 in float64: three steps of torch.optim.RMSprop(lr=0.01) with alpha=0.99, and
// with alpha=0.9, momentum=0.5, eps=0.1; of torch.optim.NAdam(lr=0.01) with its defaults, and with betas=(0.8, 0.95),
// momentum_decay=0.5, eps=0.001, both with foreach=True, because the other loop of PyTorch 1.13 multiplies its product
// of momenta by one momentum too many; and, by torch.sign, of Chen et al. 2023, algorithm 2, without and with a decay of
// 0.1. Every run starts from (0.5, −1, 2), with the gradients of threeGradients.
func TestStepsAsInPyTorch(t *testing.T) {
	for _, c := range []struct {
		name   string
		chosen models.Hyperparameters
		decay  float64
		want   []float64
	}{
		{"rmsprop", nil, 0, []float64{0.35874760784740667, -0.9669117470792835, 2.0550986625578247}},
		{"rmsprop", models.Hyperparameters{"alpha": 0.9, "momentum": 0.5, "epsilon": 0.1}, 0, []float64{0.47351021942882915, -0.9780467311125131, 2.019782508227125}},
		{"nadam", nil, 0, []float64{0.4845941225466711, -0.9957558119034213, 2.0060552271892327}},
		{"nadam", models.Hyperparameters{"beta1": 0.8, "beta2": 0.95, "growth": 0.5, "epsilon": 0.001}, 0, []float64{0.4835442477292969, -0.9955375339819524, 2.006705690816702}},
		{"lion", nil, 0, []float64{0.49, -1.01, 2}},
		{"lion", nil, 0.1, []float64{0.4885314895, -1.007012989, 1.9939959980000002}},
	} {
		o, err := optimizer.Lookup(c.name)
		if err != nil {
			t.Fatal(err)
		}
		values, s := []float32{0.5, -1, 2}, start(t, o, c.chosen, 3)
		for i, g := range threeGradients() {
			s.Step(values, g, optimizer.StepInfo{Step: i + 1, Rate: 0.01, Decay: c.decay})
		}
		near(t, values, c.want)
	}
}
