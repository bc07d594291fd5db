package models_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/methods"
	"sml/models/networks"
)

type (
	builder = *graph.Builder
	node    = *graph.Node
	task    = *models.Task
	nodes   = models.PredictionNodes
)

// mistake is a method with one mistake and what has to be said of it before a
// training begins.
type mistake struct {
	name    string
	method  models.Method
	network network // nil: the method's
	chosen  models.Hyperparameters
	words   []string
}

type network = func(builder, node, models.Architecture) models.Forward

// squared is an objective without a mistake.
func squared(b builder, t task) node { return b.MSE(t.Forward(graph.Full), t.Y) }

// linear is a network without a mistake.
func linear(b builder, x node, a models.Architecture) models.Forward {
	return func(graph.Pass) node { return networks.Dense(b, "output", x, a.Outputs) }
}

// dropping is a network whose one hidden layer of 4 units passes through something.
func dropping(through func(b builder, h node, pass graph.Pass) node) network {
	return func(b builder, x node, a models.Architecture) models.Forward {
		return func(pass graph.Pass) node {
			return networks.Dense(b, "output", through(b, networks.Dense(b, "hidden", x, 4), pass), a.Outputs)
		}
	}
}

var ticks int

// kept is what the objective kept remembers.
var kept node

// outputs are nodes that a predictor keeps.
var outputs []node

// here is "(at FILE:LINE)" of the line so many below its caller.
func here(below int) string {
	_, _, line, _ := runtime.Caller(1)
	return fmt.Sprintf("(at mistakes_test.go:%d)", line+below)
}

