package measure

import (
	"fmt"
	"math"
	"slices"

	"sml/data"
	"sml/internal/portable"
	"sml/internal/statistics"
	"sml/models/distribution"
)

// Column holds the predictions of one target, a row each, and the targets, all in the same
// unit. A nil slice is a part that the predictions do not have. Measures share computed
// values, so nothing may change after the first of them. A Column is for one goroutine at a
// time.
type Column struct {
	Mean, Std, Y []float64
	Protocol     data.Protocol

	// Distributions holds the predicted distribution of each row. If it is nil, the
	// distributions are N(Mean, Std²), or unknown without Std.
	Distributions []distribution.Distribution

	Levels []float64 // levels of quantiles that the method learns, ascending between 0 and 1

	// Standardised holds the predictions before a transform of the target was undone; nil
	// without one. Residuals and PIT, which a transform does not change, are taken from it.
	Standardised *Column

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
// finite, if a std or a weight is negative or all weights are 0, or if the protocol is
// unknown.
func (c *Column) Check() error {
	if _, err := data.ParseProtocol(string(c.Protocol)); err != nil {
		return err
	}
	mean, std, y := c.Mean, c.Std, c.Y
	if len(y) == 0 {
		return fmt.Errorf("no rows to measure; want at least one")
	}
	if mean != nil && len(mean) != len(y) || std != nil && len(std) != len(y) || mean == nil && c.Distributions == nil {
		return fmt.Errorf("%d means, %d standard deviations and %d targets; want one of each per row", len(mean), len(std), len(y))
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
	for _, check := range []func() error{c.checkLevels, c.checkDistributions, c.checkWeights} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (c *Column) checkLevels() error {
	for i, level := range c.Levels {
		if !(level > 0 && level < 1) || i > 0 && level <= c.Levels[i-1] {
			return fmt.Errorf("the levels of the quantiles are %v; want them above 0, below 1 and ascending", c.Levels)
		}
	}
	return nil
}

func (c *Column) checkDistributions() error {
	if c.Distributions != nil && len(c.Distributions) != len(c.Y) {
		return fmt.Errorf("distributions of %d rows and %d targets; want one for each row", len(c.Distributions), len(c.Y))
	}
	if c.Distributions == nil && c.Levels != nil {
		return fmt.Errorf("levels of quantiles and no distributions; want one for each row")
	}
	for row := range c.Y {
		if classes, ok := c.classProbabilities(row); ok && !(c.Y[row] >= 0 && c.Y[row] < float64(len(classes)) && c.Y[row] == math.Floor(c.Y[row])) {
			return fmt.Errorf("row %d: the target is %v; want one of the %d classes from 0 on", row, c.Y[row], len(classes))
		}
	}
	return nil
}

// has reports whether the predictions have a part.
func (c *Column) hasPart(part Part) bool {
	switch part {
	case Mean:
		return c.Mean != nil
	case Std:
		return c.Std != nil
	case Quantiles:
		return c.Levels != nil
	case Probabilities:
		_, ok := c.classProbabilities(0)
		return ok
	case Recalibration:
		return c.Recalibration != nil
	case Density:
		return c.hasDensity()
	case CDF:
		if c.Distributions == nil {
			return c.Std != nil
		}
		return !math.IsNaN(c.Distributions[0].CDF(c.Y[0]))
	}
	return true
}

// Residuals returns the normalised residuals r = (mean−y)/std of all rows in ascending
// order, under the paper protocol (mean−y)/(std+1e-10). An exact mean has r = 0; where std
// is zero, any other has r = ±Inf with the sign of mean−y, but under the paper protocol. Of
// rows whose distribution is not normal it is Φ⁻¹(1 − F(y)), which is as r: N(0, 1) if the
// predictions are honest. Rows with a weight of 0 are left out. The caller does not change
// the slice.
func (c *Column) Residuals() []float64 {
	c = c.residualColumn()
	if c.residuals == nil {
		if c.Distributions == nil {
			c.residuals = residuals(c.Mean, c.Std, c.Y, c.Protocol)
		} else {
			c.residuals = c.quantileResiduals()
		}
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
	return c.residualColumn().sortedWeights
}

// quantileResiduals returns Φ⁻¹(1 − F(y)) of each row. A CDF nearer than 1e-16 to 0 or 1
// counts as that near.
func (c *Column) quantileResiduals() []float64 {
	const nearest = 1e-16
	r := make([]float64, len(c.Y))
	for row, y := range c.Y {
		below := min(max(c.Distributions[row].CDF(y), nearest), 1-nearest)
		r[row] = -portable.NormalQuantile(below)
	}
	return r
}

// PIT returns 1 − F(y) of all rows in ascending order, the probability integral transform:
// Φ(r) where the distribution is normal. Of honest predictions they are uniform in [0, 1].
// Rows with a weight of 0 are left out. The caller does not change the slice.
func (c *Column) PIT() []float64 {
	c = c.residualColumn()
	switch {
	case c.pit != nil:
	case c.Distributions == nil:
		c.pit, c.pitWeights = transformed(c.Residuals()), c.residualWeights()
	default:
		c.pit = make([]float64, len(c.Y))
		for row, y := range c.Y {
			c.pit[row] = min(max(0, 1-c.Distributions[row].CDF(y)), 1)
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
func (c *Column) pitWeightList() []float64 {
	c.PIT()
	return c.residualColumn().pitWeights
}

// aside is added to each std under the paper protocol, as in the paper's notebook, so
// that a row with std = 0 has a large residual and not an infinite one.
const paperStdOffset = 1e-10

func residuals(mean, std, y []float64, protocol data.Protocol) []float64 {
	r := make([]float64, len(y))
	for i := range y {
		d, s := mean[i]-y[i], math.Abs(std[i]) // of −0, 0
		if protocol == data.Paper {
			s += paperStdOffset
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
