// Package measure scores predictions, with one measure per file. Start with NewColumn, Select and
// Column.Score; Register adds a new measure. The package does not compute predictions: package
// evaluation does, and calls this package.
//
// Usual measures are rmse, mae and r2 of the mean; nll and crps of the distribution; ece, ks and ws of
// its calibration; coverage90 and width90 of intervals; and log-loss, accuracy and brier of classes.
// Names lists all.
//
// The formulas of the measures use these symbols: y is the target, μ and σ are the predicted mean
// and standard deviation, r = (μ − y)/σ, and Φ is the distribution function of N(0, 1).
package measure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"sml/internal/portable"
	"sml/internal/registry"
)

// Measure defines one number that says how good the predictions of a target are.
type Measure struct {
	Name       string `json:"name"`                 // name in files and on the command line, such as rmse
	Title      string `json:"title"`                // short name in tables and figures, such as RMSE
	Summary    string `json:"summary"`              // definition of the measure, in one line
	Formula    string `json:"formula"`              // formula over the rows, in μ, σ, y and r
	Convention string `json:"convention,omitempty"` // range, special cases and differences from other programs
	Source     string `json:"source"`               // publication, or program with the same measure

	Unit           Unit   `json:"unit"`             // how a standardised score is converted to the target's unit
	HigherIsBetter bool   `json:"higher_is_better"` // whether higher scores are better, unless Nominal or Undirected is set
	Needs          []Part `json:"needs"`            // parts of a prediction that the measure uses, besides the targets

	// Columns are the names of the extra columns of the table that the measure reads (Column.Extras). It does not apply to a
	// table without them.
	Columns []string `json:"columns,omitempty"`

	Nominal    float64 `json:"nominal,omitempty"`    // best score; lower and higher scores are worse; 0 if there is none
	Undirected bool    `json:"undirected,omitempty"` // whether neither lower nor higher scores are better

	OnRequest bool `json:"on_request,omitempty"` // whether the measure is computed only if the user names it

	// Compute returns the score of a column that has the parts of Needs. The score weights the rows
	// (Column.Average) and does not depend on their order, except for rounding. Compute must not
	// change the column.
	Compute func(*Column) float64 `json:"-"`

	// ComputeJoint, in place of Compute, returns one score of all targets together. The columns of the targets have the
	// same rows, those with all targets, and the parts of Needs. Its scores are standardised if there are
	// several targets, which may have different units.
	ComputeJoint func(targets []*Column) float64 `json:"-"`
}

// Badness converts a score so that lower is better: it returns the distance from Nominal if there
// is one, the negative score if higher is better, and NaN if the measure is Undirected.
func (m Measure) Badness(score float64) float64 {
	switch {
	case m.Undirected:
		return math.NaN()
	case m.Nominal != 0:
		return math.Abs(score - m.Nominal)
	case m.HigherIsBetter:
		return -score
	}
	return score
}

// Unit says how a score of standardised predictions is converted to the score of the same
// predictions in the target's own unit.
type Unit string

const (
	Target    Unit = "target"        // multiplied by the target's standard deviation
	LogTarget Unit = "log of target" // the logarithm of the standard deviation is added, as for a log density
	None      Unit = "none"          // unchanged

	// OwnUnit is for scores that depend on the target's own zero or on a number in its unit. Standardised predictions
	// have no such score.
	OwnUnit Unit = "target only"
)

// Convert returns a standardised score in the unit of a target with the given standard deviation.
func (u Unit) Convert(score, std float64) float64 {
	switch u {
	case Target:
		return score * std
	case LogTarget:
		return score + portable.Log(std)
	}
	return score
}

// Part is a part of a prediction.
type Part string

const (
	Mean          Part = "mean"
	Std           Part = "std"
	Quantiles     Part = "quantiles"     // quantiles that the method learns
	Probabilities Part = "probabilities" // probabilities of classes
	Recalibration Part = "recalibration" // recalibration fitted to other rows, see Column.FitRecalibration
	Density       Part = "density"       // density of the predicted distribution
	CDF           Part = "cdf"           // distribution function of the prediction
	Region        Part = "region"        // intervals, or sets of classes
)

var measures = registry.New("measure", func(m Measure) string { return m.Name }, "")