func mistakes() []mistake {
	var nothing []int
	var unmade func(pass graph.Pass) node
	lost := errors.New("the cause")
	return []mistake{
		{name: "five columns", words: []string{"network wrong-five-columns of method wrong-five-columns returned [2 5], want [2 1]", "[rows outputs]"},
			method: models.Method{Objective: squared}, network: func(b builder, x node, a models.Architecture) models.Forward {
				return func(graph.Pass) node { return networks.Dense(b, "output", x, 5) }
			}},
		{name: "no pass", words: []string{"network wrong-no-pass of method wrong-no-pass is nil"},
			method: models.Method{Objective: squared}, network: func(builder, node, models.Architecture) models.Forward { return nil }},
		{name: "nothing", words: []string{"network wrong-nothing of method wrong-nothing returned nil"},
			method: models.Method{Objective: squared}, network: func(builder, node, models.Architecture) models.Forward {
				return func(graph.Pass) node { return nil }
			}},
		{name: "another graph", words: []string{"returned a node of another graph"},
			method: models.Method{Objective: squared}, network: func(b builder, x node, a models.Architecture) models.Forward {
				return func(graph.Pass) node { return graph.New(b.Dtype(), new(graph.Params)).Input("x", 2, 1) }
			}},
		{name: "plain after a mistake", words: []string{"MatMul([2 1], [2 1])", here(2)},
			method: models.Method{Objective: func(b builder, t task) node {
				wrong := b.MatMul(t.Forward(graph.Full), t.Y)
				return gorgonia.Must(gorgonia.Add(wrong, gorgonia.Must(gorgonia.Sum(t.Forward(graph.Full), 7))))
			}}},
		{name: "column and row", words: []string{"Sub([2 1], [1 2]): a column meets a row", here(2)},
			method: models.Method{Objective: func(b builder, t task) node {
				return b.Mean(b.Square(b.Sub(t.Forward(graph.Full), gorgonia.Must(gorgonia.Transpose(t.Y, 1, 0)))))
			}}},
		{name: "input", words: []string{`a training fills x and y, and nothing fills "t"`, here(2)},
			method: models.Method{Objective: func(b builder, t task) node {
				return b.Mean(b.Mul(b.Input("t", 2, 1), b.Sub(t.Forward(graph.Full), t.Y)))
			}}},
		{name: "kept", words: []string{"Sub([2 1], [2 1])", "an operand is a node of another graph: it was kept from an earlier call", here(5)},
			method: models.Method{Objective: func(b builder, t task) node {
				if out := t.Forward(graph.Full); kept == nil {
					kept = out
				}
				return b.MSE(kept, t.Y)
			}}},
		{name: "another builder", words: []string{"the objective of method wrong-another-builder: it is a node of another graph", "made by another builder than the one that is given"},
			method: models.Method{Objective: func(b builder, t task) node {
				return graph.New(b.Dtype(), new(graph.Params)).MSE(t.Forward(graph.Full), t.Y)
			}}},
		{name: "random", words: []string{"the objective of method wrong-random: ", "draws numbers that do not follow from a seed"},
			method: models.Method{Objective: func(b builder, t task) node {
				return b.MSE(t.Forward(graph.Full), b.Add(t.Y, gorgonia.GaussianRandomNode(b.Graph(), b.Dtype(), 0, 1, t.Y.Shape()...)))
			}}},
		{name: "no derivative", words: []string{"the objective of method wrong-no-derivative: Gorgonia's gradient of At([0 0]) is wrong or missing: multiply by a constant"},
			method: models.Method{Objective: func(b builder, t task) node {
				return b.Add(gorgonia.Must(gorgonia.At(t.Forward(graph.Full), 0, 0)), b.Mean(t.Y))
			}}},
		{name: "clock", words: []string{"the objective of method wrong-clock builds a different graph in each call"},
			method: models.Method{Objective: func(b builder, t task) node {
				ticks++
				return b.Scale(float64(ticks), b.MSE(t.Forward(graph.Full), t.Y))
			}}},
		{name: "no network", words: []string{"the objective of method wrong-no-network does not depend on the network's outputs"},
			method: models.Method{Objective: func(b builder, t task) node {
				return b.MSE(b.Mul(b.Param("own", 1, 1, graph.Uniform(1)), t.Y), t.Y)
			}}},
		{name: "no target", words: []string{"the objective of method wrong-no-target does not depend on the targets"},
			method: models.Method{Objective: func(b builder, t task) node { return b.Mean(b.Square(t.Forward(graph.Full))) }}},
		{name: "nil", words: []string{"the objective of method wrong-nil returned nil, want a scalar"},
			method: models.Method{Objective: func(builder, task) node { return nil }}},
		{name: "negative drop", words: []string{"graph.Drop(-1): sub-networks have numbers from 0", here(2)},
			method: models.Method{DropLayers: models.AllLayers, Objective: func(b builder, t task) node {
				return b.MSE(t.Forward(graph.Drop(-1)), t.Y)
			}}},
		{name: "parameter of another pass", words: []string{`has the parameter "scale" in predictions, and in no pass of the objective`},
			method: models.Method{DropLayers: models.AllLayers, SubNetworks: models.SubNetworkMoments, Predict: methods.PredictSubNetworks, Objective: squared}, network: dropping(func(b builder, h node, pass graph.Pass) node {
				h = b.Dropout(h, pass, 0, 0.5)
				if pass != graph.Full {
					h = b.Mul(h, b.Param("scale", 1, 4, graph.Uniform(1)))
				}
				return h
			})},
		{name: "pass not handed on", words: []string{"network wrong-pass-not-handed-on of method wrong-pass-not-handed-on uses the dropout masks of another pass"},
			method: models.Method{DropLayers: models.AllLayers, Objective: squared}, network: dropping(func(b builder, h node, _ graph.Pass) node {
				return b.Dropout(h, graph.Drop(0), 0, 0.5)
			})},
		{name: "negative std", words: []string{"the predictor of method wrong-negative-std gives std = -0.1 in the family normal", "want 0 or more", here(1)},
			method: models.Method{Objective: squared, Predict: func(b builder, m models.Moments) nodes {
				return methods.Normal(m.Full[0], b.Neg(m.Full[0]))
			}}},
		{name: "negative component", words: []string{"the predictor of method wrong-negative-component gives a standard deviation dropout_offset of -0.1: want 0 or more", here(1)},
			method: models.Method{Objective: squared, Predict: func(b builder, m models.Moments) nodes {
				return methods.Normal(m.Full[0], b.Abs(m.Full[0]), models.Component{Name: models.DropoutOffset, Std: b.Neg(m.Full[0])})
			}}},
		{name: "no correlations", words: []string{"the predictor of method wrong-no-correlations gives target 0 with the correlation -1 with itself: want 1", here(1)},
			method: models.Method{Objective: squared, Predict: func(b builder, m models.Moments) nodes {
				p := methods.Normal(m.Full[0], b.Abs(m.Full[0]))
				p.Correlations = b.Shift(b.Scale(0, m.Full[0]), -1)
				return p
			}}},
		{name: "own error", words: []string{"the objective of method wrong-own-error: the cause " + here(2)},
			method: models.Method{Objective: func(builder, task) node {
				return gorgonia.Must(nil, lost)
			}}},
		{name: "index", words: []string{"the objective of method wrong-index: runtime error: index out of range [3] with length 0", here(2)},
			method: models.Method{Objective: func(b builder, t task) node {
				return b.Scale(float64(nothing[3]), b.MSE(t.Forward(graph.Full), t.Y))
			}}},
		{name: "library", words: []string{"strings: negative Repeat count", here(2)},
			method: models.Method{Objective: func(b builder, t task) node {
				return b.WeightedSum(graph.Term{Name: strings.Repeat("a", -1), Weight: 1, Value: b.MSE(t.Forward(graph.Full), t.Y)})
			}}},
		{name: "undeclared", words: []string{`hyperparameter "beta" is not declared`, here(2)},
			method: models.Method{Objective: func(b builder, t task) node {
				return b.Scale(t.Float("beta"), b.MSE(t.Forward(graph.Full), t.Y))
			}}},
		{name: "network panics", words: []string{"network wrong-network-panics of method wrong-network-panics: runtime error: index out of range", here(2)},
			method: models.Method{Objective: squared}, network: func(builder, node, models.Architecture) models.Forward {
				return func(graph.Pass) node { return []node{}[nothing[1]] }
			}},
		{name: "network is not made", words: []string{"network wrong-network-is-not-made of method wrong-network-is-not-made", "nil", here(2)},
			method: models.Method{Objective: squared}, network: func(b builder, x node, a models.Architecture) models.Forward {
				unmade(graph.Full)
				return unmade
			}},
		{name: "layer", words: []string{"MatMul([2 3], [2 3])", here(2)},
			method: models.Method{Objective: squared}, network: func(b builder, x node, a models.Architecture) models.Forward {
				return func(graph.Pass) node { return b.MatMul(x, x) }
			}},
		{name: "matrix", words: []string{"the objective of method wrong-matrix returned [2 1], which is not a scalar: end it with a Mean"},
			method: models.Method{Objective: func(b builder, t task) node { return b.Sub(t.Forward(graph.Full), t.Y) }}},
		{name: "no drop", words: []string{"method wrong-no-drop uses a dropout sub-network, and drops no units: set Method.DropLayers", here(2)},
			method: models.Method{Objective: func(b builder, t task) node {
				return b.MSE(t.Forward(graph.Drop(0)), t.Y)
			}}},
		{name: "network without dropout", words: []string{"network wrong-network-without-dropout of method wrong-network-without-dropout drops no units", "Builder.Dropout"},
			method: models.Method{Objective: squared, DropLayers: models.AllLayers, SubNetworks: models.SubNetworkMoments, Predict: methods.PredictSubNetworks}, network: linear},
		{name: "not sampled", words: []string{"the predictor of method wrong-not-sampled: runtime error: index out of range [0] with length 0", "(at predictions.go:", "SubNetworks: models.SubNetworkMoments"},
			method: models.Method{Objective: squared, DropLayers: models.AllLayers, Predict: methods.PredictSubNetworks}},
		{name: "output", words: []string{"the predictor of method wrong-output: runtime error: index out of range [1] with length 1", here(2)},
			method: models.Method{Objective: squared, Predict: func(b builder, m models.Moments) nodes {
				return methods.Normal(m.Full[0], m.Full[1])
			}}},
		{name: "predictor with a memory", words: []string{"the predictor of method wrong-predictor-with-a-memory gives [", "and, built again, [", "must not store anything between calls", here(1)},
			method: models.Method{Objective: squared, Predict: func(b builder, m models.Moments) nodes {
				ticks++
				return methods.Point(b.Scale(float64(ticks), m.Full[0]))
			}}},
		{name: "predictor that keeps its moments", words: []string{"the predictor of method wrong-predictor-that-keeps-its-moments", "a node of another graph", "kept from an earlier call", here(5)},
			method: models.Method{Objective: squared, Predict: func(b builder, m models.Moments) nodes {
				if outputs == nil {
					outputs = m.Full
				}
				return methods.Point(b.Scale(2, outputs[0]))
			}}},
		{name: "predictor that returns kept moments", words: []string{"the predictor of method wrong-predictor-that-returns-kept-moments gives mean, a node of another graph", here(1)},
			method: models.Method{Objective: squared, Predict: func(b builder, m models.Moments) nodes {
				return methods.Point(graph.New(graph.Float64, new(graph.Params)).Input("kept", 3, 1))
			}}},
		{name: "predictor that mixes rows", words: []string{"the predictor of method wrong-predictor-that-mixes-rows predicts [", "for a row, and [", "if the other rows of the batch change", here(1)},
			method: models.Method{Objective: squared, Predict: func(b builder, m models.Moments) nodes {
				return methods.Point(b.Sub(m.Full[0], b.Mean(m.Full[0])))
			}}},
		{name: "predictor that mixes rows of draws", words: []string{"the predictor of method wrong-predictor-that-mixes-rows-of-draws predicts [", "if the other rows of the batch change"},
			method: models.Method{Objective: squared, DropLayers: models.AllLayers, SubNetworks: models.EachSubNetwork, Predict: func(b builder, m models.Moments) nodes {
				return methods.Point(b.Add(m.Full[0], m.MeanOverDraws(func(draw []node) node { return b.Sub(draw[0], b.Mean(draw[0])) })))
			}}},
		{name: "predictor with an error", words: []string{"the predictor of method wrong-predictor-with-an-error: MatMul([3 1], [3 1])", here(2)},
			method: models.Method{Objective: squared, Predict: func(b builder, m models.Moments) nodes {
				return methods.Point(b.MatMul(m.Full[0], m.Full[0]))
			}}},
		{name: "predictor with an input", words: []string{"the predictor of method wrong-predictor-with-an-input", `nothing fills "noise"`, here(2)},
			method: models.Method{Objective: squared, Predict: func(b builder, m models.Moments) nodes {
				return methods.Point(b.Add(m.Full[0], b.Input("noise", 3, 1)))
			}}},
		{name: "predictor with a parameter", words: []string{"the predictor of method wrong-predictor-with-a-parameter", `"bias"`, here(1)},
			method: models.Method{Objective: squared, Predict: func(b builder, m models.Moments) nodes {
				return methods.Point(b.Add(m.Full[0], b.Param("bias", 3, 1, graph.Fill(1))))
			}}},
		{name: "no switch", words: []string{`hyperparameter "beta" is not a switch: its Default is 0.5; a switch has the Default true or false`, here(3)},
			method: models.Method{Hyperparameters: []models.Hyperparameter{{Name: "beta", Default: 0.5}}, Objective: func(b builder, t task) node {
				loss := squared(b, t)
				if t.IsOn("beta") {
					return loss
				}
				return b.Scale(2, loss)
			}}},
		{name: "combiner", words: []string{"the combiner of method wrong-combiner: runtime error: index out of range [3] with length 3", here(2)},
			method: models.Method{Objective: squared, Members: 3, Combine: func(_ builder, members []nodes) nodes {
				return members[3]
			}}},
	}
}

