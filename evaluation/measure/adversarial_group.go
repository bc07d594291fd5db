package measure

import (
	"math/rand/v2"
	"slices"
)

var adversarialGroup = Measure{
	Name:       "adversarial-group",
	Title:      "AdvGroup",
	Summary:    "adversarial group calibration: the largest MACE among ten random groups of rows",
	Formula:    "mean over 100 repeats of the largest MACE of 10 groups of 50 rows, drawn with replacement by their weights",
	Convention: "perfectly calibrated predictions score 0.08 by chance. The groups follow from a fixed seed and do not depend on the order of the rows",
	Source:     "Zhao, Ma & Ermon (2020), Individual calibration with randomized forecasting; uncertainty-toolbox, adversarial_group_calibration with draw_with_replacement, but groups of fixed size",
	Unit:       None,
	Needs:      []Part{CDF},
	OnRequest:  true,
	Compute:    func(c *Column) float64 { return c.adversarialGroups(50, 10, 100) },
}

// adversarialGroups returns the mean over the repeats of the largest mean absolute calibration
// error among several random groups of rows. Each group has size rows, drawn with replacement by their
// weights.
func (c *Column) adversarialGroups(size, groups, repeats int) float64 {
	coverage := c.calibrationCurve()
	rng := rand.New(rand.NewPCG(0, 0)) // a fixed seed: equal columns have equal scores
	sum := 0.0
	for range repeats {
		largest := 0.0
		for range groups {
			largest = max(largest, coverage.randomGroupError(rng, size))
		}
		sum += largest
	}
	return sum / float64(repeats)
}

// randomGroupError returns the mean absolute calibration error of a random group of rows, drawn with
// replacement.
//
// The error depends only on the point of the coverage curve at which each row begins to be covered. The
// curve is the distribution function of these points, so drawing a row by its weight is the same as
// drawing a point by inverting the curve at a uniform random number.
func (fractions *coverageCurve) randomGroupError(rng *rand.Rand, size int) float64 {
	var counts coverageCurve
	for range size {
		u := 1 - float64(rng.Float64()) // in (0, 1]: no row begins to be covered below a fraction of 0
		point, _ := slices.BinarySearch(fractions[:], u)
		counts[point]++
	}
	return counts.cumulative().meanAbsoluteError()
}
