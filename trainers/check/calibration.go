package check

import (
	"fmt"
	"math"
	"slices"

	"sml/internal/portable"
	"sml/models"
)

// Bounds on standard deviations and quantiles of rows that were not learnt from. Where a
// standard deviation of this project's methods follows the noise, with an exponent of 0.75
// or more, the exponent is at most 1.26 and the ratio 0.95 to 1.11, over ten seeds and 1 to 40 inputs.
const (
	followsNoise = 0.75 // exponent from which a standard deviation is the noise's alone
	ignoresNoise = 0.25 // exponent below which it has no part that follows the noise
	squaresNoise = 1.5  // largest exponent: that of a variance is 2

	failedRatio = 1.5  // largest factor by which it may be off; a forgotten square, root or factor of 2 is further off
	notedRatio  = 1.25 // twice as far from 1 as this project's methods; a factor of √2 is further off
	absentRatio = 0.5  // least ratio of a standard deviation that ignores the noise, without a note
	zeroRatio   = 0.05 // least ratio at all: below it, it has collapsed
	hugeRatio   = 3    // largest ratio of one that ignores the noise

	notedCoverage  = 0.08 // distance of a quantile's coverage from its level: five standard errors of 1,024 rows
	failedCoverage = 0.15

	// leastSpread is the variance of log σ below which an exponent cannot be told. It is 0.2
	// where the mean is learnt.
	leastSpread = 0.04
)

// hasStd reports whether a standard deviation is predicted.
func (f forecasts) hasStd() bool {
	return slices.ContainsFunc(f.rows, func(row forecast) bool { return row.std > 0 })
}

func (f forecasts) judgeUncertainty() Finding {
	found := Finding{Check: calibrationCheck, Status: Passed, Says: fmt.Sprintf("%d quantiles", len(f.levels))}
	if f.hasStd() {
		n := f.noise()
		found.Status = n.status()
		found.Says = fmt.Sprintf("the standard deviation is %.3g times that of the targets, and grows as its power %.2f; 90 %% intervals cover %.0f %%",
			n.ratio, n.exponent, 100*n.coverage)
		if found.Status != Passed {
			found.Details = append(found.Details, n.reason())
		}
	}
	if f.method.Support != models.Counts { // quantiles of counts have no exact coverage
		f.judgeQuantiles(&found)
	}
	return found
}

// judgeQuantiles adds quantiles whose coverage is off to a finding.
func (f forecasts) judgeQuantiles(found *Finding) {
	for i, level := range f.levels {
		below := 0
		for _, row := range f.rows {
			if row.y <= row.quantiles[i] {
				below++
			}
		}
		share := float64(below) / float64(len(f.rows))
		off := math.Abs(share - level)
		if off > failedCoverage {
			found.Status = Failed
		} else if off > notedCoverage && found.Status == Passed {
			found.Status = Noted
		}
		if off > notedCoverage {
			found.Details = append(found.Details, fmt.Sprintf("%.0f %% of the targets are below the quantile of level %v", 100*share, level))
		}
	}
}

// noise compares predicted standard deviations with the known noise of the targets. The mean square
// error of the predicted mean counts as noise: a network that learns the mean only
// roughly is right to predict more.
type noise struct {
	ratio    float64 // geometric mean of predicted standard deviation over noise
	exponent float64 // power of the noise in proportion to which predictions grow; 0 if the noise hardly changes
	coverage float64 // share of targets in the central interval of 90 %
}

func (f forecasts) noise() noise {
	n := float64(len(f.rows))
	missed := 0.0 // mean square error of the mean
	for _, row := range f.rows {
		e := row.mean - row.trueMean
		missed += float64(e*e) / n
	}
	var x, y, xx, xy float64 // moments of the logarithms of noise and prediction
	covered := 0
	for _, row := range f.rows {
		known := portable.Log(float64(row.trueStd*row.trueStd)+missed) / 2
		predicted := portable.Log(max(row.std, math.SmallestNonzeroFloat32))
		x, y = x+known/n, y+predicted/n
		xx, xy = xx+float64(known*known)/n, xy+float64(known*predicted)/n
		if math.Abs(row.y-row.mean) <= float64(portable.NormalQuantile(0.95)*row.std) {
			covered++
		}
	}
	result := noise{ratio: portable.Exp(y - x), coverage: float64(covered) / n}
	if spread := xx - float64(x*x); spread > leastSpread || f.method.Support != models.Reals {
		result.exponent = (xy - float64(x*y)) / spread
	}
	return result
}

// status judges a standard deviation by how it grows with the noise, since one that has
// a part for the network's own uncertainty is larger, and grows less.
func (n noise) status() Status {
	least, most := 1/failedRatio, failedRatio
	switch {
	case !(n.exponent <= squaresNoise):
		return Failed
	case n.exponent < ignoresNoise:
		least, most = zeroRatio, hugeRatio
	case n.exponent < followsNoise:
		// Noise σ and a constant part τ give an exponent of about σ²/(σ² + τ²), and a
		// ratio of about its inverse root.
		most = max(most, notedRatio/math.Sqrt(n.exponent))
	}
	switch {
	case !(n.ratio >= least && n.ratio <= most):
		return Failed
	case n.exponent < ignoresNoise && n.ratio < absentRatio:
		return Noted
	case n.exponent >= followsNoise && (n.ratio < 1/notedRatio || n.ratio > notedRatio):
		return Noted
	}
	return Passed
}

// reason says what may be wrong.
func (n noise) reason() string {
	switch {
	case n.exponent > squaresNoise:
		return "it grows as the square of the noise: is a variance returned in place of its root?"
	case n.ratio < zeroRatio:
		return "it has collapsed: does a StopGradient or a missing term keep it from what it should follow?"
	case n.exponent < ignoresNoise && n.ratio < 1:
		return "it leaves the noise of the targets out, as the spread of sub-networks does by itself"
	case n.exponent < followsNoise && n.ratio > 1:
		return "it is larger than the noise and the network's own uncertainty explain: is a root taken twice, or does a term miss that holds it down?"
	}
	return "it is off by a factor: is a term of the loss missing, or weighed twice?"
}
