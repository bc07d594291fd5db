package trainers

import (
	"fmt"
	"math"
	"strings"

	"sml/data/portable"
)

// Schedule says how the learning rate changes over the epochs.
type Schedule string

const (
	Constant Schedule = "constant"
	Cosine   Schedule = "cosine" // falls to 0 along half a cosine
	Step     Schedule = "step"   // a tenth after half of the epochs, a hundredth after three quarters
)

// Schedules lists all schedules.
func Schedules() []Schedule { return []Schedule{Constant, Cosine, Step} }

// ParseSchedule returns the schedule of that name.
func ParseSchedule(name string) (Schedule, error) {
	var known []string
	for _, s := range Schedules() {
		if string(s) == name {
			return s, nil
		}
		known = append(known, string(s))
	}
	return "", fmt.Errorf("unknown schedule %q: there is %s", name, strings.Join(known, ", "))
}

// factor is what the learning rate is multiplied by in an epoch, counted
// from 0.
func (s Schedule) factor(epoch, epochs int) float64 {
	done := float64(epoch) / float64(epochs)
	switch {
	case s == Cosine:
		return (1 + portable.Cos(math.Pi*done)) / 2
	case s == Step && done >= 0.75:
		return 0.01
	case s == Step && done >= 0.5:
		return 0.1
	}
	return 1
}
