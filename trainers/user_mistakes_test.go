package trainers

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/methods"
	"sml/models/networks"
	"sml/trainers/optimizer"
)

// forgetful is an optimizer with momentum whose Slots returns other slices than it uses.
type forgetful struct {
	slots  string
	moved  []float32
	random bool
}

func (s *forgetful) Slots() []optimizer.Slot {
	switch {
	case s.slots == "copied":
		return []optimizer.Slot{{Name: "moved", Values: append([]float32(nil), s.moved...)}}
	case s.slots == "late" && s.moved != nil:
		return []optimizer.Slot{{Name: "moved", Values: s.moved}}
	}
	return nil
}

func (s *forgetful) Step(values, grad []float32, info optimizer.StepInfo) {
	if s.moved == nil {
		s.moved = make([]float32, len(values))
	}
	for i, g := range grad {
		s.moved[i] = float32(0.9*s.moved[i]) + g
		values[i] -= float32(float32(info.Rate) * s.moved[i])
		if s.random {
			values[i] += rand.Float32()
		}
	}
}

// What an optimizer keeps outside its slots would be lost where a training is
// interrupted, and is told before the first step.
func TestOptimizersThatForget(t *testing.T) {
	for name, c := range map[string]struct{ words, slots string }{
		"wrong-late":   {"the slots of optimizer wrong-late are other slices after a step", "late"},
		"wrong-copied": {"the slots of optimizer wrong-copied are other slices after a step", "copied"},
		"wrong-hidden": {"two states of optimizer wrong-hidden with equal slots make different steps", "none"},
		"wrong-random": {"two states of optimizer wrong-random with equal slots make different steps", "none"},
	} {
		optimizer.Register(optimizer.Optimizer{Name: name, New: func(_ models.Hyperparameters, weights int) optimizer.State {
			s := &forgetful{slots: c.slots, random: name == "wrong-random"}
			if c.slots == "copied" {
				s.moved = make([]float32, weights)
			}
			return s
		}})
		expect.Error(t, trainError(t, specOf(t, "mc"), wave(50), Settings{Epochs: 1, Batch: 10, Optimizer: name}, Options{}), c.words)
	}
}

// Mistakes in rows or a method are errors before the first step, or errors that name the cause.
func TestWhatATrainingSays(t *testing.T) {
	constant := func(b *graph.Builder, x *graph.Node, _ models.Architecture) models.Forward {
		return func(graph.Pass) *graph.Node { return b.MeanColumns(x) }
	}
	models.RegisterNetwork(models.Network{Name: "wrong-no-parameter", Build: constant})
	settings := Settings{Epochs: 2, Batch: 10}
	for name, c := range map[string]struct {
		method models.Method
		words  string
		never  string
	}{
		"wrong-no-parameter": {models.Method{Network: "wrong-no-parameter", Objective: methods.FullMSE},
			"neither the network nor the objective has a parameter: there is nothing to train", ""},
		"wrong-many-terms": {models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			terms := make([]graph.Term, 50)
			for i := range terms {
				terms[i] = graph.Term{Name: strconv.Itoa(i), Weight: 1, Value: squared(b, t)}
			}
			return b.WeightedSum(terms...)
		}}, "has 51 columns: want at most 50", ""},
		"wrong-buffer": {models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			b.Buffer("level", 1, 1, graph.Fill(0))
			b.Update("level", b.Log(b.Reshape(b.Neg(b.Mean(b.Square(t.Y))), 1, 1)))
			return t.MSE(t.Forward(graph.Full), t.Y)
		}}, "the update of the buffer level is not finite", "learning rate"},
		"wrong-first-step": {models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			return b.Add(t.MSE(t.Forward(graph.Full), t.Y), b.Log(t.Step()))
		}}, "the objective has no finite value here; the first number that is not finite: log of 0 is -Inf (at user_mistakes_test.go:", "learning rate"},
		"wrong-indefinite": {models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			rows := b.Sub(t.Y, t.Forward(graph.Full)) // one target: the matrix of products has the rank 1
			products, identity := b.MatMul(rows, b.Transpose(rows)), b.Identity(t.Y.Shape()[0])
			return b.Add(t.MSE(rows, t.Y), b.LogDet(b.Sub(products, b.Scale(1e-3, identity))))
		}}, "is NaN: the matrix is not positive definite, nor are its first 2 rows and columns; add a multiple of the identity to it, such as b.Scale(1e-4, b.Identity(10)) (at user_mistakes_test.go:", "of the table"},
	} {
		m := c.method
		m.Name, m.Source, m.Predict = name, aTest, methods.PredictFullNetwork
		models.Register(m)
		err := trainError(t, specOf(t, name), wave(50), settings, Options{})
		expect.Error(t, err, c.words)
		if c.never != "" && strings.Contains(err.Error(), c.never) {
			t.Errorf("%s: %v", name, err)
		}
	}
	classes := rowsFor("classes", wave(50))
	classes.YScale = data.FitScalers(classes.Y, []string{"kind"}, nil)
	expect.Error(t, trainError(t, specOf(t, "classes"), classes, settings, Options{}), "target kind would be standardised")
	classes.Y[12] = 0.5
	classes.YScale = data.IdentityScalers([]string{"kind"})
	err := trainError(t, specOf(t, "classes"), classes, settings, Options{})
	expect.Error(t, err, "row 13 of the table: the target kind is 0.5: method classes is for classes from 0 to 2")
}

