package check_test

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/data"
	"sml/graph"
	"sml/models"
	"sml/models/methods"
	"sml/models/networks"
	"sml/trainers/check"
)

// Every registered method passes its own checks, and those that ship, each with its
// source, count rows by their weights. Example plain is in plain Gorgonia and does not.
func TestRegisteredMethods(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	for _, m := range models.Methods() {
		if strings.HasPrefix(m.Name, "wrong-") {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			r, err := check.Method(m.Name, check.Settings{Seed: 1})
			if err != nil || !r.Passed() {
				t.Fatalf("%v\n%s", err, r)
			}
			if m.Source != "" && !strings.HasPrefix(m.Name, "plain") && !slices.ContainsFunc(r.Findings, func(f check.Finding) bool { return f.Check == "weights" && f.Status == check.Passed }) {
				t.Errorf("rows do not count by their weights:\n%s", r)
			}
		})
	}
}

// The second term of SML does not reach the full network, and with the stop
// left out (or "through") the table shows that it does.
func TestReachShowsTheStop(t *testing.T) {
	for through, want := range map[float64]bool{0: false, 1: true} {
		r, err := check.Method("sml", check.Settings{Hyperparameters: models.Hyperparameters{"through": through, "gamma": 0.1}, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(r.Reach.Passes, ", "); got != "full network, sub-network 0" {
			t.Fatalf("passes %s", got)
		}
		for i, wantPasses := range [][]bool{{true, false}, {want, true}, {false, true}} {
			term := r.Reach.Terms[i]
			if term.Passes[0] != wantPasses[0] || term.Passes[1] != wantPasses[1] || len(term.Untrained) > 0 {
				t.Errorf("through = %v: term %q reaches %v, want %v; untrained %v", through, term.Term, term.Passes, wantPasses, term.Untrained)
			}
		}
		if !r.Passed() {
			t.Errorf("%s", r)
		}
	}
}

func init() {
	register := func(name string, f models.Objective) {
		models.Register(models.Method{Name: "wrong-" + name, Objective: f, Predict: methods.PredictFullNetwork, DropLayers: models.AllLayers})
	}
	register("gradient", func(b *graph.Builder, t *models.Task) *graph.Node {
		square := gorgonia.Must(gorgonia.Square(t.Y)).Op().(gorgonia.SDOp)
		return b.Mean(gorgonia.Must(gorgonia.ApplyOp(wrong{square}, b.Sub(t.Forward(graph.Full), t.Y))))
	})
	register("number", func(b *graph.Builder, t *models.Task) *graph.Node {
		return b.Mean(b.Square(b.Div(b.Sub(t.Forward(graph.Full), t.Y), t.Y))) // a relative error
	})
	register("size", func(b *graph.Builder, t *models.Task) *graph.Node {
		return b.Mean(b.Exp(b.Square(b.Sub(t.Forward(graph.Full), t.Y))))
	})
	register("learning", func(b *graph.Builder, t *models.Task) *graph.Node {
		out := t.Forward(graph.Full) // gradients are right, and lead nowhere
		return b.Mean(b.AddConst(b.Scale(1e-3, b.Sigmoid(b.Mul(out, t.Y))), 1))
	})
	register("stop", func(b *graph.Builder, t *models.Task) *graph.Node {
		return b.MSE(b.StopGradient(t.Forward(graph.Full)), t.Y)
	})
	register("half", func(b *graph.Builder, t *models.Task) *graph.Node {
		bias := b.Param("own bias", 1, 1, graph.Uniform(1))
		return b.WeightedSum(
			graph.Term{Name: "own", Weight: 1, Value: b.Mean(b.Square(b.Sub(bias, t.Y)))},
			graph.Term{Name: "nothing", Weight: 1, Value: b.MSE(b.StopGradient(t.Forward(graph.Full)), t.Y)},
			graph.Term{Name: "all", Weight: 1, Value: b.MSE(t.Forward(graph.Drop(0)), t.Y)},
		)
	})
	register("memory", func(b *graph.Builder, t *models.Task) *graph.Node {
		e := b.Sub(t.Forward(graph.Full), t.Y)
		square := gorgonia.Must(gorgonia.Square(t.Y)).Op().(gorgonia.SDOp)
		return b.Mean(b.Square(gorgonia.Must(gorgonia.ApplyOp(counting{square}, e))))
	})
	register("other-objective-each-time", func(b *graph.Builder, t *models.Task) *graph.Node {
		built.Add(1)
		return b.Scale(float64(built.Load()), b.MSE(t.Forward(graph.Full), t.Y))
	})
	register("shape", func(b *graph.Builder, t *models.Task) *graph.Node {
		return b.Mean(b.MatMul(t.Forward(graph.Full), t.Y))
	})
	models.Register(models.Method{Name: "stopped-targets", Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
		return b.MSE(t.Forward(graph.Full), b.StopGradient(b.Tanh(t.Y)))
	}, Predict: methods.PredictFullNetwork})
	models.Register(models.Method{Name: "stopped-vector", Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
		e := gorgonia.Must(gorgonia.Sum(b.Square(b.Sub(t.Forward(graph.Full), t.Y)), 1))
		weight := b.StopGradient(b.Exp(b.Neg(b.Scale(0.01, e))))
		return b.Add(b.Mean(b.Mul(weight, e)), b.Scale(0, b.StopGradient(b.Sum(e))))
	}, Predict: methods.PredictFullNetwork})
	models.Register(models.Method{Name: "wrong-predictor", Objective: methods.FullMSE, Predict: methods.PredictSubNetworks})
	for name, member := range map[string]string{"nobody": "nobody", "member": "mc", "prediction": "pu"} {
		m, err := models.Lookup("pu-de")
		if err != nil {
			panic(err)
		}
		m.Name, m.MemberMethod = "wrong-"+name, member
		if name == "prediction" {
			m.Predict = func(b *graph.Builder, m models.Moments) models.PredictionNodes {
				return methods.Normal(m.Full[0], one(b, m))
			}
		}
		models.Register(m)
	}
	register("sum", func(b *graph.Builder, t *models.Task) *graph.Node {
		return b.Sum(b.Square(b.Sub(t.Forward(graph.Drop(0)), t.Y)))
	})
	register("masks", func(b *graph.Builder, t *models.Task) *graph.Node { // a sub-network times 0
		return b.Add(t.MSE(t.Forward(graph.Full), t.Y), b.Scale(0, t.MSE(t.Forward(graph.Drop(0)), t.Y)))
	})
	models.RegisterNetwork(models.Network{Name: "wrong-centred", Build: func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
		return func(pass graph.Pass) *graph.Node {
			out := networks.Dense(b, "output", x, a.Outputs)
			return b.Sub(out, b.Mean(out))
		}
	}})
	models.Register(models.Method{Name: "wrong-rows", Objective: methods.FullMSE, Predict: methods.PredictFullNetwork, Network: "wrong-centred"})
	models.Register(models.Method{Name: "wrong-penalties", Objective: methods.DropoutNLL, Outputs: models.Outputs(2), Network: "concrete", DropLayers: models.AllLayers, Predict: methods.PredictNormal})
	models.Register(models.Method{Name: "wrong-sign", Objective: methods.GaussianNLL, Outputs: models.Outputs(2), Predict: func(_ *graph.Builder, m models.Moments) models.PredictionNodes {
		return methods.Normal(m.Full[0], m.Full[1]) // softplus is forgotten
	}})
	register("slow", func(b *graph.Builder, t *models.Task) *graph.Node {
		e := b.Sub(t.Forward(graph.Full), t.Y)
		return b.Mean(b.Square(gorgonia.Must(gorgonia.Concat(0, e, e))))
	})
}

