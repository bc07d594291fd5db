package measure

import (
	"math"
	"slices"
)

// points is at how many coverages from 0 to 1, evenly spaced, calibration is looked at.
const curvePoints = 100

// nominals are these coverages.
var nominalCoverages = func() (list [curvePoints]float64) {
	for point := range list {
		list[point] = float64(point) / (curvePoints - 1)
	}
	return list
}()

// curve is the share of rows that the central interval covers, at each point.
type coverageCurve [curvePoints]float64

// calibrationCurve is that of a column with a PIT.
func (c *Column) calibrationCurve() *coverageCurve {
	var counts coverageCurve
	pit, weights := c.PIT(), c.pitWeightList()
	for i, point := range firstCoveringPoints(pit) {
		counts[point] += weighted(weights, i, 1)
	}
	return counts.cumulative()
}

// pointsOf are the first points whose interval covers a row with that PIT.
func firstCoveringPoints(pit []float64) []int {
	list := make([]int, len(pit))
	for i, u := range pit {
		within := math.Abs(float64(2*u) - 1)
		list[i], _ = slices.BinarySearchFunc(nominalCoverages[:], within, func(nominal, within float64) int {
			if nominal < within {
				return -1
			}
			return 1
		})
	}
	return list
}

// shares makes a curve of how much begins to be covered at each point.
func (counts *coverageCurve) cumulative() *coverageCurve {
	var shares coverageCurve
	sum := 0.0
	for point, count := range counts {
		sum += count
		shares[point] = sum
	}
	for point := range shares {
		shares[point] /= sum
	}
	return &shares
}

// meanError is the mean distance from what the intervals say.
func (shares *coverageCurve) meanAbsoluteError() float64 {
	sum := 0.0
	for point, share := range shares {
		sum += math.Abs(share - nominalCoverages[point])
	}
	return sum / curvePoints
}
