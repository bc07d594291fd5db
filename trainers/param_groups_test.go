package trainers

import (
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/networks"
)

// headed returns the Build of a network whose output layer is the group "head". decay tells whether
// its matrix decays.
func headed(decay bool) func(*graph.Builder, *graph.Node, models.Architecture) models.Forward {
	return func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
		return func(pass graph.Pass) (out *graph.Node) {
			h := b.Tanh(networks.Dense(b, "hidden1", x, 8))
			b.Within(graph.Scope{Group: "head"}, func() {
				declare := b.Param
				if decay {
					declare = b.Weight
				}
				out = b.MatMul(h, declare("head", 8, a.Outputs, graph.Uniform(0.3)))
			})
			return out
		}
	}
}

// Groups with the settings of the whole training, written in any way, give the bytes of a training without
// groups.
func TestParamGroupsThatChangeNothing(t *testing.T) {
	spec := registered(t, "headed", models.Method{Objective: squared}, headed(true))
	undecayed := registered(t, "headed-undecayed", models.Method{Objective: squared}, headed(false))
	sgd := models.Hyperparameters{"momentum": 0.5, "nesterov": true}
	for name, c := range map[string]struct{ with, without Settings }{
		"one rule":   {groups(t, short, "head:every=1"), short},
		"both named": {groups(t, short, "main:lr=0.001;head:lr=0.001,beta1=0.9"), short},
		"another rule": {
			groups(t, short, "head:optimizer=sgd,momentum=0.5,nesterov=true,lr=0.02;main:optimizer=sgd,momentum=0.5,nesterov=true,lr=0.02"),
			Settings{Epochs: 5, Batch: 16, Seed: 3, Optimizer: "sgd", OptimizerHyperparameters: sgd, LearningRate: 0.02},
		},
		"schedule and decay": {
			groups(t, Settings{Epochs: 5, Batch: 16, Seed: 3, Decay: 0.1, Schedule: models.Schedule{Shape: "cosine"}, Optimizer: "sgd"}, "head:decay=0.1"),
			Settings{Epochs: 5, Batch: 16, Seed: 3, Decay: 0.1, Schedule: models.Schedule{Shape: "cosine"}, Optimizer: "sgd"},
		},
	} {
		if !equal(trained(t, spec, c.with), trained(t, spec, c.without)) {
			t.Errorf("%s: another training", name)
		}
	}
	// A group that does not decay is one whose parameters are not declared as weights.
	decaying := Settings{Epochs: 5, Batch: 16, Seed: 3, Decay: 0.5}
	without := trained(t, spec, groups(t, decaying, "head:decay=0"))
	if !equal(without, trained(t, undecayed, decaying)) || equal(without, trained(t, spec, decaying)) {
		t.Error("decay=0 is not a training in which the group does not decay")
	}
}

// Settings may name a layer or a parameter; a parameter follows its own name before its layer, and its layer before
// its group.
func TestParamGroupsByName(t *testing.T) {
	spec := registered(t, "headed-by-name", models.Method{Objective: squared}, headed(true))
	train := func(text string) *Result { return trained(t, spec, groups(t, short, text)) }
	for text, same := range map[string]string{
		"hidden1:lr=0.02":                       "main:lr=0.02",
		"hidden1:optimizer=sgd":                 "main:optimizer=sgd",
		"hidden1.bias:lr=0.02;main:lr=0.02":     "main:lr=0.02",
		"hidden1.bias:lr=0.02;hidden1:lr=0.001": "hidden1.weight:lr=0.001;main:lr=0.02",
		"main:lr=0.02;hidden1.weight:every=1":   "hidden1.bias:lr=0.02",
	} {
		if !equal(train(text), train(same)) {
			t.Errorf("%s is another training than %s", text, same)
		}
	}
	if equal(train("hidden1.bias:lr=0.02"), train("hidden1:lr=0.02")) {
		t.Error("the bias alone moves like the layer")
	}
}

