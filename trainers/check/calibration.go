package check

import (
	"fmt"
	"math"
	"slices"

	"sml/internal/portable"
	"sml/models"
)

// Bounds on standard deviations of held-out rows. noiseFit defines ratio and exponent. Where a
// standard deviation of this project's methods follows the noise, with an exponent of 0.75 or more,
// the exponent is at most 1.26 and the ratio 0.95 to 1.11, over ten seeds and 1 to 40 inputs.
const (
	minExponentOfNoise = 0.75 // from it on, a standard deviation is the noise alone
	maxExponentWithout = 0.25 // below it, no part of a standard deviation follows the noise
	maxExponent        = 1.5  // above it, the check fails: a variance has an exponent of 2

	failedRatio         = 1.5  // factor that fails; a forgotten square, root or factor of 2 is larger
	notedRatio          = 1.25 // factor that is noted: twice as far from 1 as this project's methods; a forgotten √2 is larger
	minRatioWithout     = 0.5  // ratio below which a standard deviation that ignores the noise is noted
	collapsedRatio      = 0.05 // ratio below which the check fails in any case
	maxRatioWithout     = 3    // ratio above which a standard deviation that ignores the noise fails
	minVarianceOfLogStd = 0.04 // variance of log σ below which no exponent is fitted; it is 0.2 if the mean is learned
)

// Bounds on the distance of a quantile's coverage from its level.
const (
	notedCoverage  = 0.08 // five standard errors of 1,024 rows
	failedCoverage = 0.15
)

// hasStd reports whether the predictions have standard deviations: NaN, which stands for none, is not
// above 0.
func (f forecasts) hasStd() bool {
	return slices.ContainsFunc(f.rows, func(row forecast) bool { return row.std > 0 })
}

// checkUncertainty compares the standard deviations and the quantiles of the predictions with the
// known distribution of the targets.
func (f forecasts) checkUncertainty() Finding {
	found := Finding{Check: calibrationCheck, Status: Passed, Message: fmt.Sprintf("%d quantiles", len(f.levels))}
	if f.hasStd() {
		fit := f.fitNoise()
		found.Status = fit.status()
		found.Message = fmt.Sprintf("the standard deviation is %.3g times the true one, and grows as its power %.2f; 90 %% intervals cover %.0f %%",
			fit.ratio, fit.exponent, 100*fit.coverage)
		if found.Status != Passed {
			found.Details = append(found.Details, fit.explanation())
		}
	}
	if f.method.Support != models.Counts { // quantiles of counts have no exact coverage
		f.checkQuantiles(&found)
	}
	return found
}

// checkQuantiles adds a line to the finding for each quantile whose coverage, the fraction of targets
// below it, is more than notedCoverage away from its level. It sets the status to Failed beyond
// failedCoverage, and otherwise to Noted if the check passed so far.
func (f forecasts) checkQuantiles(found *Finding) {
	for i, level := range f.levels {
		below := 0
		for _, row := range f.rows {
			if row.y <= row.quantiles[i] {
				below++
			}
		}
		coverage := float64(below) / float64(len(f.rows))
		distance := math.Abs(coverage - level)
		if distance <= notedCoverage {
			continue
		}
		if distance > failedCoverage {
			found.Status = Failed
		}
		found.noteIfPassed()
		found.Details = append(found.Details, fmt.Sprintf("%.0f %% of the targets are below the quantile of level %v", 100*coverage, level))
	}
}

// noiseFit compares predicted standard deviations with the true noise of the targets: the linear
// regression log prediction = log ratio + exponent · log noise, around the mean. The mean squared error
// of the predicted mean counts as noise: a network that learns the mean only roughly is right to
// predict more.
type noiseFit struct {
	ratio    float64 // geometric mean of predicted standard deviation divided by noise
	exponent float64 // predictions grow as this power of the noise; 0 if the noise hardly changes
	coverage float64 // fraction of targets in the central interval of 90 %
}

