// Package calibrate corrects predicted distributions, so that intervals have their nominal coverage;
// each kind of calibration is a file. Start with Fit and Calibration.Apply. The package does not change
// networks, and it cannot correct for rows that differ from the calibration rows. The kinds are conformal, scale,
// isotonic and cv-plus and, for classes, temperature.
//
// A calibration is fitted to rows that the network was not trained on. These rows and the rows to
// be predicted must be exchangeable: under data shift, calibrated intervals cover too few rows, as
// uncalibrated ones do, and a calibration on the latest rows is only as good as the future is like the
// past.
package calibrate

import (
	"fmt"

	"sml/internal/registry"
	"sml/models/distribution"
)

// Kind is a method of calibration.
type Kind struct {
	Name    string // name on the command line and in files
	Title   string // name in tables and figures
	Summary string // what the calibration does, in one line
	Source  string // publication

	// Fit fits the calibration to rows of one target; nil if the kind is only for classes. It leaves
	// TargetFit.Scores to the caller.
	Fit func(Sample) TargetFit

	// Score returns the score of a row with a residual in calibrated standard deviations, (y − mean)/σ; nil if
	// the kind has no Shape.
	Score func(residual float64) float64

	// Shape returns the distribution of residuals, given the scores of the calibration rows; nil if
	// distributions keep their shape.
	Shape func(Scores) distribution.Shape

	// FoldShape returns the distribution of residuals of a row, given the scores and the predictions of each fold
	// (Rows.FoldMembers); nil if the kind does not distinguish folds. Without folds Shape takes its place.
	FoldShape func([]FoldScores) distribution.Shape

	// FitQuantiles fits the calibration to rows whose predictions are quantiles, and returns the
	// number to add to the quantile of each level; nil if the kind cannot calibrate quantiles.
	FitQuantiles func(QuantileSample) []float64

	// FitClasses fits the calibration to rows whose targets are classes, and returns the
	// temperature; nil if the kind cannot calibrate classes.
	FitClasses func(ClassSample) float64

	// Rows returns the smallest number of calibration rows with which an interval of the given
	// coverage is finite. Register replaces nil by a function that returns 2.
	Rows func(coverage float64) int
}

// fewestRows is the smallest number of rows for any calibration.
const fewestRows = 2

// Sample has standardised rows of one target.
type Sample struct {
	Mean, Std, Y []float64 // predicted mean and standard deviation, and the true target, of each row
	Weights      []float64 // weight of each row; nil if all rows count the same
	Floor        float64   // smallest value of TargetFit.Floor
}

// QuantileSample has standardised rows of one target whose predictions are quantiles.
type QuantileSample struct {
	Levels    []float64   // quantile levels, ascending
	Quantiles [][]float64 // quantiles of each row, ascending
	Y         []float64   // true target of each row
	Weights   []float64   // weight of each row; nil if all rows count the same
}

// ClassSample has rows of one target whose values are classes.
type ClassSample struct {
	Classes []distribution.Classes // predicted probabilities of each row
	Y       []float64              // class of each row
	Weights []float64              // weight of each row; nil if all rows count the same
}

var kinds = registry.New("calibration", func(k Kind) string { return k.Name }, "")

// init registers the kinds; the first is the default.
func init() {
	for _, k := range []Kind{conformal, scale, isotonic, cvPlus, temperature} {
		Register(k)
	}
}

// Register adds a kind. It panics if its name is taken, if it has no title, if it has neither Fit nor
// FitClasses, or if it has Shape without Score.
func Register(k Kind) {
	if k.Fit == nil && k.FitClasses == nil || k.Title == "" || k.Shape != nil && k.Score == nil {
		panic(fmt.Sprintf("calibrate: kind %q needs a title, Fit or FitClasses, and Score with Shape", k.Name))
	}
	if k.Rows == nil {
		k.Rows = func(float64) int { return fewestRows }
	}
	kinds.Add(k)
}

// Kinds returns all kinds, the default first.
func Kinds() []Kind { return kinds.All() }

// Names returns the names of all kinds, the default first.
func Names() []string { return kinds.Names() }

// Lookup returns the kind with the given name. It returns an error that lists all names if there is no such
// kind.
func Lookup(name string) (Kind, error) { return kinds.Lookup(name) }
