package measure

import (
	"math"
	"slices"
)

// curvePoints is the number of coverages from 0 to 1, evenly spaced, at which calibration is
// measured, as in uncertainty-toolbox.
const curvePoints = 100

// nominalCoverages are the coverages at which calibration is measured: 0, 1/99, …, 1.
var nominalCoverages = func() (coverages [curvePoints]float64) {
	for point := range coverages {
		coverages[point] = float64(point) / (curvePoints - 1)
	}
	return coverages
}()

// coverageCurve has, for each of nominalCoverages, the fraction of the rows whose target is inside
// the central interval of that coverage. It grows from point to point, since an interval with a larger
// coverage contains the smaller ones.
type coverageCurve [curvePoints]float64

// calibrationCurve returns the coverage curve of the column, which must have distribution functions.
func (c *Column) calibrationCurve() *coverageCurve {
	var counts coverageCurve // weight of the rows that begin to be covered at each point
	weights := c.sortedPITWeights()
	for i, point := range firstCoveringPoints(c.PIT()) {
		counts[point] += weighted(weights, i, 1)
	}
	return counts.cumulative()
}

// firstCoveringPoints returns, for each PIT, the index of the smallest nominal coverage whose
// central interval contains the target. The central interval of coverage c is from the quantile at
// (1 − c)/2 to the quantile at (1 + c)/2, so it contains the targets with |2·PIT − 1| ≤ c.
func firstCoveringPoints(pit []float64) []int {
	points := make([]int, len(pit))
	for i, u := range pit {
		needed := math.Abs(float64(2*u) - 1)
		points[i], _ = slices.BinarySearchFunc(nominalCoverages[:], needed, func(nominal, needed float64) int {
			if nominal < needed {
				return -1
			}
			return 1 // also if both are equal, so that the search finds the first coverage that is not below
		})
	}
	return points
}

// cumulative returns the coverage curve of rows, given the weight of the rows that begin to be covered at
// each point.
func (counts *coverageCurve) cumulative() *coverageCurve {
	var fractions coverageCurve
	sum := 0.0
	for point, count := range counts {
		sum += count
		fractions[point] = sum
	}
	for point := range fractions {
		fractions[point] /= sum
	}
	return &fractions
}

// meanAbsoluteError returns the mean of |fraction covered − nominal coverage| over the points.
func (fractions *coverageCurve) meanAbsoluteError() float64 {
	sum := 0.0
	for point, fraction := range fractions {
		sum += math.Abs(fraction - nominalCoverages[point])
	}
	return sum / curvePoints
}