// A group moves in its own steps alone, by its own rate; the first step of Adam has the size of the
// rate, however late it comes.
func TestParamGroupsTakeTurns(t *testing.T) {
	objective := func(b *graph.Builder, t *models.Task) *graph.Node {
		out := t.Forward(graph.Full)
		b.Watch("first", b.Columns(b.Rows(b.ParametersOf(out)[0], b.Constant(1, 1, []float64{0})), 0, 1))
		b.Watch("head", b.Rows(b.ParametersOf(out)[2], b.Constant(1, 1, []float64{0})))
		return t.MSE(out, t.Y)
	}
	spec := registered(t, "taking-turns", models.Method{Objective: objective}, headed(true))
	s := groups(t, Settings{Epochs: 7, Batch: 50, Seed: 3, LearningRate: 0.001}, "main:every=2;head:every=3,offset=1,lr=0.01")
	r := trained(t, spec, s)
	for column, c := range map[string]struct {
		moves []bool // from the beginning of epoch i to that of epoch i + 1, of one step each
		rate  float64
	}{
		"first.mean": {[]bool{true, false, true, false, true, false}, 0.001},
		"head.mean":  {[]bool{false, true, false, false, true, false}, 0.01},
	} {
		at := slices.Index(r.History.Columns, column)
		for i, want := range c.moves {
			before, after := r.History.Rows[i].Values[at], r.History.Rows[i+1].Values[at]
			if moved := before != after; moved != want {
				t.Errorf("%s from step %d to the next: %v to %v", column, i+1, before, after)
			}
			first := slices.Index(c.moves, true)
			if i == first && math.Abs(math.Abs(after-before)-c.rate) > 1e-3*c.rate {
				t.Errorf("%s: the first step is %v, want %v", column, after-before, c.rate)
			}
		}
	}
}

// The norm of each group's gradient is clipped by itself: a group with a large gradient does not
// shorten the steps of another. The gradient of a frozen parameter is in no norm.
func TestParamGroupsAreClippedApart(t *testing.T) {
	objective := func(b *graph.Builder, t *models.Task) *graph.Node {
		var large, small, frozen *graph.Node
		b.Within(graph.Scope{Group: "large"}, func() { large = b.Param("large", 1, 1, graph.Fill(0)) })
		b.Within(graph.Scope{Group: "small"}, func() { small = b.Param("small", 1, 1, graph.Fill(0)) })
		b.Within(graph.Scope{Group: "small", Frozen: true}, func() { frozen = b.Param("frozen", 1, 1, graph.Fill(0)) })
		return b.Add(b.Add(squared(b, t), b.Scale(1000, b.Sum(b.Add(large, frozen)))), b.Scale(0.01, b.Sum(small)))
	}
	spec := registered(t, "clipped-apart", models.Method{Objective: objective}, nil)
	s := groups(t, Settings{Epochs: 1, Batch: 50, Seed: 3, Clip: 1}, "large:optimizer=sgd,lr=0.1;small:optimizer=sgd,lr=0.1")
	r := trained(t, spec, s)
	for name, want := range map[string]float64{"large": -0.1, "small": -0.001, "frozen": 0} { // clipped to 1, and as it is
		if got := float64(parameter(t, r.Members[0], name)[0]); math.Abs(got-want) > 1e-6*math.Abs(want) {
			t.Errorf("%s moved by %v, want %v", name, got, want)
		}
	}
}

// playing is an objective of two networks with a loss each.
func playing(b *graph.Builder, t *models.Task) *graph.Node {
	out := t.Forward(graph.Full)
	critic := t.Network("critic", b.Concat(t.X, b.StopGradient(out)), models.Architecture{Outputs: 1})(graph.Full)
	return b.WeightedSum(
		graph.Term{Name: "fit", Weight: 1, Value: t.MSE(out, t.Y)},
		graph.Term{Name: "critic", Weight: 1, Value: t.MSE(critic, b.Abs(b.Sub(t.Y, out))), Group: "critic"},
	)
}

// Neither of two networks depends on the other's loss.
func TestParamGroupsOfTwoNetworks(t *testing.T) {
	spec := registered(t, "playing", models.Method{Objective: playing}, nil)
	alone := registered(t, "playing-alone", models.Method{Objective: squared}, nil)
	s := Settings{Epochs: 9, Batch: 10, Seed: 3}
	both, one := trained(t, spec, s), trained(t, alone, s)
	if got, want := parameter(t, both.Members[0], "hidden1.weight"), parameter(t, one.Members[0], "hidden1.weight"); !slices.Equal(got, want) {
		t.Error("the critic's loss moves the network")
	}
	growing := trained(t, spec, Settings{Epochs: 3, Batch: 10, Seed: 3, LearningRate: 1})
	for _, w := range growing.Warnings {
		if strings.Contains(w, "the loss") {
			t.Errorf("a warning about the sum of two players' losses: %s", w)
		}
	}
}

// Members that train at the same time, with steps divided among goroutines, groups, averages, watched nodes
// and a callback, get the same bytes as members that train one after another.
func TestParamGroupsOfMembersAtOnce(t *testing.T) {
	objective := func(b *graph.Builder, t *models.Task) *graph.Node {
		b.Watch("targets", t.Y)
		return playing(b, t)
	}
	spec := registered(t, "playing-at-once", models.Method{Objective: objective, Members: 3, Combine: models.CombineByFamily}, nil)
	spec.Architecture.Hidden = []int{200, 200}
	s := groups(t, Settings{Epochs: 2, Batch: 100, Seed: 3, Clip: 1, Average: Average{Kind: SWA}}, "critic:lr=0.01,every=2;main:optimizer=sgd,lr=0.01")
	var results []*Result
	for _, o := range []Options{{Workers: 1, Threads: 1}, {Workers: 3, Threads: 2}} {
		steps := make(map[int]int) // by member
		o.AfterStep = func(r StepReport) error {
			steps[r.Member]++
			return nil
		}
		r := mustTrain(t, spec, wave(300), s, o)
		if want := map[int]int{0: 6, 1: 6, 2: 6}; !maps.Equal(steps, want) {
			t.Errorf("steps %v, want %v", steps, want)
		}
		results = append(results, r)
	}
	if !equal(results[0], results[1]) {
		t.Error("the members depend on how many train at once")
	}
}

