package main

import (
	"math"
	"math/rand/v2"

	"sml/evaluation/measure"
	"sml/models/distribution"
)

// init registers the measure "energy", one score of all targets together.
func init() {
	measure.Register(measure.Measure{
		Name:         "energy",
		Title:        "Energy",
		Summary:      "energy score: the CRPS of all targets together",
		Formula:      "mean E‖Y − y‖ − ½ E‖Y − Y′‖, Y and Y′ independent draws of the predicted distribution",
		Convention:   "of 100 draws, the same levels for all rows. Methods predict the targets one by one, so that the targets of a draw are independent",
		Source:       "Gneiting & Raftery (2007), Strictly proper scoring rules, prediction, and estimation, eq. 22, with the opposite sign",
		Unit:         measure.Target,
		Needs:        []measure.Part{measure.CDF},
		OnRequest:    true,
		ComputeJoint: energy,
	})
}

// energyDraws is the number of draws of a row's targets.
const energyDraws = 100

// energy returns the mean energy score of the rows. Each draw consists of quantiles at levels that are drawn once, for all
// rows, so that the score does not depend on the order of the rows.
func energy(targets []*measure.Column) float64 {
	random := rand.New(rand.NewPCG(1, 1)) // a fixed seed: equal columns have equal scores
	levels := make([][]float64, energyDraws)
	for k := range levels {
		for range targets {
			levels[k] = append(levels[k], (float64(random.Uint64N(1<<52))+0.5)/(1<<52)) // between 0 and 1, both excluded
		}
	}
	return targets[0].Average(func(row int) float64 { return energyOfRow(targets, levels, row) })
}

// energyOfRow returns mean ‖yₖ − y‖ − ½ mean ‖yₖ − yₗ‖ over the draws yₖ and the pairs of different draws of a row.
func energyOfRow(targets []*measure.Column, levels [][]float64, row int) float64 {
	var y []float64
	draws := make([][]float64, len(levels))
	for j, c := range targets {
		y = append(y, c.Y[row])
		d := distributionOf(c, row)
		for k := range draws {
			draws[k] = append(draws[k], d.Quantile(levels[k][j]))
		}
	}
	n := float64(len(draws))
	toTarget, apart := 0.0, 0.0
	for k, draw := range draws {
		toTarget += distance(draw, y) / n
		for _, other := range draws[:k] {
			apart += distance(draw, other) / float64(n*(n-1)/2)
		}
	}
	return toTarget - float64(apart/2)
}

// distributionOf returns the predicted distribution of a row. A column without distributions has normal ones.
func distributionOf(c *measure.Column, row int) distribution.Distribution {
	if c.Distributions == nil {
		return distribution.NewNormal(c.Mean[row], c.Std[row])
	}
	return c.Distributions[row]
}

// distance returns the Euclidean distance of two points.
func distance(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += float64((v - b[i]) * (v - b[i]))
	}
	return math.Sqrt(sum)
}