// A last batch that is too small for a layer is an error before the first step.
func TestRemainderOfOneRow(t *testing.T) {
	spec := registered(t, "batch-norm-of-one", models.Method{Objective: squared}, func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
		return func(graph.Pass) *graph.Node {
			return networks.Dense(b, "output", networks.BatchNorm(b, "norm", networks.Dense(b, "hidden1", x, 8)), a.Outputs)
		}
	})
	steps := 0
	_, err := Train(t.Context(), spec, wave(50), Settings{Epochs: 3, Batch: 7, Protocol: data.Sound}, Options{Progress: func(Progress) { steps++ }})
	if want := `batches of 7 leave 1 of 50 rows for the last batch of an epoch: BatchNorm "norm": a batch of one row has no variance`; err == nil || !strings.Contains(err.Error(), want) || steps > 0 {
		t.Errorf("got %v after %d steps, want %s", err, steps, want)
	}
}

// A loss or a gradient that is not finite is an error that names the operation with its operands, the line of the
// objective, the term, and the rows of the table. A gradient is no reason to blame the learning rate.
func TestGradientIsNotFinite(t *testing.T) {
	rows := data.Subset{X: make([]float64, 40), Y: make([]float64, 20)}
	for i := range rows.Y {
		rows.X[2*i], rows.Y[i] = float64(i)/10-1, 1+float64(i)/10
	}
	rows.Y[12], rows.Y[17] = -0.25, -2
	_, _, line, _ := runtime.Caller(0)
	for name, c := range map[string]struct {
		objective models.Objective
		words     []string
	}{
		"logarithm": {func(b *graph.Builder, t *models.Task) *graph.Node {
			return b.WeightedSum(
				graph.Term{Name: "squares", Weight: 1, Value: squared(b, t)},
				graph.Term{Name: "logs", Weight: 0.5, Value: b.Mean(b.Log(t.Y))},
			)
		}, []string{"the loss is NaN at epoch 1, step 1", fmt.Sprintf("log of -0.25 is NaN, in the term logs (at user_mistakes_test.go:%d); row 13 of the table and 1 more", line+8)}},
		"root": {func(b *graph.Builder, t *models.Task) *graph.Node {
			return b.Mean(b.Sqrt(b.Abs(b.Mul(b.Sub(t.Forward(graph.Full), t.Y), t.X)))) // 1/√0 times 0 where x is 0
		}, []string{"the loss is still", "output.bias is not finite although the loss is", fmt.Sprintf("in the gradient of the operation there (at user_mistakes_test.go:%d)", line+12)}},
	} {
		spec := registered(t, "not-finite-"+name, models.Method{Objective: c.objective}, nil)
		err := trainError(t, spec, rows, Settings{Epochs: 1, Batch: 20, Seed: 1}, Options{})
		expect.Error(t, err, c.words...)
		if strings.Contains(err.Error(), "learning rate") {
			t.Error(err)
		}
	}
}
