package methods_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"sml/graph"
	"sml/models"
)

// pytorch are numbers that bench/objectives.py wrote, by PyTorch's autograd.
func pytorch(t *testing.T) (p struct {
	Cases []struct {
		Method    string
		Y         []float64
		Outputs   [][]float64
		Loss      float64
		Gradients [][]float64
	}
	Adversarial map[string]json.RawMessage `json:"adv-de"`
}) {
	t.Helper()
	text, err := os.ReadFile("testdata/pytorch.json")
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// agree holds numbers to 1e-10 of the largest.
func agree(t *testing.T, what string, got, want []float64) {
	t.Helper()
	largest := 0.0
	for _, v := range want {
		largest = math.Max(largest, math.Abs(v))
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	for i, v := range want {
		if !(math.Abs(got[i]-v) <= 1e-10*largest) {
			t.Errorf("%s[%d] is %v, and %v in PyTorch", what, i, got[i], v)
		}
	}
}

// Losses of what a network puts out, and their gradients, are those of PyTorch on both
// engines.
func TestObjectivesOfPyTorch(t *testing.T) {
	for _, c := range pytorch(t).Cases {
		for _, engine := range graph.Engines() {
			m, err := models.Lookup(c.Method)
			if err != nil {
				t.Fatal(err)
			}
			h, err := m.Choose(nil)
			if err != nil {
				t.Fatal(err)
			}
			const rows = 7
			b := graph.New(graph.Float64, new(graph.Params))
			y := b.Input("y", rows, len(c.Y)/rows)
			var outputs graph.Nodes
			for i, values := range c.Outputs {
				outputs = append(outputs, b.Input(fmt.Sprint("output ", i), rows, len(values)/rows))
			}
			loss := m.Objective(b, models.NewTask(b, func(pass graph.Pass) *graph.Node {
				if pass == graph.Full {
					return outputs[0]
				}
				return outputs[pass-graph.Drop(0)]
			}, y, h))
			r, err := graph.NewRunner(engine, b, append(graph.Nodes{loss}, b.Grad(loss, outputs...)...)...)
			if err != nil {
				t.Fatal(err)
			}
			copy(r.Input64("y"), c.Y)
			for i, values := range c.Outputs {
				copy(r.Input64(fmt.Sprint("output ", i)), values)
			}
			if err := r.Run(); err != nil {
				t.Fatal(err)
			}
			what := fmt.Sprintf("%s, %s engine: ", c.Method, engine)
			agree(t, what+"loss", r.Output64(0), []float64{c.Loss})
			for i, g := range c.Gradients {
				agree(t, fmt.Sprintf("%sgradient of pass %d", what, i), r.Output64(1+i), g)
			}
			r.Close()
		}
	}
}

// The adversary's gradient by the inputs is one of PyTorch's, too: a linear network.
func TestAdversaryOfPyTorch(t *testing.T) {
	values := make(map[string][]float64)
	for name, text := range pytorch(t).Adversarial {
		var list []float64
		if json.Unmarshal(text, &list) != nil {
			list = make([]float64, 1)
			if err := json.Unmarshal(text, &list[0]); err != nil {
				t.Fatal(err)
			}
		}
		values[name] = list
	}
	for _, engine := range graph.Engines() {
		s, err := models.NewSpec("adv-de", nil, models.Architecture{Inputs: 3, Targets: 2})
		if err != nil {
			t.Fatal(err)
		}
		params := new(graph.Params)
		b := graph.New(graph.Float64, params)
		loss, err := s.Loss(b, 7)
		if err != nil {
			t.Fatal(err)
		}
		r, err := graph.NewRunner(engine, b, append(graph.Nodes{loss}, b.Gradients(loss)...)...)
		if err != nil {
			t.Fatal(err)
		}
		copy(params.Float64s(), append(append([]float64(nil), values["weight"]...), values["bias"]...))
		copy(r.Input64(models.InputX), values["x"])
		copy(r.Input64(models.InputY), values["y"])
		if err := r.Run(); err != nil {
			t.Fatal(err)
		}
		agree(t, "loss", r.Output64(0), values["loss"])
		agree(t, "gradient of the weights", r.Output64(1), values["weight gradient"])
		agree(t, "gradient of the bias", r.Output64(2), values["bias gradient"])
		r.Close()
	}
}
