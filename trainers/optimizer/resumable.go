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
	original, err := o.newTrial(h)
	if err != nil {
		return err
	}
	resumed, err := o.newTrial(h)
	if err != nil {
		return err
	}
	slotsBefore := original.state.Slots()
	for number := 1; number < trialSteps; number++ {
		original.step(number, o.LearningRate)
	}
	slotsAfter := original.state.Slots()
	if !slices.EqualFunc(slotsBefore, slotsAfter, sameSlot) {
		return fmt.Errorf("the slots of optimizer %s are other slices after a step than before it: allocate them in New, and let Slots return them, not copies", o.Name)
	}

	for i, slot := range resumed.state.Slots() { // as from a checkpoint
		copy(slot.Values, slotsAfter[i].Values)
	}
	copy(resumed.values, original.values)
	original.step(trialSteps, o.LearningRate)
	resumed.step(trialSteps, o.LearningRate)
	for i, v := range original.values {
		if math.Float32bits(v) != math.Float32bits(resumed.values[i]) {
			return fmt.Errorf("two states of optimizer %s with equal slots make different steps: keep every number that a step depends on in a slot, and draw nothing at random", o.Name)
		}
	}
	return nil
}

// trial is a training of a few weights w with an invented loss: ½‖w‖² + c·w, where c differs from step to step and
// from weight to weight. It is the Batch of its own steps.
type trial struct {
	state  State
	values []float32 // weights
	linear []float32 // c of the present step
	loss   float64   // loss before the step
}

// newTrial returns the trial before the first step. The weights differ and are not 0.
func (o Optimizer) newTrial(h models.Hyperparameters) (*trial, error) {
	t := &trial{
		values: make([]float32, trialWeights),
		linear: make([]float32, trialWeights),
	}
	for i := range t.values {
		t.values[i] = float32(i+1) / trialWeights
	}
	var err error
	t.state, err = o.Start(h, trialWeights)
	if err != nil {
		return nil, err
	}
	for _, user := range Rules[BatchUser](t.state) {
		user.UseBatch(t)
	}
	return t, nil
}

// step makes the step with the given number.
func (t *trial) step(number int, rate float64) {
	for i := range t.linear {
		t.linear[i] = float32(number*(2*i-trialWeights)) / trialWeights
	}
	grad := make([]float32, trialWeights)
	t.loss = t.Gradient(grad)
	t.state.Step(t.values, grad, StepInfo{
		Step:   number,
		Steps:  10 * trialSteps,
		Epoch:  0,
		Epochs: 10,
		Rate:   rate,
	})
}

// Loss returns the loss before the step.
func (t *trial) Loss() float64 { return t.loss }

// Gradient returns the loss and writes its gradient to grad.
func (t *trial) Gradient(grad []float32) (loss float64) {
	for i, w := range t.values {
		grad[i] = w + t.linear[i]
		loss += float64(float64(w) * (float64(float64(w)/2) + float64(t.linear[i])))
	}
	return loss
}

// HessianVector writes to product the Hessian, the identity, times v.
func (t *trial) HessianVector(product, v []float32) { copy(product, v) }

// sameSlot reports whether a and b have the same name and the same memory. Start has checked that no slot
// is empty.
func sameSlot(a, b Slot) bool {
	return a.Name == b.Name && len(a.Values) == len(b.Values) && &a.Values[0] == &b.Values[0]
}
