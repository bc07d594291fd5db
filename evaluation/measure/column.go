package measure

import (
	"fmt"
	"math"
	"math/rand/v2"

	"sml/data"
	"sml/internal/portable"
	"sml/internal/statistics"
	"sml/models/distribution"
)

// Column has the predictions of one target for some rows, and the true targets, all in the same unit. A
// nil slice means that the predictions do not have that part. Measures share values that the column
// computes once, so no field may change after the first measure. A Column must not be used by several
// goroutines at the same time.
type Column struct {
	Mean, Std, Y []float64 // predicted mean, predicted standard deviation and true target of each row
	Protocol     data.Protocol

	// Distributions holds the predicted distribution of each row. If it is nil, the
	// distributions are N(Mean, Std²), or unknown without Std.
	Distributions []distribution.Distribution

	// Correlations holds each row's correlations of the target with all targets; nil if the targets are independent: see
	// JointOf.
	Correlations [][]float64

	Levels []float64 // levels of quantiles that the method learns, ascending between 0 and 1

	// Standardised holds the predictions before a transform of the target was undone; nil
	// without one. Residuals and PIT, which a transform does not change, are taken from it.
	Standardised *Column

	// Weights are the weights of the rows relative to one another: a row with weight 2 counts as two
	// rows, and a row with weight 0 is ignored. nil if all rows count the same.
	Weights []float64

	// Extras holds the extra columns of the table, such as marks of censored rows, in their own units, by name: those
	// that the objective reads or that the user chose with --extra. It is nil or empty without any.
	Extras map[string][]float64

	Recalibration *Isotonic // recalibration of Φ(r) from FitRecalibration on other rows; nil if there is none

	// Values computed on first use, and nil before.
	residuals, pit  []float64 // results of Residuals and PIT
	weights         []float64 // Weights scaled to a mean of 1
	residualWeights []float64 // scaled weights of the residuals, in their order
	pitWeights      []float64 // scaled weights of the PIT, in its order
}

// NewColumn returns the column of predictions mean ± std of the targets y; std is nil if the
// method predicts none. The column keeps the slices. NewColumn returns the error of Check. Under
// data.Paper, the values must be standardised, since the paper's constants are.
func NewColumn(mean, std, y []float64, protocol data.Protocol) (*Column, error) {
	c := &Column{Mean: mean, Std: std, Y: y, Protocol: protocol}
	if err := c.Check(); err != nil {
		return nil, err
	}
	return c, nil
}

// Check returns an error if there are no rows, if lengths differ, if a value is not finite, if a
// std or a weight is negative or all weights are 0, or if the protocol is unknown.
func (c *Column) Check() error {
	if _, err := data.ParseProtocol(string(c.Protocol)); err != nil {
		return err
	}
	if len(c.Y) == 0 {
		return fmt.Errorf("no rows to measure; want at least one")
	}
	if err := c.checkLengths(); err != nil {
		return err
	}
	for row := range c.Y {
		if err := c.checkRow(row); err != nil {
			return err
		}
	}
	if err := c.checkLevels(); err != nil {
		return err
	}
	if err := c.checkDistributions(); err != nil {
		return err
	}
	for name, values := range c.Extras {
		if len(values) != len(c.Y) {
			return fmt.Errorf("column %s has %d values for %d targets; want one of each per row", name, len(values), len(c.Y))
		}
	}
	return c.checkWeights()
}

// checkLengths returns an error unless each row has a mean or a distribution, and a standard
// deviation if any row has one.
func (c *Column) checkLengths() error {
	rows := len(c.Y)
	hasMeans := c.Mean == nil || len(c.Mean) == rows
	hasStds := c.Std == nil || len(c.Std) == rows
	if hasMeans && hasStds && (c.Mean != nil || c.Distributions != nil) {
		return nil
	}
	return fmt.Errorf("there are %d means, %d standard deviations and %d targets; want one of each per row", len(c.Mean), len(c.Std), rows)
}

