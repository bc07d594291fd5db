package study

import (
	"context"

	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/graph"
	"sml/internal/strict"
	"sml/models"
)

// evaluate scores the trained model of the cell on the test rows and, if the split asks for it, on the training rows. It
// also returns the contents of the prediction files, by suffix. workers is the number of goroutines that predict. It
// returns a panic as an error.
func (c Cell) evaluate(ctx context.Context, t *experiment.Trained, workers int) (_ Result, files map[string][]byte, err error) {
	defer graph.Recover(&err, "the cell") // one broken cell does not end a study
	target := t.Targets[0]
	trainRows := t.Experiment.Rows.Train
	result := Result{
		Warnings:   t.Warnings,
		Loss:       strict.Number(meanFinalLoss(t.History)),
		TrainRows:  len(trainRows),
		TargetMean: strict.Number(target.Mean),
		TargetStd:  strict.Number(target.Std),
	}
	testScores, testPredictions, err := scoreRows(ctx, t, t.Experiment.Rows.Test, workers)
	if err != nil {
		return result, nil, err
	}
	result.Test = testScores
	if c.scoresTrainingRows() {
		trainScores, trainPredictions, err := scoreRows(ctx, t, trainRows, workers)
		if err != nil {
			return result, nil, err
		}
		result.Train = trainScores
		if err := c.addRecalibrated(&result, t, trainPredictions, testPredictions); err != nil {
			return result, nil, err
		}
	}
	files, err = c.predictionFiles(ctx, t, testPredictions)
	return result, files, err
}

// scoreRows predicts rows of the cell's table and returns their scores and predictions. It uses the given number of
// goroutines.
func scoreRows(ctx context.Context, t *experiment.Trained, rows []int, workers int) (*rowScores, *evaluation.Predictions, error) {
	sampling := t.Experiment.Sampling()
	sampling.Workers = workers
	evaluation, predictions, err := t.Experiment.Evaluate(ctx, t.Model, rows, sampling)
	if err != nil {
		return nil, nil, err
	}
	scores := &rowScores{
		Rows:            evaluation.Rows,
		Scores:          evaluation.Standardised,
		DropoutFraction: evaluation.DropoutFraction,
	}
	return scores, predictions, nil
}

// meanFinalLoss returns the mean over the members of the loss in their last epoch.
func meanFinalLoss(h models.History) float64 {
	final := make(map[int]float64) // loss by member
	for _, row := range h.Rows {
		final[row.Member] = row.Values[0] // the first column is the loss; later epochs overwrite earlier ones
	}
	sum := 0.0
	for member := range len(final) { // not in the random order of a map, on which rounding would depend
		sum += final[member]
	}
	return sum / float64(len(final))
}
