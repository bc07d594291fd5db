package models

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"sml/internal/portable"
)

// Schedule is a number that changes while a network is trained, such as a weight
// that warms up: it goes from From to To in the first part End of the training, and
// stays there.
type Schedule struct {
	Shape    string  // linear, cosine (half a wave: slow at both ends) or exponential (equal ratios)
	From, To float64 // exponential: of one sign, neither 0
	End      float64 // a part of all steps, above 0, up to 1
}

// ParseSchedule reads SHAPE(FROM,TO,END), such as linear(0,1,0.2): from 0 to 1 in the
// first fifth of the steps.
func ParseSchedule(text string) (Schedule, error) {
	shape, rest, _ := strings.Cut(text, "(")
	list, closed := strings.CutSuffix(rest, ")")
	fields := strings.Split(list, ",")
	s := Schedule{Shape: shape}
	want := fmt.Errorf("want a number, or a schedule such as linear(0,1,0.2): linear, cosine or exponential, from, to, and the part of the training that it takes")
	if !closed || len(fields) != 3 || shape != "linear" && shape != "cosine" && shape != "exponential" {
		return s, want
	}
	for i, field := range []*float64{&s.From, &s.To, &s.End} {
		v, err := strconv.ParseFloat(strings.TrimSpace(fields[i]), 64)
		if err != nil {
			return s, want
		}
		*field = v + 0 // no −0
	}
	switch {
	case !(s.End > 0 && s.End <= 1):
		return s, fmt.Errorf("a schedule ends at %v: want a part of the training, above 0 and up to 1", s.End)
	case shape == "exponential" && !(s.From*s.To > 0):
		return s, fmt.Errorf("an exponential schedule from %v to %v: want two numbers of one sign, neither 0", s.From, s.To)
	}
	return s, nil
}

// String writes the schedule as ParseSchedule reads it.
func (s Schedule) String() string {
	return fmt.Sprintf("%s(%v,%v,%v)", s.Shape, s.From, s.To, s.End)
}

// At returns the number at a progress from 0, before the first step, to 1.
func (s Schedule) At(progress float64) float64 {
	done := progress / s.End
	switch {
	case done >= 1:
		return s.To
	case s.Shape == "cosine":
		done = (1 - portable.Cos(math.Pi*done)) / 2
	case s.Shape == "exponential":
		return s.From * portable.Exp(float64(done*portable.Log(s.To/s.From)))
	}
	return float64(s.From*(1-done)) + float64(s.To*done)
}
