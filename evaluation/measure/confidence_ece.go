package measure

import (
	"math"
	"slices"
)

// confidenceBins is the number of bins of Guo et al. (2017).
const confidenceBins = 15

var confidenceECE = Measure{
	Name: "confidence-ece", Title: "Conf ECE",
	Summary:    "expected calibration error of classes: how far the probability of the most probable class is from the fraction of rows that are of it",
	Formula:    "Σ over 15 bins of max p: fraction of rows × |accuracy − mean max p|",
	Convention: "bins of equal width from 0 to 1, upper edges included",
	Source:     "Guo et al. (2017), On calibration of modern neural networks, equation 3",
	Unit:       None, Needs: []Part{Probabilities},
	Compute: func(c *Column) float64 {
		var gaps [confidenceBins]float64 // Σ of the correct rows minus their confidence, by weight
		total := 0.0
		for row := range c.Y {
			p, _ := c.classProbabilities(row)
			confidence, w := slices.Max(p), c.weightOf(row)
			gap := -confidence
			if slices.Index(p, confidence) == int(c.Y[row]) {
				gap = 1 - confidence
			}
			bin := max(0, min(confidenceBins, int(math.Ceil(confidence*confidenceBins)))-1)
			gaps[bin] += float64(w * gap)
			total += w
		}
		sum := 0.0
		for _, gap := range gaps {
			sum += math.Abs(gap) / total
		}
		return sum
	},
}
