package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"

	"sml/graph"
	"sml/models"
)

// Steps after which our engine and PyTorch are compared, and tolerances. The usual differences are
// 1e-7 for losses and 1e-5 for weights. They are a hundred times as large if rounding takes a unit to
// the other side of the kink of ReLU.
const (
	comparedSteps   = 5
	lossTolerance   = 1e-4 // relative to the loss
	weightTolerance = 1e-2 // relative to the distance between the weights before and after the steps
)

// networkSteps has everything that PyTorch needs to repeat the first steps of a network's training,
// and their results on our engine.
type networkSteps struct {
	Values []float32 `json:"values"` // weights and biases before the steps
	X      []float32 `json:"x"`      // inputs of all batches, step by step
	Y      []float32 `json:"y"`      // targets of all batches, step by step
	Masks  []float32 `json:"masks"`  // dropout masks of both hidden layers, step by step

	after  []float32 // weights and biases after the steps
	losses []float64 // loss of each step
}

// torchSteps has the results of the same steps in PyTorch, for networks trained one by one and as a
// stack.
type torchSteps struct {
	Networks []struct {
		Losses []float64
		Values []float32 // weights and biases after the steps
	}
	Sums    []float64   // sum of the losses of the stacked networks in each step
	Stacked [][]float32 // weights and biases after the steps of each network of the stack
}

// checkSameWork trains networks for a few steps on our engine and in PyTorch, from the same weights, on
// the same batches with the same masks. Both sides run the code that is timed. It returns an error that
// says where the results differ.
func checkSameWork(t *pytorch, b benchmark) error {
	var ours []networkSteps
	for i := range stackedNetworks {
		steps, err := trainSteps(b, uint64(i+1))
		if err != nil {
			return err
		}
		ours = append(ours, steps)
	}
	file, err := os.CreateTemp("", "sml-bench-*.json")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	question := map[string]any{"width": b.Width, "inputs": b.Inputs, "rows": b.Rows, "networks": ours}
	if err := json.NewEncoder(file).Encode(question); err != nil {
		return err
	}
	theirs, err := t.steps(file.Name())
	if err != nil {
		return err
	}
	return compareSteps(ours, theirs)
}

// compareSteps returns an error if losses or weights of PyTorch differ from ours by more than the tolerances.
func compareSteps(ours []networkSteps, theirs torchSteps) error {
	lossSums := make([]float64, comparedSteps) // over the networks, by step
	for i, network := range ours {
		for step, loss := range network.losses {
			lossSums[step] += loss
			theirLoss := theirs.Networks[i].Losses[step]
			if !isClose(theirLoss, loss) {
				return fmt.Errorf("network %d: the loss of step %d is %v here and %v in PyTorch", i+1, step+1, loss, theirLoss)
			}
		}
		if err := network.compareWeights(theirs.Networks[i].Values); err != nil {
			return fmt.Errorf("network %d: PyTorch's network: %w", i+1, err)
		}
		if err := network.compareWeights(theirs.Stacked[i]); err != nil {
			return fmt.Errorf("network %d: PyTorch's stack: %w", i+1, err)
		}
	}
	for step, sum := range lossSums {
		if !isClose(theirs.Sums[step], sum) {
			return fmt.Errorf("the sum of the losses of step %d is %v here and %v in PyTorch's stack", step+1, sum, theirs.Sums[step])
		}
	}
	return nil
}

// isClose reports whether PyTorch's loss differs from ours by at most lossTolerance. NaN is never close.
func isClose(theirs, ours float64) bool { return math.Abs(theirs/ours-1) <= lossTolerance }

// compareWeights returns an error if PyTorch's weights after the steps differ from ours by more than
// weightTolerance.
func (n networkSteps) compareWeights(theirs []float32) error {
	difference := distance(n.after, theirs) / distance(n.after, n.Values)
	if !(difference <= weightTolerance) { // NaN is an error, too
		return fmt.Errorf("after %d steps, the weights differ from ours by %.2g of the distance that ours have moved", comparedSteps, difference)
	}
	return nil
}

// trainSteps trains a network for comparedSteps steps on the compiled engine.
func trainSteps(b benchmark, seed uint64) (s networkSteps, err error) {
	t, err := newTraining(b, graph.Compiled, seed)
	if err != nil {
		return s, err
	}
	defer t.Close()
	s.Values = slices.Clone(t.params.Float32s())
	masks, nodes, err := newMaskRunner(t.spec, b.Rows)
	if err != nil {
		return s, err
	}
	defer masks.Close()
	for range comparedSteps {
		if err := t.next(); err != nil {
			return s, err
		}
		s.X = append(s.X, t.X...)
		s.Y = append(s.Y, t.Y...)
		s.losses = append(s.losses, float64(t.Loss()))
		masks.SampleMasks(t.masks) // the same key gives the same masks as in the step
		if err := masks.Run(); err != nil {
			return s, err
		}
		s.Masks = append(s.Masks, masks.Outputs(0, nodes)...)
	}
	s.after = t.params.Float32s()
	return s, nil
}

// newMaskRunner returns a runner whose outputs are the dropout masks of a training step, and their
// number. A training step itself does not return them.
func newMaskRunner(spec models.Spec, rows int) (*graph.Runner, int, error) {
	g := graph.New(graph.Float32, nil)
	if _, err := spec.Loss(g, rows); err != nil {
		return nil, 0, err
	}
	var nodes graph.Nodes
	for _, draw := range graph.Inspect(g).Draws() {
		nodes = append(nodes, draw.Node)
	}
	r, err := graph.NewRunner(graph.Compiled, g, nodes...)
	if err != nil {
		return nil, 0, err
	}
	for _, name := range r.Inputs() {
		r.Input(name) // a runner insists on its inputs; masks do not depend on their values
	}
	return r, len(nodes), nil
}

// distance returns the Euclidean distance of two vectors, infinity if their lengths differ.
func distance(a, b []float32) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	sum := 0.0
	for i, v := range a {
		d := float64(v) - float64(b[i])
		sum += d * d
	}
	return math.Sqrt(sum)
}
