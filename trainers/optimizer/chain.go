package optimizer

// Link is a rule that comes before each step of an optimizer, in its Chain: it
// changes the gradient, as clipping does, or what the step is told, as a schedule
// does. Links are made for one network, and may keep slots of it.
type Link interface {
	// Before may change grad, and returns where the training is with the rate and
	// decay that the step is to have. It leaves values, and else keeps to what
	// State.Step says.
	Before(values, grad []float32, at At) At

	// Slots are as those of a State.
	Slots() []Slot
}

// link is a Link that keeps nothing.
type link func(grad []float32, at At) At

func (l link) Before(values, grad []float32, at At) At { return l(grad, at) }
func (link) Slots() []Slot                             { return nil }

// Decay adds to the decoupled weight decay: a weight of a group that decays loses the
// share rate·decay of itself in a step. Source: Loshchilov and Hutter 2019.
func Decay(decay float64) Link {
	need("Decay", decay, decay >= 0, "a number of 0 or more")
	return link(func(_ []float32, at At) At {
		at.Decay += decay
		return at
	})
}
