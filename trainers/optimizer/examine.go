package optimizer

import (
	"fmt"
	"math"
	"slices"

	"sml/graph"
	"sml/models"
)

// Examine tries the optimizer on a few weights. It returns an error if an interrupted training
// could not be continued to the same bytes: if the slots after a step are not the slices that Slots
// returned before the first step, or if two states with equal slots make different steps.
func (o Optimizer) Examine(h models.Hyperparameters) (err error) {
	defer graph.Recover(&err, "optimizer "+o.Name)
	const weights, steps = 8, 3
	var states [2]State
	for i := range states {
		if states[i], err = o.Start(h, weights); err != nil {
			return err
		}
	}
	slotsBefore := states[0].Slots()
	values := make([]float32, weights)
	for i := range values {
		values[i] = float32(i+1) / weights
	}
	step := func(s State, number int) []float32 {
		next := slices.Clone(values)
		grad := make([]float32, weights)
		for i := range grad {
			grad[i] = float32(number*(2*i-weights)) / weights
		}
		s.Step(next, grad, At{Step: number, Steps: 10 * steps, Epoch: 0, Epochs: 10, Rate: o.LearningRate})
		return next
	}
	for number := 1; number < steps; number++ {
		values = step(states[0], number)
	}
	slotsAfter := states[0].Slots()
	if !slices.EqualFunc(slotsBefore, slotsAfter, func(a, b Slot) bool {
		return a.Name == b.Name && len(a.Values) == len(b.Values) && &a.Values[0] == &b.Values[0]
	}) {
		return fmt.Errorf("optimizer %s has other slots after a step than before its first: what it keeps is made by New, and Slots returns it itself, no copy", o.Name)
	}
	for i, slot := range states[1].Slots() {
		copy(slot.Values, slotsAfter[i].Values)
	}
	first := step(states[0], steps)
	second := step(states[1], steps)
	for i, v := range first {
		if math.Float32bits(v) != math.Float32bits(second[i]) {
			return fmt.Errorf("optimizer %s makes another step with the same slots: all that a step depends on, beside its arguments, is in a slot, and nothing is drawn at random", o.Name)
		}
	}
	return nil
}