// init registers the measures of this package in the order in which lists and tables show them. Measures
// that other packages register follow.
func init() {
	builtIn := []Measure{
		rmse, nll, ece, ws, ks, r2, mae, crps, coverageError,
		newCoverage(defaultPercent), newWidth(defaultPercent), pinball,
		logLoss, accuracy, brier, confidenceECE, auc, eceIsotonic, nllFull,
	}
	for _, percent := range []float64{50, 80, 95} {
		builtIn = append(builtIn, newCoverage(percent), newWidth(percent))
	}
	builtIn = append(builtIn,
		intervalScore, newIntervalScore(defaultPercent), weightedIntervalScore, mace, rmsce, miscalibrationArea, adversarialGroup,
		sharpness, spearman, pearson, ause, ence, medianError, mape)
	for _, m := range builtIn {
		Register(m)
	}
}

// Register adds a measure to all tables and files. It panics if the name is taken or contains a blank, or
// if the title, the unit or the function Compute is missing. ComputeJoint may stand for Compute.
func Register(m Measure) {
	hasUnit := slices.Contains([]Unit{Target, LogTarget, None, OwnUnit}, m.Unit)
	hasOneFunction := (m.Compute == nil) != (m.ComputeJoint == nil)
	if m.Title == "" || !hasOneFunction || !hasUnit {
		panic(fmt.Sprintf("measure %q needs a title, a unit and a Compute function, or ComputeJoint in its place", m.Name))
	}
	measures.Add(m)
}

// All returns the registered measures, in the order of every listing.
func All() []Measure { return measures.All() }

// Names returns the names of the registered measures, in the order of every listing.
func Names() []string { return measures.Names() }

// Lookup returns the measure with the given name: a registered one, or one with a number in its name (Patterns). It
// returns an error that lists all names if there is no such measure.
func Lookup(name string) (Measure, error) {
	m, err := measures.Lookup(name)
	if err == nil {
		return m, nil
	}
	if m, ok := lookupInFamilies(name); ok {
		return m, nil
	}
	return m, fmt.Errorf("%w; with a percentage P or a threshold X: %s", err, patternNames())
}

// Select returns the measures with the given names, in their order. Without names it returns the measures
// that are not on request, and for the single name "all" it returns all measures. It returns an error if a
// name is unknown or occurs twice.
func Select(names []string) ([]Measure, error) {
	switch {
	case len(names) == 0:
		return slices.DeleteFunc(All(), func(m Measure) bool { return m.OnRequest }), nil
	case len(names) == 1 && names[0] == "all":
		return All(), nil
	}
	var selected []Measure
	for _, name := range names {
		m, err := Lookup(name)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(selected, func(other Measure) bool { return other.Name == name }) {
			return nil, fmt.Errorf("measure %s is named twice", name)
		}
		selected = append(selected, m)
	}
	return selected, nil
}

// Score returns the scores of the column. It leaves out measures that need a part which the predictions do
// not have, or a column that the table does not have.
func (c *Column) Score(measures []Measure) Scores {
	var scores Scores
	for _, m := range measures {
		switch {
		case !m.applies(c):
		case m.ComputeJoint != nil:
			scores = append(scores, Value{Measure: m.Name, Score: m.ComputeJoint([]*Column{c})})
		default:
			scores = append(scores, Value{Measure: m.Name, Score: m.Compute(c)})
		}
	}
	return scores
}

// ScoreJoint returns the scores of several targets together by the measures with ComputeJoint. It leaves out measures that
// do not apply to all targets.
func ScoreJoint(targets []*Column, measures []Measure) Scores {
	var scores Scores
	for _, m := range measures {
		doesNotApply := func(c *Column) bool { return !m.applies(c) }
		if m.ComputeJoint != nil && !slices.ContainsFunc(targets, doesNotApply) {
			scores = append(scores, Value{Measure: m.Name, Score: m.ComputeJoint(targets)})
		}
	}
	return scores
}

// applies reports whether a column has all parts and all extra columns that the measure needs.
func (m Measure) applies(c *Column) bool {
	isMissing := func(p Part) bool { return !c.hasPart(p) }
	isMissingColumn := func(name string) bool { return c.Extras[name] == nil }
	return !slices.ContainsFunc(m.Needs, isMissing) && !slices.ContainsFunc(m.Columns, isMissingColumn)
}

// Title returns the title of the measure with the given name, or the name if it is not registered.
func Title(name string) string {
	m, _ := Lookup(name) // an unregistered measure has no title
	return cmp.Or(m.Title, name)
}
