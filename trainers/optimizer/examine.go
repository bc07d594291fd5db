package optimizer

import (
	"fmt"
	"math"
	"slices"

	"sml/graph"
	"sml/models"
)

// The sizes of Examine's trial.
const (
	examineWeights = 8
	examineSteps   = 3
)

// Examine tries the optimizer on a few weights. It returns an error if an interrupted training
// could not be continued to the same bytes: if the slots after a step are not the slices that Slots
// returned before the first step, or if two states with equal slots make different steps.
func (o Optimizer) Examine(h models.Hyperparameters) (err error) {
	defer graph.Recover(&err, "optimizer "+o.Name)
	first, err := o.Start(h, examineWeights)
	if err != nil {
		return err
	}
	second, err := o.Start(h, examineWeights)
	if err != nil {
		return err
	}
	slotsBefore := first.Slots()
	values := make([]float32, examineWeights)
	for i := range values {
		values[i] = float32(i+1) / examineWeights
	}
	for number := 1; number < examineSteps; number++ {
		values = o.tryStep(first, values, number)
	}
	slotsAfter := first.Slots()
	if !slices.EqualFunc(slotsBefore, slotsAfter, sameSlot) {
		return fmt.Errorf("optimizer %s has other slots after a step than before its first: what it keeps is made by New, and Slots returns it itself, no copy", o.Name)
	}

	for i, slot := range second.Slots() {
		copy(slot.Values, slotsAfter[i].Values)
	}
	byFirst := o.tryStep(first, values, examineSteps)
	bySecond := o.tryStep(second, values, examineSteps)
	for i, v := range byFirst {
		if math.Float32bits(v) != math.Float32bits(bySecond[i]) {
			return fmt.Errorf("optimizer %s makes another step with the same slots: all that a step depends on, beside its arguments, is in a slot, and nothing is drawn at random", o.Name)
		}
	}
	return nil
}

// tryStep returns the weights after a step from values with a made gradient.
func (o Optimizer) tryStep(s State, values []float32, number int) []float32 {
	next := slices.Clone(values)
	grad := make([]float32, examineWeights)
	for i := range grad {
		grad[i] = float32(number*(2*i-examineWeights)) / examineWeights
	}
	s.Step(next, grad, At{
		Step:   number,
		Steps:  10 * examineSteps,
		Epoch:  0,
		Epochs: 10,
		Rate:   o.LearningRate,
	})
	return next
}

// sameSlot reports whether a and b have the same name and share their memory.
func sameSlot(a, b Slot) bool {
	return a.Name == b.Name && len(a.Values) == len(b.Values) && &a.Values[0] == &b.Values[0]
}
