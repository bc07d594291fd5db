package experiment

import (
	"fmt"
	"math"
	"slices"

	"sml/evaluation"
	"sml/evaluation/measure"
	"sml/internal/statistics"
	"sml/models"
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
type Form struct {
	Levels   []float64 // of the quantiles
	Classes  int       // number of class probabilities
	Interval bool      // whether there is an interval

	model    *Model
	coverage float64
	indices  []int       // Levels among the levels of the method; nil if it predicts no quantiles
	ends     *levelRange // of the interval; nil if it follows from the standard deviation
}

// levelRange is an interval between two quantiles, as indices among the levels of a method.
type levelRange struct{ lower, upper int }

// Values is the prediction of one target of one row, in the target's unit. A value that the
// method does not predict is NaN.
type Values struct {
	Mean, Std     float64
	StdDrop       float64 // spread of the sub-networks
	Offset        float64 // of the sub-networks' mean from the full network
	Lower, Upper  float64 // ends of the interval
	Quantiles     []float64
	Probabilities []float64
}

// NewForm returns the form of the model's predictions. It returns an error if the method
// cannot predict a quantile or an interval that o asks for.
func (m *Model) NewForm(o Outputs) (*Form, error) {
	if !(o.Coverage >= 0 && o.Coverage < 1) {
		return nil, fmt.Errorf("coverage %v: want a probability above 0 and below 1", o.Coverage)
	}
	for _, level := range o.Quantiles {
		if !(level > 0 && level < 1) {
			return nil, fmt.Errorf("quantile %v: want a level above 0 and below 1", level)
		}
	}
	method, err := models.Lookup(m.Method)
	if err != nil {
		return nil, err
	}
	levels, err := m.Levels()
	if err != nil {
		return nil, err
	}
	f := &Form{Classes: method.Classes, model: m, coverage: o.Coverage}
	if o.Coverage == 0 {
		f.coverage = defaultCoverage
	}
	if levels != nil {
		return f, f.chooseQuantiles(levels, o)
	}
	if o.Quantiles != nil && method.Classes > 0 {
		return nil, fmt.Errorf("quantiles: method %q predicts probabilities of classes only", m.Method)
	}
	f.Levels, f.Interval = o.Quantiles, true
	return f, nil
}

// chooseQuantiles sets the quantiles and the interval of a method that predicts quantiles at
// these levels: it has no others.
func (f *Form) chooseQuantiles(levels []float64, o Outputs) error {
	f.Levels = levels
	if o.Quantiles != nil {
		f.Levels = o.Quantiles
	}
	for _, level := range f.Levels {
		i := indexOfLevel(levels, level)
		if i < 0 {
			return fmt.Errorf("quantile %v: method %q predicts only quantiles at %v", level, f.model.Method, levels)
		}
		f.indices = append(f.indices, i)
	}
	if o.Coverage == 0 {
		pair, ok := measure.CentralPair(levels)
		if ok {
			f.Interval, f.ends = true, &levelRange{pair[0], pair[1]}
		}
		return nil
	}
	lower := float64((1 - o.Coverage) / 2)
	upper := float64((1 + o.Coverage) / 2)
	f.ends = &levelRange{indexOfLevel(levels, lower), indexOfLevel(levels, upper)}
	if f.ends.lower < 0 || f.ends.upper < 0 {
		return fmt.Errorf("coverage %v: the interval needs quantiles at %.6g and %.6g; method %q predicts quantiles at %v", o.Coverage, lower, upper, f.model.Method, levels)
	}
	f.Interval = true
	return nil
}

// indexOfLevel returns the index of a level, or -1.
func indexOfLevel(levels []float64, level float64) int {
	return slices.IndexFunc(levels, func(l float64) bool { return math.Abs(l-level) < 1e-9 })
}

// CheckCalibration returns an error if the model's calibration has seen too few rows for the
// interval or for a quantile.
func (f *Form) CheckCalibration() error {
	c := f.model.Calibration
	if c == nil || f.indices != nil {
		return nil
	}
	if err := c.CheckCoverage(f.coverage); err != nil {
		return fmt.Errorf("coverage %v: %w", f.coverage, err)
	}
	for _, level := range f.Levels {
		if err := c.CheckCoverage(math.Abs(2*level - 1)); err != nil {
			return fmt.Errorf("quantile %v: %w", level, err)
		}
	}
	return nil
}

// CheckPredictions returns an error if the predictions have no distribution to take the
// quantiles from.
func (f *Form) CheckPredictions(p *evaluation.Predictions) error {
	if len(f.Levels) > 0 && f.indices == nil && !p.HasStd() {
		return fmt.Errorf("quantiles need a model that predicts quantiles or a standard deviation; method %q predicts only a mean", f.model.Method)
	}
	return nil
}

// Values computes the prediction of a target of a row into v, whose slices it reuses. It
// reports whether all values that the method predicts are finite.
func (f *Form) Values(v *Values, p *evaluation.Predictions, row, target int) (finite bool) {
	i := row*p.Targets + target
	raw, shape, column := p.Values[i], p.Shape(i), f.model.Targets[target]
	transform := f.model.transform(target)
	in := evaluation.InUnit(raw, column, transform)
	quantile := func(level float64) float64 { return evaluation.Quantile(raw, shape, column, transform, level) }

	v.Mean, v.Probabilities = in.Mean, raw.Probabilities
	v.Quantiles = v.Quantiles[:0]
	for k, level := range f.Levels {
		if f.indices != nil {
			v.Quantiles = append(v.Quantiles, in.Quantiles[f.indices[k]])
		} else {
			v.Quantiles = append(v.Quantiles, quantile(level))
		}
	}
	v.Std, v.StdDrop, v.Offset = in.Std, in.StdDrop, in.MeanShift
	v.Lower, v.Upper = math.NaN(), math.NaN()
	if raw.NoStd {
		v.Std, v.StdDrop, v.Offset = math.NaN(), math.NaN(), math.NaN()
	}
	switch {
	case f.ends != nil:
		v.Lower, v.Upper = in.Quantiles[f.ends.lower], in.Quantiles[f.ends.upper]
	case f.Interval && !raw.NoStd:
		upper := float64((1 + f.coverage) / 2) // rounded first: the same bits on every CPU
		v.Lower, v.Upper = quantile(1-upper), quantile(upper)
	}
	return f.finite(v, raw.NoStd)
}

// finite reports whether the values of v are finite. The values that follow from a standard
// deviation may be NaN if there is none.
func (f *Form) finite(v *Values, noStd bool) bool {
	if !statistics.Finite(v.Mean) || slices.ContainsFunc(v.Quantiles, func(x float64) bool { return !statistics.Finite(x) }) {
		return false
	}
	spread := []float64{v.Std, v.StdDrop, v.Offset}
	if f.Interval {
		spread = append(spread, v.Lower, v.Upper)
	}
	for _, x := range spread {
		if math.IsInf(x, 0) || math.IsNaN(x) && !noStd {
			return false
		}
	}
	return true
}

// transform returns the transform of a target, or nil.
func (m *Model) transform(target int) evaluation.Transform {
	if m.Transforms == nil {
		return nil
	}
	return m.Transforms[target]
}
