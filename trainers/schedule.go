package trainers

import (
	"fmt"
	"strings"

	"sml/models"
	"sml/trainers/optimizer"
)

// Schedule says how the learning rate changes over a training: one of Schedules, or
// what models.ParseSchedule reads, such as exponential(1,0.01,1), of factors that the
// learning rate of each step is multiplied by.
type Schedule string

const (
	Constant Schedule = "constant"
	Cosine   Schedule = "cosine"  // falls to 0 along half a cosine, epoch by epoch
	Step     Schedule = "step"    // a tenth after half of the epochs, a hundredth after three quarters
	WarmUp   Schedule = "warm-up" // rises linearly in the first tenth of the steps, then falls as Cosine does, step by step
)

// Schedules lists all schedules that have a name.
func Schedules() []Schedule { return []Schedule{Constant, Cosine, Step, WarmUp} }

// factors bound what the learning rate is multiplied by: a rate of 0 trains nothing,
// and one that rises is smaller before.
var factors = models.Range{Min: 1e-6, Max: 1}

// ParseSchedule returns the schedule of that name.
func ParseSchedule(name string) (Schedule, error) {
	var known []string
	for _, s := range Schedules() {
		if string(s) == name {
			return s, nil
		}
		known = append(known, string(s))
	}
	if !strings.Contains(name, "(") {
		return "", fmt.Errorf("unknown schedule %q: there is %s, or factors such as exponential(1,0.01,1)", name, strings.Join(known, ", "))
	}
	s, err := models.ParseSchedule(name)
	if err != nil {
		return "", fmt.Errorf("schedule %s: %w", name, err)
	}
	for _, v := range []float64{s.From, s.To} {
		if err := within("its factor", v, factors); err != nil {
			return "", fmt.Errorf("schedule %s of the learning rate: %w", name, err)
		}
	}
	return Schedule(s.String()), nil
}

// link is the schedule of settings whose defaults are filled in, nil for none.
func (s Schedule) link() optimizer.Link {
	switch s {
	case Constant:
		return nil
	case Cosine:
		return optimizer.ByEpoch(optimizer.Cosine)
	case Step:
		return optimizer.ByEpoch(optimizer.StepDecay)
	case WarmUp:
		return optimizer.ByStep(optimizer.WarmUp(0.1, optimizer.Cosine))
	}
	parsed, _ := models.ParseSchedule(string(s)) // it is checked
	return optimizer.ByStep(parsed.At)
}
