package measure

import (
	"math/rand/v2"
	"slices"
)

var adversarialGroup = Measure{
	Name: "adversarial-group", Title: "AdvGroup",
	Summary:    "adversarial group calibration: the worst MACE of ten random groups of rows",
	Formula:    "mean over 100 repeats of the largest MACE of 10 groups of 50 rows, drawn with replacement by their weights",
	Convention: "groups follow from a fixed seed, and not from the order of the rows. Honest predictions score 0.08 by chance",
	Source:     "Zhao, Ma & Ermon (2020), Individual calibration with randomized forecasting; uncertainty-toolbox, adversarial_group_calibration with draw_with_replacement, but groups of fixed size",
	Unit:       None, Needs: []Part{CDF}, OnRequest: true,
	Compute: func(c *Column) float64 { return c.adversarialGroups(50, 10, 100) },
}

// adversarialGroups returns the mean over the repeats of the largest mean absolute calibration
// error of several groups, each of size rows drawn with replacement. Drawing a row by weight is
// drawing from its coverage curve: the error depends only on the point of the curve at which the
// row begins to be covered.
func (c *Column) adversarialGroups(size, groups, repeats int) float64 {
	coverage := c.calibrationCurve()
	rng := rand.New(rand.NewPCG(0, 0))
	sum := 0.0
	for range repeats {
		worst := 0.0
		for range groups {
			var counts coverageCurve
			for range size {
				u := 1 - float64(rng.Float64()) // above 0, where no row begins to be covered
				point, _ := slices.BinarySearch(coverage[:], u)
				counts[point]++
			}
			worst = max(worst, counts.cumulative().meanAbsoluteError())
		}
		sum += worst
	}
	return sum / float64(repeats)
}