// one returns ones in the shape of the predictions.
func one(b *graph.Builder, m models.Moments) *graph.Node {
	return b.AddConst(b.Scale(0, m.Full[0]), 1)
}

// wrong is an op with its gradient forgotten.
type wrong struct{ gorgonia.SDOp }

func (wrong) SymDiff(_ gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	return gorgonia.Nodes{grad}, nil
}

func (wrong) DiffWRT(int) []bool { return []bool{true} }

func (w wrong) InferShape(in ...gorgonia.DimSizer) (tensor.Shape, error) {
	return w.SDOp.InferShape(in...)
}

// counting is an op that adds to a square how often it was computed.
type counting struct{ gorgonia.SDOp }

var calls, built atomic.Int64

func (c counting) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	square, err := c.SDOp.Do(in...)
	if values, ok := square.Data().([]float32); ok {
		values[0] += float32(calls.Add(1))
	}
	return square, err
}

func (c counting) InferShape(in ...gorgonia.DimSizer) (tensor.Shape, error) {
	return c.SDOp.InferShape(in...)
}

// Objectives with one mistake each, and the checks that have to say so.
func TestMistakesAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	for name, c := range map[string]struct {
		check  string
		status check.Status
		words  string
	}{
		"gradient":   {"gradients", check.Failed, "hidden1.weight["},
		"number":     {"finite", check.Failed, "all zeros"},
		"size":       {"finite", check.Failed, "residuals of 1000"},
		"learning":   {"overfits", check.Failed, "fall by half"},
		"stop":       {"terms", check.Failed, "every term is behind a StopGradient"},
		"half":       {"terms", check.Noted, `term "nothing" trains nothing`},
		"memory":     {"determinism", check.Failed, "and the second time"},
		"slow":       {"kernels", check.Noted, "oncat"},
		"nobody":     {"members", check.Failed, `unknown method "nobody"`},
		"member":     {"members", check.Failed, "a different objective from method mc"},
		"prediction": {"members", check.Failed, "which Method.MemberMethod names, predicts"},
		"masks":      {"sub-networks", check.Failed, "the same for all masks"},
		"penalties":  {"penalties", check.Noted, "the network has the penalties entropy, weights"},
		"rows":       {"rows", check.Failed, "among other rows"},
		"sum":        {"mean", check.Noted, "with every row twice"},
	} {
		r, err := check.Method("wrong-"+strings.ReplaceAll(name, " ", "-"), check.Settings{Seed: 1})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, f := range r.Findings {
			if f.Check != c.check {
				continue
			}
			if text := f.Message + strings.Join(f.Details, "\n"); f.Status != c.status || !strings.Contains(text, c.words) {
				t.Errorf("%s: %s says %q, want %s with %q", name, c.check, text, c.status, c.words)
			}
		}
		if r.Passed() != (c.status != check.Failed) && name != "half" {
			t.Errorf("%s: passed is %v\n%s", name, r.Passed(), r)
		}
		t.Logf("%s\n%s", name, r)
	}
}

