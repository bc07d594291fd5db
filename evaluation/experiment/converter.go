package experiment

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/evaluation/measure"
	"sml/internal/statistics"
	"sml/models"
	"sml/models/distribution"
)

// Outputs chooses the interval and the quantiles of predictions. The zero value is ready to
// use.
type Outputs struct {
	// Coverage is the probability that the interval holds the target, below 1. If it is 0,
	// the coverage is calibrate.DefaultCoverage, or, if the method predicts quantiles, at most the probability between the
	// outermost ones.
	Coverage float64

	// Quantiles has quantile levels above 0 and below 1. If it is nil, the levels are those
	// that the method predicts.
	Quantiles []float64
}

// Converter converts a model's standardised predictions to the targets' units and computes
// the interval and the quantiles that Outputs chooses. Several goroutines may use it at the
// same time.
type Converter struct {
	models.PredictionForm
	Pairs    []Pair    // pairs of targets; nil if targets are independent
	Levels   []float64 // quantile levels
	Coverage float64   // probability of the interval

	model *Model
	units []evaluation.Unit // unit of each target
}

// Values is the prediction of one target of one row, in the target's unit. A value that the
// method does not predict is NaN, and a slice is empty.
type Values struct {
	Mean, Std     float64   // predicted mean and standard deviation
	Median        float64   // predicted median
	Components    []float64 // parts of the standard deviation, in the order of Converter.Components
	Lower, Upper  float64   // ends of the interval
	Quantiles     []float64 // quantiles at Converter.Levels
	Probabilities []float64 // probability of each class
	Set           []bool    // whether each class is in the prediction set; nil without sets
	Correlations  []float64 // correlation with each target of the row; nil if the targets are independent
}

// NewConverter returns a converter of the model's predictions. It returns an error if a
// coverage or level is not a probability, or if the method cannot predict a quantile or an
// interval that o chooses.
func (m *Model) NewConverter(o Outputs) (*Converter, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	form, err := m.PredictionForm()
	if err != nil {
		return nil, err
	}
	family := form.Family
	if !family.HasStd && (o.Quantiles != nil || o.Coverage != 0 && !m.hasSets()) {
		return nil, fmt.Errorf("quantiles and intervals need a distribution of numbers; method %q predicts %s", m.Method, describeWithoutStd(family))
	}
	converter := &Converter{
		PredictionForm: form,
		Levels:         family.Levels,
		Coverage:       o.Coverage,
		model:          m,
		units:          m.Units(),
	}
	if form.Correlated {
		converter.Pairs = pairsOf(m.Targets)
	}
	if o.Quantiles != nil {
		converter.Levels = o.Quantiles
	}
	if o.Coverage == 0 {
		converter.Coverage = coverageFor(family)
	}
	return converter, nil
}

// check returns an error if the coverage or a quantile level is out of range.
func (o Outputs) check() error {
	if !(o.Coverage >= 0 && o.Coverage < 1) {
		return fmt.Errorf("coverage %v: want a probability above 0 and below 1", o.Coverage)
	}
	for _, level := range o.Quantiles {
		if !(level > 0 && level < 1) {
			return fmt.Errorf("quantile %v: want a level above 0 and below 1", level)
		}
	}
	return nil
}

// coverageFor returns the default coverage of a family: at most the probability between its outermost
// quantiles, if it has any.
func coverageFor(family distribution.Family) float64 {
	lower, upper, hasPair := measure.CentralPair(family.Levels)
	if !hasPair {
		return calibrate.DefaultCoverage
	}
	return min(calibrate.DefaultCoverage, family.Levels[upper]-family.Levels[lower])
}

// describeWithoutStd returns a noun phrase for the predictions of a family without a standard deviation.
func describeWithoutStd(f distribution.Family) string {
	if f.Classes > 0 {
		return "probabilities of classes"
	}
	return "only a mean"
}

// ProbabilityName returns the name of the column with a class's probability: p_LABEL, or p0,
// p1, … if classes have no labels or there are several targets.
func (c *Converter) ProbabilityName(class int) string {
	if c.model.Labels == nil || len(c.model.Targets) > 1 {
		return "p" + strconv.Itoa(class)
	}
	return "p_" + c.model.Label(0, class)
}

