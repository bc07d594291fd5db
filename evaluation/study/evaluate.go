package study

import (
	"context"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/graph"
	"sml/internal/strict"
	"sml/models"
)

// evaluate scores a trained cell. It also returns the content of the files to keep, by
// suffix.
func (c Cell) evaluate(ctx context.Context, t *experiment.Trained, workers int) (_ Result, files map[string][]byte, err error) {
	defer graph.Recover(&err, "the cell") // one broken cell does not end a study
	target, train := t.Targets[0], t.Experiment.Rows.Train
	r := Result{
		Warnings:   t.Warnings,
		Loss:       strict.Number(meanFinalLoss(t.History)),
		TrainRows:  len(train),
		TargetMean: strict.Number(target.Mean),
		TargetStd:  strict.Number(target.Std),
	}
	test, predictions, err := scoreRows(ctx, t, t.Experiment.Rows.Test, workers)
	if err != nil {
		return r, nil, err
	}
	r.Test = test
	if c.scoresTrainingRows() {
		scores, fitted, err := scoreRows(ctx, t, train, workers)
		if err != nil {
			return r, nil, err
		}
		r.Train = scores
		if c.Training.Protocol == data.Paper && c.Training.Calibrate == 0 {
			if err := r.addRecalibrated(t, fitted, predictions); err != nil {
				return r, nil, err
			}
		}
	}
	files, err = c.filesToKeep(ctx, t, predictions)
	return r, files, err
}

func scoreRows(ctx context.Context, t *experiment.Trained, rows []int, workers int) (*rowScores, *evaluation.Predictions, error) {
	s := t.Experiment.Sampling()
	s.Workers = workers
	e, p, err := t.Experiment.Evaluate(ctx, t.Model, rows, s)
	if err != nil {
		return nil, nil, err
	}
	return &rowScores{Rows: e.Rows, Scores: e.Standardised, DropShare: e.DropShare}, p, nil
}

// meanFinalLoss returns the mean of the members' losses in their last epochs.
func meanFinalLoss(h models.History) float64 {
	last := make(map[int]float64) // by member
	for _, row := range h.Rows {
		last[row.Member] = row.Values[0]
	}
	sum := 0.0
	for member := range len(last) {
		sum += last[member]
	}
	return sum / float64(len(last))
}