func registered(t *testing.T, m mistake) models.Method {
	method := m.method
	method.Name = strings.NewReplacer(" ", "-", ",", "").Replace("wrong " + m.name)
	if m.network != nil {
		method.Network = method.Name
		models.RegisterNetwork(models.Network{Name: method.Name, Build: m.network})
	}
	if method.Predict == nil {
		method.Predict = methods.PredictFullNetwork
	}
	models.Register(method)
	t.Cleanup(func() { models.Forget(method.Name) })
	return expect.Must(models.Lookup(method.Name))
}

// find returns the error that a training with the method ends with before its first step.
func (m mistake) find(t *testing.T) error {
	t.Helper()
	method := registered(t, m)
	s := expect.Must(models.NewSpec(method.Name, m.chosen, models.Architecture{Inputs: 3, Targets: 1, Hidden: []int{4}, Activation: "relu", Dropout: 0.2}))
	if _, err := s.NewParams(1); err != nil {
		return err
	}
	return s.Examine(method.Members)
}

// Every mistake is an error before the first step of a training, with the name of the method or the
// operation, and the line to look at.
func TestMistakesAreToldBeforeTraining(t *testing.T) {
	origin := regexp.MustCompile(`\(at [a-z_]+\.go:\d+\)`)
	for _, m := range mistakes() {
		err := m.find(t)
		expect.Error(t, err, m.words...)
		if n := len(origin.FindAllString(fmt.Sprint(err), -1)); n > 1 {
			t.Errorf("%s: %q names %d lines", m.name, err, n)
		}
	}
}