// Resolve completes groups: by the settings, by the method's declaration and by the settings of the whole
// training. Resolving again changes nothing.
func TestResolveParamGroups(t *testing.T) {
	declared := expect.Must(models.ParseParamGroups("critic:beta1=0.5,lr=0.002,every=3,offset=2"))
	spec := registered(t, "declared-groups", models.Method{Objective: playing, ParamGroups: declared}, nil)
	for chosen, want := range map[string]string{
		"":                               "critic:optimizer=adam,beta1=0.5,beta2=0.999,epsilon=1e-08,lr=0.002,decay=0.1,every=3,offset=2",
		"critic:lr=0.1,beta2=0.9":        "critic:optimizer=adam,beta1=0.5,beta2=0.9,epsilon=1e-08,lr=0.1,decay=0.1,every=3,offset=2",
		"critic:optimizer=sgd,decay=0":   "critic:optimizer=sgd,momentum=0.9,nesterov=0,lr=0.001,decay=0,every=3,offset=2",
		"critic:optimizer=adamw":         "critic:optimizer=adamw,beta1=0.9,beta2=0.999,epsilon=1e-08,lr=0.001,decay=0.01,every=3,offset=2",
		"main:lr=0.5;critic:every=1":     "critic:optimizer=adam,beta1=0.5,beta2=0.999,epsilon=1e-08,lr=0.002,decay=0.1,every=1;main:optimizer=adam,beta1=0.9,beta2=0.999,epsilon=1e-08,lr=0.5,decay=0.1,every=1",
		"critic:every=2,offset=1,lr=0.1": "critic:optimizer=adam,beta1=0.5,beta2=0.999,epsilon=1e-08,lr=0.1,decay=0.1,every=2,offset=1",
	} {
		s := expect.Must(Resolve(spec, groups(t, Settings{Decay: 0.1}, chosen)))
		if got := s.ParamGroups.String(); got != want {
			t.Errorf("%q:\ngot  %s\nwant %s", chosen, got, want)
		}
		var read Settings
		text, err := json.Marshal(s)
		if err == nil {
			err = json.Unmarshal(text, &read)
		}
		expect.NoError(t, err)
		again, err := Resolve(spec, read)
		if err != nil || !reflect.DeepEqual(again, s) {
			t.Errorf("%q: resolved again\n%+v, %v, want\n%+v", chosen, again, err, s)
		}
	}
	text, err := json.Marshal(Settings{})
	if err != nil || strings.Contains(string(text), "group") {
		t.Errorf("settings without groups: %s", text)
	}
}

func TestParamGroupMistakes(t *testing.T) {
	spec := registered(t, "mistaken-groups", models.Method{Objective: playing}, nil)
	for chosen, want := range map[string]string{
		"critics:lr=0.1":          `there is no parameter group "critics"; want one of main, critic, a parameter (`,
		"critic:optimizer=adams":  `parameters of the group "critic": unknown optimizer "adams"`,
		"critic:momentum=0.5":     `has no hyperparameter "momentum"`,
		"critic:lr=7":             "learning rate is 7",
		"critic:decay=1e9":        "weight decay is 1e+09",
		"critic:decay=500,lr=0.1": "changes the sign of weights",
		"critic:every=-2":         "every is -2",
		"critic:every=2,offset=2": "offset is 2: want 0 to 1",
		"critic:optimizer=sam":    `group "critic": optimizer sam computes with the gradient of all parameters at once`,
	} {
		expect.Error(t, trainError(t, spec, wave(50), groups(t, short, chosen), Options{}), want)
	}
	for name, want := range map[string]string{
		"main":        `a group cannot be named "main"; want a name without blanks and ; : , =, other than "main"`,
		"second head": `a group cannot be named "second head"`,
	} {
		spec := registered(t, "network-"+strings.Fields(name)[0], models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			return b.Add(squared(b, t), b.Mean(t.Network(name, t.X, models.Architecture{Outputs: 1})(graph.Full)))
		}}, nil)
		expect.Error(t, trainError(t, spec, wave(50), short, Options{}), want)
	}
}
