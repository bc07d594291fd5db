package evaluation

import (
	"fmt"
	"math"
	"slices"

	"sml/internal/statistics"
	"sml/models"
)

// NotFiniteError says that the prediction of a row is NaN or infinite. The cause is an input too far from
// the training rows, or weights of the network that are too large.
type NotFiniteError struct {
	Row      int     // index among the rows to be predicted, from 0
	Number   int     // number of the row in its table, from 0
	Input    int     // index of the input that is the likely cause; −1 if no input stands out
	Distance float64 // distance of that input from the mean of the training rows, in their standard deviations

	target                int    // index of the target
	inputName, targetName string // set by setNames
}

// Error returns a message that counts rows and inputs from 1.
func (e *NotFiniteError) Error() string {
	if e.Input < 0 {
		return fmt.Sprintf("row %d: the prediction of %s is not finite", e.Number+1, e.targetName)
	}
	return fmt.Sprintf("row %d: input %d (%s) is %s; the prediction of %s is not finite", e.Number+1, e.Input+1, e.inputName, e.DescribeDistance(), e.targetName)
}

// DescribeDistance says how far the input is from the training rows.
func (e *NotFiniteError) DescribeDistance() string {
	if !statistics.IsFinite(e.Distance) {
		return "more than 3e38 standard deviations from the mean of the training rows"
	}
	return fmt.Sprintf("%.2g standard deviations from the mean of the training rows", math.Abs(e.Distance))
}

// setNames sets the number of the row and the names of the input and the target. numbers has the
// numbers of all rows to be predicted.
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

// suspiciousDistance is a distance from the mean, in standard deviations, that no training row can have:
// the mean and standard deviation of the training rows would be different.
const suspiciousDistance = 1e6

// overflowingRows returns an error for each row that was loaded last and has an input too large for
// float32, ascending. The prediction of such a row counts as not finite even if it is finite, which an
// activation of limited range can make it.
func (s *sampler) overflowingRows(rows int) []*NotFiniteError {
	inputs := s.Architecture.Inputs
	var overflowing []*NotFiniteError
	for row := range rows {
		x := s.runner.Input(models.InputX)[row*inputs : (row+1)*inputs]
		input := slices.IndexFunc(x, func(v float32) bool { return !statistics.IsFinite(float64(v)) })
		if input >= 0 {
			overflowing = append(overflowing, &NotFiniteError{Row: row, Input: input, Distance: float64(x[input])})
		}
	}
	return overflowing
}

// indexNotFinite returns the index of the first prediction that is not finite, or −1 if all are finite.
func indexNotFinite(values []models.Prediction) int {
	return slices.IndexFunc(values, func(v models.Prediction) bool { return !v.IsFinite() })
}

// notFiniteRows returns an error for each row of a block whose prediction is not finite or whose
// inputs overflow, ascending.
func (p *Predictor) notFiniteRows(values []models.Prediction, overflowing []*NotFiniteError, b block) []*NotFiniteError {
	targets := len(values) / len(b.numbers)
	var failures []*NotFiniteError
	for row := range b.numbers {
		target := indexNotFinite(values[row*targets : (row+1)*targets])
		var failure *NotFiniteError
		switch {
		case len(overflowing) > 0 && overflowing[0].Row == row:
			failure = overflowing[0]
			overflowing = overflowing[1:]
		case target >= 0:
			failure = p.findFarthestInput(b, row, target)
		default:
			continue
		}
		failure.Row += b.first
		failures = append(failures, failure)
	}
	return failures
}

// findFarthestInput returns the error of a row of a block whose prediction is not finite. It
// names the input that is farthest from the training rows, if it is suspiciously far.
func (p *Predictor) findFarthestInput(b block, row, target int) *NotFiniteError {
	e := &NotFiniteError{Row: row, Input: -1, target: target}
	p.samplers.lend(samplerKind{rows: 2}, func(s *sampler) error {
		s.load(b.rows, b.numbers[row:row+1], 1)
		for input, v := range s.runner.Input(models.InputX)[:s.Architecture.Inputs] {
			distance := float64(v) // inputs are standardised
			if math.Abs(distance) > suspiciousDistance && math.Abs(distance) > math.Abs(e.Distance) {
				e.Input = input
				e.Distance = distance
			}
		}
		return nil
	})
	return e
}
