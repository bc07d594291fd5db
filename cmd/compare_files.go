package cmd

import (
	"context"
	"fmt"
	"math"
	"slices"

	"sml/data"
	"sml/evaluation/measure"
	"sml/evaluation/predicted"
	"sml/internal/statistics"
)

// addFile adds the predictions in a file. It finds the prediction of each compared row by the row's number in the file of
// the table.
func (k *comparison) addFile(ctx context.Context, path string) error {
	if k.classes > 0 {
		return fmt.Errorf("%s: predictions of classes in files are not compared; name models or methods", path)
	}
	if k.targetCount > 1 {
		return fmt.Errorf("%s: predictions of several targets in files are not compared; name models or methods, or compare models of one target", path)
	}
	t, err := predicted.Read(ctx, path)
	if err != nil {
		return err
	}
	byNumber, err := t.ByRow(k.comparedNumbers(), k.name)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for i, fold := range k.folds {
		var indices []int // of the fold's rows in the file
		for _, row := range fold.rows {
			indices = append(indices, byNumber[k.table.RowNumber(row)])
		}
		predictions, err := k.predictionsInFile(t, indices, fold)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		const onlySeed = 0
		k.declare(predictionsKind, path).add(i, onlySeed, []*measure.Column{predictions})
	}
	return nil
}

// comparedNumbers returns the numbers of all compared rows in the file of the table, ascending.
func (k *comparison) comparedNumbers() []int {
	var rows []int
	for _, fold := range k.folds {
		rows = append(rows, fold.rows...)
	}
	slices.Sort(rows)
	var numbers []int
	for _, row := range slices.Compact(rows) {
		numbers = append(numbers, k.table.RowNumber(row))
	}
	return numbers
}

// predictionsInFile returns the predictions of a file with these indices, which are of the rows of a fold. It returns an
// error if they are not valid, or if the file has other true values than the table.
func (k *comparison) predictionsInFile(t *predicted.Table, indices []int, fold comparedFold) (*measure.Column, error) {
	y := k.table.TargetsOf(fold.rows)
	for i, index := range indices {
		if err := checkTruth(t, index, y[i]); err != nil {
			return nil, err
		}
	}
	column := t.Column(indices, y)
	column.Weights = k.table.WeightsOf(fold.rows)
	column.Protocol = data.Sound
	if err := column.Check(); err != nil {
		return nil, err
	}
	if i := indexTooLarge(column.RowLosses()); i >= 0 {
		return nil, fmt.Errorf("prediction %d: mean is %v for the target %v; its score is too large to be compared", indices[i]+1, column.Mean[i], column.Y[i])
	}
	return column, nil
}

// indexTooLarge returns the index of the row with the largest loss if the sum of the squares of losses, which their
// interval needs, is not finite for a measure, and otherwise -1.
func indexTooLarge(losses []measure.RowLoss) int {
	for _, loss := range losses {
		sum := 0.0
		largest := 0
		for i, v := range loss.Values {
			sum += float64(v * v)
			if !(math.Abs(v) <= math.Abs(loss.Values[largest])) {
				largest = i
			}
		}
		if !statistics.IsFinite(sum) {
			return largest
		}
	}
	return -1
}

// checkTruth returns an error if the file has another target beside a prediction than the table.
func checkTruth(t *predicted.Table, index int, y float64) error {
	const tolerance = 1e-6 // relative; programs write different numbers of digits
	truths := t.Numbers(predicted.Truth)
	if truths == nil || math.Abs(truths[index]-y) <= tolerance*max(1, math.Abs(y)) {
		return nil
	}
	return fmt.Errorf("prediction %d: y is %v, and the table's row has %v; the predictions are for other rows", index+1, truths[index], y)
}
