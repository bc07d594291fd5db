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
	spec, err := models.NewSpec("mc", nil, models.Architecture{Inputs: 1, Targets: 1, Hidden: []int{8, 8}, Activation: "tanh", Dropout: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	if s, err = Resolve(spec, s); err != nil {
		t.Fatal(err)
	}
	var rows data.Subset
	for i := range 30 {
		x := math.Sin(float64(7 * i))
		rows.X, rows.Y = append(rows.X, x), append(rows.Y, x*x)
	}
	x, y := standardised(spec, rows)
	m, err := newMember(spec, s, 0, rows, x, y)
	if err != nil {
		t.Fatal(err)
	}
	m.params.List()[1].Rate, m.params.List()[2].Buffer = 0.1, true
	if m.descent, err = s.newOptimizer(m.params); err != nil {
		t.Fatal(err)
	}
	m.state.Slots = m.descent.Slots()
	t.Cleanup(m.close)
	return m
}

func epochs(t *testing.T, m *member, n int) {
	t.Helper()
	for range n {
		if err := m.epoch(t.Context()); err != nil {
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
			for j, v := range graph.Slice(m.params, m.params.Float32s(), i) {
				most = max(most, math.Abs(float64(v)-float64(graph.Slice(m.params, before, i)[j])))
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
	m.clearBuffers(grad)
	for i, p := range m.params.List() {
		sum := float32(0)
		for _, g := range graph.Slice(m.params, grad, i) {
			sum += g
		}
		if want := float32(p.Len()); p.Buffer && sum != 0 || !p.Buffer && sum != want {
			t.Errorf("%s has %v of %v", p.Name, sum, want)
		}
	}
	m = grouped(t, Settings{Epochs: 2, Batch: 10, LearningRate: 0.1, Decay: 1, Optimizer: "sgd"})
	buffer := slices.Clone(graph.Slice(m.params, m.params.Float32s(), 2))
	epochs(t, m, 2)
	if !slices.Equal(graph.Slice(m.params, m.params.Float32s(), 2), buffer) {
		t.Error("a buffer has moved")
	}
}

// In the middle of a training with groups, every optimizer goes on from a checkpoint
// to the same bytes.
func TestGroupsResume(t *testing.T) {
	for _, name := range []string{"adam", "sgd", "adamw"} {
		s := Settings{Epochs: 6, Batch: 10, LearningRate: 0.01, Clip: 0.5, Schedule: WarmUp, Optimizer: name}
		whole, first, second := grouped(t, s), grouped(t, s), grouped(t, s)
		epochs(t, whole, 6)
		epochs(t, first, 3)
		var state State
		first.snapshot(&state)
		text, tensors, err := encodeCheckpoint("", json.RawMessage("null"), []State{state})
		if err != nil {
			t.Fatal(err)
		}
		_, states, err := decodeCheckpoint(text, tensors, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := second.admits(states[0], len(states[0].History[0].Values)); err != nil {
			t.Fatal(err)
		}
		second.restore(states[0])
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
	shape := func(from, rows, columns int) optimizer.Shape {
		return optimizer.Shape{From: from, Rows: rows, Columns: columns}
	}
	p := func(rows int, rate float64, buffer bool) graph.Param {
		return graph.Param{Rows: rows, Columns: 1, Rate: rate, Buffer: buffer}
	}
	for _, c := range []struct {
		list []graph.Param
		want []optimizer.Group
	}{
		{[]graph.Param{p(2, 1, false), p(3, 1, false)}, []optimizer.Group{{To: 5, Rate: 1, Shapes: []optimizer.Shape{shape(0, 2, 1), shape(2, 3, 1)}}}},
		{[]graph.Param{p(2, 1, false), p(3, 0.1, false), p(1, 0.1, false), p(1, 1, false)}, []optimizer.Group{
			{To: 2, Rate: 1, Shapes: []optimizer.Shape{shape(0, 2, 1)}}, {From: 2, To: 6, Rate: 0.1, Shapes: []optimizer.Shape{shape(2, 3, 1), shape(5, 1, 1)}}, {From: 6, To: 7, Rate: 1, Shapes: []optimizer.Shape{shape(6, 1, 1)}},
		}},
		{[]graph.Param{p(2, 1, false), p(3, 1, true), p(1, 1, false)}, []optimizer.Group{{To: 2, Rate: 1, Shapes: []optimizer.Shape{shape(0, 2, 1)}}, {From: 5, To: 6, Rate: 1, Shapes: []optimizer.Shape{shape(5, 1, 1)}}}},
		{[]graph.Param{p(2, 1, true)}, nil},
	} {
		if got := groupsOf(c.list); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}

// Rates of groups are held to what the training's is.
func TestRatesOfGroupsAreChecked(t *testing.T) {
	m := grouped(t, Settings{})
	for want, edit := range map[string]func(*Settings, []graph.Param){
		"learning rate is 2: want 1e-09 to 1, and there are parameters with 2000 times": func(_ *Settings, list []graph.Param) { list[1].Rate = 2000 },
		"weight decay 500 at a learning rate of 0.01 turns weights over":                func(s *Settings, list []graph.Param) { s.Decay, list[1].Rate = 500, 10 },
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
