// Package calibrate corrects predicted distributions, so that intervals have their nominal coverage. Start with Fit and
// Calibration.Apply. The package does not change networks, and it cannot correct for rows that differ from the
// calibration rows.
//
// A calibration is fitted to rows that the network was not trained on. Their residuals, divided by a function of the
// predicted standard deviation, are the shape of the calibrated distribution, which the network places and scales
// (shape.go). Mean, standard deviation, quantiles and scores follow from this one distribution. The kinds of
// calibration, predictive, conformal, isotonic and scale, differ in the shape; temperature, lac and aps are for classes.
//
// The calibration rows and the rows to be predicted must be exchangeable: under data shift, calibrated intervals cover
// too few rows, as uncalibrated ones do, and a calibration on the latest rows is only as good as the future is like the
// past.
package calibrate

import (
	"fmt"
	"strings"

	"sml/models/distribution"
)

// Kind is a kind of calibration.
type Kind struct {
	Name    string // name on the command line and in files
	Title   string // name in tables and figures
	Summary string // what the calibration does, in one line
	Source  string // publication

	// signed returns the weight of signed residuals in the shape that n calibration rows give (residualShape.signed); nil
	// if the kind has no shape.
	signed func(n int) float64

	// classScores returns the conformal score of each class, by which sets of classes are chosen; nil if the kind has no sets.
	classScores func(distribution.Classes) []float64

	adapts       bool // whether it fits a power of standard deviations, or a stretch of quantiles, and interpolates ranks
	forQuantiles bool // whether it can calibrate predicted quantiles
	forClasses   bool // whether it calibrates probabilities of classes

	// Rows returns the smallest number of calibration rows for an interval of the given coverage.
	Rows func(coverage float64) int
}

var (
	predictive = Kind{
		Name:         "predictive",
		Title:        "Predictive",
		Summary:      "the distribution of held-out rows' residuals, signed in proportion to their number, is placed and scaled by the network; predicted quantiles are stretched and moved level by level",
		Source:       "Vovk et al. (2019), Nonparametric predictive distributions based on conformal prediction",
		signed:       func(n int) float64 { return float64(n) / float64(n+rowsForSigns) },
		adapts:       true,
		forQuantiles: true,
		Rows:         rowsOfSizes,
	}
	conformal = Kind{
		Name:    "conformal",
		Title:   "Conformal",
		Summary: "an interval of coverage c extends as many σ from the network's mean to both sides as are needed to cover ⌈(n + 1)c⌉ of n calibration rows",
		Source:  "Papadopoulos et al. (2002), Inductive confidence machines for regression; Lei et al. (2018), Distribution-free predictive inference for regression, sect. 5.2",
		signed:  func(int) float64 { return 0 },
		Rows:    rowsOfSizes,
	}
	isotonic = Kind{
		Name:         "isotonic",
		Title:        "Isotonic",
		Summary:      "the quantile at level p is as many σ from the network's mean as the residual that a fraction p of the calibration rows is below; predicted quantiles are moved level by level",
		Source:       "Kuleshov et al. (2018), Accurate uncertainties for deep learning using calibrated regression; its finite-sample ranks as in Chernozhukov et al. (2021), Distributional conformal prediction; of quantiles Romano et al. (2019), Conformalized quantile regression, theorem 2",
		signed:       func(int) float64 { return 1 },
		forQuantiles: true,

		// Both ends of an interval are known if the rank (n + 1)(1 − c)/2 of the lower one is at least 1.
		Rows: func(coverage float64) int { return max(fewestRows, ceilTolerant(2/(1-coverage))-1) },
	}
	scale = Kind{
		Name:    "scale",
		Title:   "σ scaled",
		Summary: "σ is raised to a floor and multiplied by a factor; both maximise the likelihood of the calibration rows",
		Source:  "Levi et al. (2022), Evaluating and calibrating uncertainty prediction in regression tasks, sect. 5; Laves et al. (2020); both without a floor",
		Rows:    func(float64) int { return fewestRows },
	}
	temperature = Kind{
		Name:       "temperature",
		Title:      "Temperature",
		Summary:    "for classes: the log probabilities are divided by a number, the temperature, that maximises the likelihood of the calibration rows",
		Source:     "Guo et al. (2017), On calibration of modern neural networks, section 4.2",
		forClasses: true,
		Rows:       func(float64) int { return fewestRows },
	}
)

// IsForClasses reports whether the kind calibrates classes, and not numbers.
func (k Kind) IsForClasses() bool { return k.forClasses || k.hasSets() }

// hasSets reports whether the kind gives sets of classes.
func (k Kind) hasSets() bool { return k.classScores != nil }

// HasShape reports whether the kind gives predicted distributions the shape of residuals.
func (k Kind) HasShape() bool { return k.signed != nil }

// rowsForSigns is the number of calibration rows with which signed residuals and their sizes have the same weight in the
// shape of kind predictive.
const rowsForSigns = 200

// fewestRows is the smallest number of rows for any calibration.
const fewestRows = 2

// rowsOfSizes returns the number of rows with which the rank ⌈(n + 1)c⌉ of an interval is at most n, c/(1 − c).
func rowsOfSizes(coverage float64) int { return max(fewestRows, ceilTolerant(coverage/(1-coverage))) }

// Kinds returns all kinds, the default first.
func Kinds() []Kind {
	return []Kind{predictive, conformal, isotonic, scale, temperature, leastAmbiguous, adaptiveSets}
}

// Names returns the names of all kinds, the default first.
func Names() []string { return namesOf(func(Kind) bool { return true }) }

// namesOf returns the names of the kinds that are wanted.
func namesOf(isWanted func(Kind) bool) []string {
	var names []string
	for _, k := range Kinds() {
		if isWanted(k) {
			names = append(names, k.Name)
		}
	}
	return names
}

// Lookup returns the kind with the given name. It returns an error that lists all names if there is no such kind.
func Lookup(name string) (Kind, error) {
	for _, k := range Kinds() {
		if k.Name == name {
			return k, nil
		}
	}
	return Kind{}, fmt.Errorf("unknown calibration %q; want one of %s", name, strings.Join(Names(), ", "))
}
