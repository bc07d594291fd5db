package optimizer

// Link is a rule in an Optimizer's Chain, which runs before each step of the optimizer. It changes
// the gradient, as clipping does, or the rate and decay of the step, as Decay does. A link belongs
// to one network and may keep slots.
type Link interface {
	// Before may change grad. It returns at, with the learning rate and the decay that the
	// step shall use. It does not change values. The other rules of State.Step hold for it
	// too.
	Before(values, grad []float32, at At) At

	// Slots returns the numbers that the link keeps from step to step: see State.Slots.
	Slots() []Slot
}

// linkFunc is a Link without slots.
type linkFunc func(grad []float32, at At) At

func (l linkFunc) Before(values, grad []float32, at At) At { return l(grad, at) }
func (linkFunc) Slots() []Slot                             { return nil }

// Decay returns a link that adds decay to the decoupled weight decay: a step multiplies each weight
// by 1 − rate·decay if its group decays. It panics if decay is negative. Source: Loshchilov and
// Hutter 2019.
func Decay(decay float64) Link {
	checkArgument("Decay", decay, decay >= 0, "a number of 0 or more")
	return linkFunc(func(_ []float32, at At) At {
		at.Decay += decay
		return at
	})
}
