package optimizer_test

import (
	"math"
	"testing"

	"sml/models"
	"sml/trainers/optimizer"
)

// By hand.
func TestSchedules(t *testing.T) {
	warm := optimizer.WarmUp(0.1, optimizer.Cosine)
	for name, c := range map[string]struct {
		s    optimizer.Schedule
		done float64
		want float64
	}{
		"cosine, at first":       {optimizer.Cosine, 0, 1},
		"cosine, half":           {optimizer.Cosine, 0.5, 0.5},
		"cosine, three quarters": {optimizer.Cosine, 0.75, (1 - math.Sqrt2/2) / 2},
		"steps, before half":     {optimizer.StepDecay, 0.49, 1},
		"steps, half":            {optimizer.StepDecay, 0.5, 0.1},
		"steps, before the last": {optimizer.StepDecay, 0.74, 0.1},
		"steps, the last":        {optimizer.StepDecay, 0.75, 0.01},
		"warm-up, at first":      {warm, 0, 0.01},
		"warm-up, half of it":    {warm, 0.05, 0.505},
		"warm-up, done":          {warm, 0.1, 1},
		"warm-up, half the rest": {warm, 0.55, 0.5},
		"warm-up, then nothing":  {optimizer.WarmUp(0.1, nil), 0.9, 1},
		"exponential":            {models.Schedule{Shape: "exponential", From: 1, To: 0.01, End: 1}.At, 0.5, 0.1},
	} {
		if got := c.s(c.done); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestByStepAndByEpoch(t *testing.T) {
	at := optimizer.At{Step: 26, Steps: 100, Epoch: 5, Epochs: 10, Rate: 2}
	done := func(done float64) float64 { return done }
	if got := optimizer.ByStep(done).Before(nil, nil, at).Rate; got != 0.5 {
		t.Errorf("by step: %v, want a quarter of 2", got)
	}
	if got := optimizer.ByEpoch(done).Before(nil, nil, at).Rate; got != 1 {
		t.Errorf("by epoch: %v, want half of 2", got)
	}
	if got := optimizer.ByStep(optimizer.Cosine).Before(nil, nil, optimizer.At{Step: 1, Rate: 2}).Rate; got != 2 {
		t.Errorf("in a training of unknown length: %v, want 2", got)
	}
}
