// Package calibrate corrects predicted distributions, so that intervals cover as many rows as they
// say; each kind of calibration is a file. Start with Fit and Calibration.Apply. It does not change
// the networks, and it cannot correct for rows that are unlike the calibration rows.
//
// A calibration is fitted to rows that the network was not trained on. These rows and the rows to
// be predicted must be exchangeable: under a shift, calibrated intervals cover too little, as
// uncalibrated ones do, and a calibration on the latest rows is as good as the past is like the
// future.
package calibrate

import (
	"fmt"

	"sml/internal/registry"
	"sml/models/distribution"
)

// Kind is a method of calibration.
type Kind struct {
	Name    string // on the command line and in files
	Title   string // in tables and figures
	Summary string // one line
	Source  string

	// Fit fits to rows of one target; nil if the kind is only for classes.
	Fit func(Sample) TargetFit

	// Shape returns the distribution of residuals, in calibrated standard deviations; nil if
	// distributions keep their shape.
	Shape func(TargetFit) distribution.Shape

	// FitQuantiles fits to rows whose predictions are quantiles, and returns the number to add
	// to the quantile of each level; nil if the kind cannot calibrate quantiles.
	FitQuantiles func(QuantileSample) []float64

	// FitClasses fits to rows whose targets are classes, and returns the temperature; nil if
	// the kind cannot calibrate classes.
	FitClasses func(ClassSample) float64

	// Rows returns the smallest number of rows that gives an interval of a coverage. Register
	// replaces nil by a function that returns 2.
	Rows func(coverage float64) int
}

// Sample holds rows of one target, standardised.
type Sample struct {
	Mean, Std, Y []float64 // predicted mean and standard deviation, and the true target, of each row
	Weights      []float64 // weight of each row; nil if all rows count the same
}

// QuantileSample holds rows of one target whose predictions are quantiles, standardised.
type QuantileSample struct {
	Levels    []float64   // quantile levels, ascending
	Quantiles [][]float64 // quantiles of each row, ascending
	Y         []float64   // true target of each row
}

// ClassSample holds rows of one target of classes.
type ClassSample struct {
	Classes []distribution.Classes // predicted probabilities of each row
	Y       []float64              // class of each row
	Weights []float64              // weight of each row; nil if all rows count the same
}

// TargetFit is what a kind has fitted to the rows of one target. Fields that the kind does not use
// are zero.
type TargetFit struct {
	Floor  float64         `json:"floor,omitempty"`  // smallest standard deviation; smaller ones are replaced by it
	Scale  float64         `json:"scale,omitempty"`  // factor of the standard deviation, after Floor
	Scores OrderStatistics `json:"scores,omitzero"`  // residuals, or their sizes, that Kind.Shape uses
	Shifts []float64       `json:"shifts,omitempty"` // numbers added to the quantile of each level

	Temperature float64 `json:"temperature,omitempty"` // divisor of the log probabilities of classes
}

var kinds = registry.New("calibration", func(k Kind) string { return k.Name }, "")

// init registers the kinds; the first is the default.
func init() {
	for _, k := range []Kind{conformal, scale, isotonic, temperature} {
		Register(k)
	}
}

// Register adds a kind. It panics, as for any mistake in the program, if its name is taken, if it
// has no title, or if it fits neither numbers nor classes.
func Register(k Kind) {
	if k.Fit == nil && k.FitClasses == nil || k.Title == "" {
		panic(fmt.Sprintf("calibrate: kind %q: want a title and Fit", k.Name))
	}
	if k.Rows == nil {
		k.Rows = func(float64) int { return 2 }
	}
	kinds.Add(k)
}

// Kinds returns all kinds, the default first.
func Kinds() []Kind { return kinds.All() }

// Names returns the names of all kinds, the default first.
func Names() []string { return kinds.Names() }

// Lookup returns the kind with this name. If there is none, it returns an error that lists the
// names.
func Lookup(name string) (Kind, error) { return kinds.Lookup(name) }
