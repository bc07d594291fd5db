package optimizer

// GradientTransform is a rule that runs before each step of an optimizer (see
// Optimizer.Transforms). It changes the gradient, as clipping does, or the learning rate and the
// decay of the step, as Decay does. A gradient transform belongs to one network and may keep slots.
type GradientTransform interface {
	// Apply may change grad. It returns info with the learning rate and the decay that the
	// step uses. It leaves values as they were, allocates nothing, and its result depends only on
	// the arguments and the slots: see State.Step.
	Apply(values, grad []float32, info StepInfo) StepInfo

	// Slots returns the numbers that the transform keeps from step to step: see State.Slots.
	Slots() []Slot
}

// transformFunc is a GradientTransform without slots.
type transformFunc func(grad []float32, info StepInfo) StepInfo

// Apply calls the function.
func (f transformFunc) Apply(_, grad []float32, info StepInfo) StepInfo { return f(grad, info) }

// Slots returns no slots.
func (transformFunc) Slots() []Slot { return nil }

// Decay returns a gradient transform that adds decay to the decoupled weight decay: a step
// multiplies each weight by 1 − rate·decay if its group decays. It panics if decay is negative.
// Source: Loshchilov and Hutter 2019.
func Decay(decay float64) GradientTransform {
	checkArgument("Decay", decay, decay >= 0, "a number of 0 or more")
	return transformFunc(func(_ []float32, info StepInfo) StepInfo {
		info.Decay += decay
		return info
	})
}
