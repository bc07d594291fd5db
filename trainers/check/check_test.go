package check_test

import (
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/graph"
	"sml/models"
	"sml/models/methods"
	"sml/trainers/check"
)

// Every registered method of the paper passes its own checks.
func TestRegisteredMethods(t *testing.T) {
	for _, m := range models.Methods() {
		if strings.HasPrefix(m.Name, "wrong-") {
			continue
		}
		t.Run(m.Name, func(t *testing.T) { check.Test(t, m.Name, nil) })
	}
}

// The second term of SML does not reach the full network, and with the stop
// left out (or "through") the table shows that it does.
func TestReachShowsTheStop(t *testing.T) {
	for through, want := range map[float64]bool{0: false, 1: true} {
		r, err := check.Method("sml", map[string]float64{"through": through, "gamma": 0.1}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(r.Reach.Passes, ", "); got != "full network, sub-network 0" {
			t.Fatalf("passes %s", got)
		}
		for i, wantPasses := range [][]bool{{true, false}, {want, true}, {false, true}} {
			term := r.Reach.Terms[i]
			if term.Passes[0] != wantPasses[0] || term.Passes[1] != wantPasses[1] || len(term.Misses) > 0 {
				t.Errorf("through = %v: term %q reaches %v, want %v; misses %v", through, term.Term, term.Passes, wantPasses, term.Misses)
			}
		}
		if !r.Passed() {
			t.Errorf("%s", r)
		}
	}
}

func init() {
	register := func(name string, f models.Objective) {
		models.Register(models.Method{Name: "wrong-" + name, Objective: f, Predict: methods.FullNetwork, Drop: models.AllLayers})
	}
	register("gradient", func(b *graph.Builder, f models.Forward, y *graph.Node, _ models.Hyperparameters) *graph.Node {
		square := gorgonia.Must(gorgonia.Square(y)).Op().(gorgonia.SDOp)
		return b.Mean(gorgonia.Must(gorgonia.ApplyOp(wrong{square}, b.Sub(f(graph.Full), y))))
	})
	register("number", func(b *graph.Builder, f models.Forward, y *graph.Node, _ models.Hyperparameters) *graph.Node {
		return b.Mean(b.Square(b.Div(b.Sub(f(graph.Full), y), y))) // a relative error
	})
	register("size", func(b *graph.Builder, f models.Forward, y *graph.Node, _ models.Hyperparameters) *graph.Node {
		return b.Mean(b.Exp(b.Square(b.Sub(f(graph.Full), y))))
	})
	register("learning", func(b *graph.Builder, f models.Forward, y *graph.Node, _ models.Hyperparameters) *graph.Node {
		out := f(graph.Full) // gradients are right, and lead nowhere
		return b.Mean(b.AddConst(b.Scale(1e-3, b.Sigmoid(b.Mul(out, y))), 1))
	})
	register("stop", func(b *graph.Builder, f models.Forward, y *graph.Node, _ models.Hyperparameters) *graph.Node {
		return b.MSE(b.StopGradient(f(graph.Full)), y)
	})
	register("half", func(b *graph.Builder, f models.Forward, y *graph.Node, _ models.Hyperparameters) *graph.Node {
		bias := b.Param("own bias", 1, 1, 1)
		return b.WeightedSum(
			graph.Term{Name: "own", Weight: 1, Value: b.Mean(b.Square(b.Sub(bias, y)))},
			graph.Term{Name: "nothing", Weight: 1, Value: b.MSE(b.StopGradient(f(graph.Full)), y)},
			graph.Term{Name: "all", Weight: 1, Value: b.MSE(f(graph.Drop(0)), y)},
		)
	})
	register("memory", func(b *graph.Builder, f models.Forward, y *graph.Node, _ models.Hyperparameters) *graph.Node {
		e := b.Sub(f(graph.Full), y)
		square := gorgonia.Must(gorgonia.Square(y)).Op().(gorgonia.SDOp)
		return b.Mean(b.Square(gorgonia.Must(gorgonia.ApplyOp(counting{square}, e))))
	})
	register("other-objective-each-time", func(b *graph.Builder, f models.Forward, y *graph.Node, _ models.Hyperparameters) *graph.Node {
		built.Add(1)
		return b.Scale(float64(built.Load()), b.MSE(f(graph.Full), y))
	})
	register("shape", func(b *graph.Builder, f models.Forward, y *graph.Node, _ models.Hyperparameters) *graph.Node {
		return b.Mean(b.MatMul(f(graph.Full), y))
	})
	models.Register(models.Method{Name: "stopped-targets", Objective: func(b *graph.Builder, f models.Forward, y *graph.Node, _ models.Hyperparameters) *graph.Node {
		return b.MSE(f(graph.Full), b.StopGradient(b.Tanh(y)))
	}, Predict: methods.FullNetwork})
	models.Register(models.Method{Name: "stopped-vector", Objective: func(b *graph.Builder, f models.Forward, y *graph.Node, _ models.Hyperparameters) *graph.Node {
		e := gorgonia.Must(gorgonia.Sum(b.Square(b.Sub(f(graph.Full), y)), 1))
		weight := b.StopGradient(b.Exp(b.Neg(b.Scale(0.01, e))))
		return b.Add(b.Mean(b.Mul(weight, e)), b.Scale(0, b.StopGradient(b.Sum(e))))
	}, Predict: methods.FullNetwork})
	models.Register(models.Method{Name: "wrong-predictor", Objective: methods.FullMSE, Predict: methods.SubNetworks})
	for name, member := range map[string]string{"nobody": "nobody", "member": "mc", "prediction": "pu"} {
		m, err := models.Lookup("pu-de")
		if err != nil {
			panic(err)
		}
		m.Name, m.Member = "wrong-"+name, member
		if name == "prediction" {
			m.Predict = methods.FullNetwork
		}
		models.Register(m)
	}
	register("sum", func(b *graph.Builder, f models.Forward, y *graph.Node, _ models.Hyperparameters) *graph.Node {
		return b.Sum(b.Square(b.Sub(f(graph.Drop(0)), y)))
	})
	register("slow", func(b *graph.Builder, f models.Forward, y *graph.Node, _ models.Hyperparameters) *graph.Node {
		square := b.Square(b.Sub(f(graph.Full), y))
		return b.Mean(gorgonia.Must(gorgonia.Concat(0, square, square)))
	})
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
	for name, c := range map[string]struct {
		check  string
		status check.Status
		words  string
	}{
		"gradient":   {"gradients", check.Failed, "hidden1.weight["},
		"number":     {"finite", check.Failed, "all zeros"},
		"size":       {"finite", check.Failed, "residuals of 1000"},
		"learning":   {"overfits", check.Failed, "fall by half"},
		"stop":       {"terms", check.Failed, "everything is stopped"},
		"half":       {"terms", check.Noted, `term "nothing" trains nothing`},
		"memory":     {"determinism", check.Failed, "and the second time"},
		"slow":       {"kernels", check.Noted, "Concat"},
		"nobody":     {"members", check.Failed, `unknown method "nobody"`},
		"member":     {"members", check.Failed, "another objective than method mc"},
		"prediction": {"members", check.Failed, "which it is said to be, predicts"},
		"sum":        {"mean", check.Noted, "where every row is there twice"},
	} {
		r, err := check.Method("wrong-"+strings.ReplaceAll(name, " ", "-"), nil, 1)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, f := range r.Findings {
			if f.Check != c.check {
				continue
			}
			if text := f.Says + strings.Join(f.Details, "\n"); f.Status != c.status || !strings.Contains(text, c.words) {
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
	r, err := check.Method("wrong-half", nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	own, nothing := r.Reach.Terms[0], r.Reach.Terms[1]
	if len(own.Own) != 1 || own.Own[0] != "own bias" || len(own.Misses) != 6 || len(nothing.Own) != 0 {
		t.Errorf("own term: %+v, stopped term: %+v", own, nothing)
	}
}

func TestErrorsOfBuilding(t *testing.T) {
	for name, want := range map[string]string{"wrong-shape": "MatMul([6 1], [6 1])", "wrong-predictor": "Stochastic: true", "wrong-other-objective-each-time": "another one each time it is built", "unheard of": "there is mc"} {
		if _, err := check.Method(name, nil, 1); err == nil || !strings.Contains(err.Error(), want) {
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
	for seed := uint64(10); seed < 14; seed++ {
		for _, seed := range []uint64{seed, math.MaxUint64 - seed} {
			r, err := check.Method("sml", nil, seed)
			if err != nil || !r.Passed() {
				t.Errorf("seed %d: %v\n%s", seed, err, r)
			}
		}
	}
}
