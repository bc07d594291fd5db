package optimizer

import "fmt"

// Group is a range of weights with the same learning rate and decay.
type Group struct {
	From   int     // index of the first weight
	To     int     // index after the last weight
	Rate   float64 // factor of the step's learning rate
	Decay  bool    // whether the step's weight decay applies
	Shapes []Shape // parameters of the group, for a Shaper; nil stands for a parameter with a single row
}

// isOrdinary reports whether the group has all weights of a network, and moves them with the rate
// and the decay of the step. weights is their number.
func (g Group) isOrdinary(weights int) bool {
	return g.From == 0 && g.To == weights && g.Rate == 1 && g.Decay
}

// groupedState is the State of an optimizer with gradient transforms or with several groups. The
// transforms see all weights; each group has a state of its own.
type groupedState struct {
	transforms []GradientTransform
	groups     []Group
	states     []State // state of each group
}

// Step applies the gradient transforms to the gradient of all weights, and then makes the step of each
// group with its own learning rate and decay. A transform may change the gradient, and the learning rate
// and the decay of the step.
func (s *groupedState) Step(values, grad []float32, info StepInfo) {
	for _, t := range s.transforms {
		info = t.Apply(values, grad, info)
	}
	for i, g := range s.groups {
		groupInfo := info
		groupInfo.Rate *= g.Rate
		if !g.Decay {
			groupInfo.Decay = 0
		}
		s.states[i].Step(values[g.From:g.To], grad[g.From:g.To], groupInfo)
	}
}

// Slots returns the slots of the gradient transforms and then the slots of the groups. If there are
// several groups, the names of their slots end in the group's index, as in "m.1".
func (s *groupedState) Slots() []Slot {
	var slots []Slot
	for _, t := range s.transforms {
		slots = append(slots, t.Slots()...)
	}
	for i, state := range s.states {
		for _, slot := range state.Slots() {
			if len(s.states) > 1 {
				slot.Name = fmt.Sprintf("%s.%d", slot.Name, i)
			}
			slots = append(slots, slot)
		}
	}
	return slots
}

// Rules returns the rules of type T, such as PoolUser, of which a state consists: itself, or the gradient transforms
// and the state of each group that it combines.
func Rules[T any](s State) []T {
	rules := []any{s}
	if combined, ok := s.(*groupedState); ok {
		rules = combined.rules()
	}
	var found []T
	for _, rule := range rules {
		if r, ok := rule.(T); ok {
			found = append(found, r)
		}
	}
	return found
}

// rules returns the gradient transforms and the state of each group.
func (s *groupedState) rules() []any {
	var rules []any
	for _, t := range s.transforms {
		rules = append(rules, t)
	}
	for _, state := range s.states {
		rules = append(rules, state)
	}
	return rules
}
