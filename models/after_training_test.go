package models_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/internal/expect"
	"sml/internal/safetensors"
	"sml/models"
	"sml/models/methods"
	"sml/models/networks"
)

// storing returns a method that stores a matrix "spread" and predicts it.
func storing() models.Method {
	return models.Method{
		Name: "storing", Objective: methods.FullMSE, Combine: models.CombineAsNormal,
		AfterTraining: func(_ context.Context, n *models.TrainedNetwork) error {
			return n.Store("spread", 1, 1, []float64{0.5 * float64(n.Rows())})
		},
		Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
			return methods.Normal(m.Full[0], b.Repeat(m.Stored("spread"), m.Full[0].Shape()[0], m.Full[0].Shape()[1]))
		},
	}
}

// register registers a method for the time of a test.
func register(t testing.TB, m models.Method) models.Spec {
	t.Helper()
	models.Register(m)
	t.Cleanup(func() { models.Forget(m.Name) })
	return expect.Must(models.NewSpec(m.Name, nil, models.Architecture{Inputs: 2, Targets: 1, Hidden: []int{3}}))
}

// storingExample is a model of two members with a stored matrix each.
func storingExample(t testing.TB) *models.Model {
	t.Helper()
	m := &models.Model{Spec: register(t, storing()), Inputs: data.Scalers{{Name: "a", Std: 1}, {Name: "b", Std: 1}}, Targets: data.Scalers{{Name: "y", Std: 1}}}
	for seed := range uint64(2) {
		p := expect.Must(m.NewParams(seed))
		stored := expect.Must(m.RunAfterTraining(t.Context(), models.AfterTrainingRows{Count: 1 + int(seed)}, models.AfterTrainingOptions{Params: p}))
		m.Members, m.Stored = append(m.Members, p), append(m.Stored, stored)
	}
	return m
}

// storedContent returns the content of the file of stored matrices that Save writes.
func storedContent(t testing.TB, m *models.Model) []byte {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "model")
	expect.NoError(t, m.Save(dir, false))
	return expect.Must(os.ReadFile(filepath.Join(dir, models.StoredFile)))
}

// Each member keeps its own matrix, and a changed file of matrices is found.
func TestStoredMatricesAreLoaded(t *testing.T) {
	m := storingExample(t)
	dir := filepath.Join(t.TempDir(), "model")
	expect.NoError(t, m.Save(dir, false))
	loaded := expect.Must(models.Load(dir))
	for k, want := range []float32{0.5, 1} { // 0.5 for each row
		if got := loaded.MemberMatrices(k); len(got) != 1 || got[0].Name != "spread" || !slices.Equal(got[0].Values, []float32{want}) {
			t.Errorf("member %d has the matrices %v", k, got)
		}
	}
	if files, err := models.Files(dir); err != nil || !slices.Contains(files, models.StoredFile) {
		t.Errorf("files %v, %v", files, err)
	}
	path := filepath.Join(dir, models.StoredFile)
	content := expect.Must(os.ReadFile(path))
	content[len(content)-1] ^= 1
	expect.NoError(t, os.WriteFile(path, content, 0o644))
	if _, changed, err := models.LoadChanged(dir); err != nil || !slices.Equal(changed, []string{path}) {
		t.Errorf("changed files %v, %v", changed, err)
	}
	expect.NoError(t, os.WriteFile(path, make([]byte, 2<<20), 0o644))
	expect.Error(t, expect.ErrorOf(models.Load(dir)), models.StoredFile)
	expect.NoError(t, os.Remove(path))
	if _, err := models.Load(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is missing: %v", err)
	}
}

