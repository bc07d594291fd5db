package optimizer

import (
	"fmt"

	"sml/graph"
)

// Group is a range of weights with the same learning rate and decay.
type Group struct {
	From, To int     // the weights from From to before To
	Rate     float64 // factor of the step's learning rate
	Decay    bool    // whether the step's weight decay applies
	Shapes   []Shape // parameters of the group, for a Shaper; a single row if nil
}

// grouped is the State of an optimizer with links or with several groups. The links see all
// weights; each group has a state of its own.
type grouped struct {
	links  []Link
	groups []Group
	rules  []State // state of each group
}

// Step runs the links and then makes the step of each group.
func (s *grouped) Step(values, grad []float32, at At) {
	for _, l := range s.links {
		at = l.Before(values, grad, at)
	}
	for i, g := range s.groups {
		own := at
		own.Rate *= g.Rate
		if !g.Decay {
			own.Decay = 0
		}
		s.rules[i].Step(values[g.From:g.To], grad[g.From:g.To], own)
	}
}

// Share passes the pool to each group's state.
func (s *grouped) Share(p *graph.Pool) {
	for _, r := range s.rules {
		if r, ok := r.(Sharer); ok {
			r.Share(p)
		}
	}
}

// Slots returns the slots of the links and then the slots of the groups. If there are several
// groups, the names of their slots end in the group's index, as in "m.1".
func (s *grouped) Slots() []Slot {
	var slots []Slot
	for _, l := range s.links {
		slots = append(slots, l.Slots()...)
	}
	for i, r := range s.rules {
		for _, slot := range r.Slots() {
			if len(s.rules) > 1 {
				slot.Name = fmt.Sprintf("%s.%d", slot.Name, i)
			}
			slots = append(slots, slot)
		}
	}
	return slots
}

// EndEpoch ends the epoch of each link and of each group's state.
func (s *grouped) EndEpoch() {
	for _, l := range s.links {
		if e, ok := l.(EpochEnder); ok {
			e.EndEpoch()
		}
	}
	for _, r := range s.rules {
		if e, ok := r.(EpochEnder); ok {
			e.EndEpoch()
		}
	}
}

// Warning returns the first warning of a group's state, or "".
func (s *grouped) Warning(of string, rate float64) string {
	for _, r := range s.rules {
		if w, ok := r.(Warner); ok {
			if text := w.Warning(of, rate); text != "" {
				return text
			}
		}
	}
	return ""
}
