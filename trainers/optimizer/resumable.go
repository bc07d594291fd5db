package optimizer

import (
	"fmt"
	"math"
	"slices"

	"sml/graph"
	"sml/models"
)

// Sizes of the trial that CheckResumable makes.
const (
	trialWeights = 8
	trialSteps   = 3 // the last is made from copied slots
)

// CheckResumable tries the optimizer on a few weights. It returns an error if a training could not
// resume from a checkpoint to the same bytes. A checkpoint has the numbers in the slots, and to resume
// copies them into the slots of a new state. So the slots after a step must be the slices that Slots
// returned before the first step, and two states with equal slots must make the same step.
func (o Optimizer) CheckResumable(h models.Hyperparameters) (err error) {
	defer graph.Recover(&err, "optimizer "+o.Name)
	original, err := o.Start(h, trialWeights)
	if err != nil {
		return err
	}
	resumed, err := o.Start(h, trialWeights)
	if err != nil {
		return err
	}
	slotsBefore := original.Slots()
	values := make([]float32, trialWeights) // weights, which differ and are not 0
	for i := range values {
		values[i] = float32(i+1) / trialWeights
	}
	for number := 1; number < trialSteps; number++ {
		values = o.tryStep(original, values, number)
	}
	slotsAfter := original.Slots()
	if !slices.EqualFunc(slotsBefore, slotsAfter, sameSlot) {
		return fmt.Errorf("the slots of optimizer %s are other slices after a step than before it: allocate them in New, and let Slots return them, not copies", o.Name)
	}

	for i, slot := range resumed.Slots() { // as from a checkpoint
		copy(slot.Values, slotsAfter[i].Values)
	}
	valuesOriginal := o.tryStep(original, values, trialSteps)
	valuesResumed := o.tryStep(resumed, values, trialSteps)
	for i, v := range valuesOriginal {
		if math.Float32bits(v) != math.Float32bits(valuesResumed[i]) {
			return fmt.Errorf("two states of optimizer %s with equal slots make different steps: keep every number that a step depends on in a slot, and draw nothing at random", o.Name)
		}
	}
	return nil
}

// tryStep makes step number of the state s, from the weights values and with an invented gradient, which
// differs from step to step and from weight to weight. It returns the new weights.
func (o Optimizer) tryStep(s State, values []float32, number int) []float32 {
	next := slices.Clone(values)
	grad := make([]float32, trialWeights)
	for i := range grad {
		grad[i] = float32(number*(2*i-trialWeights)) / trialWeights
	}
	s.Step(next, grad, StepInfo{
		Step:   number,
		Steps:  10 * trialSteps,
		Epoch:  0,
		Epochs: 10,
		Rate:   o.LearningRate,
	})
	return next
}

// sameSlot reports whether a and b have the same name and the same memory. Start has checked that no slot
// is empty.
func sameSlot(a, b Slot) bool {
	return a.Name == b.Name && len(a.Values) == len(b.Values) && &a.Values[0] == &b.Values[0]
}
