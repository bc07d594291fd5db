// Package measure judges predictions: one file a measure, and the scores that
// they come to. A prediction is a mean μ beside a target y, with a standard
// deviation σ, quantiles or probabilities as far as its method gives them; r is
// (μ − y)/σ, and Φ the distribution function of N(0, 1).
package measure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"sml/internal/portable"
	"sml/internal/registry"
)

// Measure says how good the predictions of a target column are.
type Measure struct {
	Name       string `json:"name"`    // in files and bounds, such as rmse
	Title      string `json:"title"`   // in tables and figures: short, such as RMSE
	Summary    string `json:"summary"` // what it is, in a line
	Formula    string `json:"formula"` // over the rows, in μ, σ, y and r
	Convention string `json:"convention,omitempty"`
	Source     string `json:"source"`

	Unit   Unit   `json:"unit"`             // how a standardised score becomes one in the target's unit
	Higher bool   `json:"higher_is_better"` // else lower is, but for the next two
	Needs  []Part `json:"needs"`            // what it looks at beside the targets

	Nominal    float64 `json:"nominal,omitempty"`    // where not 0 the best score: the nearer to it, from either side, the better
	Undirected bool    `json:"undirected,omitempty"` // neither less nor more is better by itself

	OnRequest bool `json:"on_request,omitempty"` // it is computed only where it is asked for by name

	// Of is the score of a column that has what it needs, the same for rows in any
	// order but for rounding, and by their weights (Column.Average). It does not change
	// the column.
	Of func(*Column) float64 `json:"-"`
}

// Badness is a score turned so that less is better: NaN of a measure that does not
// say what is.
func (m Measure) Badness(score float64) float64 {
	switch {
	case m.Undirected:
		return math.NaN()
	case m.Nominal != 0:
		return math.Abs(score - m.Nominal)
	case m.Higher:
		return -score
	}
	return score
}

// Unit says how a score of standardised predictions becomes that of the same
// predictions in the target's own unit.
type Unit string

const (
	Target    Unit = "target"        // times the target's standard deviation
	LogTarget Unit = "log of target" // plus its logarithm, as of a density
	None      Unit = "none"          // as it is
)

// In returns a standardised score in the unit of a target with that standard
// deviation. Squares of very large or small targets are never formed.
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
	Quantiles     Part = "quantiles"
	Probabilities Part = "probabilities"
	Recalibration Part = "recalibration"
	Density       Part = "density" // of the predicted distribution
	CDF           Part = "cdf"     // of the predicted distribution
)

var measures = registry.New("measure", func(m Measure) string { return m.Name }, "")

// The order of every listing; what others register follows.
func init() {
	list := []Measure{rmse, nll, ece, ws, ks, r2, mae, crps, coverageError, newCoverage(90), widthOf(90), pinball, logLoss, accuracy, brier, confidenceECE, auc, eceIsotonic, nllFull}
	for _, percent := range []float64{50, 80, 95} {
		list = append(list, newCoverage(percent), widthOf(percent))
	}
	list = append(list, intervalScore, intervalScore90, mace, rmsce, miscalibrationArea, adversarialGroup, sharpness, spearman, pearson, ause)
	for _, m := range list {
		Register(m)
	}
}

// Register adds a measure, which every table, file and bound has from then on. It
// panics if the name is taken or holds a blank, or if a title, a unit or the
// function is missing: a mistake in the program.
func Register(m Measure) {
	if m.Title == "" || m.Of == nil || !slices.Contains([]Unit{Target, LogTarget, None}, m.Unit) {
		panic(fmt.Sprintf("measure %q: want a title, a unit and the function that computes it", m.Name))
	}
	measures.Add(m)
}

// All returns the registered measures, in the order of every listing.
func All() []Measure { return measures.All() }

// Names returns their names.
func Names() []string { return measures.Names() }

// Lookup returns the measure of that name. The error lists those that there are.
func Lookup(name string) (Measure, error) { return measures.Lookup(name) }

// Named returns measures by their names, in that order: for none, those that are not on
// request, and for "all" all of them. An unknown name is an error that lists the known.
func Named(names []string) ([]Measure, error) {
	switch {
	case len(names) == 0:
		return slices.DeleteFunc(All(), func(m Measure) bool { return m.OnRequest }), nil
	case len(names) == 1 && names[0] == "all":
		return All(), nil
	}
	var list []Measure
	for _, name := range names {
		m, err := Lookup(name)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list, func(other Measure) bool { return other.Name == name }) {
			return nil, fmt.Errorf("the measure %s is named twice", name)
		}
		list = append(list, m)
	}
	return list, nil
}

// Judge returns the scores of a column by those of measures that find in it what they
// need.
func (c *Column) Score(measures []Measure) Scores {
	var scores Scores
	for _, m := range measures {
		if m.applies(c) {
			scores = append(scores, Value{m.Name, m.Of(c)})
		}
	}
	return scores
}

// judges reports whether a column has all parts that the measure needs.
func (m Measure) applies(c *Column) bool {
	return !slices.ContainsFunc(m.Needs, func(p Part) bool { return !c.hasPart(p) })
}

// Title returns the title of the measure of a name, or the name if it is not registered.
func Title(name string) string {
	m, _ := Lookup(name)
	return cmp.Or(m.Title, name)
}
