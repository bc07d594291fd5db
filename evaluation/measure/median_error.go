package measure

import "slices"

var medianError = Measure{
	Name:       "median-ae",
	Title:      "MedAE",
	Summary:    "median absolute error of the predicted mean",
	Formula:    "median |μ − y|",
	Convention: "rows with huge errors do not change it. With weights, half of the weight has smaller errors",
	Source:     "scikit-learn, median_absolute_error",
	Unit:       Target,
	Needs:      []Part{Mean},
	OnRequest:  true,
	Compute:    func(c *Column) float64 { return weightedMedian(c.AbsoluteErrors(), c.scaledWeights()) },
}

// weightedMedian returns the median of values with weights, nil if all count the same: the mean of the smallest value up
// to which half of the weight lies, and of the largest one from which half of the weight lies.
func weightedMedian(values, weights []float64) float64 {
	sorted, weights := sortWithWeights(values, weights)
	if weights == nil {
		weights = slices.Repeat([]float64{1}, len(sorted))
	}
	total := 0.0
	for _, w := range weights {
		total += w
	}
	const rounding = 1e-12 // of the total weight, by which sums of weights may be off
	half := float64(total * 0.5)
	slack := float64(total * rounding)
	low, high := -1, len(sorted)-1
	sum := 0.0
	for i, w := range weights {
		sum += w
		if low < 0 && sum >= half-slack {
			low = i
		}
		if sum > half+slack {
			high = i
			break
		}
	}
	return float64(sorted[low]/2) + float64(sorted[high]/2)
}
