package optimizer_test

import (
	"slices"
	"strings"
	"testing"

	"sml/internal/expect"
	"sml/models"
	"sml/trainers/optimizer"
)

// The optimizer "chained" applies several gradient transforms before Adam: clipping, a running
// mean of the gradient, and weight decay.
func init() {
	adam, _ := optimizer.Lookup("adam")
	optimizer.Register(optimizer.Optimizer{
		Name: "chained", Summary: "Adam after every kind of gradient transform", Source: "a test",
		Hyperparameters: append(slices.Clip(adam.Hyperparameters),
			models.Hyperparameter{Name: "norm", Default: 1.0, Range: models.Range{Min: 0, Max: 1e9}, Help: "largest norm of the gradient"},
			models.Hyperparameter{Name: "decay", Default: 0.1, Range: models.Range{Min: 0, Max: 1}, Help: "weight decay"}),
		Transforms: func(h models.Hyperparameters, weights int) []optimizer.GradientTransform {
			return []optimizer.GradientTransform{
				optimizer.ClipNorm(h.Float("norm")), runningMean(make([]float32, weights)),
				optimizer.Decay(h.Float("decay")),
			}
		},
		New: adam.New,
	})
}

// runningMean is a gradient transform with a slot: the mean becomes (gradient + mean)/2 and replaces
// the gradient.
type runningMean []float32

func (m runningMean) Slots() []optimizer.Slot { return []optimizer.Slot{{Name: "mean", Values: m}} }

func (m runningMean) Apply(values, grad []float32, info optimizer.StepInfo) optimizer.StepInfo {
	for i, g := range grad {
		m[i] = (m[i] + g) / 2
		grad[i] = m[i]
	}
	return info
}

// ClipNorm uses the norm of the whole gradient, over all groups of weights. Source: PyTorch 1.13,
// in two groups with learning rates of 0.01 and 0.001.
func TestNormIsOverAllGroups(t *testing.T) {
	o := lookup(t, "adamw")
	own := o.Transforms
	o.Transforms = func(h models.Hyperparameters, weights int) []optimizer.GradientTransform {
		return append(own(h, weights), optimizer.ClipNorm(1))
	}
	values := []float32{0.5, -1, 2}
	s := start(t, o, models.Hyperparameters{"decay": 0.1}, 3, optimizer.Group{To: 1, Rate: 1, Decay: true}, optimizer.Group{From: 1, To: 3, Rate: 0.1, Decay: true})
	for i, g := range threeGradients() {
		s.Step(values, g, optimizer.StepInfo{Step: i + 1, Rate: 0.01})
	}
	near(t, values, []float64{0.47853371500968933, -0.9988925457000732, 2.000321626663208})
	var names []string
	for _, slot := range s.Slots() {
		names = append(names, slot.Name)
	}
	if got := strings.Join(names, " "); got != "m.0 v.0 m.1 v.1" {
		t.Error(got)
	}
}

// An invalid argument of a gradient transform is an error that names the line.
func TestInvalidTransforms(t *testing.T) {
	for want, make := range map[string]func() optimizer.GradientTransform{
		"ClipNorm(0): want a bound above 0": func() optimizer.GradientTransform { return optimizer.ClipNorm(0) },
		"Decay(-1): want":                   func() optimizer.GradientTransform { return optimizer.Decay(-1) },
	} {
		o := adam(t)
		o.Transforms = func(models.Hyperparameters, int) []optimizer.GradientTransform {
			return []optimizer.GradientTransform{make()}
		}
		h := expect.Must(o.Choose(nil))
		if _, err := o.Start(h, 3); err == nil || !strings.Contains(err.Error(), "optimizer adam: "+want) || !strings.Contains(err.Error(), "transform_test.go:") {
			t.Errorf("%v; want %s", err, want)
		}
	}
}
