package paper

import (
	"math"
	"slices"

	"sml/evaluation/measure"
	"sml/evaluation/report"
)

// reference has the scores that the paper printed for the test rows of random folds: rmse, nll, ece
// and ws of mc, mc-ll, sml, pu, pu-de and de, under the paper's settings. Most have two decimals.
//
// Source: Sicking et al., second-moment loss, appendix, the table of
// "regression performance and uncertainty quality".
var reference = report.Reference{
	Name:     "paper",
	InText:   "the paper",
	Lookup:   publishedScore,
	Rounding: publishedRounding,
	Cause:    deviationCause,
}

// publishedScore returns a score that the paper printed; ok is false if it did not print it.
func publishedScore(dataset, method, split, measure string) (score float64, ok bool) {
	column := slices.Index(Methods(), method)
	if split != "test" || column < 0 {
		return 0, false
	}
	for _, row := range published {
		if row.dataset == dataset && row.measure == measure {
			return row.scores[column], true
		}
	}
	return 0, false
}

// publishedRounding returns half a unit of the last printed digit of a score. The paper prints two
// decimals; scores from 100,000 on have two significant digits instead.
func publishedRounding(score float64) float64 {
	const minWithTwoDigits = 1e5
	if math.Abs(score) < minWithTwoDigits {
		return 0.005
	}
	lastDigit := 1e4                       // unit of the second digit of scores from 100,000 to 999,999
	for 100*lastDigit <= math.Abs(score) { // the score has more than two digits before the unit
		lastDigit *= 10
	}
	return lastDigit / 2
}

// deviationCause returns a known reason why a score varies more between trainings than a few seeds show,
// or "" if none is known.
func deviationCause(s measure.Score) string {
	hasNoBound := s.Measure == "nll" || s.Measure == "ws" // single rows can make them very large
	switch {
	case hasNoBound && s.Method == "pu":
		return "a few outliers decide the mean"
	case hasNoBound && s.Method == "mc-ll":
		return "rows with σ close to 0 decide the mean"
	case s.Measure == "nll" && s.Dataset == "diabetes" && (s.Method == "de" || s.Method == "pu-de"):
		return "each fold has 44 test rows; on some of them the members agree by chance"
	case s.Dataset == "naval":
		return "trainings on naval differ much from one another"
	}
	return ""
}

// publishedMeasures lists the measures of the paper's table, which has a row for each of them and each data
// set.
var publishedMeasures = []string{"rmse", "nll", "ece", "ws"}

