package check

import (
	"context"
	"fmt"
	"math"
	"slices"

	"sml/data"
	"sml/graph"
	"sml/internal/kernels"
	"sml/models"
	"sml/trainers"
)

const (
	overfitRows  = 32
	overfitSteps = 500
	overfitMean  = 20 // steps whose loss is averaged, since masks differ
)

// overfitRates lists the learning rates to try. Deep networks need the second.
var overfitRates = []float64{0.01, 0.002}

// fitted is the least R² of a batch that a network has learnt, even if its loss hardly falls, as
// the loss of two networks that learn against each other.
const fitted = 0.5

// overfits trains on a single batch, and judges the loss and the predictions of the same
// rows. With zeroStd all their standard deviations may be 0.
func overfits(s models.Spec, m models.Method, zeroStd bool, seed uint64) (Findings, error) {
	rows, err := batch(s, overfitRows, seed)
	if err != nil {
		return nil, err
	}
	return bestAttempt(overfitRates, func(rate float64) Findings {
		return overfitAt(s, m, rows, rate, zeroStd, seed)
	}), nil
}

// bestAttempt returns the findings at the first rate without a failure or a note, or, if
// there is none, the findings at the rate with the fewest failures.
func bestAttempt(rates []float64, attempt func(rate float64) Findings) Findings {
	var best Findings
	for i, rate := range rates {
		found := attempt(rate)
		if i == 0 || found.clean() || found.count(Failed) < best.count(Failed) {
			best = found
		}
		if best.clean() {
			break
		}
	}
	return best
}

func overfitAt(s models.Spec, m models.Method, rows data.Subset, rate float64, zeroStd bool, seed uint64) Findings {
	l, err := learnBatch(s, rows, rate, seed)
	if err != nil {
		return Findings{failedFinding("overfits", err)}
	}
	predicted, r2 := predicts(s, m, l.result, rows, zeroStd, seed)
	return Findings{l.judge(r2), predicted}
}

// learning is the loss of a training on a single batch.
type learning struct {
	result    *trainers.Result
	trained   *graph.Params
	start     float64
	end       float64 // mean over the steps of its lowest stretch
	learnt    float64 // exchanged − loss at the last step
	exchanged float64 // loss on the same rows with their targets in another order
	priced    bool    // whether weights cost something: they may be too dear for so few rows
}

// learnBatch trains on a single batch. Losses may change as the training goes on, and are
// taken as they are at its end. The lowest stretch counts, since a likelihood can be so
// steep that it jumps up again at this rate.
func learnBatch(s models.Spec, rows data.Subset, rate float64, seed uint64) (l learning, err error) {
	b := graph.New(graph.Float32, new(graph.Params))
	if _, err := s.Loss(b, overfitRows); err != nil {
		return l, err
	}
	l.priced = len(graph.Inspect(b).Penalties) > 0
	initial, err := s.NewParams(seed)
	if err != nil {
		return l, err
	}
	result, err := trainers.Train(context.Background(), s, rows,
		trainers.Settings{Epochs: overfitSteps, Batch: overfitRows, LearningRate: rate, Members: 1, Seed: seed},
		trainers.Options{Workers: 1, Initial: []*graph.Params{initial}})
	if err != nil {
		return l, err
	}
	l.result, l.trained = result, result.Members[0]
	exchanged := rows // each row has the targets of the next
	targets := s.Architecture.Targets
	exchanged.Y = append(slices.Clone(rows.Y[targets:]), rows.Y[:targets]...)
	if l.start, err = lossOn(s, initial, rows, seed); err != nil {
		return l, err
	}
	if l.end, err = lossOn(s, l.trained, rows, seed); err != nil {
		return l, err
	}
	if l.exchanged, err = lossOn(s, l.trained, exchanged, seed); err != nil {
		return l, err
	}
	l.learnt = l.exchanged - l.end
	history := result.History.Rows[overfitSteps/2:]
	for from := range history[overfitMean-1:] {
		mean := 0.0
		for _, e := range history[from:][:overfitMean] {
			mean += float64(e.Values[0] / overfitMean)
		}
		l.end = min(l.end, mean)
	}
	return l, nil
}

// judge judges whether the network learnt its rows. The loss has to fall to a half, or far below
// its value on the same targets in another order; a fall by a tenth is noted. A loss may be
// negative, or have a floor, so it need not come near 0. Two networks that learn against
// each other move the loss little: then R² of the predictions, r2, decides.
func (l learning) judge(r2 float64) Finding {
	f := Finding{Check: "overfits", Status: Passed, Says: fmt.Sprintf("one batch of %d rows: loss from %.3g to %.3g in %d steps", overfitRows, l.start, l.end, overfitSteps)}
	fell := l.start - l.end
	switch half := math.Abs(l.start) / 2; {
	case fell >= half && math.Abs(l.learnt) < 1e-3*fell && !l.priced:
		f.Status = Noted
		f.Says += fmt.Sprintf(", and as low where targets are exchanged, %.3g: nothing was learnt of the targets", l.exchanged)
	case fell >= half:
	case fell > 1e-3*math.Abs(l.start) && l.learnt > fell/2:
		f.Says += fmt.Sprintf(", and %.3g where targets are exchanged", l.exchanged)
	case r2 >= fitted:
		f.Says += fmt.Sprintf(": it hardly falls, as where terms hold against each other, and the rows are predicted with an R² of %.3g", r2)
	case fell > math.Abs(l.start)/10:
		f.Status = Noted
		f.Says += fmt.Sprintf(", and %.3g where targets are exchanged: less than half, as where another term holds against the targets, or little is learnt", l.exchanged)
	default:
		f.Status = Failed
		f.Says = fmt.Sprintf("one batch of %d rows: loss from %.3g to only %.3g in %d steps, and it should fall by half at least, or be higher by as much where targets are exchanged, where it is %.3g",
			overfitRows, l.start, l.end, overfitSteps, l.exchanged)
	}
	return f
}

// lossOn returns the mean loss of rows over a few draws of masks, at the end of a training.
func lossOn(s models.Spec, params *graph.Params, rows data.Subset, seed uint64) (float64, error) {
	step, err := s.NewStep(graph.Compiled, params, overfitRows)
	if err != nil {
		return 0, err
	}
	defer step.Close()
	numbers := rows.RowNumbers(s.Architecture.Inputs)
	kernels.Gather(step.X, rows.X, s.Architecture.Inputs, numbers, nil, nil)
	kernels.Gather(step.Y, rows.Y, s.Architecture.Targets, numbers, rows.YScale.Means(), rows.YScale.Stds())
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
