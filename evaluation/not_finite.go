package evaluation

import (
	"fmt"
	"math"
	"slices"

	"sml/data"
	"sml/internal/statistics"
	"sml/models"
)

// NotFinite is the error of a row whose prediction is not a finite number,
// because of an input that is too far from all that the model was trained on, or
// because the network's own weights are too large.
type NotFiniteError struct {
	Row      int     // place among the rows that were given, from 0
	Number   int     // of the row in its table, from 0
	Input    int     // the input that causes it; −1: none stands out
	Distance float64 // of that input from the mean of the training rows, in their standard deviations

	target                int
	inputName, targetName string // names
}

func (e *NotFiniteError) Error() string {
	if e.Input < 0 {
		return fmt.Sprintf("row %d: the prediction of %s is not finite", e.Number+1, e.targetName)
	}
	return fmt.Sprintf("row %d: input %d (%s) is %s; the prediction of %s is not finite", e.Number+1, e.Input+1, e.inputName, e.DescribeDistance(), e.targetName)
}

// Far says how far the input is from the training rows.
func (e *NotFiniteError) DescribeDistance() string {
	if !statistics.Finite(e.Distance) {
		return "more than 3e38 standard deviations from the mean of the training rows"
	}
	return fmt.Sprintf("%.2g standard deviations from the mean of the training rows", math.Abs(e.Distance))
}

// name fills in what the row and its columns are called.
func (e *NotFiniteError) setNames(m *models.Model, numbers []int32) {
	e.Number = int(numbers[e.Row])
	if e.Input >= 0 && e.Input < len(m.Inputs) {
		e.inputName = m.Inputs[e.Input].Name
	}
	e.targetName = "the target"
	if e.target < len(m.Targets) {
		e.targetName = m.Targets[e.target].Name
	}
}

// suspicious is a distance, in standard deviations, that no training row has.
const suspiciousDistance = 1e6

// tooFar finds the rows loaded last that have an input which float32 cannot hold, with
// the first of these: a network may hide it.
func (s *sampler) overflowingRows(rows int) (far []*NotFiniteError) {
	x := s.runner.Input(models.InputX)[:rows*s.Architecture.Inputs]
	for i, v := range x {
		row := i / s.Architecture.Inputs
		if d := float64(v); !statistics.Finite(d) && (len(far) == 0 || far[len(far)-1].Row < row) {
			far = append(far, &NotFiniteError{Row: row, Input: i % s.Architecture.Inputs, Distance: d})
		}
	}
	return far
}

// notFinite is the place of the first value that is not finite, −1 if all are.
func indexNotFinite(values []models.Prediction) int {
	return slices.IndexFunc(values, func(v models.Prediction) bool { return !v.Finite() })
}

// causes are those of the rows of a block, which begins with row from, whose predictions
// are not finite, or that are too far.
func (p *Predictor) notFiniteRows(values []models.Prediction, far []*NotFiniteError, rows data.Subset, part []int32, from int) (list []*NotFiniteError) {
	targets := len(values) / len(part)
	for row := range part {
		cause := (*NotFiniteError)(nil)
		at := indexNotFinite(values[row*targets : (row+1)*targets])
		switch {
		case len(far) > 0 && far[0].Row == row:
			cause, far = far[0], far[1:]
		case at >= 0:
			cause = p.findFarthestInput(rows, part, row, at)
		default:
			continue
		}
		cause.Row += from
		list = append(list, cause)
	}
	return list
}

// explain finds the input that a prediction is not finite for.
func (p *Predictor) findFarthestInput(rows data.Subset, numbers []int32, row, target int) *NotFiniteError {
	e := &NotFiniteError{Row: row, Input: -1, target: target}
	p.samplers.lend(samplerKind{rows: 2}, func(s *sampler) error {
		s.load(rows, numbers[row:row+1], 1)
		for i, v := range s.runner.Input(models.InputX)[:s.Architecture.Inputs] {
			if d := float64(v); math.Abs(d) > suspiciousDistance && math.Abs(d) > math.Abs(e.Distance) {
				e.Input, e.Distance = i, d
			}
		}
		return nil
	})
	return e
}
