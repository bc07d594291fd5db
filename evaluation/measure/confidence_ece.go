package measure

import (
	"math"
	"slices"
)

// confidenceBins is the number of bins of Guo et al. (2017).
const confidenceBins = 15

var confidenceECE = Measure{
	Name:       "confidence-ece",
	Title:      "Conf ECE",
	Summary:    "expected calibration error of classes: how far the predicted probability of the most probable class is from the fraction of rows that belong to it",
	Formula:    "Σ over 15 bins of max p: fraction of rows × |accuracy − mean max p|",
	Convention: "bins have equal widths, and include their upper edges",
	Source:     "Guo et al. (2017), On calibration of modern neural networks, equation 3",
	Unit:       None,
	Needs:      []Part{Probabilities},
	Compute:    (*Column).confidenceError,
}

// confidenceError returns the confidence ECE. The confidence of a row is the probability of its most
// probable class.
//
// The fraction of the rows in a bin times |accuracy − mean confidence| is |Σ (correct − confidence)| over
// the rows of the bin, divided by the number of all rows, where correct is 1 or 0.
func (c *Column) confidenceError() float64 {
	var gaps [confidenceBins]float64 // Σ w·(correct − confidence) of the rows in each bin
	totalWeight := 0.0
	for row := range c.Y {
		probabilities, _ := c.classProbabilities(row)
		confidence := slices.Max(probabilities)
		gap := c.rowAccuracy(row) - confidence
		weight := c.Weight(row)
		gaps[confidenceBin(confidence)] += float64(weight * gap)
		totalWeight += weight
	}
	sum := 0.0
	for _, gap := range gaps {
		sum += math.Abs(gap) / totalWeight
	}
	return sum
}

// confidenceBin returns the bin of a confidence. The bins have equal widths and include their upper
// edges; rounding never leads out of them.
func confidenceBin(confidence float64) int {
	bin := int(math.Ceil(confidence*confidenceBins)) - 1
	return max(0, min(confidenceBins-1, bin))
}