// published is the paper's table.
var published = []struct {
	dataset, measure string
	scores           [6]float64 // in the order of Methods
}{
	{"yacht", "rmse", [...]float64{0.08, 0.07, 0.08, 0.07, 0.07, 0.05}},
	{"yacht", "nll", [...]float64{-2.53, -2.68, -2.3, 0.05, -3.53, -3.26}},
	{"yacht", "ece", [...]float64{0.96, 0.78, 1.10, 0.90, 0.74, 0.63}},
	{"yacht", "ws", [...]float64{0.45, 0.36, 0.53, 1.30, 0.30, 0.36}},

	{"diabetes", "rmse", [...]float64{0.79, 0.89, 0.84, 0.82, 0.78, 0.89}},
	{"diabetes", "nll", [...]float64{3.93, 17.4, 1.10, 316.53, 2.14, 1.90}},
	{"diabetes", "ece", [...]float64{0.99, 1.26, 0.72, 1.15, 0.78, 0.71}},
	{"diabetes", "ws", [...]float64{1.72, 3.90, 0.77, 9.24, 1.06, 0.91}},

	{"boston", "rmse", [...]float64{0.32, 0.35, 0.33, 0.34, 0.33, 0.33}},
	{"boston", "nll", [...]float64{0.85, 6.15, -0.48, 144.2, 1.04, 2.35}},
	{"boston", "ece", [...]float64{0.76, 1.05, 0.53, 1.13, 0.70, 0.69}},
	{"boston", "ws", [...]float64{0.99, 2.29, 0.37, 5.57, 0.87, 1.15}},

	{"energy", "rmse", [...]float64{0.10, 0.09, 0.08, 0.21, 0.18, 0.08}},
	{"energy", "nll", [...]float64{-1.93, -1.7, -1.83, 0.26, -2.09, -1.65}},
	{"energy", "ece", [...]float64{0.54, 0.45, 0.83, 0.68, 0.42, 0.52}},
	{"energy", "ws", [...]float64{0.25, 0.27, 0.44, 0.93, 0.22, 0.52}},

	{"concrete", "rmse", [...]float64{0.25, 0.27, 0.25, 0.29, 0.26, 0.25}},
	{"concrete", "nll", [...]float64{-0.4, 3.86, -0.93, 28.47, -0.72, 2.45}},
	{"concrete", "ece", [...]float64{0.48, 0.73, 0.44, 0.75, 0.41, 0.65}},
	{"concrete", "ws", [...]float64{0.50, 1.49, 0.20, 2.12, 0.35, 1.17}},

	{"wine-red", "rmse", [...]float64{0.77, 0.87, 0.80, 0.81, 0.77, 0.83}},
	{"wine-red", "nll", [...]float64{2.53, 9.76, 0.49, 14572.96, 0.94, 0.87}},
	{"wine-red", "ece", [...]float64{0.73, 0.93, 0.41, 0.61, 0.37, 0.41}},
	{"wine-red", "ws", [...]float64{1.25, 2.52, 0.35, 10.59, 0.38, 0.52}},

	{"abalone", "rmse", [...]float64{0.69, 0.68, 0.69, 0.67, 0.68, 0.68}},
	{"abalone", "nll", [...]float64{18.21, 59.45, 0.24, 610.84, -0.07, 48.21}},
	{"abalone", "ece", [...]float64{1.29, 1.44, 0.38, 0.27, 0.29, 1.39}},
	{"abalone", "ws", [...]float64{3.89, 6.85, 0.43, 0.94, 0.16, 5.79}},

	{"naval", "rmse", [...]float64{0.14, 0.08, 0.09, 0.25, 0.22, 0.04}},
	{"naval", "nll", [...]float64{-1.51, -1.82, -1.45, -2.43, -2.37, -2.86}},
	{"naval", "ece", [...]float64{0.37, 0.64, 0.94, 0.56, 0.98, 0.85}},
	{"naval", "ws", [...]float64{0.20, 0.62, 0.52, 0.37, 0.52, 0.48}},

	{"power", "rmse", [...]float64{0.23, 0.23, 0.22, 0.23, 0.22, 0.22}},
	{"power", "nll", [...]float64{1.77, 4.47, -0.87, -0.97, -1.02, 21.37}},
	{"power", "ece", [...]float64{0.79, 0.89, 0.18, 0.17, 0.15, 1.18}},
	{"power", "ws", [...]float64{1.35, 1.81, 0.21, 0.16, 0.09, 3.72}},

	{"california", "rmse", [...]float64{0.44, 0.44, 0.44, 0.64, 0.68, 0.43}},
	{"california", "nll", [...]float64{3.21, 18.34, -0.28, -0.48, -0.58, 8.15}},
	{"california", "ece", [...]float64{0.77, 1.07, 0.24, 0.24, 0.27, 0.90}},
	{"california", "ws", [...]float64{1.45, 3.20, 0.27, 0.17, 0.17, 2.18}},

	{"superconduct", "rmse", [...]float64{0.32, 0.32, 0.32, 0.36, 0.34, 0.30}},
	{"superconduct", "nll", [...]float64{1.13, 8.51, -0.96, -0.87, -1.27, 3.93}},
	{"superconduct", "ece", [...]float64{0.59, 0.74, 0.20, 0.15, 0.25, 0.55}},
	{"superconduct", "ws", [...]float64{1.02, 2.01, 0.14, 0.16, 0.16, 1.25}},

	{"protein", "rmse", [...]float64{0.66, 0.65, 0.66, 0.76, 0.70, 0.62}},
	{"protein", "nll", [...]float64{4.45, 1.4e6, 0.12, 0.02, -0.11, 6.65}},
	{"protein", "ece", [...]float64{0.89, 1.07, 0.24, 0.22, 0.30, 0.84}},
	{"protein", "ws", [...]float64{1.79, 7.9e5, 0.18, 0.14, 0.17, 1.91}},

	{"year", "rmse", [...]float64{0.79, 0.80, 0.79, 0.79, 0.78, 0.77}},
	{"year", "nll", [...]float64{19.15, 5.7e5, 0.12, 0.05, -0.01, 18.69}},
	{"year", "ece", [...]float64{1.33, 1.48, 0.24, 0.27, 0.28, 1.19}},
	{"year", "ws", [...]float64{3.95, 6.7e5, 0.19, 0.17, 0.17, 3.38}},
}