// spec returns a small network of a method.
func spec(t *testing.T, method string, edit func(*models.Architecture)) models.Spec {
	t.Helper()
	a := models.Architecture{Inputs: 3, Targets: 1, Hidden: []int{5, 4}, Activation: "relu", Dropout: 0.3}
	if edit != nil {
		edit(&a)
	}
	return expect.Must(models.NewSpec(method, nil, a))
}

// A user may choose a dropout rate of 0, no layers that drop units, or no hidden layers at all.
func TestChoicesAreNoMistakes(t *testing.T) {
	for _, method := range []string{"mc", "sml", "mc-ll"} {
		for name, edit := range map[string]func(*models.Architecture){
			"rate 0":         func(a *models.Architecture) { a.Dropout = 0 },
			"no layers":      func(a *models.Architecture) { a.Drop = models.NoLayers },
			"linear":         func(a *models.Architecture) { a.Hidden = nil },
			"linear, layers": func(a *models.Architecture) { a.Hidden, a.Drop = nil, models.LastLayer },
		} {
			s := spec(t, method, edit)
			expect.Must(s.NewParams(1))
			if err := s.Examine(1); err != nil {
				t.Errorf("%s, %s: %v", method, name, err)
			}
		}
	}
}

// An objective or a network that changes its arguments does not change the spec, which is saved as it was
// chosen.
func TestSpecsAreNotChanged(t *testing.T) {
	method := registered(t, mistake{name: "writer", method: models.Method{
		Hyperparameters: []models.Hyperparameter{{Name: "k", Default: 1}},
		Objective: func(b builder, t task) node {
			t.Hyperparameters["k"] = t.Float("k") + 1
			return b.Scale(t.Float("k"), b.MSE(t.Forward(graph.Full), t.Y))
		},
	}, network: func(b builder, x node, a models.Architecture) models.Forward {
		a.Hidden[0]++
		return networks.MLP(b, x, a)
	}})
	s := expect.Must(models.NewSpec(method.Name, nil, models.Architecture{Inputs: 3, Targets: 1, Hidden: []int{4}, Activation: "relu"}))
	if err := s.Examine(1); err != nil {
		t.Error(err)
	}
	if s.Hyperparameters.Float("k") != 1 || s.Architecture.Hidden[0] != 4 {
		t.Errorf("the spec became %+v", s)
	}
}