// checkRow returns an error if a number of the row is not finite, or if its standard deviation is
// negative.
func (c *Column) checkRow(row int) error {
	if c.Mean != nil && !statistics.IsFinite(c.Mean[row]) {
		return fmt.Errorf("row %d: mean is %v; want a finite number", row, c.Mean[row])
	}
	if c.Std != nil && !statistics.IsFinite(c.Std[row]) {
		return fmt.Errorf("row %d: standard deviation is %v; want a finite number", row, c.Std[row])
	}
	if !statistics.IsFinite(c.Y[row]) {
		return fmt.Errorf("row %d: target is %v; want a finite number", row, c.Y[row])
	}
	if c.Std != nil && c.Std[row] < 0 {
		return fmt.Errorf("row %d: standard deviation is %v; want zero or more", row, c.Std[row])
	}
	return nil
}

// checkLevels returns an error unless the quantile levels are between 0 and 1 and ascending.
func (c *Column) checkLevels() error {
	for i, level := range c.Levels {
		if !(level > 0 && level < 1) || i > 0 && level <= c.Levels[i-1] {
			return fmt.Errorf("quantile levels are %v; want ascending levels between 0 and 1", c.Levels)
		}
	}
	return nil
}

// checkDistributions returns an error unless there is one distribution per row, if there are any,
// and each target is one of the predicted classes, if the distributions are of classes.
func (c *Column) checkDistributions() error {
	if c.Distributions != nil && len(c.Distributions) != len(c.Y) {
		return fmt.Errorf("there are %d distributions and %d targets; want one of each per row", len(c.Distributions), len(c.Y))
	}
	if c.Distributions == nil && c.Levels != nil {
		return fmt.Errorf("there are quantile levels but no distributions; want one distribution per row")
	}
	for row, y := range c.Y {
		classes, ok := c.classProbabilities(row)
		isClass := y >= 0 && y < float64(len(classes)) && y == math.Floor(y)
		if ok && !isClass {
			return fmt.Errorf("row %d: target is %v; want a class from 0 to %d", row, y, len(classes)-1)
		}
	}
	return nil
}

// hasPart reports whether the predictions have a part. It looks at the first row for parts that all rows
// have if one has them.
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
	case Region:
		return c.hasPart(CDF) || c.hasSets()
	case CDF:
		if c.Distributions == nil {
			return c.Std != nil
		}
		return !math.IsNaN(c.Distributions[0].CDF(c.Y[0]))
	}
	return true
}

// Residuals returns the normalised residuals r = (mean−y)/std of all rows in ascending order.
// They follow N(0, 1) if the predictions are perfectly calibrated.
//
// An exact mean has r = 0, even with std = 0; any other mean with std = 0 has r = ±Inf. Under the
// paper protocol r = (mean−y)/(std+1e-10), which is finite. A row whose distribution is not normal
// has r = Φ⁻¹(1 − F(y)), where F is its distribution function, randomised for a count as in PIT. Rows with a weight
// of 0 are left out. The first call computes the residuals, later calls return the same slice, which the caller must
// not change.
func (c *Column) Residuals() []float64 {
	source := c.residualColumn()
	if source.residuals != nil {
		return source.residuals
	}
	var r []float64 // in the order of the rows
	if source.Distributions == nil {
		r = residuals(source.Mean, source.Std, source.Y, source.Protocol)
	} else {
		r = source.quantileResiduals()
	}
	source.residuals, source.residualWeights = sortWithWeights(r, source.scaledWeights())
	return source.residuals
}

// sortedResidualWeights returns the weights of the residuals in the order of Residuals, with a
// mean of 1 over all rows. It returns nil if all rows count the same.
func (c *Column) sortedResidualWeights() []float64 {
	c.Residuals() // computes the weights, too
	return c.residualColumn().residualWeights
}

// quantileResiduals returns Φ⁻¹(1 − F(y)) of each row. F(y) is kept at least 1e-16 away from 0
// and 1, so that residuals are finite.
func (c *Column) quantileResiduals() []float64 {
	const leastProbability = 1e-16
	r := make([]float64, len(c.Y))
	for row := range c.Y {
		probability := min(max(c.randomisedCDF(row), leastProbability), 1-leastProbability)
		r[row] = -portable.NormalQuantile(probability)
	}
	return r
}

