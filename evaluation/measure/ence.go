package measure

import "math"

var ence = Measure{
	Name:       "ence",
	Title:      "ENCE",
	Summary:    "expected normalised calibration error: how far σ is from the size of the errors, by groups of rows with similar σ",
	Formula:    "mean over 10 groups of equal size by ascending σ: |√mean σ² − √mean (μ − y)²|/√mean σ²",
	Convention: "0.1 if σ is 10 % off in each group. A row between two groups counts in both by parts, and rows with equal σ are divided equally. Infinite if σ = 0 in a group with errors",
	Source:     "Levi, Gispan, Giladi & Fetaya (2022), Evaluating and calibrating uncertainty prediction in regression tasks, eq. 8",
	Unit:       None,
	Needs:      []Part{Mean, Std},
	OnRequest:  true,
	Compute:    func(c *Column) float64 { return c.normalisedCalibrationError() },
}

// stdGroups is the number of groups of the ENCE.
const stdGroups = 10

// normalisedCalibrationError returns the ENCE.
func (c *Column) normalisedCalibrationError() float64 {
	weights := c.scaledWeights()
	exponent := squareUnit(weights, c.Std, c.AbsoluteErrors()) // so that no square overflows
	var variances, squares [stdGroups]float64                  // sums over the rows of each group
	below := 0.0                                               // fraction of the weight of rows with smaller σ
	for ties := range tiedRows(c.Std, weights) {
		fraction, variance, square := 0.0, 0.0, 0.0
		for _, row := range ties {
			part := weighted(weights, row, 1) / float64(len(c.Y))
			std := math.Ldexp(c.Std[row], -exponent)
			deviation := math.Ldexp(c.Mean[row]-c.Y[row], -exponent)
			fraction += part
			variance += float64(part * std * std)
			square += float64(part * deviation * deviation)
		}
		for group := range stdGroups {
			overlap := min(below+fraction, float64(group+1)/stdGroups) - max(below, float64(group)/stdGroups)
			if overlap > 0 {
				variances[group] += float64(variance * overlap / fraction)
				squares[group] += float64(square * overlap / fraction)
			}
		}
		below += fraction
	}
	sum := 0.0
	for group, variance := range variances {
		if difference := math.Abs(math.Sqrt(variance) - math.Sqrt(squares[group])); difference > 0 {
			sum += difference / math.Sqrt(variance)
		}
	}
	return sum / stdGroups
}
