package models_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/networks"
)

// The derivative of each output of a row with respect to a weight is the layer's input times its slope, and with
// respect to a bias its slope: here compared with the Jacobian by the parameters, which package gradcheck compares
// with finite differences.
func TestLinearLayersGiveTheJacobian(t *testing.T) {
	var want [][]float32 // Jacobian of each row, [outputs, parameters]
	var got [][]float64
	m := storing()
	m.AfterTraining = func(ctx context.Context, n *models.TrainedNetwork) error {
		want, got = nil, nil
		outputs := func(b *graph.Builder, t *models.Task) (*graph.Node, []*graph.Node) {
			y := t.Forward(graph.Full)
			return y, b.ParametersOf(y)
		}
		return errors.Join(
			n.Jacobian(ctx, outputs, func(_ int, jacobian []float32) { want = append(want, slices.Clone(jacobian)) }),
			n.Evaluate(ctx, layerNodes, func(rows int, values [][]float32) { got = append(got, multiplyLayers(rows, values)...) }),
			n.Store("spread", 1, 1, []float64{1}))
	}
	s := register(t, m)
	expect.NoError(t, s.Examine(1))
	if len(got) == 0 || len(got) != len(want) {
		t.Fatalf("there are %d rows; want %d", len(got), len(want))
	}
	for row, jacobian := range want {
		if len(got[row]) != len(jacobian) {
			t.Fatalf("row %d has %d derivatives; want %d", row, len(got[row]), len(jacobian))
		}
		for i, v := range jacobian {
			if math.Abs(got[row][i]-float64(v)) > 1e-6 {
				t.Errorf("row %d, derivative %d is %v; want %v", row, i, got[row][i], v)
			}
		}
	}
}

// layerNodes returns the input and the slopes of each linear layer.
func layerNodes(_ *graph.Builder, t *models.Task) []*graph.Node {
	var nodes []*graph.Node
	for _, l := range t.LinearLayers(models.AllLayers) {
		nodes = append(nodes, l.Input, l.Slopes[0])
	}
	return nodes
}

// multiplyLayers returns, for each row, the derivatives of the first output by the weights and the biases of all
// layers, given the values of layerNodes.
func multiplyLayers(rows int, values [][]float32) [][]float64 {
	jacobians := make([][]float64, rows)
	for row := range jacobians {
		for layer := 0; layer < len(values); layer += 2 {
			inputs := values[layer][row*len(values[layer])/rows:][:len(values[layer])/rows]
			slopes := values[layer+1][row*len(values[layer+1])/rows:][:len(values[layer+1])/rows]
			for _, h := range append(slices.Clone(inputs), 1) { // the bias has the input 1
				for _, s := range slopes {
					jacobians[row] = append(jacobians[row], float64(h)*float64(s))
				}
			}
		}
	}
	return jacobians
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
