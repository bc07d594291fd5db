package main

import (
	"math"
	"testing"

	"sml/internal/expect"
)

func TestCompareStepsFindsDifferences(t *testing.T) {
	ours := []networkSteps{{Values: []float32{0, 0}, after: []float32{1, 1}, losses: []float64{1, 2, 3, 4, 5}}}
	theirs := func() (s torchSteps) {
		s.Networks = make([]struct {
			Losses []float64
			Values []float32
		}, 1)
		s.Networks[0].Losses, s.Networks[0].Values = []float64{1, 2, 3, 4, 5}, []float32{1, 1}
		s.Sums, s.Stacked = []float64{1, 2, 3, 4, 5}, [][]float32{{1, 1}}
		return s
	}
	expect.NoError(t, compareSteps(ours, theirs()))
	for want, change := range map[string]func(*torchSteps){
		"the loss of step 2 is 2 here and 2.001":                                   func(s *torchSteps) { s.Networks[0].Losses[1] = 2.001 },
		"the loss of step 3 is 3 here and NaN":                                     func(s *torchSteps) { s.Networks[0].Losses[2] = math.NaN() },
		"PyTorch's network: after 5 steps, the weights differ from ours by 0.1 of": func(s *torchSteps) { s.Networks[0].Values[0] = 1.141421 },
		"PyTorch's stack: after 5 steps, the weights differ from ours by 0.1 of":   func(s *torchSteps) { s.Stacked[0][1] = 1.141421 },
		"the sum of the losses of step 5 is 5 here and 50":                         func(s *torchSteps) { s.Sums[4] = 50 },
		"by +Inf of the distance":                                                  func(s *torchSteps) { s.Stacked[0] = nil },
	} {
		s := theirs()
		change(&s)
		expect.Error(t, compareSteps(ours, s), want)
	}
}
