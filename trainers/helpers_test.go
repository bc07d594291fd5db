package trainers

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/methods"
)

// wave is a small problem: y = sin(2x₁) + x₂/2.
func wave(n int) data.Subset {
	var r data.Subset
	for i := range n {
		a, b := math.Sin(float64(7*i)), math.Cos(float64(3*i))
		r.X = append(r.X, a, b)
		r.Y = append(r.Y, math.Sin(2*a)+b/2)
	}
	return r
}

// rowsFor returns rows whose targets a method can learn: the classes 0, 1 and 2 for a method
// of classes.
func rowsFor(method string, rows data.Subset) data.Subset {
	m, err := models.Lookup(method)
	if err != nil || m.Classes.Max == 0 {
		return rows
	}
	rows.Y = slices.Clone(rows.Y)
	for i, y := range rows.Y {
		rows.Y[i] = math.Floor(1.5 + math.Tanh(y)*1.49)
	}
	return rows
}

// architecture adds the number of classes to an architecture, if the method is of classes.
func architecture(method string, a models.Architecture) models.Architecture {
	if m, err := models.Lookup(method); err == nil && m.Classes.Max > 0 {
		a.Classes = 3
	}
	return a
}

func specOf(t *testing.T, method string) models.Spec {
	t.Helper()
	a := architecture(method, models.Architecture{Inputs: 2, Targets: 1, Hidden: []int{8, 8}, Activation: "relu", Dropout: 0.1})
	return expect.Must(models.NewSpec(method, nil, a))
}

// shipped lists the built-in methods, without the methods of tests.
func shipped() []models.Method {
	return slices.DeleteFunc(models.Methods(), func(m models.Method) bool { return m.Source == aTest })
}

const aTest = "a test"

var short = Settings{Epochs: 5, Batch: 16, Seed: 3}

func weights(r *Result) [][]float32 {
	var all [][]float32
	for _, p := range r.Members {
		all = append(all, p.Float32s())
	}
	return all
}

func equal(a, b *Result) bool {
	return slices.EqualFunc(weights(a), weights(b), slices.Equal[[]float32]) &&
		slices.EqualFunc(a.History.Rows, b.History.Rows, func(x, y models.Epoch) bool {
			return x.Member == y.Member && x.Number == y.Number && slices.Equal(x.Values, y.Values)
		})
}

// registered adds a method, and a network if there is one, for this test.
func registered(t *testing.T, name string, m models.Method, build func(*graph.Builder, *graph.Node, models.Architecture) models.Forward) models.Spec {
	t.Helper()
	m.Name, m.Source = name, aTest
	if build != nil {
		m.Network = name
		models.RegisterNetwork(models.Network{Name: name, Source: aTest, Build: build})
	}
	if m.Predict == nil {
		m.Predict = func(b *graph.Builder, m models.Moments) models.PredictionNodes {
			return methods.Normal(m.Full[0], b.Shift(b.Scale(0, m.Full[0]), 1))
		}
	}
	models.Register(m)
	return expect.Must(models.NewSpec(name, nil, models.Architecture{Inputs: 2, Targets: 1, Hidden: []int{8}}))
}

func squared(b *graph.Builder, t *models.Task) *graph.Node { return t.MSE(t.Forward(graph.Full), t.Y) }

func parameter(t *testing.T, params *graph.Params, name string) []float32 {
	t.Helper()
	i := slices.IndexFunc(params.List(), func(p graph.Param) bool { return p.Name == name })
	return graph.ParamValues(params, params.Float32s(), i)
}

func modelOf(spec models.Spec, r *Result) *models.Model {
	return &models.Model{Spec: spec, Members: r.Members, Inputs: data.Scalers{{Name: "a", Std: 2}, {Name: "b", Mean: 1, Std: 1}}, Targets: data.Scalers{{Name: "y", Mean: 3, Std: 4}}}
}

// groups sets the groups of settings.
func groups(t *testing.T, s Settings, text string) Settings {
	t.Helper()
	s.ParamGroups = expect.Must(models.ParseParamGroups(text))
	return s
}

// train trains a method on 50 rows.
func train(t *testing.T, method string, s Settings, o Options) *Result {
	t.Helper()
	return mustTrain(t, specOf(t, method), rowsFor(method, wave(50)), s, o)
}

// trained trains a spec on 50 rows.
func trained(t *testing.T, spec models.Spec, s Settings) *Result {
	t.Helper()
	return mustTrain(t, spec, wave(50), s, Options{})
}

// interruptedWhen interrupts a training as soon as stop holds, and returns the states of its checkpoint.
func interruptedWhen(t *testing.T, spec models.Spec, rows data.Subset, s Settings, o Options, stop func(Progress) bool) []State {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o.Checkpoint, o.Job = filepath.Join(t.TempDir(), "checkpoint"), []byte(`{"some":"job"}`)
	o.Progress = func(p Progress) {
		if stop(p) {
			cancel()
		}
	}
	_, err := Train(ctx, spec, rows, s, o)
	return checkpointed(t, o, err)
}

// checkpointed returns the states of the checkpoint that an interrupted training left.
func checkpointed(t *testing.T, o Options, err error) []State {
	t.Helper()
	var interrupted *InterruptedError
	if !errors.As(err, &interrupted) {
		t.Fatalf("not interrupted: %v", err)
	}
	job, states, err := ReadCheckpoint(o.Checkpoint, "")
	if err != nil || string(job) != string(o.Job) {
		t.Fatalf("the checkpoint has the job %s, %v", job, err)
	}
	return states
}

// resumedAfter interrupts a training on 50 rows when a member has trained for some epochs, and resumes it from the checkpoint.
func resumedAfter(t *testing.T, spec models.Spec, s Settings, epochs int) *Result {
	t.Helper()
	states := interruptedWhen(t, spec, wave(50), s, Options{Workers: 2}, func(p Progress) bool { return p.Epoch == epochs })
	return mustTrain(t, spec, wave(50), s, Options{Resume: states})
}

// mustTrain is Train that must not fail.
func mustTrain(t *testing.T, spec models.Spec, rows data.Subset, s Settings, o Options) *Result {
	t.Helper()
	return expect.Must(Train(t.Context(), spec, rows, s, o))
}

// trainError returns the error of Train.
func trainError(t *testing.T, spec models.Spec, rows data.Subset, s Settings, o Options) error {
	return expect.ErrorOf(Train(t.Context(), spec, rows, s, o))
}

// newTestMember returns the first member of a training on rows.
func newTestMember(t *testing.T, spec models.Spec, s Settings, rows data.Subset) *member {
	t.Helper()
	s = expect.Must(Resolve(spec, s))
	m := expect.Must(newMember(spec, s, 0, standardiseRows(spec, rows)))
	t.Cleanup(m.close)
	return m
}
