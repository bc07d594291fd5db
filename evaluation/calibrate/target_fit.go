package calibrate

import (
	"fmt"
	"math"
	"slices"

	"sml/internal/statistics"
	"sml/models"
	"sml/models/distribution"
)

// TargetFit has the numbers that a kind has fitted to the rows of one target. Fields that the kind does
// not use are zero.
type TargetFit struct {
	Floor  float64           `json:"floor,omitempty"`  // smallest standard deviation; smaller ones are replaced by it
	Scale  float64           `json:"scale,omitempty"`  // factor of the standard deviation, after Floor
	Scores OrderStatistics   `json:"scores,omitzero"`  // scores of the rows, for Kind.Shape
	Folds  []OrderStatistics `json:"folds,omitempty"`  // scores of the rows of each fold in place of Scores, for Kind.FoldShape; nil without folds
	Shifts []float64         `json:"shifts,omitempty"` // numbers added to the quantile of each level

	// LevelFolds has, for each level and fold, the distances of the fold's rows, in place of Shifts; nil without folds.
	LevelFolds [][]OrderStatistics `json:"level_folds,omitempty"`

	Temperature float64 `json:"temperature,omitempty"` // divisor of the log probabilities of classes
}

// calibrate returns a calibrated prediction. shape is nil if the distribution keeps its shape.
func (f TargetFit) calibrate(p models.Prediction, family distribution.Family, shape distribution.Shape) models.Prediction {
	switch {
	case f.Temperature > 0:
		classes := p.Distribution.(distribution.Classes)
		return models.Prediction{Distribution: applyTemperature(classes, 1/f.Temperature)}
	case f.Shifts != nil:
		return f.shiftQuantiles(p, family)
	case f.LevelFolds != nil: // without the members of the folds, nothing can be moved
		return p
	case shape != nil:
		return p.WithDistribution(distribution.WithShape(p.Distribution, p.Mean(), f.calibrateStd(p.Std()), shape))
	}
	return p.WithDistribution(distribution.WithMoments(p.Distribution, p.Mean(), f.calibrateStd(p.Std())))
}

// quantilesAt returns the quantiles of a prediction at levels.
func quantilesAt(p models.Prediction, levels []float64) []float64 {
	quantiles := make([]float64, len(levels))
	for i, level := range levels {
		quantiles[i] = p.Quantile(level)
	}
	return quantiles
}

// shiftQuantiles returns the prediction with its quantiles shifted.
func (f TargetFit) shiftQuantiles(p models.Prediction, family distribution.Family) models.Prediction {
	quantiles := quantilesAt(p, family.Levels)
	for i, shift := range f.Shifts {
		quantiles[i] += shift
	}
	return p.WithDistribution(family.New(quantiles))
}

// calibrateStd returns a calibrated standard deviation: raised to the floor, then scaled.
func (f TargetFit) calibrateStd(std float64) float64 { return math.Max(std, f.Floor) * f.Scale }

// check returns an error if the kind cannot have fitted f to this number of rows. levels is the
// number of quantile levels, 0 if the method does not predict quantiles.
func (f TargetFit) check(kind Kind, levels, rows int) error {
	if kind.FitClasses != nil {
		if !(f.Temperature >= minTemperature && f.Temperature <= maxTemperature) {
			return fmt.Errorf("its temperature is %v; want %v to %v", f.Temperature, minTemperature, maxTemperature)
		}
		return nil
	}
	if levels > 0 && f.LevelFolds != nil {
		return f.checkLevelFolds(kind, levels, rows)
	}
	if levels > 0 {
		if len(f.Shifts) != levels || slices.ContainsFunc(f.Shifts, func(v float64) bool { return !statistics.IsFinite(v) }) {
			return fmt.Errorf("its shifts of quantiles are %v; want %d finite numbers", f.Shifts, levels)
		}
		return nil
	}
	return f.checkStds(kind, rows)
}

// checkStds returns an error if the kind cannot have fitted f to this number of rows of a method that predicts standard
// deviations.
func (f TargetFit) checkStds(kind Kind, rows int) error {
	hasFloor := f.Floor >= 0 && statistics.IsFinite(f.Floor)
	hasScale := f.Scale > 0 && statistics.IsFinite(f.Scale)
	switch {
	case !hasFloor || !hasScale || f.Shifts != nil:
		return fmt.Errorf("its factor of standard deviations is %v and their floor %v; want finite numbers, a factor above 0, a floor of at least 0, and no shifts", f.Scale, f.Floor)
	case kind.Shape == nil:
		return nil
	case f.Folds != nil:
		return f.checkFolds(kind, rows)
	case f.Scores.Count != rows:
		return fmt.Errorf("it has residuals of %d rows; want %d", f.Scores.Count, rows)
	}
	return f.Scores.check()
}

// checkFolds returns an error if the kind cannot have fitted the scores of the folds to this number of rows.
func (f TargetFit) checkFolds(kind Kind, rows int) error {
	if kind.FoldShape == nil {
		return fmt.Errorf("it has scores of folds, which calibration %s does not distinguish", kind.Name)
	}
	return checkFoldScores(f.Folds, rows)
}

// checkLevelFolds returns an error if the kind cannot have fitted the distances of the folds to this number of rows
// and levels.
func (f TargetFit) checkLevelFolds(kind Kind, levels, rows int) error {
	if kind.FoldShape == nil || f.Shifts != nil || len(f.LevelFolds) != levels {
		return fmt.Errorf("it has distances of folds at %d levels; want %d, of a calibration that distinguishes folds, and no shifts", len(f.LevelFolds), levels)
	}
	for _, folds := range f.LevelFolds {
		if err := checkFoldScores(folds, rows); err != nil {
			return err
		}
	}
	return nil
}
