package methods

import (
	"fmt"
	"math"
	"testing"

	"sml/graph"
	"sml/models"
)

// Predictors and combiners as graphs say what they say as functions, which are the
// expected values.
func TestGraphsOfPredictors(t *testing.T) {
	for _, m := range models.Methods() {
		if m.PredictGraph == nil || (m.Combine == nil) != (m.CombineGraph == nil) {
			t.Errorf("%s has no graph of its predictor or combiner", m.Name)
			continue
		}
		for members := range 4 {
			if members == 0 || members > 1 && m.Combine == nil {
				continue
			}
			var said []models.Moments
			for k := range members {
				said = append(said, momentsOf(m, k))
			}
			t.Run(fmt.Sprint(m.Name, " ", members), func(t *testing.T) { sameAsGraph(t, m, said) })
		}
	}
}

// momentsOf are invented, one of the outputs far below where a std has its floor.
func momentsOf(m models.Method, k int) models.Moments {
	value := func(i int) float64 { return 1.5 * math.Sin(float64(3*i+7*k)) }
	var d models.Moments
	if m.Levels != nil {
		d.Levels = m.Levels(nil)
	}
	for o := range m.Outputs {
		d.Full = append(d.Full, value(o))
		if m.Stochastic {
			d.Mean, d.Std = append(d.Mean, value(o+50)), append(d.Std, math.Abs(value(o+90)))
		}
	}
	if k == 2 && len(d.Full) > 1 {
		d.Full[1] = -700
	}
	for i := range 5 {
		var draw []float64
		for o := range m.Outputs {
			draw = append(draw, value(100*i+o))
		}
		if m.Draws {
			d.Draws = append(d.Draws, draw)
		}
	}
	return d
}

func sameAsGraph(t *testing.T, m models.Method, said []models.Moments) {
	b := graph.New(graph.Float64, new(graph.Params))
	number := 0
	values := make(map[string]float64)
	input := func(v float64) *graph.Node {
		name := fmt.Sprint("value ", number)
		number++
		values[name] = v
		return b.Input(name, 1, 1)
	}
	inputs := func(list []float64) (nodes []*graph.Node) {
		for _, v := range list {
			nodes = append(nodes, input(v))
		}
		return nodes
	}
	var members []models.Prediction
	var graphs []models.PredictionNodes
	for _, d := range said {
		p, err := m.Prediction(d)
		if err != nil {
			t.Fatal(err)
		}
		members = append(members, p)
		nodes := models.MomentNodes{Full: inputs(d.Full), Mean: inputs(d.Mean), Std: inputs(d.Std)}
		if m.Draws {
			nodes.OverDraws = func(of func([]*graph.Node) *graph.Node) *graph.Node {
				var all []*graph.Node
				for _, draw := range d.Draws {
					all = append(all, of(inputs(draw)))
				}
				return b.MeanOf(all...)
			}
		}
		graphs = append(graphs, m.PredictGraph(b, nodes))
	}
	want, got := members[0], graphs[0]
	if len(said) > 1 {
		var err error
		if want, err = m.Combination(members, said[0]); err != nil {
			t.Fatal(err)
		}
		got = m.CombineGraph(b, graphs)
	}
	compare := func(what string, n *graph.Node, want float64, there bool) {
		if n == nil {
			if there && want != 0 {
				t.Errorf("there is no %s, want %v", what, want)
			}
			return
		}
		r, err := graph.NewRunner(graph.Compiled, b, n)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		for name, v := range values {
			r.Input64(name)[0] = v
		}
		if err := r.Run(); err != nil {
			t.Fatal(err)
		}
		if v := r.Output64(0)[0]; !there || !(math.Abs(v-want) <= 1e-12*max(1e-12, math.Abs(want))) {
			t.Errorf("%s is %v, want %v (%v)", what, v, want, there)
		}
	}
	compare("mean", got.Mean, want.Mean, true)
	compare("std", got.Std, want.Std, !want.NoStd)
	compare("drop", got.StdDrop, want.StdDrop, !want.NoStd)
	compare("shift", got.MeanShift, want.MeanShift, !want.NoStd)
	if len(got.Quantiles) != len(want.Quantiles) {
		t.Fatalf("%d quantiles, want %d", len(got.Quantiles), len(want.Quantiles))
	}
}