// randomisedCDF returns F(y) of a row, or for a count a random number between F(y − 1) and F(y).
func (c *Column) randomisedCDF(row int) float64 {
	below, upTo := distribution.CDFStep(c.Distributions[row], c.Y[row])
	if below == upTo {
		return upTo
	}
	const seed = 1 // any number: equal columns have equal scores
	fraction := rand.New(rand.NewPCG(seed, uint64(row))).Float64()
	return below + float64(fraction*(upTo-below))
}

// PIT returns the probability integral transforms 1 − F(y) of all rows in ascending order, where F is
// the predicted distribution function. They are Φ(r) if the distribution is normal, and uniform in
// [0, 1] if the predictions are perfectly calibrated. A count has a random number between 1 − F(y) and
// 1 − F(y − 1), since F is a step function; the random numbers depend only on the number of the row. Rows with a
// weight of 0 are left out. The first call computes the transforms, later calls return the same slice, which the
// caller must not change. Source of the random numbers: Czado, Gneiting and Held 2009, Predictive model assessment
// for count data, equation 1.
func (c *Column) PIT() []float64 {
	source := c.residualColumn()
	if source.pit != nil {
		return source.pit
	}
	if source.Distributions == nil {
		source.pit = normalCDFs(source.Residuals()) // ascending, as the residuals are
		source.pitWeights = source.sortedResidualWeights()
		return source.pit
	}
	pit := make([]float64, len(source.Y)) // in the order of the rows
	for row := range source.Y {
		pit[row] = min(max(0, 1-source.randomisedCDF(row)), 1)
	}
	source.pit, source.pitWeights = sortWithWeights(pit, source.scaledWeights())
	return source.pit
}

// sortedPITWeights returns the weights of the PIT in the order of PIT, with a mean of 1 over all
// rows. It returns nil if all rows count the same.
func (c *Column) sortedPITWeights() []float64 {
	c.PIT() // computes the weights, too
	return c.residualColumn().pitWeights
}

// paperStdOffset is added to each std under the paper protocol, as in the paper's notebook, so
// that a row with std = 0 has a large residual and not an infinite one.
const paperStdOffset = 1e-10

// residuals returns (mean−y)/std of each row, and 0 if the mean is exact.
func residuals(mean, std, y []float64, protocol data.Protocol) []float64 {
	r := make([]float64, len(y))
	for i := range y {
		difference := mean[i] - y[i]
		scale := math.Abs(std[i]) // turns −0 into 0: a division by −0 would flip the sign of the residual
		if protocol == data.Paper {
			scale += paperStdOffset
		}
		if difference != 0 {
			r[i] = difference / scale
		}
	}
	return r
}

// normalCDFs returns Φ(r) of each residual.
func normalCDFs(r []float64) []float64 {
	p := make([]float64, len(r))
	for i := range r {
		p[i] = portable.NormalCDF(r[i])
	}
	return p
}

// residualColumn returns the column that residuals are computed from: the standardised one if the
// target was transformed, otherwise c.
func (c *Column) residualColumn() *Column {
	if c.Standardised != nil {
		return c.Standardised
	}
	return c
}

// hasDensity reports whether the predicted distributions have a density at every target with a
// weight above 0.
func (c *Column) hasDensity() bool {
	if c.Distributions == nil {
		return c.Std != nil
	}
	if _, ok := c.classProbabilities(0); ok {
		return false
	}
	for row := range c.Y {
		if c.Weight(row) != 0 && math.IsNaN(c.Distributions[row].LogDensity(c.Y[row])) {
			return false
		}
	}
	return true
}

// Weight returns the weight of a row, 1 if all rows count the same.
func (c *Column) Weight(row int) float64 {
	if c.Weights == nil {
		return 1
	}
	return c.Weights[row]
}

// halfLogTwoPi is ½ log 2π, the constant of the normal log density.
var halfLogTwoPi = portable.Log(2*math.Pi) / 2

// classProbabilities returns the predicted probabilities of the classes in a row. It returns false
// if the target is not a class.
func (c *Column) classProbabilities(row int) (distribution.Classes, bool) {
	if c.Distributions == nil {
		return nil, false
	}
	return distribution.ClassesOf(c.Distributions[row])
}

// hasSets reports whether the predictions have sets of classes.
func (c *Column) hasSets() bool {
	if c.Distributions == nil {
		return false
	}
	_, ok := c.Distributions[0].(distribution.ClassSets)
	return ok
}
