package main

import (
	"math"
	"strings"
	"testing"
)

func TestOtherWorkIsFound(t *testing.T) {
	ours := []shared{{Values: []float32{0, 0}, after: []float32{1, 1}, losses: []float64{1, 2, 3, 4, 5}}}
	theirs := func() (s stepped) {
		s.Networks = make([]struct {
			Losses []float64
			Values []float32
		}, 1)
		s.Networks[0].Losses, s.Networks[0].Values = []float64{1, 2, 3, 4, 5}, []float32{1, 1}
		s.Sums, s.Stacked, s.Kept, s.Mean = []float64{1, 2, 3, 4, 5}, [][]float32{{1, 1}}, []float64{0.9, 0.9, 0.9, 0.9}, 1
		return s
	}
	if err := compare(ours, theirs()); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*stepped){
		"the loss of step 2 is 2 here and 2.001":           func(s *stepped) { s.Networks[0].Losses[1] = 2.001 },
		"the loss of step 3 is 3 here and NaN":             func(s *stepped) { s.Networks[0].Losses[2] = math.NaN() },
		"0.1 of their way from those of PyTorch's network": func(s *stepped) { s.Networks[0].Values[0] = 1.141421 },
		"0.1 of their way from those of PyTorch's stack":   func(s *stepped) { s.Stacked[0][1] = 1.141421 },
		"the losses of step 5 are 5 in sum here, and 50":   func(s *stepped) { s.Sums[4] = 50 },
		"keeps the shares [0.9 0.9 1 0.9]":                 func(s *stepped) { s.Kept[2] = 1 },
		"and makes 1.1 of ones":                            func(s *stepped) { s.Mean = 1.1 },
		"+Inf of their way":                                func(s *stepped) { s.Stacked[0] = nil },
	} {
		s := theirs()
		change(&s)
		if err := compare(ours, s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
