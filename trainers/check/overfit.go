package check

import (
	"context"
	"fmt"
	"math"
	"slices"

	"sml/data"
	"sml/graph"
	"sml/models"
	"sml/trainers"
)

const (
	overfitRows  = 32
	overfitSteps = 500
	overfitRate  = 0.01
	overfitMean  = 20 // steps whose loss is averaged, since masks differ
)

// overfits trains on a single batch, and asks whether what was learnt is about its
// rows: the loss has to fall, by half of what it was, or to a part of what the
// same network has on the same targets in another order. Losses may be negative, or
// have a floor, so 0 is not asked for. The lowest stretch counts: a likelihood can be
// so steep that it jumps up again at this rate.
func overfits(s models.Spec, seed uint64) Finding {
	const check = "overfits"
	s = usual(s)
	rows := batch(s, overfitRows, seed)
	result, err := trainers.Train(context.Background(), s, rows,
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
	if end <= start-float64(math.Abs(start)/2) {
		return f
	}
	targets := s.Architecture.Targets
	shuffled := rows // each row has the targets of the next
	shuffled.Y = append(slices.Clone(rows.Y[targets:]), rows.Y[:targets]...)
	var losses [2]float64
	for i, rows := range []data.Subset{rows, shuffled} {
		if losses[i], err = lossOn(s, result.Members[0], rows, seed); err != nil {
			return failed(check, err)
		}
	}
	if fell := start - end; fell > 1e-3*math.Abs(start) && losses[1]-losses[0] > fell/2 {
		f.Says += fmt.Sprintf(", and %.3g where targets are exchanged", losses[1])
		return f
	}
	f.Status = Failed
	f.Says = fmt.Sprintf("one batch of %d rows: loss from %.3g to only %.3g in %d steps, and it should fall by half at least, or be higher by as much where targets are exchanged, where it is %.3g",
		overfitRows, start, end, overfitSteps, losses[1])
	return f
}

// lossOn is the mean loss of a batch over a few draws of masks.
func lossOn(s models.Spec, params *graph.Params, rows data.Subset, seed uint64) (float64, error) {
	step, err := s.NewStep(graph.Compiled, params, overfitRows)
	if err != nil {
		return 0, err
	}
	defer step.Close()
	graph.Gather(step.X, rows.X, s.Architecture.Inputs, rows.All(s.Architecture.Inputs), nil, nil)
	graph.Gather(step.Y, rows.Y, s.Architecture.Targets, rows.All(s.Architecture.Inputs), nil, nil)
	step.At(models.Progress{Step: overfitSteps, Steps: overfitSteps, Rows: overfitRows})
	sum := 0.0
	for draw := range uint32(overfitMean) {
		step.SampleMasks(graph.MaskKey{Seed: seed, Step: draw})
		if err := step.Run(); err != nil {
			return 0, err
		}
		sum += float64(float64(step.Loss()) / overfitMean)
	}
	return sum, nil
}