// A file of matrices has exactly the matrices that model.json lists.
func TestStoredMatricesAreStrict(t *testing.T) {
	m := storingExample(t)
	text, weights := contents(t, m)
	file := func(tensors ...safetensors.Tensor) []byte {
		var b bytes.Buffer
		expect.NoError(t, safetensors.Write(&b, tensors))
		return b.Bytes()
	}
	one := func(name string, shape ...int) safetensors.Tensor {
		return safetensors.Tensor{Name: name, Shape: shape, Values: make([]float32, shape[0]*shape[1])}
	}
	infinite := one("members.1.spread", 1, 1)
	infinite.Values[0] = float32(math.Inf(1))
	listed := `"name": "spread",`
	for _, c := range map[string]struct {
		old, new string // in model.json
		stored   []byte
		want     string
	}{
		"too few":       {stored: file(one("members.0.spread", 1, 1)), want: "1 tensors, want 2"},
		"another name":  {stored: file(one("members.0.spread", 1, 1), one("members.1.bread", 1, 1)), want: `"members.1.spread" is missing`},
		"another shape": {stored: file(one("members.0.spread", 1, 1), one("members.1.spread", 2, 1)), want: "is [2 1], want [1 1]"},
		"not finite":    {stored: file(one("members.0.spread", 1, 1), infinite), want: "members.1.spread"},
		"no name":       {old: listed, new: `"name": "",`, want: "needs a name"},
		"no rows":       {old: `"rows": 1`, new: `"rows": 0`, want: "cannot be [0 1]"},
		"too large":     {old: `"rows": 1`, new: `"rows": 4611686018427387904`, want: "want at most"},
		"not listed":    {old: `"stored": [`, new: `"ended": [], "stored": [], "versions": [`, want: "has no stored matrices"},
		"other method":  {old: `"method": "storing"`, new: `"method": "de"`, want: "method de stores none"},
	} {
		edited := strings.Replace(string(text), c.old, c.new, 1)
		_, err := models.Decode([]byte(edited), weights, c.stored)
		expect.Error(t, err, c.want)
	}
}

