package trainers

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/models"
	_ "sml/models/methods"
	_ "sml/models/networks"
	"sml/trainers/optimizer"
)

// grouped is a member whose second parameter has a tenth of the learning rate, and
// whose third is a buffer.
func grouped(t *testing.T, s Settings) *member {
	t.Helper()
	spec := newSpec(t, "mc", nil, models.Architecture{Inputs: 1, Targets: 1, Hidden: []int{8, 8}, Activation: "tanh", Dropout: 0.1})
	m := newTestMember(t, spec, s, squares(30))
	m.params.List()[1].Rate, m.params.List()[2].Buffer = 0.1, true
	optimizer, err := m.settings.newOptimizer(m.params)
	if err != nil {
		t.Fatal(err)
	}
	m.optimizer, m.state.Slots = optimizer, optimizer.slots()
	return m
}

func epochs(t *testing.T, m *member, n int) {
	t.Helper()
	for range n {
		if err := m.runEpoch(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// The first step of Adam is the learning rate in every weight that the gradient
// reaches, and a buffer stays.
func TestGroupsOfParameters(t *testing.T) {
	for _, clip := range []float64{0, 0.5} {
		m := grouped(t, Settings{Epochs: 1, Batch: 30, LearningRate: 0.01, Clip: clip, Decay: 0})
		before := slices.Clone(m.params.Float32s())
		epochs(t, m, 1)
		for i, want := range []float64{0.01, 0.001, 0} {
			most := 0.0
			for j, v := range graph.ParamValues(m.params, m.params.Float32s(), i) {
				most = max(most, math.Abs(float64(v)-float64(graph.ParamValues(m.params, before, i)[j])))
			}
			if math.Abs(most-want) > 1e-3*want {
				t.Errorf("clip %v: parameter %d moved by %v, want %v", clip, i, most, want)
			}
		}
	}
}

// A buffer is not decayed, and its gradient is in no norm.
func TestBuffersAreNotClipped(t *testing.T) {
	m := grouped(t, Settings{})
	grad := make([]float32, m.params.Len())
	for i := range grad {
		grad[i] = 1
	}
	clearBufferGradients(m.params, grad)
	for i, p := range m.params.List() {
		sum := float32(0)
		for _, g := range graph.ParamValues(m.params, grad, i) {
			sum += g
		}
		if want := float32(p.Len()); p.Buffer && sum != 0 || !p.Buffer && sum != want {
			t.Errorf("%s has %v of %v", p.Name, sum, want)
		}
	}
	m = grouped(t, Settings{Epochs: 2, Batch: 10, LearningRate: 0.1, Decay: 1, Optimizer: "sgd"})
	buffer := slices.Clone(graph.ParamValues(m.params, m.params.Float32s(), 2))
	epochs(t, m, 2)
	if !slices.Equal(graph.ParamValues(m.params, m.params.Float32s(), 2), buffer) {
		t.Error("a buffer has moved")
	}
}

// In the middle of a training with groups, every optimizer goes on from a checkpoint
// to the same bytes.
func TestGroupsResume(t *testing.T) {
	for _, name := range []string{"adam", "sgd", "adamw"} {
		s := Settings{Epochs: 6, Batch: 10, LearningRate: 0.01, Clip: 0.5, Schedule: models.Schedule{Shape: "warm-up"}, Optimizer: name}
		whole, first, second := grouped(t, s), grouped(t, s), grouped(t, s)
		epochs(t, whole, 6)
		epochs(t, first, 3)
		var state State
		first.copyState(&state)
		text, tensors, err := encodeBoth("", json.RawMessage("null"), []State{state})
		if err != nil {
			t.Fatal(err)
		}
		_, states, err := decodeCheckpoint(text, tensors, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := second.checkResumable(states[0]); err != nil {
			t.Fatal(err)
		}
		second.setState(states[0])
		epochs(t, second, 3)
		if !slices.Equal(second.params.Float32s(), whole.params.Float32s()) {
			t.Errorf("%s: the resumed training came to other weights", name)
		}
		for i, slot := range second.state.Slots {
			if !slices.Equal(slot.Values, whole.state.Slots[i].Values) {
				t.Errorf("%s: the resumed training came to another slot %s", name, slot.Name)
			}
		}
	}
}

func TestGroupsOf(t *testing.T) {
	const rate, slow = 1, 0.1
	weight := graph.Param{Name: "w", Rows: 2, Columns: 1, Rate: rate, Decay: true}
	bias := graph.Param{Name: "w", Rows: 1, Columns: 1, Rate: rate}
	slowWeight := graph.Param{Name: "w", Rows: 3, Columns: 1, Rate: slow, Decay: true}
	buffer := graph.Param{Rows: 3, Columns: 1, Rate: rate, Buffer: true}
	group := func(rate float64, decay bool, shapes ...optimizer.Shape) optimizer.Group {
		last := shapes[len(shapes)-1]
		return optimizer.Group{From: shapes[0].From, To: last.From + last.Rows*last.Columns, Rate: rate, Decay: decay, Shapes: shapes}
	}
	shape := func(from, rows int) optimizer.Shape {
		return optimizer.Shape{Name: "w", From: from, Rows: rows, Columns: 1}
	}
	for _, c := range []struct {
		name     string
		list     []graph.Param
		mayDecay bool
		want     []optimizer.Group
	}{
		{"no decay", []graph.Param{weight, bias, weight}, false, []optimizer.Group{group(rate, true, shape(0, 2), shape(2, 1), shape(3, 2))}},
		{"decay", []graph.Param{weight, weight, bias, bias, weight}, true, []optimizer.Group{
			group(rate, true, shape(0, 2), shape(2, 2)), group(rate, false, shape(4, 1), shape(5, 1)), group(rate, true, shape(6, 2)),
		}},
		{"rates", []graph.Param{weight, slowWeight, slowWeight, bias}, false, []optimizer.Group{
			group(rate, true, shape(0, 2)), group(slow, true, shape(2, 3), shape(5, 3)), group(rate, true, shape(8, 1)),
		}},
		{"rates and decay", []graph.Param{weight, slowWeight, bias}, true, []optimizer.Group{
			group(rate, true, shape(0, 2)), group(slow, true, shape(2, 3)), group(rate, false, shape(5, 1)),
		}},
		{"a buffer between", []graph.Param{weight, buffer, weight}, true, []optimizer.Group{group(rate, true, shape(0, 2)), group(rate, true, shape(5, 2))}},
		{"only a buffer", []graph.Param{buffer}, true, nil},
	} {
		if got := weightGroups(c.list, c.mayDecay, func(graph.Param) bool { return true }); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// A step with weight decay differs from the same step without it in the declared weights
// alone, which lose rate × decay of themselves: no bias, no variational parameter and no
// dropout logit decays, in any network and by any optimizer.
func TestWeightDecayShrinksWeightsAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	const rate, decay = 0.01, 0.5
	for _, c := range []struct {
		network, method string
		decaying        []string
	}{
		{"mlp", "mc-pu", []string{"hidden1.weight", "output.weight"}},
		{"concrete", "concrete", []string{"hidden1.weight", "output.weight"}},
		{"bayes", "bayes", nil},
	} {
		for _, name := range []string{"adam", "sgd", "adamw"} {
			with, without := Settings{Decay: decay}, Settings{}
			if name == "adamw" { // its decay is its own
				with = Settings{OptimizerHyperparameters: models.Hyperparameters{"decay": decay}}
				without = Settings{OptimizerHyperparameters: models.Hyperparameters{"decay": 0}}
			}
			before, plain := oneStep(t, c.method, name, rate, without)
			_, decayed := oneStep(t, c.method, name, rate, with)
			for i, p := range plain.List() {
				decays := slices.Contains(c.decaying, p.Name)
				if p.Decay != decays {
					t.Errorf("%s: parameter %s is declared with decay %v", c.network, p.Name, p.Decay)
				}
				for j, start := range graph.ParamValues(plain, before, i) {
					want := float64(graph.ParamValues(plain, plain.Float32s(), i)[j])
					if decays {
						want -= rate * decay * float64(start)
					}
					got := float64(graph.ParamValues(decayed, decayed.Float32s(), i)[j])
					if !decays && got != want || math.Abs(got-want) > 1e-6 {
						t.Fatalf("%s, %s: %s[%d] is %v after a step with decay, want %v", c.network, name, p.Name, j, got, want)
					}
				}
			}
		}
	}
}

// oneStep returns a method's parameters before and after one step of a training.
func oneStep(t *testing.T, method, optimizer string, rate float64, s Settings) (before []float32, after *graph.Params) {
	t.Helper()
	spec := newSpec(t, method, nil, models.Architecture{Inputs: 1, Targets: 1, Hidden: []int{8}, Dropout: 0.1})
	s.Epochs, s.Batch, s.LearningRate, s.Optimizer = 1, 30, rate, optimizer
	rows := squares(30)
	result := mustTrain(t, spec, rows, s, Options{})
	start := newParams(t, spec, memberSeed(result.Settings.FoldSeed(), 0))
	return start.Float32s(), result.Members[0]
}

// squares returns rows of a number and its square.
func squares(n int) (rows data.Subset) {
	for i := range n {
		x := math.Sin(float64(7 * i))
		rows.X, rows.Y = append(rows.X, x), append(rows.Y, x*x)
	}
	return rows
}

// The learning rate of a group has the range of the training's.
func TestRatesOfGroupsAreChecked(t *testing.T) {
	m := grouped(t, Settings{})
	for want, edit := range map[string]func(*Settings, []graph.Param){
		"learning rate is 2: want 1e-09 to 1, and there are parameters with 2000 times": func(_ *Settings, list []graph.Param) { list[1].Rate = 2000 },
		"weight decay 500 at a learning rate of 0.01 changes the sign of weights":       func(s *Settings, list []graph.Param) { s.Decay, list[1].Rate = 500, 10 },
		"all parameters of the network are buffers": func(_ *Settings, list []graph.Param) {
			for i := range list {
				list[i].Buffer = true
			}
		},
	} {
		s := m.settings
		kept := slices.Clone(m.params.List())
		edit(&s, m.params.List())
		if _, err := s.newOptimizer(m.params); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
		copy(m.params.List(), kept)
	}
}
