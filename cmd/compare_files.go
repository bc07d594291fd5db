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

// addFiles adds the predictions in files to the comparison.
func (k *comparison) addFiles(ctx context.Context, paths []string) error {
	if k.classes > 0 && len(paths) > 0 {
		return fmt.Errorf("%s: predictions of classes in files are not compared; name models or methods", paths[0])
	}
	for _, path := range paths {
		t, err := predicted.Read(ctx, path)
		if err != nil {
			return err
		}
		if err := k.addTable(path, t); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// addTable adds the predictions of a file with this path. It finds the prediction of each compared row by the row's
// number in the file of the table.
func (k *comparison) addTable(path string, t *predicted.Table) error {
	var rows []int // compared rows, ascending
	for _, fold := range k.folds {
		rows = append(rows, fold.rows...)
	}
	slices.Sort(rows)
	var numbers []int
	for _, row := range slices.Compact(rows) {
		numbers = append(numbers, k.table.RowNumber(row))
	}
	byNumber, err := t.ByRow(numbers, k.name)
	if err != nil {
		return err
	}
	for _, fold := range k.folds {
		y := k.table.TargetsOf(fold.rows)
		var indices []int
		for i, row := range fold.rows {
			index := byNumber[k.table.RowNumber(row)]
			if err := checkTruth(t, index, y[i]); err != nil {
				return err
			}
			indices = append(indices, index)
		}
		column := t.Column(indices, y)
		column.Weights = k.weights(fold)
		column.Protocol = data.Sound
		if err := column.Check(); err != nil {
			return err
		}
		losses := column.RowLosses()
		if i := indexTooLarge(losses); i >= 0 {
			return fmt.Errorf("prediction %d: mean is %v for the target %v; its score is too large to be compared", indices[i]+1, column.Mean[i], column.Y[i])
		}
		k.addLosses(path, predictionsKind, losses)
	}
	return nil
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
