package optimizer_test

import (
	"math"
	"testing"

	"sml/internal/expect"
	"sml/models"
	"sml/trainers/optimizer"
)

// PyTorch 1.13 has these weights after three steps from (0.5, −1, 2) with the gradients of threeGradients:
//
//   - adam: torch.optim.AdamW(lr=0.01, weight_decay=0 and 0.1)
//   - adamw: the same with its own decay of 0.01, and of 0.1, and behind clip_grad_norm_(1)
//   - sgd: torch.optim.SGD(lr=0.1, momentum, nesterov)
//   - rmsprop, in float64: torch.optim.RMSprop(lr=0.01) with alpha=0.99, and with alpha=0.9, momentum=0.5, eps=0.1
//   - nadam, in float64: torch.optim.NAdam(lr=0.01) with its defaults, and with betas=(0.8, 0.95), momentum_decay=0.5,
//     eps=0.001, both with foreach=True, because the other loop of PyTorch 1.13 multiplies its product of momenta by one
//     momentum too many
//   - lion, by torch.sign: Chen et al. 2023, algorithm 2, without and with a decay of 0.1
func TestStepsAsInPyTorch(t *testing.T) {
	adamw := lookup(t, "adamw")
	clipped := adamw
	clipped.Transforms = func(h models.Hyperparameters, weights int) []optimizer.GradientTransform {
		return append([]optimizer.GradientTransform{optimizer.ClipNorm(1)}, adamw.Transforms(h, weights)...)
	}
	for _, c := range []struct {
		optimizer   optimizer.Optimizer
		chosen      models.Hyperparameters
		rate, decay float64
		want        []float64
	}{
		{adam(t), nil, 0.01, 0, []float64{0.4782431721687317, -0.9867227673530579, 2.009727716445923}},
		{adam(t), nil, 0.01, 0.1, []float64{0.47677385807037354, -0.9837484955787659, 2.0037264823913574}},
		{adamw, nil, 0.01, 0, []float64{0.4780960977077484, -0.9864250421524048, 2.009126901626587}},
		{adamw, models.Hyperparameters{"decay": 0.1}, 0.01, 0, []float64{0.47677385807037354, -0.9837484955787659, 2.0037264823913574}},
		{clipped, models.Hyperparameters{"decay": 0.1}, 0.01, 0, []float64{0.47853371500968933, -0.9889468550682068, 2.003216505050659}},
		{lookup(t, "sgd"), models.Hyperparameters{"momentum": 0.9}, 0.1, 0, []float64{0.4359000027179718, -0.6980000138282776, 2.069999933242798}},
		{lookup(t, "sgd"), models.Hyperparameters{"momentum": 0.9, "nesterov": true}, 0.1, 0, []float64{0.4223099946975708, -0.6782000064849854, 2.0880000591278076}},
		{lookup(t, "sgd"), models.Hyperparameters{"momentum": 0.5, "nesterov": true}, 0.1, 0, []float64{0.4587499797344208, -0.875, 2.049999952316284}},
		{lookup(t, "rmsprop"), nil, 0.01, 0, []float64{0.35874760784740667, -0.9669117470792835, 2.0550986625578247}},
		{lookup(t, "rmsprop"), models.Hyperparameters{"alpha": 0.9, "momentum": 0.5, "epsilon": 0.1}, 0.01, 0, []float64{0.47351021942882915, -0.9780467311125131, 2.019782508227125}},
		{lookup(t, "nadam"), nil, 0.01, 0, []float64{0.4845941225466711, -0.9957558119034213, 2.0060552271892327}},
		{lookup(t, "nadam"), models.Hyperparameters{"beta1": 0.8, "beta2": 0.95, "growth": 0.5, "epsilon": 0.001}, 0.01, 0, []float64{0.4835442477292969, -0.9955375339819524, 2.006705690816702}},
		{lookup(t, "lion"), nil, 0.01, 0, []float64{0.49, -1.01, 2}},
		{lookup(t, "lion"), nil, 0.01, 0.1, []float64{0.4885314895, -1.007012989, 1.9939959980000002}},
	} {
		values, s := []float32{0.5, -1, 2}, start(t, c.optimizer, c.chosen, 3)
		for i, g := range threeGradients() {
			s.Step(values, g, optimizer.StepInfo{Step: i + 1, Steps: 3, Rate: c.rate, Decay: c.decay})
		}
		t.Logf("%s %v, decay %v", c.optimizer.Name, c.chosen, c.decay)
		near(t, values, c.want)
	}
}

func threeGradients() [][]float32 {
	return [][]float32{{0.1, -2, 0}, {0.3, 1, -0.5}, {-0.2, 0.5, 0.25}}
}

func near(t *testing.T, values []float32, want []float64) {
	t.Helper()
	for i := range want {
		if math.Abs(float64(values[i])-want[i]) > 5e-7 {
			t.Errorf("value %d is %v, want %v", i, values[i], want[i])
		}
	}
}

func adam(t *testing.T) optimizer.Optimizer {
	t.Helper()
	return lookup(t, "adam")
}

func lookup(t *testing.T, name string) optimizer.Optimizer {
	t.Helper()
	o := expect.Must(optimizer.Lookup(name))
	return o
}