// Mistakes in a function after the training, and in what uses its matrices, are found before a
// training.
func TestAfterTrainingMistakes(t *testing.T) {
	calls := 0.0
	store := func(name string, values ...float64) func(context.Context, *models.TrainedNetwork) error {
		return func(_ context.Context, n *models.TrainedNetwork) error { return n.Store(name, 1, 1, values) }
	}
	evaluate := func(build func(b *graph.Builder, t *models.Task) []*graph.Node) func(context.Context, *models.TrainedNetwork) error {
		return func(ctx context.Context, n *models.TrainedNetwork) error {
			return n.Evaluate(ctx, build, func(int, [][]float32) {})
		}
	}
	for name, c := range map[string]struct {
		after     func(context.Context, *models.TrainedNetwork) error
		predict   models.Predictor
		objective models.Objective
		want      string
	}{
		"stores nothing":           {after: func(context.Context, *models.TrainedNetwork) error { return nil }, want: "stores no matrix"},
		"the name of sub-networks": {after: store("sub-networks", 1), want: "has the name of the sub-networks"},
		"sub-network of another size": {after: func(_ context.Context, n *models.TrainedNetwork) error {
			return n.AddSubNetwork(append([]float64{1}, make([]float64, len(n.Parameters()))...))
		}, want: "as the network has"},
		"sub-network that is not finite": {after: func(_ context.Context, n *models.TrainedNetwork) error {
			return n.AddSubNetwork(slices.Repeat([]float64{math.Inf(1)}, len(n.Parameters())))
		}, want: "want finite float32 numbers"},
		"sub-networks nobody reads": {after: func(_ context.Context, n *models.TrainedNetwork) error {
			return n.AddSubNetwork(make([]float64, len(n.Parameters())))
		}, want: "needs SubNetworks: models.SubNetworkMoments"},
		"too few values": {after: store("spread"), want: "has 0 values; want 1"},
		"not finite":     {after: store("spread", math.NaN()), want: "want finite float32 numbers"},
		"another name":   {after: store("bread", 1), want: `stores no matrix "spread"; it stores bread`},
		"twice": {after: func(_ context.Context, n *models.TrainedNetwork) error {
			return errors.Join(n.Store("a", 1, 1, []float64{1}), n.Store("a", 1, 1, []float64{1}))
		}, want: `two stored matrices are named "a"`},
		"another each time": {after: func(_ context.Context, n *models.TrainedNetwork) error {
			calls++
			return n.Store("spread", 1, 1, []float64{calls})
		}, want: "different matrices in a second call"},
		"a panic": {after: func(context.Context, *models.TrainedNetwork) error { panic("ouch") }, want: "ouch"},
		"no such layer": {after: evaluate(func(_ *graph.Builder, t *models.Task) []*graph.Node {
			return []*graph.Node{t.Layer("hidden7")}
		}), want: `no hidden layer "hidden7"; want one of hidden1`},
		"a new parameter": {after: evaluate(func(b *graph.Builder, t *models.Task) []*graph.Node {
			return []*graph.Node{b.Param("new", 1, 1, graph.Fill(0))}
		}), want: `parameter "new" is new`},
		"no node": {after: evaluate(func(*graph.Builder, *models.Task) []*graph.Node { return nil }), want: "no node to compute"},
		"no parameter": {after: func(ctx context.Context, n *models.TrainedNetwork) error {
			return n.Jacobian(ctx, func(b *graph.Builder, t *models.Task) (*graph.Node, []*graph.Node) { return t.Forward(graph.Full), nil }, func(int, []float32) {})
		}, want: "at least one node to differentiate by"},
		"predictor without the layer": {after: store("spread", 1), predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
			return methods.Point(b.SumColumns(m.Layer("last")))
		}, want: `no hidden layer "last"`},
		"linear layers in an objective": {objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			t.LinearLayers(models.LastLayer)
			return b.MSE(t.Forward(graph.Full), t.Y)
		}, want: "LinearLayers: linear layers are for the functions after a training"},
		"other parameters": {after: func(_ context.Context, n *models.TrainedNetwork) error {
			_, err := n.WithParameters(n.Parameters()[1:])
			return err
		}, want: "as the network has"},
		"unknown layer in an objective": {objective: func(b *graph.Builder, t *models.Task) *graph.Node { return b.Mean(t.Layer("last")) }, want: `no hidden layer "last"`},
	} {
		m := storing()
		if c.after != nil {
			m.AfterTraining = c.after
		}
		if c.predict != nil {
			m.Predict = c.predict
		}
		if c.objective != nil {
			m.Objective = c.objective
		}
		t.Run(name, func(t *testing.T) { expect.Error(t, register(t, m).Examine(1), c.want) })
	}
	t.Run("no function", func(t *testing.T) {
		m := storing()
		m.AfterTraining = nil
		expect.Error(t, register(t, m).Examine(1), `stores no matrix "spread"`)
	})
}

// With the objective in the place of the outputs, the rows' Jacobians are the gradients of their
// losses: their mean is the gradient of the batch, up to rounding to float32.
func TestJacobianOfLossIsGradient(t *testing.T) {
	const rows = 5
	var mean []float64
	m := storing()
	m.AfterTraining = func(ctx context.Context, n *models.TrainedNetwork) error {
		mean = nil
		next := 0
		return errors.Join(n.Jacobian(ctx, func(b *graph.Builder, t *models.Task) (*graph.Node, []*graph.Node) {
			loss := m.Objective(b, t)
			return loss, b.ParametersOf(loss)
		}, func(row int, jacobian []float32) {
			if row != next {
				t.Errorf("row %d comes in the place of row %d", row, next)
			}
			next++
			if mean == nil {
				mean = make([]float64, len(jacobian))
			}
			for i, v := range jacobian {
				mean[i] += float64(v) / float64(n.Rows())
			}
		}), n.Store("spread", 1, 1, []float64{1}))
	}
	s := register(t, m)
	params := expect.Must(s.NewParams(3))
	fill := func(step *models.Step, from, to int) {
		for i := range step.X {
			step.X[i] = float32((from*2+i)%5) - 1.5
		}
		for i := range step.Y {
			step.Y[i] = float32((from+i)%3) - 1
		}
	}
	expect.Must(s.RunAfterTraining(t.Context(), models.AfterTrainingRows{Count: rows, Prepare: func(*models.Step) error { return nil }, Load: fill}, models.AfterTrainingOptions{Params: params, Workers: 3}))
	step := expect.Must(s.NewStep(graph.Compiled, params, rows))
	defer step.Close()
	fill(step, 0, rows)
	expect.NoError(t, step.Run(models.Position{}))
	for i, want := range step.Gradient() {
		if math.Abs(mean[i]-float64(want)) > 1e-6 {
			t.Errorf("derivative %d is %v, want %v", i, mean[i], want)
		}
	}
}

