package measure

import (
	"fmt"
	"math"
	"slices"

	"sml/data"
	"sml/data/portable"
)

// Column is the predictions of one target column, a row each, and the targets,
// all in the same unit. Measures share what is computed of it. It is for one
// goroutine at a time.
type Column struct {
	Mean, Std, Y []float64
	Protocol     data.Protocol

	residuals, quantiles []float64 // once asked for
}

// NewColumn returns the column of predictions mean ± std of the targets y, which
// stay the caller's. It is an error if there are no rows, if lengths differ, if a
// value is not finite, if a std is negative or if the protocol is unknown. Details
// of the paper's notebook, under data.Paper, are in units of the standardised target.
func NewColumn(mean, std, y []float64, protocol data.Protocol) (*Column, error) {
	if _, err := data.ParseProtocol(string(protocol)); err != nil {
		return nil, err
	}
	if len(mean) != len(y) || len(std) != len(y) {
		return nil, fmt.Errorf("%d means, %d standard deviations and %d targets; want one of each per row", len(mean), len(std), len(y))
	}
	if len(y) == 0 {
		return nil, fmt.Errorf("no rows to measure; want at least one")
	}
	for row := range y {
		for i, v := range []float64{mean[row], std[row], y[row]} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("row %d: %s is %v; want a finite number", row, []string{"mean", "standard deviation", "target"}[i], v)
			}
		}
		if std[row] < 0 {
			return nil, fmt.Errorf("row %d: standard deviation is %v; want zero or more", row, std[row])
		}
	}
	return &Column{Mean: mean, Std: std, Y: y, Protocol: protocol}, nil
}

// Residuals are the r = (mean−y)/std of all rows in ascending order, under the
// paper protocol (mean−y)/(std+1e-10). An exact mean has r = 0; where std is
// zero, any other has r = ±Inf with the sign of mean−y, but under the paper
// protocol. Who asks does not change them.
func (c *Column) Residuals() []float64 {
	if c.residuals == nil {
		c.residuals = residuals(c.Mean, c.Std, c.Y, c.Protocol)
		slices.Sort(c.residuals)
	}
	return c.residuals
}

// Quantiles are the Φ(r) of all rows in ascending order; of honest predictions
// they are uniform in [0, 1]. Who asks does not change them.
func (c *Column) Quantiles() []float64 {
	if c.quantiles == nil {
		c.quantiles = quantiles(c.Residuals())
	}
	return c.quantiles
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

func quantiles(r []float64) []float64 {
	q := make([]float64, len(r))
	for i := range r {
		q[i] = portable.NormalCDF(r[i])
	}
	return q
}
