package cmd

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/evaluation/measure"
	"sml/models"
)

// predictionForm is what is written of a prediction.
type predictionForm struct {
	levels     []float64 // of the quantiles
	given      []int     // places of these among the method's; nil: they are of the distribution around the mean
	classes    int
	above      float64                               // level of the upper limit of the interval by std
	percentile func(std float64, target int) float64 // of a std among those calibrated on; nil: it is not written

	pair []int // the method's quantiles that the interval is between; nil: it is by std
}

func quantilesFlag() cli.Flag {
	return &cli.StringFlag{Name: "quantiles", Usage: "`LEVELS` of quantiles to write, such as 0.05,0.5,0.95", DefaultText: "those that the method predicts"}
}

// newPredictionForm is that of a model's predictions, by the flags.
func newPredictionForm(c *cli.Context, m *models.Model) (f predictionForm, err error) {
	method, err := models.Lookup(m.Method)
	if err != nil {
		return f, err
	}
	coverage := c.Float64("coverage")
	f = predictionForm{classes: method.Classes, above: (1 + coverage) / 2}
	asked, err := askedLevels(c)
	if err != nil {
		return f, err
	}
	levels, err := m.Levels()
	switch {
	case err != nil:
		return f, err
	case levels == nil && asked != nil && method.Classes > 0:
		return f, usage("--quantiles: method %s predicts probabilities of classes, and no quantiles", m.Method)
	case levels == nil:
		f.levels = asked
		return f, nil
	}
	at := func(level float64) int {
		return slices.IndexFunc(levels, func(l float64) bool { return math.Abs(l-level) < 1e-9 })
	}
	for i, level := range levels {
		f.levels, f.given = append(f.levels, level), append(f.given, i)
	}
	if asked != nil {
		f.levels, f.given = asked, nil
		for _, level := range asked {
			if at(level) < 0 {
				return f, usage("--quantiles %v: the quantiles of method %s are at %v, and none of them there", level, m.Method, levels)
			}
			f.given = append(f.given, at(level))
		}
	}
	pair, ok := measure.CentralPair(levels)
	if c.IsSet("coverage") {
		pair = [2]int{at(float64((1 - coverage) / 2)), at(float64((1 + coverage) / 2))}
		if ok = pair[0] >= 0 && pair[1] >= 0; !ok {
			return f, usage("--coverage %v: the quantiles of method %s are at %v, and none of them at %.6g and %.6g", coverage, m.Method, levels, (1-coverage)/2, (1+coverage)/2)
		}
	}
	if ok {
		f.pair = pair[:]
	}
	return f, nil
}

// askedLevels are those of --quantiles.
func askedLevels(c *cli.Context) (levels []float64, err error) {
	if !c.IsSet("quantiles") {
		return nil, nil
	}
	const least = (1 - maxCoverage) / 2
	for _, text := range strings.Split(c.String("quantiles"), ",") {
		level, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(level >= least && level <= 1-least) {
			return nil, usage("--quantiles %s: %q is no level; want numbers from %.1g to %v with commas between them, such as 0.05,0.5,0.95", c.String("quantiles"), text, least, 1-least)
		}
		if slices.Contains(levels, level) {
			return nil, usage("--quantiles %s: %v is there twice", c.String("quantiles"), level)
		}
		levels = append(levels, level)
	}
	return levels, nil
}

// names are those of the values of one prediction, in order.
func (f predictionForm) names() []string {
	names := []string{"mean"}
	for _, level := range f.levels {
		names = append(names, "q"+strconv.FormatFloat(level, 'g', -1, 64))
	}
	for class := range f.classes {
		names = append(names, "p"+strconv.Itoa(class))
	}
	names = append(names, "std", "std_drop", "offset", "lower", "upper")
	if f.percentile != nil {
		names = append(names, "std_percentile")
	}
	return names
}

// calibrated is an error if a calibration, nil for none, has seen too few rows for an
// interval or quantile that is to be written.
func (f predictionForm) calibrated(by *calibrate.Calibration, coverage float64) error {
	if by == nil || f.given != nil {
		return nil
	}
	if err := by.CheckCoverage(coverage); err != nil {
		return usage("--coverage %v: %w", coverage, err)
	}
	for _, level := range f.levels {
		if err := by.CheckCoverage(math.Abs(2*level - 1)); err != nil {
			return usage("--quantiles %v: %w", level, err)
		}
	}
	return nil
}

// check is an error for predictions that lack what is to be written of them.
func (f predictionForm) check(p *evaluation.Predictions) error {
	if len(f.levels) > 0 && f.given == nil && !p.HasStd() {
		return fmt.Errorf("quantiles are asked for, and the model's predictions have neither any nor a standard deviation")
	}
	return nil
}

// values appends the values of a prediction of a target, in its unit, NaN for what it
// does not have, and tells whether they are finite.
func (f predictionForm) values(dst []float64, v models.Prediction, shape measure.Shape, target int, column models.Column, through evaluation.Transform) ([]float64, bool) {
	absent := math.NaN()
	in := evaluation.InUnit(v, column, through)
	at := func(level float64) float64 { return evaluation.Quantile(v, shape, column, through, level) }
	spread := []float64{in.Std, in.StdDrop, in.MeanShift, at(1 - f.above), at(f.above)}
	if f.percentile != nil {
		spread = append(spread, f.percentile(v.Std, target))
	}
	if v.NoStd {
		for i := range spread {
			spread[i] = absent
		}
	}
	first := len(dst)
	dst = append(dst, in.Mean)
	for i, level := range f.levels {
		if f.given != nil {
			dst = append(dst, in.Quantiles[f.given[i]])
		} else {
			dst = append(dst, at(level))
		}
	}
	if f.pair != nil {
		spread[3], spread[4] = in.Quantiles[f.pair[0]], in.Quantiles[f.pair[1]]
	}
	finite := !slices.ContainsFunc(dst[first:], func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }) &&
		!slices.ContainsFunc(spread, func(x float64) bool { return math.IsInf(x, 0) || math.IsNaN(x) && !v.NoStd })
	return append(append(dst, v.Probabilities...), spread...), finite
}
