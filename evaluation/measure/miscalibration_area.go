package measure

import "math"

var miscalibrationArea = Measure{
	Name:       "miscalibration-area",
	Title:      "MiscArea",
	Summary:    "area between the calibration curve and the diagonal",
	Formula:    "∫|coverage of the central interval − c| dc, linear between c = 0, 1/99, …, 1",
	Convention: "differs from MACE by about 1 %",
	Source:     "Tran et al. (2020), Methods for comparing uncertainty quantifications for material property predictions; uncertainty-toolbox, miscalibration_area",
	Unit:       None,
	Needs:      []Part{CDF},
	OnRequest:  true,
	Compute: func(c *Column) float64 {
		fractions := c.calibrationCurve()
		area := 0.0
		for point := 1; point < curvePoints; point++ {
			width := nominalCoverages[point] - nominalCoverages[point-1]
			leftDifference := fractions[point-1] - nominalCoverages[point-1]
			rightDifference := fractions[point] - nominalCoverages[point]
			area += float64(width * meanAbsolute(leftDifference, rightDifference))
		}
		return area
	},
}

// meanAbsolute returns the mean of |x| as x goes linearly from one number to another.
func meanAbsolute(from, to float64) float64 {
	a := math.Abs(from)
	b := math.Abs(to)
	changesSign := (from < 0) != (to < 0) && a+b > 0
	if changesSign { // two triangles with the heights a and b, and the widths a/(a+b) and b/(a+b)
		return (float64(a*a) + float64(b*b)) / float64(2*(a+b))
	}
	return math.Abs(from+to) / 2
}
