package trainers

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sml/internal/expect"
	"sml/models"
	"sml/trainers/optimizer"
)

// shippedOptimizers lists the optimizers, without the ones of tests that cannot train.
func shippedOptimizers() []optimizer.Optimizer {
	return slices.DeleteFunc(optimizer.All(), func(o optimizer.Optimizer) bool { return o.Source == aTest })
}

func init() {
	optimizer.Register(optimizer.Optimizer{
		Name: "overflows", Summary: "its slot overflows, and no weight moves", Source: aTest,
		New: func(models.Hyperparameters, int) optimizer.State { return overflows{1} },
	})
}

func init() {
	optimizer.Register(optimizer.Optimizer{
		Name: "panics", Summary: "divides by nothing", Source: aTest,
		New: func(models.Hyperparameters, int) optimizer.State { return panics{overflows{1}} },
	})
}

type panics struct{ overflows }

func (p panics) Step(values, grad []float32, info optimizer.StepInfo) {
	p.overflows[0] = grad[len(grad)]
}

// A panic is told with the optimizer and the line.
func TestPanicInAnOptimizer(t *testing.T) {
	_, err := Train(t.Context(), specOf(t, "mc"), wave(50), Settings{Epochs: 2, Batch: 10, Optimizer: "panics"}, Options{})
	expect.Error(t, err, "optimizer panics: runtime error: index out of range", "optimizer_test.go:")
}

type overflows []float32

func (o overflows) Slots() []optimizer.Slot { return []optimizer.Slot{{Name: "square", Values: o}} }

func (o overflows) Step(values, grad []float32, info optimizer.StepInfo) { o[0] *= 1e30 }

// What no checkpoint could be read with again ends a training when it comes up.
func TestSlotOverflows(t *testing.T) {
	_, err := Train(t.Context(), specOf(t, "mc"), wave(50), Settings{Epochs: 2, Batch: 10, Optimizer: "overflows"}, Options{})
	var d *DivergedError
	if !errors.As(err, &d) || d.Epoch != 1 || !strings.Contains(err.Error(), `the slot "square" of optimizer overflows overflowed`) {
		t.Errorf("%v", err)
	}
}

// Every optimizer trains, one from outside too; interrupted, written and read, it
// goes on to the same bytes.
func TestOptimizersTrainAndResume(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	var all [][]float32
	for _, o := range shippedOptimizers() {
		s := Settings{Epochs: 40, Batch: 10, LearningRate: 0.01, Schedule: models.Schedule{Shape: "cosine"}, Decay: 0.02, Members: 2, Seed: 5, Optimizer: o.Name}
		if o.HasOwnDecay() {
			s.Decay = 0
		}
		want := train(t, "de", s, Options{})
		if first, last := want.History.Rows[0].Values[0], want.History.Rows[39].Values[0]; !(last < first/2) {
			t.Errorf("%s: the loss goes from %v to %v", o.Name, first, last)
		}
		if len(want.Warnings) > 0 {
			t.Errorf("%s: a good training is warned of: %q", o.Name, want.Warnings)
		}
		states := interruptedWhen(t, specOf(t, "de"), wave(50), s, Options{Workers: 1}, func(p Progress) bool { return p.Member == 1 && p.Epoch == 7 })
		if states[1].Epoch != 7 {
			t.Errorf("%s: the checkpoint is of epoch %d", o.Name, states[1].Epoch)
		}
		if got := train(t, "de", s, Options{Resume: states}); !equal(got, want) {
			t.Errorf("%s: the resumed training came to other bytes", o.Name)
		}
		for _, other := range shippedOptimizers() {
			if reflect.DeepEqual(names(states[0].Slots), slotsOf(t, other)) {
				continue // it is for a job's settings to tell them apart
			}
			s.Optimizer, s.Decay = other.Name, 0
			expect.Error(t, trainError(t, specOf(t, "de"), wave(50), s, Options{Resume: states}), "member 0 has ")
		}
		all = append(all, weights(want)[0])
	}
	for i := range all {
		for j := range i {
			if slices.Equal(all[i], all[j]) {
				t.Errorf("optimizers %d and %d come to the same", i, j)
			}
		}
	}
}