func TestOwnParametersAreTold(t *testing.T) {
	r, err := check.Method("wrong-half", check.Settings{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	own, nothing := r.Reach.Terms[0], r.Reach.Terms[1]
	if len(own.Own) != 1 || own.Own[0] != "own bias" || len(own.Untrained) != 6 || len(nothing.Own) != 0 {
		t.Errorf("own term: %+v, stopped term: %+v", own, nothing)
	}
}

func TestErrorsOfBuilding(t *testing.T) {
	for name, want := range map[string]string{"wrong-shape": "MatMul([6 1], [6 1])", "wrong-predictor": "UsesSubNetworks: true", "wrong-sign": "method wrong-sign gives std = -1.1 in the family normal: want 0 or more, for the outputs [-1 -1.1]", "wrong-other-objective-each-time": "builds a different graph in each call", "unheard of": "want one of mc"} {
		if _, err := check.Method(name, check.Settings{Seed: 1}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// recorder stands in for a *testing.T.
type recorder struct{ errors, logs int }

func (r *recorder) Helper()               {}
func (r *recorder) Logf(string, ...any)   { r.logs++ }
func (r *recorder) Errorf(string, ...any) { r.errors++ }

func TestTheTestHelper(t *testing.T) {
	for name, want := range map[string]recorder{"mc": {logs: 1}, "wrong-stop": {errors: 1}, "unheard of": {errors: 1}} {
		var r recorder
		check.Test(&r, name, nil)
		if r != want {
			t.Errorf("%s: %+v, want %+v", name, r, want)
		}
	}
}

// Any seed passes: kinks are stepped around.
func TestOtherSeeds(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	for seed := uint64(10); seed < 14; seed++ {
		for _, seed := range []uint64{seed, math.MaxUint64 - seed} {
			r, err := check.Method("sml", check.Settings{Seed: seed})
			if err != nil || !r.Passed() {
				t.Errorf("seed %d: %v\n%s", seed, err, r)
			}
		}
	}
}

// Objectives that ask for more than inputs and targets, and losses that are never 0.
func TestWhatObjectivesAskFor(t *testing.T) {
	for name, m := range map[string]models.Method{
		"three targets": {Targets: 3, Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			first, rest := b.Columns(t.Forward(graph.Full), 0, 1), b.Columns(t.Y, 1, 3)
			return b.Add(b.MSE(t.Forward(graph.Full), t.Y), b.Mean(b.Square(b.Sub(rest, first))))
		}},
		"a slope beside a sub-network": {DropLayers: models.AllLayers, Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			slope := b.Grad(b.Sum(t.Forward(graph.Full)), t.X)[0]
			return b.Add(t.MSE(t.Forward(graph.Drop(0)), t.Y), b.Scale(0.1, t.Mean(b.Square(slope))))
		}},
		"a floor": {Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			return b.AddConst(t.MSE(t.Forward(graph.Full), t.Y), 100)
		}},
		"a flag and progress": {Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			flagged := b.Mul(t.Column("flag"), b.Square(b.Sub(t.Forward(graph.Full), t.Y)))
			return b.Add(b.Mul(t.Progress(), b.Mean(flagged)), t.MSE(t.Forward(graph.Full), t.Y))
		}},
	} {
		m.Name, m.Predict = strings.ReplaceAll(name, " ", "-"), methods.PredictFullNetwork
		models.Register(m)
		check.Test(t, m.Name, nil)
	}
}

// A distillation need not look at the targets, and its predictions of made rows are no mistake.
func TestTeacherAlone(t *testing.T) {
	spec, err := models.NewSpec("de", nil, models.Architecture{Inputs: 3, Targets: 1, Hidden: []int{4}})
	if err != nil {
		t.Fatal(err)
	}
	params, err := spec.NewParams(1)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "teacher")
	teacher := &models.Model{
		Spec: spec, Members: []*graph.Params{params},
		Inputs:  data.Scalers{{Name: "a", Std: 1}, {Name: "b", Std: 1}, {Name: "c", Std: 1}},
		Targets: data.Scalers{{Name: "y", Std: 1}},
	}
	if err := teacher.Save(dir, false); err != nil {
		t.Fatal(err)
	}
	models.Register(models.Method{
		Name: "teacher-alone", Predict: methods.PredictFullNetwork, Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			teacher := t.Frozen(dir)
			return t.MSE(t.Forward(graph.Full), teacher.Mean(teacher.Forward(0, graph.Full)))
		},
	})
	r, err := check.Method("teacher-alone", check.Settings{Seed: 1})
	if err != nil || !r.Passed() {
		t.Fatalf("%v\n%s", err, r)
	}
}

