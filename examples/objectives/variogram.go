package main

import (
	"math"

	"sml/evaluation/measure"
)

// init registers the measure "variogram", a score of the differences between targets.
func init() {
	measure.Register(measure.Measure{
		Name:         "variogram",
		Title:        "Variogram",
		Summary:      "variogram score of order ½: how well the differences between targets are predicted",
		Formula:      "mean of (√|yᵢ − yⱼ| − E √|Yᵢ − Yⱼ|)² over the rows, summed over all pairs of targets i < j",
		Convention:   "of 100 draws, from the same normal scores for all rows; all pairs have the weight 1",
		Source:       "Scheuerer & Hamill (2015), Variogram-based proper scoring rules, eq. 8, with each pair once",
		Unit:         measure.Target,
		Needs:        []measure.Part{measure.CDF},
		OnRequest:    true,
		ComputeJoint: func(targets []*measure.Column) float64 { return meanOfDraws(targets, variogramOfRow) },
	})
}

// variogramOfRow returns the sum over all pairs of targets of (√|yᵢ − yⱼ| − mean √|Yᵢ − Yⱼ|)², with the mean over the draws.
func variogramOfRow(draws [][]float64, y []float64) float64 {
	sum := 0.0
	for j := range y {
		for i := range j {
			predicted := 0.0
			for _, draw := range draws {
				predicted += math.Sqrt(math.Abs(draw[i]-draw[j])) / float64(len(draws))
			}
			difference := math.Sqrt(math.Abs(y[i]-y[j])) - predicted
			sum += float64(difference * difference)
		}
	}
	return sum
}
