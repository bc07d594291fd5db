package optimizer

import (
	"fmt"

	"sml/graph"
)

// Group is a run of weights that are moved alike.
type Group struct {
	From, To int     // the weights from From to before To
	Rate     float64 // learning rate, in units of the step's
	Decay    bool    // weight decay applies
	Shapes   []Shape // parameters of the group, for a Shaper
}

// grouped is the state of an optimizer with links, or with several groups: links
// see all weights, and each group has a state of the rule.
type grouped struct {
	links  []Link
	groups []Group
	rules  []State // of each group
}

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

func (s *grouped) Share(p *graph.Pool) {
	for _, r := range s.rules {
		if r, ok := r.(Sharer); ok {
			r.Share(p)
		}
	}
}

// Slots are those of the links, then those of the groups; where groups are several
// their names end in the group's number, as "m.1".
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

// Warning is the first that there is.
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
