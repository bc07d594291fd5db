package main

import (
	"fmt"
	"math"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/internal/linear"
	"sml/models"
)

// The network in plain Go: Vaswani et al. 2017, equation 1 and section 3.2.2, on tokens w·x + b for each
// feature x, with layer norms before attention and hidden layer.
func TestAttentionIsItsFormula(t *testing.T) {
	const rows, features, heads, headWidth, hidden = 3, 4, 2, 3, 5
	const tokens = 1 + features
	s, err := models.NewSpec("de", nil, models.Architecture{
		Network: "attention", Inputs: features, Targets: 1, Hidden: []int{hidden}, Activation: "tanh",
		Hyperparameters: models.Hyperparameters{"heads": float64(heads), "head-width": float64(headWidth)},
	})
	expect.NoError(t, err)
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	f := expect.Must(s.Forward(b, rows))
	r := newRunner(t, b, f(graph.Full))
	params.Initialise(1)
	for i, p := range params.List() { // gains of 1 and biases of 0 would hide mistakes
		for j := range graph.ParamValues(params, params.Float64s(), i) {
			if p.Init == graph.Fill(0) || p.Init == graph.Fill(1) {
				graph.ParamValues(params, params.Float64s(), i)[j] += 0.1 * math.Sin(float64(3*i+j))
			}
		}
	}
	x := r.Input64(models.InputX)
	for i := range x {
		x[i] = math.Sin(float64(5*i + 1))
	}
	expect.NoError(t, r.Run())
	n := plainNetwork{params}
	for row := range rows {
		h := [][]float64{n.values("first")}
		for j := range features {
			h = append(h, n.layer(fmt.Sprintf("token%d", j), []float64{x[row*features+j]}))
		}
		joined := make([][]float64, tokens)
		for head := range heads {
			var q, k, v [][]float64
			for _, token := range h {
				normal := n.norm("block1.norm1", token)
				q = append(q, n.layer(fmt.Sprintf("block1.query%d", head), normal))
				k = append(k, n.layer(fmt.Sprintf("block1.key%d", head), normal))
				v = append(v, n.layer(fmt.Sprintf("block1.value%d", head), normal))
			}
			for i := range tokens {
				total, seen := 0.0, make([]float64, headWidth)
				for j := range tokens {
					e := math.Exp(linear.Dot(q[i], k[j]) / math.Sqrt(headWidth))
					total += e
					for c := range seen {
						seen[c] += e * v[j][c]
					}
				}
				for c := range seen {
					joined[i] = append(joined[i], seen[c]/total)
				}
			}
		}
		first := h[0]
		for c, v := range n.layer("block1.join", joined[0]) {
			first[c] += v
		}
		wide := n.layer("block1.wide", n.norm("block1.norm2", first))
		for i := range wide {
			wide[i] = math.Tanh(wide[i])
		}
		for c, v := range n.layer("block1.narrow", wide) {
			first[c] += v
		}
		want := n.layer("output", n.norm("norm", first))[0]
		if got := r.Output64(0)[row]; math.Abs(got-want) > 1e-12 {
			t.Errorf("row %d: %v, want %v", row, got, want)
		}
	}
}

// plainNetwork computes layers of a network in plain Go.
type plainNetwork struct{ params *graph.Params }

// values returns a copy of a parameter.
func (n plainNetwork) values(name string) []float64 {
	for i, p := range n.params.List() {
		if p.Name == name {
			return append([]float64(nil), graph.ParamValues(n.params, n.params.Float64s(), i)...)
		}
	}
	panic("no parameter " + name)
}

// layer returns x·W + b.
func (n plainNetwork) layer(name string, x []float64) []float64 {
	out, weight := n.values(name+".bias"), n.values(name+".weight")
	for j := range out {
		for i, v := range x {
			out[j] += v * weight[i*len(out)+j]
		}
	}
	return out
}

// norm is the layer norm of Ba et al. 2016 with PyTorch's ε.
func (n plainNetwork) norm(name string, x []float64) []float64 {
	gain, out := n.values(name+".weight"), n.values(name+".bias")
	mean, variance := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / float64(len(x))
	}
	for i, v := range x {
		out[i] += gain[i] * (v - mean) / math.Sqrt(variance+1e-5)
	}
	return out
}
