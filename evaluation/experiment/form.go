package experiment

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"sml/evaluation"
	"sml/evaluation/measure"
	"sml/internal/statistics"
	"sml/models/distribution"
)

// defaultCoverage is the probability of an interval where none is chosen.
const defaultCoverage = 0.95

// Outputs chooses the interval and the quantiles of predictions. The zero value is ready to
// use.
type Outputs struct {
	// Coverage is the probability of the interval, below 1. With 0 it is 0.95, or, if the
	// method predicts quantiles, the probability between the outermost ones.
	Coverage float64

	// Quantiles are levels above 0 and below 1; nil for the levels that the method predicts.
	Quantiles []float64
}

// Form computes what Outputs chooses from a model's predictions, in the targets' units.
type Converter struct {
	Family     distribution.Family
	Components []string  // names of the parts of the standard deviation
	Levels     []float64 // levels of the quantiles
	Coverage   float64   // of the interval

	model *Model
}

// Values is the prediction of one target of one row, in the target's unit. A value that the
// method does not predict is NaN.
type Values struct {
	Mean, Std     float64
	Components    []float64
	Lower, Upper  float64 // ends of the interval
	Quantiles     []float64
	Probabilities []float64
}

// NewForm returns the form of the model's predictions. It returns an error if the method
// cannot predict a quantile or an interval that o asks for.
func (m *Model) NewConverter(o Outputs) (*Converter, error) {
	if !(o.Coverage >= 0 && o.Coverage < 1) {
		return nil, fmt.Errorf("coverage %v: want a probability above 0 and below 1", o.Coverage)
	}
	for _, level := range o.Quantiles {
		if !(level > 0 && level < 1) {
			return nil, fmt.Errorf("quantile %v: want a level above 0 and below 1", level)
		}
	}
	family, components, err := m.Predicted(len(m.Members), m.StoredOf(0))
	if err != nil {
		return nil, err
	}
	f := &Converter{Family: family, Components: components, Levels: family.Levels, Coverage: o.Coverage, model: m}
	if o.Quantiles != nil {
		f.Levels = o.Quantiles
	}
	if !family.HasStd && (o.Quantiles != nil || o.Coverage != 0) {
		return nil, fmt.Errorf("quantiles and intervals need a distribution of numbers; method %q predicts %s", m.Method, describeWithoutStd(family))
	}
	if o.Coverage == 0 {
		f.Coverage = defaultCoverage
		if pair, ok := measure.CentralPair(family.Levels); ok {
			f.Coverage = family.Levels[pair[1]] - family.Levels[pair[0]]
		}
	}
	return f, nil
}

// withoutStd names the values of a family without a standard deviation.
func describeWithoutStd(f distribution.Family) string {
	if f.Classes > 0 {
		return "probabilities of classes"
	}
	return "only a mean"
}

// ProbabilityName returns the name of a class's probability: p_LABEL, or p0, p1, … if classes
// have no labels, or if there are several targets.
func (f *Converter) ProbabilityName(class int) string {
	if f.model.Labels == nil || len(f.model.Targets) > 1 {
		return "p" + strconv.Itoa(class)
	}
	return "p_" + f.model.Label(0, class)
}

// Label returns the label of a class of a target, or its number if classes have no labels.
func (f *Converter) Label(target, class int) string { return f.model.Label(target, class) }

// Class returns the label of the most probable class of a target, the first of equally
// probable ones.
func (f *Converter) Class(v *Values, target int) string {
	return f.model.Label(target, slices.Index(v.Probabilities, slices.Max(v.Probabilities)))
}

// CheckCalibration returns an error if the model's calibration has seen too few rows for the
// interval or for a quantile.
func (f *Converter) CheckCalibration() error {
	c := f.model.Calibration
	if c == nil || c.Levels != nil {
		return nil
	}
	if err := c.CheckCoverage(f.Coverage); err != nil {
		return fmt.Errorf("coverage %v: %w", f.Coverage, err)
	}
	for _, level := range f.Levels {
		if err := c.CheckCoverage(math.Abs(2*level - 1)); err != nil {
			return fmt.Errorf("quantile %v: %w", level, err)
		}
	}
	return nil
}

// Values computes the prediction of a target of a row into v, whose slices it reuses. It
// reports whether all values that the method predicts are finite.
func (f *Converter) Convert(v *Values, p *evaluation.Predictions, row, target int) (finite bool) {
	predicted := evaluation.InUnit(p.Values[row*p.Targets+target], f.model.Targets[target], f.model.transform(target))
	v.Mean, v.Std, v.Components = predicted.Mean(), predicted.Std(), predicted.Components
	v.Lower, v.Upper = math.NaN(), math.NaN()
	v.Quantiles = v.Quantiles[:0]
	if classes, ok := predicted.Distribution.(distribution.Classes); ok {
		v.Probabilities = classes
		return !slices.ContainsFunc(classes, func(p float64) bool { return !statistics.Finite(p) })
	}
	values := []float64{v.Mean}
	for _, level := range f.Levels {
		v.Quantiles = append(v.Quantiles, predicted.Quantile(level))
	}
	if f.Family.HasStd {
		upper := float64((1 + f.Coverage) / 2) // rounded first: the same bits on every CPU
		v.Lower, v.Upper = predicted.Quantile(1-upper), predicted.Quantile(upper)
		values = append(values, v.Std, v.Lower, v.Upper)
	}
	return allFinite(values) && allFinite(v.Quantiles) && allFinite(v.Components)
}

func allFinite(values []float64) bool {
	return !slices.ContainsFunc(values, func(x float64) bool { return !statistics.Finite(x) })
}

// transform returns the transform of a target, or nil.
func (m *Model) transform(target int) distribution.Transform {
	if m.Transforms == nil {
		return nil
	}
	return m.Transforms[target]
}
