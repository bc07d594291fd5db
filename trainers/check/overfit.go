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
// same network has on the same targets in another order; a tenth is worth a note. Losses may be negative, or
// have a floor, so 0 is not asked for; they may change as the training goes on, and are
// taken as they are at its end. The lowest stretch counts: a likelihood can be so steep
// that it jumps up again at this rate.
//
// It returns what was trained, too, nil where that did not come to an end.
func overfits(s models.Spec, rows data.Subset, seed uint64) (Finding, *graph.Params) {
	const check = "overfits"
	b := graph.New(graph.Float32, new(graph.Params))
	if _, err := s.Loss(b, overfitRows); err != nil {
		return failed(check, err), nil
	}
	priced := len(graph.Inspect(b).Penalties()) > 0 // weights that cost something may be too dear for so few rows
	initial, err := s.NewParams(seed)
	if err != nil {
		return failed(check, err), nil
	}
	result, err := trainers.Train(context.Background(), s, rows,
		trainers.Settings{Epochs: overfitSteps, Batch: overfitRows, LearningRate: overfitRate, Members: 1, Seed: seed},
		trainers.Options{Workers: 1, From: []*graph.Params{initial}})
	if err != nil {
		return failed(check, err), nil
	}
	targets := s.Architecture.Targets
	exchanged := rows // each row has the targets of the next
	exchanged.Y = append(slices.Clone(rows.Y[targets:]), rows.Y[:targets]...)
	trained := result.Members[0]
	var start, end, other float64
	for _, l := range []struct {
		to     *float64
		params *graph.Params
		rows   data.Subset
	}{{&start, initial, rows}, {&end, trained, rows}, {&other, trained, exchanged}} {
		if *l.to, err = lossOn(s, l.params, l.rows, seed); err != nil {
			return failed(check, err), nil
		}
	}
	learnt := other - end
	history := result.History.Rows[overfitSteps/2:]
	for from := range history[overfitMean-1:] {
		mean := 0.0
		for _, e := range history[from:][:overfitMean] {
			mean += float64(e.Values[0] / overfitMean)
		}
		end = min(end, mean)
	}
	f := Finding{Check: check, Status: Passed, Says: fmt.Sprintf("one batch of %d rows: loss from %.3g to %.3g in %d steps", overfitRows, start, end, overfitSteps)}
	fell := start - end
	switch {
	case fell >= math.Abs(start)/2 && math.Abs(learnt) < 1e-3*fell && !priced:
		f.Status = Noted
		f.Says += fmt.Sprintf(", and as low where targets are exchanged, %.3g: nothing was learnt of the targets", other)
	case fell >= math.Abs(start)/2:
	case fell > 1e-3*math.Abs(start) && learnt > fell/2:
		f.Says += fmt.Sprintf(", and %.3g where targets are exchanged", other)
	case fell > math.Abs(start)/10:
		f.Status = Noted
		f.Says += fmt.Sprintf(", and %.3g where targets are exchanged: less than half, as where another term holds against the targets, or little is learnt", other)
	default:
		f.Status = Failed
		f.Says = fmt.Sprintf("one batch of %d rows: loss from %.3g to only %.3g in %d steps, and it should fall by half at least, or be higher by as much where targets are exchanged, where it is %.3g",
			overfitRows, start, end, overfitSteps, other)
	}
	return f, trained
}

// lossOn is the mean loss of rows over a few draws of masks, at the end of a training.
func lossOn(s models.Spec, params *graph.Params, rows data.Subset, seed uint64) (float64, error) {
	step, err := s.NewStep(graph.Compiled, params, overfitRows)
	if err != nil {
		return 0, err
	}
	defer step.Close()
	numbers := rows.All(s.Architecture.Inputs)
	graph.Gather(step.X, rows.X, s.Architecture.Inputs, numbers, nil, nil)
	graph.Gather(step.Y, rows.Y, s.Architecture.Targets, numbers, rows.YScale.Mean, rows.YScale.Std)
	for i, extra := range step.Extras {
		for row := range numbers {
			extra.Values[row] = float32(rows.E[row*len(rows.Extras)+i])
		}
	}
	if err := step.Scale(nil, columns(s, unitOf(s))); err != nil {
		return 0, err
	}
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
