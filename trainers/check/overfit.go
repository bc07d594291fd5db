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

// Size of the training on a single batch.
const (
	overfitRows  = 32
	overfitSteps = 500
	overfitMean  = 20 // number of losses in a mean: each has other dropout masks
)

// overfitRates lists the learning rates to try. Deep networks need the second.
var overfitRates = []float64{0.01, 0.002}

// minFittedR2 is the smallest R² of a batch that a network has learned, even if its loss hardly
// falls. The loss hardly falls if two networks learn against each other.
const minFittedR2 = 0.5

// checkOverfitting trains on a single batch, and checks the loss and the predictions of the same
// rows. If allowZeroStd is true, all standard deviations may be 0.
func checkOverfitting(s models.Spec, m models.Method, allowZeroStd bool, seed uint64) (Findings, error) {
	rows, err := newBatch(s, overfitRows, seed)
	if err != nil {
		return nil, err
	}
	return bestFindings(overfitRates, func(rate float64) Findings {
		l, err := learnBatch(s, rows, rate, seed)
		if err != nil {
			return Findings{failedFinding("overfits", err)}
		}
		predicted, r2 := checkPredictions(s, m, l.result, rows, allowZeroStd, seed)
		return Findings{l.finding(r2), predicted}
	}), nil
}

// bestFindings returns the findings of the first learning rate at which every check passes or, if
// there is none, the findings with the fewest failures.
func bestFindings(rates []float64, check func(rate float64) Findings) Findings {
	var best Findings
	for i, rate := range rates {
		found := check(rate)
		if i == 0 || found.allPassed() || found.count(Failed) < best.count(Failed) {
			best = found
		}
		if best.allPassed() {
			break
		}
	}
	return best
}

// batchLearning holds the losses of a training on a single batch.
type batchLearning struct {
	result *trainers.Result

	startLoss float64 // loss before the training
	endLoss   float64 // loss after the training, or the lowest mean of overfitMean steps in its second half, if that is lower

	// exchangedLoss is the loss of the trained network on the same rows with exchanged targets: each
	// row has the targets of the next row.
	exchangedLoss float64

	// advantage is exchangedLoss minus the loss after the training: how much of the loss depends on
	// which row has which target.
	advantage float64

	// hasPenalties is true if the loss has penalties on weights. They may dominate on so few rows.
	hasPenalties bool
}

// learnBatch trains on a single batch, and returns the losses before and after.
func learnBatch(s models.Spec, rows data.Subset, rate float64, seed uint64) (l batchLearning, err error) {
	l.hasPenalties, err = hasPenalties(s)
	if err != nil {
		return l, err
	}
	initial, err := s.NewParams(seed)
	if err != nil {
		return l, err
	}
	settings := trainers.Settings{
		Epochs:       overfitSteps,
		Batch:        overfitRows,
		LearningRate: rate,
		Members:      1,
		Seed:         seed,
	}
	options := trainers.Options{Workers: 1, Initial: []*graph.Params{initial}}
	l.result, err = trainers.Train(context.Background(), s, rows, settings, options)
	if err != nil {
		return l, err
	}
	return l, l.computeLosses(s, initial, rows, seed)
}

// computeLosses fills in the losses of a training that started from the weights initial. Losses may
// depend on the progress of the training, so all of them are computed as at its end.
func (l *batchLearning) computeLosses(s models.Spec, initial *graph.Params, rows data.Subset, seed uint64) (err error) {
	trained := l.result.Members[0]
	l.startLoss, err = meanLoss(s, initial, rows, seed)
	if err != nil {
		return err
	}
	l.endLoss, err = meanLoss(s, trained, rows, seed)
	if err != nil {
		return err
	}
	l.exchangedLoss, err = meanLoss(s, trained, exchangeTargets(s, rows), seed)
	if err != nil {
		return err
	}
	l.advantage = l.exchangedLoss - l.endLoss
	// The lowest stretch of the training counts as its end, since a likelihood can be so steep that it
	// jumps up again at this learning rate.
	secondHalf := l.result.History.Rows[overfitSteps/2:]
	l.endLoss = min(l.endLoss, lowestMeanLoss(secondHalf))
	return nil
}

// hasPenalties reports whether the network of the method has penalties on weights.
func hasPenalties(s models.Spec) (bool, error) {
	b := graph.New(graph.Float32, new(graph.Params))
	if _, err := s.Loss(b, overfitRows); err != nil {
		return false, err
	}
	return len(graph.Inspect(b).Penalties) > 0, nil
}