// A network without linear layers, or with one that is applied to several positions of a row, is an error that says so.
func TestLinearLayersOfOtherNetworks(t *testing.T) {
	for _, c := range []struct {
		network, want string
		build         func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward
	}{
		{"products", "the network has no linear layer (Builder.Linear)", func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
			return func(graph.Pass) *graph.Node {
				return b.MatMul(x, b.Weight("weight", x.Shape()[1], a.Outputs, graph.Uniform(1)))
			}
		}},
		{"positions", "linear layer 0 of the network, from 0, has 4 rows of inputs for 2 rows of the batch", func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
			return func(graph.Pass) *graph.Node {
				rows, inputs := x.Shape()[0], x.Shape()[1]
				positions := b.Reshape(x, rows, inputs, 1)
				hidden := b.Reshape(networks.Dense(b, "shared", positions, 3), rows, 3*inputs)
				return networks.Dense(b, "output", hidden, a.Outputs)
			}
		}},
	} {
		models.RegisterNetwork(models.Network{Name: c.network, Build: c.build})
		s := expect.Must(models.NewSpec("laplace-kron", nil, models.Architecture{Network: c.network, Inputs: 2, Targets: 1}))
		expect.Error(t, expect.ErrorOf(s.LinearShapes(models.AllLayers)), c.want)
	}
}

// Mistakes in a function after each step are found before a training.
func TestAfterStepMistakes(t *testing.T) {
	for name, c := range map[string]struct {
		after func(n *models.Trajectory) error
		want  string
	}{
		"an error": {func(*models.Trajectory) error { return errors.New("ouch") }, "after each step of method storing: ouch"},
		"a panic":  {func(*models.Trajectory) error { panic("ouch") }, "ouch"},
		"another shape": {func(n *models.Trajectory) error {
			n.Keep("a", 1, n.Step)
			return nil
		}, `two stored matrices are named "a"`},
		"no name": {func(n *models.Trajectory) error {
			n.Keep("", 1, 1)
			return nil
		}, "needs a name"},
		"not finite": {func(n *models.Trajectory) error {
			n.Keep("a", 2, 3)[4] = float32(math.NaN())
			return nil
		}, `keeps a matrix "a" with the value NaN in row 1, column 1`},
	} {
		m := storing()
		m.AfterStep = c.after
		t.Run(name, func(t *testing.T) { expect.Error(t, register(t, m).Examine(1), c.want) })
	}
}

// A method whose sub-networks are all equal to the full network is an error.
func TestNoSubNetworks(t *testing.T) {
	m := storing()
	m.SubNetworks = models.SubNetworkMoments
	expect.Error(t, register(t, m).Examine(1), "AddSubNetwork")
}

// Random numbers after a training follow from their stream and the seed.
func TestNormalNumbers(t *testing.T) {
	var first []float64
	m := storing()
	m.AfterTraining = func(_ context.Context, n *models.TrainedNetwork) error {
		first = n.Normal(0, 2)
		if n.Normal(1, 1)[0] == first[0] || n.Normal(0, 1)[0] != first[0] {
			t.Error("numbers do not follow from their stream")
		}
		return n.Store("spread", 1, 1, []float64{1})
	}
	s := register(t, m)
	params := expect.Must(s.NewParams(3))
	draw := func(seed uint64) float64 {
		expect.Must(s.RunAfterTraining(t.Context(), models.AfterTrainingRows{Count: 1}, models.AfterTrainingOptions{Params: params, Seed: seed}))
		return first[0]
	}
	if draw(1) == draw(2) {
		t.Error("two seeds have the same numbers")
	}
}
