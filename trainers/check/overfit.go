package check

import (
	"context"
	"fmt"
	"math"

	"sml/models"
	"sml/trainers"
)

const (
	overfitRows  = 32
	overfitSteps = 500
	overfitRate  = 0.01
	overfitMean  = 20 // steps whose loss is averaged, since masks differ
)

// overfits trains on a single batch, whose loss has to fall by half of what it
// was: losses may be negative, or have a floor where units are dropped, so 0 is
// not asked for. The lowest stretch counts: a likelihood can be so steep that it
// jumps up again at this rate.
func overfits(s models.Spec, seed uint64) Finding {
	const check = "overfits"
	s = usual(s)
	result, err := trainers.Train(context.Background(), s, batch(overfitRows, s.Architecture.Inputs, s.Architecture.Targets, seed),
		trainers.Settings{Epochs: overfitSteps, Batch: overfitRows, LearningRate: overfitRate, Members: 1, Seed: seed}, trainers.Options{Workers: 1})
	if err != nil {
		return failed(check, err)
	}
	history := result.History.Rows
	start, end := history[0].Values[0], math.Inf(1)
	for from := range history[overfitMean-1:] {
		mean := 0.0
		for _, e := range history[from:][:overfitMean] {
			mean += float64(e.Values[0] / overfitMean)
		}
		end = min(end, mean)
	}
	f := Finding{Check: check, Status: Passed, Says: fmt.Sprintf("one batch of %d rows: loss from %.3g to %.3g in %d steps", overfitRows, start, end, overfitSteps)}
	if !(end <= start-float64(math.Abs(start)/2)) {
		f.Status = Failed
		f.Says = fmt.Sprintf("one batch of %d rows: loss from %.3g to only %.3g in %d steps, and it should fall by half at least", overfitRows, start, end, overfitSteps)
	}
	return f
}