// exchangeTargets returns the rows with exchanged targets: each row has the targets of the next row.
func exchangeTargets(s models.Spec, rows data.Subset) data.Subset {
	targets := s.Architecture.Targets
	rows.Y = append(slices.Clone(rows.Y[targets:]), rows.Y[:targets]...)
	return rows
}

// lowestMeanLoss returns the lowest mean of overfitMean consecutive losses in a history, which has an
// epoch for each step.
func lowestMeanLoss(history []models.Epoch) float64 {
	lowest := math.Inf(1)
	for from := range history[overfitMean-1:] { // each epoch that has enough epochs after it
		mean := 0.0
		for _, e := range history[from:][:overfitMean] {
			mean += float64(e.Values[0] / overfitMean)
		}
		lowest = min(lowest, mean)
	}
	return lowest
}

// finding reports whether the network learned its rows. The loss has to fall by half, or well below
// its value with exchanged targets; a fall by a tenth is noted. A loss may be negative, or have a
// minimum above 0, so it need not come near 0. If two networks learn against each other, the loss
// hardly changes: then r2, the R² of the predictions, decides.
func (l batchLearning) finding(r2 float64) Finding {
	f := Finding{Check: "overfits", Status: Passed}
	f.Message = fmt.Sprintf("one batch of %d rows: loss from %.3g to %.3g in %d steps", overfitRows, l.startLoss, l.endLoss, overfitSteps)
	const negligible = 1e-3 // as a fraction of another change of the loss
	size := math.Abs(l.startLoss)
	fall := l.startLoss - l.endLoss
	fellByHalf := fall >= size/2
	switch {
	case fellByHalf && math.Abs(l.advantage) < negligible*fall && !l.hasPenalties:
		f.Status = Noted
		f.Message += fmt.Sprintf(", and with exchanged targets it is as low, %.3g: the network learned nothing about the targets", l.exchangedLoss)
	case fellByHalf: // passed
	case fall > negligible*size && l.advantage > fall/2:
		f.Message += fmt.Sprintf(", and %.3g with exchanged targets", l.exchangedLoss)
	case r2 >= minFittedR2:
		f.Message += fmt.Sprintf(": it hardly falls, as if terms worked against each other, but the predictions of the rows have an R² of %.3g", r2)
	case fall > size/10:
		f.Status = Noted
		f.Message += fmt.Sprintf(", and %.3g with exchanged targets: it fell by less than half, as if another term worked against the targets, or the network learned little", l.exchangedLoss)
	default:
		f.Status = Failed
		f.Message = fmt.Sprintf("one batch of %d rows: loss from %.3g to only %.3g in %d steps, and %.3g with exchanged targets: the loss should fall by half, or be much higher with exchanged targets",
			overfitRows, l.startLoss, l.endLoss, overfitSteps, l.exchangedLoss)
	}
	return f
}

// meanLoss returns the mean loss of a batch over overfitMean dropout masks, for the given weights and the
// progress of a training that is at its end.
func meanLoss(s models.Spec, params *graph.Params, rows data.Subset, seed uint64) (float64, error) {
	step, err := s.NewStep(graph.Compiled, params, overfitRows)
	if err != nil {
		return 0, err
	}
	defer step.Close()
	numbers := rows.RowNumbers(s.Architecture.Inputs)
	kernels.GatherStandardised(step.X, rows.X, s.Architecture.Inputs, numbers, nil, nil)
	kernels.GatherStandardised(step.Y, rows.Y, s.Architecture.Targets, numbers, rows.YScale.Means(), rows.YScale.Stds())
	for i, extra := range step.Extras {
		for row := range numbers {
			extra.Values[row] = float32(rows.E[row*len(rows.Extras)+i])
		}
	}
	if err := step.Scale(nil, repeatScaler(s, batchScaler(s))); err != nil {
		return 0, err
	}
	step.SetProgress(models.Progress{Step: overfitSteps, Steps: overfitSteps, Rows: overfitRows})
	mean := 0.0
	for draw := range uint32(overfitMean) {
		step.SampleMasks(graph.MaskKey{Seed: seed, Step: draw})
		if err := step.Run(); err != nil {
			return 0, err
		}
		mean += float64(float64(step.Loss()) / overfitMean)
	}
	return mean, nil
}