// HasSets reports whether predictions have sets of classes.
func (c *Converter) HasSets() bool { return c.model.hasSets() }

// hasSets reports whether predictions of the model have sets of classes.
func (m *Model) hasSets() bool { return m.Calibration != nil && m.Calibration.HasSets() }

// SetLabels returns the labels of the classes in the set of a prediction, in the order of the classes.
func (c *Converter) SetLabels(v *Values, target int) []string {
	var labels []string
	for class, isIn := range v.Set {
		if isIn {
			labels = append(labels, c.model.Label(target, class))
		}
	}
	return labels
}

// Label returns the label of a class of a target, or its number if classes have no labels.
func (c *Converter) Label(target, class int) string { return c.model.Label(target, class) }

// Class returns the label of the most probable class of a target, the first of equally
// probable ones.
func (c *Converter) Class(v *Values, target int) string {
	mostProbable := slices.Index(v.Probabilities, slices.Max(v.Probabilities))
	return c.model.Label(target, mostProbable)
}

// WidestCoverage returns the largest coverage of the interval and of the central intervals that end at the quantiles.
func (c *Converter) WidestCoverage() float64 {
	widest := c.Coverage
	for _, level := range c.Levels {
		widest = max(widest, math.Abs(2*level-1))
	}
	return widest
}

// Pair is a pair of correlated targets.
type Pair struct {
	Name          string // name of the column with their correlation, such as correlation_price_rent
	First, Second int    // indices of the targets
}

// pairsOf returns all pairs of targets.
func pairsOf(targets data.Scalers) []Pair {
	var pairs []Pair
	for second, column := range targets {
		for first := range second {
			name := "correlation_" + targets[first].Name + "_" + column.Name
			pairs = append(pairs, Pair{Name: name, First: first, Second: second})
		}
	}
	return pairs
}

// CheckCalibration returns an error if the model was calibrated on too few rows for the
// interval or for a quantile.
func (c *Converter) CheckCalibration() error {
	calibration := c.model.Calibration
	if calibration == nil {
		return nil
	}
	if err := calibration.CheckCoverage(c.Coverage); err != nil {
		return fmt.Errorf("coverage %v: %w", c.Coverage, err)
	}
	for _, level := range c.Levels {
		coverage := math.Abs(2*level - 1) // coverage of the central interval that ends at the quantile
		if err := calibration.CheckCoverage(coverage); err != nil {
			return fmt.Errorf("quantile %v: %w", level, err)
		}
	}
	return nil
}

// Convert sets v, whose slices it reuses, to the prediction of a target of a row. It reports whether all values that the
// method predicts are finite.
func (c *Converter) Convert(v *Values, p *evaluation.Predictions, row, target int) (finite bool) {
	predicted := c.units[target].Convert(p.Values[row*p.Targets+target])
	*v = Values{
		Mean:         predicted.Mean(),
		Std:          predicted.Std(),
		Components:   predicted.Components,
		Correlations: predicted.Correlations,
		Median:       math.NaN(),
		Lower:        math.NaN(),
		Upper:        math.NaN(),
		Quantiles:    v.Quantiles[:0],
	}
	if probabilities, isClass := distribution.ClassesOf(predicted.Distribution); isClass {
		v.Probabilities = probabilities
		if sets, ok := predicted.Distribution.(distribution.ClassSets); ok {
			v.Set = sets.Set(c.Coverage)
		}
		return allFinite(probabilities...)
	}
	for _, level := range c.Levels {
		v.Quantiles = append(v.Quantiles, predicted.Quantile(level))
	}
	finite = allFinite(v.Mean) && allFinite(v.Quantiles...) && allFinite(v.Components...)
	if !c.Family.HasStd {
		return finite
	}
	upperLevel := float64((1 + c.Coverage) / 2) // the conversion rounds, so that every CPU has the same bits
	v.Median = predicted.Quantile(0.5)
	v.Lower = predicted.Quantile(1 - upperLevel)
	v.Upper = predicted.Quantile(upperLevel)
	return finite && allFinite(v.Std, v.Median, v.Lower, v.Upper)
}

// allFinite reports whether no value is NaN or infinite.
func allFinite(values ...float64) bool {
	return !slices.ContainsFunc(values, func(x float64) bool { return !statistics.IsFinite(x) })
}