// Terms that take the builder's mean leave weights of rows out, in the whole or in a
// part; what is no mean over rows has nothing to weigh.
func TestTermsWithoutWeights(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	error := func(b *graph.Builder, t *models.Task) *graph.Node { return b.Square(b.Sub(t.Forward(graph.Full), t.Y)) }
	for name, c := range map[string]struct {
		objective models.Objective
		details   string
	}{
		"plain": {func(b *graph.Builder, t *models.Task) *graph.Node { return b.Mean(error(b, t)) },
			`term "objective": weights have no effect`},
		"one term": {func(b *graph.Builder, t *models.Task) *graph.Node {
			return b.WeightedSum(
				graph.Term{Name: "error", Weight: 1, Value: t.Mean(error(b, t))},
				graph.Term{Name: "size", Weight: 0.1, Value: b.Mean(b.Square(t.Forward(graph.Full)))},
				graph.Term{Name: "prior", Weight: 0.1, Value: b.Mean(b.Square(b.Param("own", 1, 1, graph.Uniform(1))))},
			)
		}, `term "size": weights have no effect`},
		"a part": {func(b *graph.Builder, t *models.Task) *graph.Node {
			return b.Add(t.Mean(error(b, t)), b.Scale(0.1, b.Mean(error(b, t))))
		}, `term "objective": a row of weight 0 has an effect`},
	} {
		m := models.Method{Name: "wrong-weights-" + strings.ReplaceAll(name, " ", "-"), Objective: c.objective, Predict: methods.PredictFullNetwork}
		models.Register(m)
		r, err := check.Method(m.Name, check.Settings{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(r.Findings, func(f check.Finding) bool { return f.Check == "weights" })
		if f := r.Findings[i]; f.Status != check.Noted || !strings.Contains(f.Message, "ignores weights of rows") || strings.Join(f.Details, "\n") != c.details {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// A mean teacher (Tarvainen and Valpola 2017) runs the network with weights of its own,
// which are buffers: no term reaches the network by them.
func TestReachOfOtherWeights(t *testing.T) {
	models.Register(models.Method{
		Name: "mean-teacher", DropLayers: models.AllLayers, Predict: methods.PredictFullNetwork,
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			f := t.Forward(graph.Drop(0))
			teacher := make(map[*graph.Node]*graph.Node)
			for _, w := range b.ParametersOf(f) {
				teacher[w] = b.Buffer("teacher."+w.Name(), w.Shape()[0], w.Shape()[1], graph.Fill(0.1))
				b.Update("teacher."+w.Name(), b.Add(b.Scale(0.9, teacher[w]), b.Scale(0.1, w)))
			}
			says := t.ForwardWith(teacher, t.X, graph.Full)
			return b.WeightedSum(graph.Term{Name: "fit", Weight: 1, Value: t.MSE(f, t.Y)}, graph.Term{Name: "teacher", Weight: 1, Value: t.MSE(f, says)})
		},
	})
	r, err := check.Method("mean-teacher", check.Settings{Seed: 1})
	if err != nil || !r.Passed() {
		t.Fatal(err, r)
	}
	for _, term := range r.Reach.Terms {
		if !slices.Equal(term.Passes, []bool{false, true}) || len(term.Untrained) > 0 {
			t.Errorf("%s reaches %v of %v, all but %v", term.Term, term.Passes, r.Reach.Passes, term.Untrained)
		}
	}
}