// fitNoise returns the regression of the predicted standard deviations on the true noise, over all
// forecasts.
func (f forecasts) fitNoise() noiseFit {
	n := float64(len(f.rows))
	meanError := 0.0 // mean squared error of the predicted mean
	for _, row := range f.rows {
		e := row.mean - row.trueMean
		meanError += float64(e*e) / n
	}
	z := portable.NormalQuantile(0.95)       // half the width of the central interval of 90 %, in standard deviations
	covered := 0                             // number of targets in this interval
	var meanX, meanY, meanXX, meanXY float64 // means of x = log noise, of y = log prediction and of their products
	for _, row := range f.rows {
		x := portable.Log(float64(row.trueStd*row.trueStd)+meanError) / 2 // log √v is half of log v
		y := portable.Log(max(row.std, math.SmallestNonzeroFloat32))      // a standard deviation may be 0
		meanX += x / n
		meanY += y / n
		meanXX += float64(x*x) / n
		meanXY += float64(x*y) / n
		if math.Abs(row.y-row.mean) <= float64(z*row.std) {
			covered++
		}
	}
	fit := noiseFit{
		ratio:    portable.Exp(meanY - meanX),
		coverage: float64(covered) / n,
	}
	variance := meanXX - float64(meanX*meanX)
	covariance := meanXY - float64(meanX*meanY)
	// Where targets may be any number, the invented noise changes with the row: a small variance means
	// that the error of the mean hides it, and no slope can be fitted.
	if variance > minVarianceOfLogStd || f.method.Support != models.Reals {
		fit.exponent = covariance / variance
	}
	return fit
}

// status returns Failed or Noted if the predicted standard deviations are too large, too small or grow
// too fast with the noise, and Passed otherwise. How large they may be depends on how they grow: a
// standard deviation with a part for the network's own uncertainty may be larger, and grows less.
func (n noiseFit) status() Status {
	if !(n.exponent <= maxExponent) { // also if it is NaN
		return Failed
	}
	minRatio, maxRatio := n.ratioBounds()
	switch {
	case !(n.ratio >= minRatio && n.ratio <= maxRatio):
		return Failed
	case n.exponent < maxExponentWithout && n.ratio < minRatioWithout:
		return Noted
	case n.exponent >= minExponentOfNoise && (n.ratio < 1/notedRatio || n.ratio > notedRatio):
		return Noted
	}
	return Passed
}

// ratioBounds returns the smallest and the largest ratio that do not fail. They depend on the exponent:
// on whether the standard deviations follow the noise hardly, in part or fully.
func (n noiseFit) ratioBounds() (minRatio, maxRatio float64) {
	switch {
	case n.exponent < maxExponentWithout:
		return collapsedRatio, maxRatioWithout
	case n.exponent < minExponentOfNoise:
		// Noise σ and a constant part τ give an exponent of about σ²/(σ² + τ²), and a
		// ratio of about 1/√exponent.
		return 1 / failedRatio, max(failedRatio, notedRatio/math.Sqrt(n.exponent))
	}
	return 1 / failedRatio, failedRatio
}

// explanation says what may be wrong with a standard deviation that did not pass.
func (n noiseFit) explanation() string {
	switch {
	case n.exponent > maxExponent:
		return "it grows as the square of the noise: does the predictor return a variance instead of its root?"
	case n.ratio < collapsedRatio:
		return "it has collapsed: does a StopGradient or a missing term keep it from following the errors?"
	case n.exponent < maxExponentWithout && n.ratio < 1:
		return "it leaves out the noise of the targets, as the spread of sub-networks does"
	case n.exponent < minExponentOfNoise && n.ratio > 1:
		return "it is larger than the noise and the network's own uncertainty together: is a root taken twice, or does the loss lack a term that limits it?"
	}
	return "it is off by a factor: is a term of the loss missing, or weighted twice?"
}
