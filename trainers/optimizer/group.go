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

// isOrdinary reports whether the group has all of a number of weights, and moves them with the rate
// and the decay of the step.
func (g Group) isOrdinary(weights int) bool {
	return g.From == 0 && g.To == weights && g.Rate == 1 && g.Decay
}

// groupedState is the State of an optimizer with links or with several groups. The links see all
// weights; each group has a state of its own.
type groupedState struct {
	links  []Link
	groups []Group
	states []State // state of each group
}

// Step runs the links and then makes the step of each group.
func (s *groupedState) Step(values, grad []float32, at At) {
	for _, l := range s.links {
		at = l.Before(values, grad, at)
	}
	for i, g := range s.groups {
		groupAt := at
		groupAt.Rate *= g.Rate
		if !g.Decay {
			groupAt.Decay = 0
		}
		s.states[i].Step(values[g.From:g.To], grad[g.From:g.To], groupAt)
	}
}

// Share passes the pool to each group's state.
func (s *groupedState) Share(p *graph.Pool) {
	for _, state := range s.states {
		if sharer, ok := state.(Sharer); ok {
			sharer.Share(p)
		}
	}
}

// Slots returns the slots of the links and then the slots of the groups. If there are several
// groups, the names of their slots end in the group's index, as in "m.1".
func (s *groupedState) Slots() []Slot {
	var slots []Slot
	for _, l := range s.links {
		slots = append(slots, l.Slots()...)
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

// EndEpoch ends the epoch of each link and of each group's state.
func (s *groupedState) EndEpoch() {
	for _, link := range s.links {
		if ender, ok := link.(EpochEnder); ok {
			ender.EndEpoch()
		}
	}
	for _, state := range s.states {
		if ender, ok := state.(EpochEnder); ok {
			ender.EndEpoch()
		}
	}
}

// Warning returns the first warning of a group's state, or "".
func (s *groupedState) Warning(network string, rate float64) string {
	for _, state := range s.states {
		warner, ok := state.(Warner)
		if !ok {
			continue
		}
		if text := warner.Warning(network, rate); text != "" {
			return text
		}
	}
	return ""
}
