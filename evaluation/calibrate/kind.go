// Package calibrate makes the intervals of predictions cover what they say, by rows
// that the network was not trained on: one file a kind of calibration.
//
// Rows for it have to be of the same kind as those to be predicted (exchangeable with
// them): a calibration knows nothing of rows beyond, and under a shift its intervals
// cover too little, as raw ones do. Under time a calibration on the latest rows is
// as good as the past is like the future.
package calibrate

import (
	"fmt"

	"sml/internal/registry"
	"sml/models/distribution"
)

// Kind is a way to calibrate.
type Kind struct {
	Name    string // on the command line and in files
	Title   string // in tables and figures
	Summary string // one line
	Source  string

	// Fit learns from rows of one target; nil if the kind is for classes alone.
	Fit func(Sample) TargetFit

	// Shape is the distribution around predictions whose standard deviations are
	// scaled; nil: they are normal.
	Shape func(TargetFit) distribution.Shape

	// FitQuantiles learns from rows whose predictions are quantiles, of each level what
	// is added to it; nil: the kind cannot calibrate such.
	FitQuantiles func(QuantileSample) []float64

	// FitClasses learns the temperature from rows whose targets are classes; nil if the kind
	// cannot calibrate classes.
	FitClasses func(ClassSample) float64

	// Rows is the smallest number of rows that gives an interval of a coverage; nil: 2.
	Rows func(coverage float64) int
}

// Sample is rows of one target, in standardised units.
type Sample struct {
	Mean, Std, Y []float64
	Weights      []float64 // nil: all count alike
}

// QuantileSample is rows of one target whose predictions are quantiles at levels.
type QuantileSample struct {
	Levels    []float64
	Quantiles [][]float64 // of each row, ascending
	Y         []float64
}

// ClassSample holds rows of one target of classes.
type ClassSample struct {
	Classes []distribution.Classes // predicted probabilities of each row
	Y       []float64              // class of each row
	Weights []float64              // nil: all count alike
}

// Fitted is what a kind has learnt of one target. The zero value of a field that the
// kind has no use for stands.
type TargetFit struct {
	Floor  float64         `json:"floor,omitempty"`  // smaller standard deviations are taken for this
	Scale  float64         `json:"scale,omitempty"`  // and all are multiplied by this
	Scores OrderStatistics `json:"scores,omitzero"`  // that its Shape goes by
	Shifts []float64       `json:"shifts,omitempty"` // that are added to quantiles, of each level

	Temperature float64 `json:"temperature,omitempty"` // divides the log probabilities of classes
}

var kinds = registry.New("calibration", func(k Kind) string { return k.Name }, "")

// The first is the default.
func init() {
	for _, k := range []Kind{conformal, scale, isotonic, temperature} {
		Register(k)
	}
}

// Register adds a kind. It panics if its name is taken, or if it cannot fit: a mistake
// in the program.
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

// Names returns their names.
func Names() []string { return kinds.Names() }

// Lookup returns the kind of that name. The error lists those that there are.
func Lookup(name string) (Kind, error) { return kinds.Lookup(name) }