// names lists what an optimizer keeps, each once: "m" for the slots "m.0" and "m.1" of two
// groups.
func names(slots []optimizer.Slot) []string {
	var list []string
	for _, s := range slots {
		name, _, _ := strings.Cut(s.Name, ".")
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

func slotsOf(t *testing.T, o optimizer.Optimizer) []string {
	t.Helper()
	h := expect.Must(o.Choose(nil))
	s := expect.Must(o.Start(h, 3))
	return names(s.Slots())
}

// Equal choices of an optimizer resolve to equal settings, and resolving them again changes nothing.
func TestOptimizerIsResolved(t *testing.T) {
	custom := models.Hyperparameters{"beta1": 0.8, "beta2": 0.999, "epsilon": 1e-8}
	zeros := models.Hyperparameters{"beta1": 0.0, "beta2": 0.0, "epsilon": 1e-8}
	for _, c := range []struct{ given, want Settings }{
		{Settings{Adam: zeros, Clip: math.Copysign(0, -1)}, Settings{Optimizer: "adam", Adam: zeros}},
		{Settings{}, Settings{Optimizer: "adam", Adam: DefaultAdam}},
		{Settings{Optimizer: "adam", OptimizerHyperparameters: models.Hyperparameters{"beta1": 0.8}}, Settings{Optimizer: "adam", Adam: custom}},
		{Settings{Adam: custom}, Settings{Optimizer: "adam", Adam: custom}},
		{Settings{Optimizer: "sgd"}, Settings{Optimizer: "sgd", OptimizerHyperparameters: models.Hyperparameters{"momentum": 0.9, "nesterov": 0.0}}},
		{Settings{Optimizer: "sgd", OptimizerHyperparameters: models.Hyperparameters{"momentum": 0.0, "nesterov": true}},
			Settings{Optimizer: "sgd", OptimizerHyperparameters: models.Hyperparameters{"momentum": 0.0, "nesterov": 1.0}}},
	} {
		for _, given := range []Settings{c.given, c.want} {
			s, err := Resolve(specOf(t, "mc"), given)
			if err != nil || math.Signbit(s.Clip) || s.Optimizer != c.want.Optimizer || !reflect.DeepEqual(s.Adam, c.want.Adam) || !reflect.DeepEqual(s.OptimizerHyperparameters, c.want.OptimizerHyperparameters) {
				t.Errorf("%+v became %+v, %v", given, s, err)
			}
			text, err := json.Marshal(s)
			var read Settings
			if err != nil || json.Unmarshal(text, &read) != nil || !reflect.DeepEqual(read, s) {
				t.Errorf("%s is read as %+v, %v", text, read, err)
			}
		}
	}
	for _, c := range []struct {
		want string
		s    Settings
	}{
		{"weight decay 200 at a learning rate of 0.01 changes the sign of weights", Settings{Optimizer: "adamw", LearningRate: 0.01, OptimizerHyperparameters: models.Hyperparameters{"decay": 200}}},
		{"learning rate is 0.5: want 1e-09 to 0.1", Settings{Optimizer: "lion", LearningRate: 0.5}},
		{"hyperparameters of Adam are given, but the optimizer is sgd", Settings{Optimizer: "sgd", Adam: DefaultAdam}},
		{"are given twice", Settings{Adam: custom, OptimizerHyperparameters: models.Hyperparameters{"beta1": 0.8}}},
	} {
		expect.Error(t, expect.ErrorOf(Resolve(specOf(t, "mc"), c.s)), c.want)
	}
}

// DescribeOptimizer names the optimizer and its hyperparameters.
func TestRule(t *testing.T) {
	for want, s := range map[string]Settings{
		"Adam (0.9, 0.999, 1e-08)":        {},
		"AdamW (0.9, 0.999, 1e-08, 0.01)": {Optimizer: "adamw"},
		"SGD (0.9)":                       {Optimizer: "sgd"},
		"SGD (0.5, nesterov)":             {Optimizer: "sgd", OptimizerHyperparameters: models.Hyperparameters{"momentum": 0.5, "nesterov": true}},
	} {
		if s, err := Resolve(specOf(t, "mc"), s); err != nil || s.DescribeOptimizer() != want {
			t.Errorf("%q, %v; want %q", s.DescribeOptimizer(), err, want)
		}
	}
}

// AdamW is Adam with the training's decay, to the byte.
func TestAdamWIsAdamWithDecay(t *testing.T) {
	s := Settings{Epochs: 5, Batch: 10, Seed: 5}
	s.Optimizer, s.OptimizerHyperparameters = "adamw", models.Hyperparameters{"decay": 0.1}
	a := train(t, "mc", s, Options{})
	s.Optimizer, s.OptimizerHyperparameters, s.Decay = "adam", nil, 0.1
	if b := train(t, "mc", s, Options{}); !reflect.DeepEqual(weights(a), weights(b)) {
		t.Error("they come to other weights")
	}
}

// Gradients that stop Adam are nothing to an optimizer that does not remember
// their squares.
func TestOnlyAdamIsWarnedOfSteepGradients(t *testing.T) {
	r, err := Train(t.Context(), specOf(t, "steep"), wave(50), Settings{Epochs: 2, Batch: 10, Optimizer: "lion"}, Options{})
	if err != nil || strings.Contains(strings.Join(r.Warnings, "\n"), "Adam") {
		t.Errorf("%+v, %v", r, err)
	}
}

// Optimizers that compute with a batch again come to the same bytes with any number of threads, also where they share the
// steps (2·10⁶ multiplications a thread), and with dropout masks, which are those of the step.
func TestBatchOptimizersOfThreads(t *testing.T) {
	spec := expect.Must(models.NewSpec("mc", nil, models.Architecture{Inputs: 2, Targets: 1, Hidden: []int{160, 160}, Dropout: 0.1}))
	for _, name := range []string{"sam", "sophia", "lbfgs"} {
		s := Settings{Epochs: 3, Batch: 200, Members: 1, Seed: 2, Optimizer: name}
		var all [][]float32
		for _, threads := range []int{1, 3} {
			r := mustTrain(t, spec, wave(400), s, Options{Threads: threads})
			all = append(all, weights(r)[0])
		}
		if !slices.Equal(all[0], all[1]) {
			t.Errorf("%s: three threads come to other bytes than one", name)
		}
	}
}

// Gradients that an optimizer computes again are clipped: with a tiny bound, SAM moves as far as its clipped gradient
// says, and a step of gradient descent is at most the rate times the bound.
func TestGradientsComputedAgainAreClipped(t *testing.T) {
	sgd := expect.Must(optimizer.Lookup("sgd"))
	optimizer.Register(optimizer.Optimizer{
		Name: "sam-sgd", Summary: "SAM with gradient descent", Source: aTest, Hyperparameters: sgd.Hyperparameters,
		Transforms: func(_ models.Hyperparameters, weights int) []optimizer.GradientTransform {
			return []optimizer.GradientTransform{optimizer.SAM(0.5, weights)}
		},
		New: sgd.New,
	})
	s := Settings{Epochs: 1, Batch: 50, Seed: 2, LearningRate: 0.5, Clip: 0.01, Optimizer: "sam-sgd"}
	initial := train(t, "mc", Settings{Epochs: 1, Batch: 50, Seed: 2, LearningRate: 1e-9, Optimizer: "sgd"}, Options{})
	moved := train(t, "mc", s, Options{Initial: initial.Members})
	squares := 0.0
	for i, w := range weights(moved)[0] {
		d := float64(w - weights(initial)[0][i])
		squares += d * d
	}
	if distance := math.Sqrt(squares); math.Abs(distance-0.5*0.01) > 1e-4 {
		t.Errorf("the step has a length of %v, want 0.005", distance)
	}
}
