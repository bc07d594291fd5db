package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"

	"sml/graph"
)

// Steps after which both sides are compared, and by how much they may differ: losses
// relative to themselves, weights to how far they went. That is some 1e-7 and 1e-5, but
// a hundred times more where rounding takes a unit to the other side of ReLU's kink.
const (
	agreeSteps  = 5
	lossesApart = 1e-4
	pathsApart  = 1e-2
)

// shared is one network's way through a few steps: what PyTorch needs to go it too, and
// where it led here.
type shared struct {
	Values []float32 `json:"values"` // weights and biases before
	X      []float32 `json:"x"`      // batches, one after the other
	Y      []float32 `json:"y"`
	Masks  []float32 `json:"masks"` // of each step both layers

	after  []float32
	losses []float64
}

// stepped is where PyTorch's steps led, of networks one by one and stacked.
type stepped struct {
	Networks []struct {
		Losses []float64
		Values []float32
	}
	Sums    []float64 // of the stack's losses in each step
	Stacked [][]float32
	Kept    []float64 // shares of units that the dropout of 16 bits keeps, of each of four neighbours
	Mean    float64   // that it makes of ones
}

// agree trains networks here and in PyTorch for a few steps, from the same weights, on
// the same batches with the same masks: with the code that is timed. The error says
// where they part.
func agree(t *pytorch, b benchmark) error {
	var ours []shared
	for i := range networks {
		s, err := shareSteps(b, uint64(i+1))
		if err != nil {
			return err
		}
		ours = append(ours, s)
	}
	file, err := os.CreateTemp("", "sml-bench-*.json")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	if err := json.NewEncoder(file).Encode(map[string]any{"width": b.Width, "inputs": b.Inputs, "rows": b.Rows, "networks": ours}); err != nil {
		return err
	}
	theirs, err := t.steps(file.Name())
	if err != nil {
		return err
	}
	return compare(ours, theirs)
}

func compare(ours []shared, theirs stepped) error {
	sums := make([]float64, agreeSteps)
	for i, s := range ours {
		for k, loss := range s.losses {
			sums[k] += loss
			if d := math.Abs(theirs.Networks[i].Losses[k]/loss - 1); !(d <= lossesApart) {
				return fmt.Errorf("network %d: the loss of step %d is %v here and %v in PyTorch", i+1, k+1, loss, theirs.Networks[i].Losses[k])
			}
		}
		for j, values := range [][]float32{theirs.Networks[i].Values, theirs.Stacked[i]} {
			if d := distance(s.after, values) / distance(s.after, s.Values); !(d <= pathsApart) {
				return fmt.Errorf("network %d: after %d steps the weights are %.2g of their way from those of PyTorch's %s", i+1, agreeSteps, d, []string{"network", "stack"}[j])
			}
		}
	}
	for k, sum := range sums {
		if d := math.Abs(theirs.Sums[k]/sum - 1); !(d <= lossesApart) {
			return fmt.Errorf("the losses of step %d are %v in sum here, and %v in PyTorch's stack", k+1, sum, theirs.Sums[k])
		}
	}
	for _, kept := range theirs.Kept {
		if !(math.Abs(kept-0.9) <= 0.005 && math.Abs(theirs.Mean-1) <= 0.003) { // 8 standard deviations of a quarter of a million, and of a million
			return fmt.Errorf("a dropout of 16 bits keeps the shares %v of units, want 0.9, and makes %v of ones", theirs.Kept, theirs.Mean)
		}
	}
	return nil
}

// shareSteps trains a network here.
func shareSteps(b benchmark, seed uint64) (s shared, err error) {
	t, err := newTraining(b, graph.Compiled, seed)
	if err != nil {
		return s, err
	}
	defer t.Close()
	s.Values = slices.Clone(t.params.Float32s())
	g := graph.New(graph.Float32, new(graph.Params))
	if _, err := t.spec.Loss(g, b.Rows); err != nil {
		return s, err
	}
	var drawn graph.Nodes
	for _, d := range graph.Inspect(g).Draws() {
		drawn = append(drawn, d.Node)
	}
	masks, err := graph.NewRunner(graph.Compiled, g, drawn...)
	if err != nil {
		return s, err
	}
	defer masks.Close()
	for _, name := range masks.Inputs() {
		masks.Input(name) // masks depend on none
	}
	for range agreeSteps {
		if err := t.next(); err != nil {
			return s, err
		}
		s.X, s.Y = append(s.X, t.X...), append(s.Y, t.Y...)
		s.losses = append(s.losses, float64(t.Loss()))
		masks.SampleMasks(t.masks)
		if err := masks.Run(); err != nil {
			return s, err
		}
		s.Masks = append(s.Masks, masks.Outputs(0, len(drawn))...)
	}
	s.after = t.params.Float32s()
	return s, nil
}

// distance is Euclid's.
func distance(a, b []float32) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	var sum float64
	for i, v := range a {
		d := float64(v) - float64(b[i])
		sum += d * d
	}
	return math.Sqrt(sum)
}
