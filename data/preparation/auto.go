package preparation

import (
	"fmt"
	"math"
	"slices"

	"sml/data"
	"sml/internal/portable"
	"sml/internal/statistics"
)

// Numbers of Auto's rules, from trainings on 28 targets with and without transforms: docs/explanation/targets.md.
const (
	minRowsOfAuto = 50 // training rows from which Auto chooses anything: with fewer, the skewness is mostly chance

	// minSkewness is the skewness above which a target is transformed. Below it, the square root gained
	// up to 7 % with one method and lost as much with another.
	minSkewness = 0.5

	// maxSkewnessOfRoot is the skewness of the square root above which the logarithm may be the better
	// transform. Below it, the logarithm overdid it for targets with small values.
	maxSkewnessOfRoot = 1

	// maxRemainingSkewness is the fraction of the skewness up to which the square root is worth it. It is
	// exceeded by targets of 0 and 1, and by targets that the square root skews to the other side.
	maxRemainingSkewness = 0.9

	// minRowsOfLog is the number of training rows from which the logarithm may be chosen. With fewer rows,
	// a network extrapolates more, and the exponential function magnifies it: mean errors were larger
	// than with the square root.
	minRowsOfLog = 1000

	// maxTimesHighest limits predictions of a logarithm to this multiple of the highest training target.
	maxTimesHighest = 2
)

// chooseTransform returns the transform that Auto chooses for the training targets y, with its reason, or
// the zero Transform:
//
//   - none, if a target is negative, the skewness is at most minSkewness, or there are few rows
//   - log, if the skewness of the square root is above maxSkewnessOfRoot, the skewness of the logarithm is
//     less than half as far from 0, all targets are above 0, and there are minRowsOfLog rows
//   - sqrt, if its skewness is at most maxRemainingSkewness of the target's
//   - none otherwise
func chooseTransform(y []float64) Transform {
	low := slices.Min(y)
	high := slices.Max(y)
	if len(y) < minRowsOfAuto || low < 0 {
		return Transform{}
	}
	before := skewnessOf(y, func(v float64) float64 { return v })
	if !(before > minSkewness) { // also if it is NaN
		return Transform{}
	}
	root := skewnessOf(y, math.Sqrt)
	if low > 0 && root > maxSkewnessOfRoot && len(y) >= minRowsOfLog {
		logarithm := skewnessOf(y, portable.Log)
		if math.Abs(logarithm) < root/2 {
			return newLog(low, high, describeSkewness(before, logarithm))
		}
	}
	if !(math.Abs(root) <= maxRemainingSkewness*before) {
		return Transform{}
	}
	zero := 0.0
	return Transform{Name: sqrtTransform, Floor: &zero, Reason: describeSkewness(before, root)}
}

// newLog returns the logarithm for targets from low to high, whose predictions are bounded a little beyond these.
func newLog(low, high float64, reason string) Transform {
	floor := low / 2
	ceiling := min(maxTimesHighest*high, math.MaxFloat64)
	return Transform{Name: logTransform, Range: &Range{Low: low, High: high}, Floor: &floor, Ceiling: &ceiling, Reason: reason}
}

// skewnessOf returns the skewness of f of the values.
func skewnessOf(values []float64, f func(float64) float64) float64 {
	transformed := make([]float64, len(values))
	for i, v := range values {
		transformed[i] = f(v)
	}
	means, stds := data.Moments(transformed, 1, nil)
	return statistics.Skewness(transformed, means[0], stds[0])
}

// describeSkewness returns the reason for a transform.
func describeSkewness(before, after float64) string {
	return fmt.Sprintf("its skewness is %.2g, and %.2g afterwards", before, after)
}

// chooseSupport returns the support that Auto chooses for the training targets y, with its reason, or
// the zero Support. A target has the lower bound 0 if none of at least minRowsOfAuto training rows is
// negative: each of n + 1 rows of one distribution is equally likely to be the lowest, so that a new row
// is negative with a probability of at most 1/(n + 1) for every distribution.
func chooseSupport(y []float64) Support {
	if len(y) < minRowsOfAuto || slices.Min(y) < 0 {
		return Support{}
	}
	zero := 0.0
	return Support{
		Low:    &zero,
		Reason: fmt.Sprintf("no target of %d rows is below 0", len(y)),
	}
}
