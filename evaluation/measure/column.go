package measure

import (
	"fmt"
	"math"
	"slices"

	"sml/data"
	"sml/internal/portable"
	"sml/internal/statistics"
)

// Column is the predictions of one target column, a row each, and the targets,
// all in the same unit. What is nil the predictions do not have. Measures share
// what is computed of it, so that nothing in it is changed once it was measured. It
// is for one goroutine at a time.
type Column struct {
	Mean, Std, Y []float64
	Protocol     data.Protocol

	Levels    []float64   // of the quantiles, ascending between 0 and 1
	Quantiles [][]float64 // of each row, one for each level, none below the one before

	Probabilities [][]float64 // of each row, one for each class
	Class         []int       // that each row is of, from 0; the same that y says

	Draws [][]float64 // from each row's distribution, at least one, as many as there are

	// Distribution is how the rows' targets are distributed where that is not
	// N(Mean, Std²), as after a calibration or a transform; nil: it is.
	Distribution Distribution

	// Transformed describes a target that was transformed before the training; nil if it
	// was not, or if there is no Std. Mean, Std and Y are in the target's own unit.
	Transformed *Transformed

	// Weights say how much each row counts, beside the others: a row with twice the
	// weight is as good as two rows, and one with the weight 0 as good as none. nil:
	// all count alike.
	Weights []float64

	Recalibration *Isotonic // of the Φ(r), fitted on other rows (FitRecalibration); nil: there is none

	residuals, pit []float64 // once asked for
	weights        []float64 // scaled to a mean of 1, once asked for
	sortedWeights  []float64 // of the residuals, in their order
	pitWeights     []float64 // of the PIT, in their order
}

// NewColumn returns the column of predictions mean ± std of the targets y, which
// stay the caller's; std is nil if there is none. Errors are those of Check. Details
// of the paper's notebook, under data.Paper, are in units of the standardised target.
func NewColumn(mean, std, y []float64, protocol data.Protocol) (*Column, error) {
	c := &Column{Mean: mean, Std: std, Y: y, Protocol: protocol}
	if err := c.Check(); err != nil {
		return nil, err
	}
	return c, nil
}

