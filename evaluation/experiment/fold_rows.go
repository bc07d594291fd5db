package experiment

import (
	"fmt"
	"slices"

	"sml/data"
	"sml/data/split"
	"sml/trainers"
)

// splitCalibrationRows splits training rows, nil for all rows of the table, into the remaining
// training rows, rest, and the calibration rows, held. It returns an error if all weights of
// either are 0.
func splitCalibrationRows(t *data.Table, k foldKey, train []int) (rest, held []int, err error) {
	numbers := make([]int32, t.Rows())
	for i := range numbers {
		numbers[i] = int32(i)
	}
	if train != nil {
		numbers = numbers[:0]
		for _, r := range train {
			numbers = append(numbers, int32(r))
		}
	}
	apart, others, err := trainers.HoldOutCalibration(numbers, separationFor(t, k.split, k.classes), k.calibrate, k.calibrateSeed)
	if err != nil {
		return nil, nil, err
	}
	rest, held = make([]int, len(others)), make([]int, len(apart))
	for i, r := range others {
		rest[i] = int(r)
	}
	for i, r := range apart {
		held[i] = int(r)
	}
	if err := checkWeights(t, k, rest, "trained on"); err != nil {
		return nil, nil, err
	}
	return rest, held, checkWeights(t, k, held, "calibrated on")
}

// separation returns how validation and calibration rows are chosen: as the split chooses test rows
// if it is by group or by time, otherwise at random, from every class if the targets are classes.
func separationFor(t *data.Table, splitName string, classes bool) data.Separation {
	kind, err := split.Lookup(splitName)
	switch {
	case err == nil && (kind.Column == "group" || kind.Column == "time"):
		return data.Separation{By: t.B, Latest: kind.Column == "time"}
	case classes:
		return data.Separation{Classes: data.RowClasses(t.Y, len(t.Targets))}
	}
	return data.Separation{}
}

// checkWeights returns an error if the weights of all these rows are 0: a model cannot be trained,
// calibrated or judged on such rows. The error names the rows' use.
func checkWeights(t *data.Table, k foldKey, rows []int, use string) error {
	if t.W == nil || slices.ContainsFunc(t.WeightsOf(rows), func(w float64) bool { return w != 0 }) {
		return nil
	}
	return fmt.Errorf("%s split of %s: fold %d: the weights (column %s) of all %d rows that are %s are 0, and none would count", k.split, t.Name, k.fold, t.Weight, len(rows), use)
}
