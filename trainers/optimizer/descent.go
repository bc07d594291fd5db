package optimizer

// descent moves weights against a direction with the learning rate and the weight decay of a step.
type descent struct {
	rate  float32
	decay float32 // learning rate times weight decay
}

// newDescent returns the descent of a step.
func newDescent(info StepInfo) descent {
	return descent{rate: float32(info.Rate), decay: float32(info.Rate * info.Decay)}
}

// move returns the weight w after the step, w − decay·w − rate·direction.
//
// float32(a*b) rounds a product before it is added to. Otherwise some CPUs would fuse the
// multiplication with the addition and get other bits.
func (d descent) move(w, direction float32) float32 {
	w -= float32(d.decay * w)
	return w - float32(d.rate*direction)
}

// flushTiny returns v, or 0 if v is tiny. If the gradient of a weight stays 0, its velocity or its moment shrinks in
// every step. It would end as a denormal number, with which each operation takes a CPU about a hundred cycles.
func flushTiny(v float32) float32 {
	const smallest = 0x1p-100
	if -smallest < v && v < smallest {
		return 0
	}
	return v
}

// descentState is the State of gradient descent without momentum, which follows a gradient transform that computes
// the direction of the step.
type descentState struct{}

// Step moves each weight w with direction d: w = w − (rate·decay)·w − rate·d.
func (descentState) Step(values, direction []float32, info StepInfo) {
	step := newDescent(info)
	for i, d := range direction {
		values[i] = step.move(values[i], d)
	}
}

// Slots returns no slots.
func (descentState) Slots() []Slot { return nil }