// Check returns an error if there are no rows, if lengths differ, if a value is not
// finite, if a std or a weight is negative or all weights are 0, if quantiles
// descend, if probabilities are none, or if the protocol is unknown.
func (c *Column) Check() error {
	if _, err := data.ParseProtocol(string(c.Protocol)); err != nil {
		return err
	}
	mean, std, y := c.Mean, c.Std, c.Y
	if len(mean) != len(y) || std != nil && len(std) != len(y) {
		return fmt.Errorf("%d means, %d standard deviations and %d targets; want one of each per row", len(mean), len(std), len(y))
	}
	if len(y) == 0 {
		return fmt.Errorf("no rows to measure; want at least one")
	}
	for row := range y {
		for i, values := range [][]float64{mean, std, y} {
			if values == nil {
				continue
			}
			if v := values[row]; !statistics.Finite(v) {
				return fmt.Errorf("row %d: %s is %v; want a finite number", row, []string{"mean", "standard deviation", "target"}[i], v)
			}
		}
		if std != nil && std[row] < 0 {
			return fmt.Errorf("row %d: standard deviation is %v; want zero or more", row, std[row])
		}
	}
	for _, check := range []func() error{c.checkQuantiles, c.checkProbabilities, c.checkDraws, c.checkWeights} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (c *Column) checkQuantiles() error {
	if c.Levels == nil && c.Quantiles == nil {
		return nil
	}
	if len(c.Quantiles) != len(c.Y) || len(c.Levels) == 0 {
		return fmt.Errorf("quantiles of %d rows at %d levels, and %d targets; want some for each row", len(c.Quantiles), len(c.Levels), len(c.Y))
	}
	for i, level := range c.Levels {
		if !(level > 0 && level < 1) || i > 0 && level <= c.Levels[i-1] {
			return fmt.Errorf("the levels of the quantiles are %v; want them above 0, below 1 and ascending", c.Levels)
		}
	}
	for row, quantiles := range c.Quantiles {
		if len(quantiles) != len(c.Levels) {
			return fmt.Errorf("row %d: %d quantiles for %d levels", row, len(quantiles), len(c.Levels))
		}
		for i, q := range quantiles {
			if !statistics.Finite(q) || i > 0 && q < quantiles[i-1] {
				return fmt.Errorf("row %d: the quantiles are %v; want finite numbers, none below the one before", row, quantiles)
			}
		}
	}
	return nil
}

func (c *Column) checkProbabilities() error {
	if c.Probabilities == nil && c.Class == nil {
		return nil
	}
	if len(c.Probabilities) != len(c.Y) || len(c.Class) != len(c.Y) {
		return fmt.Errorf("probabilities of %d rows, classes of %d and %d targets; want one of each per row", len(c.Probabilities), len(c.Class), len(c.Y))
	}
	for row, probabilities := range c.Probabilities {
		if class := c.Class[row]; class < 0 || class >= len(probabilities) {
			return fmt.Errorf("row %d: class %d of %d; want one from 0 on", row, class, len(probabilities))
		}
		sum := 0.0
		for _, p := range probabilities {
			sum += p
			if !(p >= 0) {
				sum = math.NaN()
			}
		}
		if !(math.Abs(sum-1) <= 1e-6) {
			return fmt.Errorf("row %d: the probabilities are %v; want numbers from 0 on whose sum is 1", row, probabilities)
		}
	}
	return nil
}

func (c *Column) checkDraws() error {
	if c.Draws == nil {
		return nil
	}
	if len(c.Draws) != len(c.Y) {
		return fmt.Errorf("draws of %d rows and %d targets; want some for each row", len(c.Draws), len(c.Y))
	}
	for row, draws := range c.Draws {
		if len(draws) == 0 || !statistics.Finite(slices.Min(draws)) || !statistics.Finite(slices.Max(draws)) {
			return fmt.Errorf("row %d: the draws are %v; want finite numbers, at least one", row, draws)
		}
	}
	return nil
}

// has reports whether the predictions have a part.
func (c *Column) has(part Part) bool {
	switch part {
	case Std:
		return c.Std != nil
	case Quantiles:
		return c.Quantiles != nil
	case Probabilities:
		return c.Probabilities != nil
	case Draws:
		return c.Draws != nil
	case Recalibration:
		return c.Recalibration != nil
	case Interval:
		_, ok := CentralPair(c.Levels)
		return ok || c.Std != nil
	}
	if coverage, ok := part.coverage(); ok {
		_, ok = c.Interval(coverage)
		return ok
	}
	return true
}

// Residuals are the r = (mean−y)/std of all rows in ascending order, under the
// paper protocol (mean−y)/(std+1e-10), of standardised predictions where the target was
// transformed. An exact mean has r = 0; where std is
// zero, any other has r = ±Inf with the sign of mean−y, but under the paper
// protocol. Rows with a weight of 0 are left out. Who asks does not change them.
func (c *Column) Residuals() []float64 {
	c = c.normal()
	if c.residuals == nil {
		c.residuals = residuals(c.Mean, c.Std, c.Y, c.Protocol)
		if c.Weights == nil {
			slices.Sort(c.residuals)
		} else {
			c.residuals, c.sortedWeights = sortedBoth(c.residuals, c.scaled())
		}
	}
	return c.residuals
}

// residualWeights are the weights of the residuals, in their order, with a mean of 1
// over all rows; nil if all count alike.
func (c *Column) residualWeights() []float64 {
	c.Residuals()
	return c.normal().sortedWeights
}

// PIT are the Φ(r) of all rows in ascending order, the probability integral
// transform, or what stands for Φ(r) where there is a Distribution, 1 − the level of
// the target: of honest predictions they are uniform in [0, 1]. Rows with a weight of
// 0 are left out. Who asks does not change them. A transformed target has those of the
// standardised predictions.
func (c *Column) PIT() []float64 {
	c = c.normal()
	switch {
	case c.pit != nil:
	case c.Distribution == nil:
		c.pit, c.pitWeights = transformed(c.Residuals()), c.residualWeights()
	default:
		c.pit = make([]float64, len(c.Y))
		for row, y := range c.Y {
			c.pit[row] = 1 - c.Distribution.Level(row, y)
		}
		if c.Weights == nil {
			slices.Sort(c.pit)
		} else {
			c.pit, c.pitWeights = sortedBoth(c.pit, c.scaled())
		}
	}
	return c.pit
}

// weightsOfPIT are the weights of the PIT, in their order, with a mean of 1 over all
// rows; nil if all count alike.
func (c *Column) weightsOfPIT() []float64 {
	c.PIT()
	return c.normal().pitWeights
}

// aside is added to each std under the paper protocol, as in the paper's notebook, so
// that a row with std = 0 has a large residual and not an infinite one.
const aside = 1e-10

func residuals(mean, std, y []float64, protocol data.Protocol) []float64 {
	r := make([]float64, len(y))
	for i := range y {
		d, s := mean[i]-y[i], math.Abs(std[i]) // of −0, 0
		if protocol == data.Paper {
			s += aside
		}
		if d != 0 {
			r[i] = d / s
		}
	}
	return r
}

func transformed(r []float64) []float64 {
	q := make([]float64, len(r))
	for i := range r {
		q[i] = portable.NormalCDF(r[i])
	}
	return q
}