// What cannot be registered says so where the program starts.
func TestMistakesOfRegistration(t *testing.T) {
	one := models.Hyperparameter{Name: "a", Default: 1}
	for words, edit := range map[string]func(*models.Method){
		`two hyperparameters called "a"`: func(m *models.Method) { m.Hyperparameters = []models.Hyperparameter{one, one} },
		`a hyperparameter called ""`:     func(m *models.Method) { m.Hyperparameters = []models.Hyperparameter{{Default: 1}} },
		`a hyperparameter called "a=b"`:  func(m *models.Method) { m.Hyperparameters = []models.Hyperparameter{{Name: "a=b", Default: 1}} },
		"the range of a is from 1 to 0": func(m *models.Method) {
			m.Hyperparameters = []models.Hyperparameter{{Name: "a", Default: 0.5, Range: models.Range{Min: 1}}}
		},
		"-2 targets or members":        func(m *models.Method) { m.Targets = -2 },
		"returned -1: want 1 or more":  func(m *models.Method) { m.Outputs = models.Outputs(-1) },
		`drops units in layers "some"`: func(m *models.Method) { m.DropLayers = "some" },
		"unknown validation measure":   func(m *models.Method) { m.ValidationMeasure = "rmse" },
		"which is for numbers":         func(m *models.Method) { m.Classes, m.ValidationMeasure = models.AnyClasses, models.ByCRPS },
		"it cannot choose an epoch": func(m *models.Method) {
			m.ValidationMeasure = models.ByNLL
			m.AfterTraining = func(context.Context, *models.TrainedNetwork) error { return nil }
		},
		"needs an objective":                 func(m *models.Method) { m.Objective = nil },
		"is registered twice":                func(m *models.Method) { m.Name = "mc" },
		"want a name without blanks":         func(m *models.Method) { m.Name = "my method" },
		"want the name of a check and a":     func(m *models.Method) { m.Exemptions = []models.Exemption{{Check: "predicts"}} },
		`exempt from check "rows" twice`:     func(m *models.Method) { m.Exemptions = []models.Exemption{{"rows", "a"}, {"rows", "b"}} },
		"needs an objective and a predictor": func(m *models.Method) { m.Predict = nil },
		"the default h=2 is out of range": func(m *models.Method) {
			m.Hyperparameters = []models.Hyperparameter{{Name: "h", Default: 2, Range: models.Range{Max: 1}}}
		},
		"has Classes and UsesUnlabelled": func(m *models.Method) { m.Classes, m.UsesUnlabelled = models.AnyClasses, true },
		"has 1 classes: want 2 or more":  func(m *models.Method) { m.Classes = models.Range{Min: 1, Max: 1} },
		"a name":                         func(m *models.Method) { m.Name = "" },
	} {
		m := models.Method{Name: "wrong-registration", Objective: squared, Predict: methods.PredictFullNetwork}
		edit(&m)
		func() {
			defer func() {
				if r := fmt.Sprint(recover()); !strings.Contains(r, words) {
					t.Errorf("%q does not say %q", r, words)
					models.Forget(m.Name)
				}
			}()
			models.Register(m)
		}()
	}
}
