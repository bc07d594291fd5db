package main

import (
	"math"
	"math/rand/v2"

	"sml/evaluation/measure"
	"sml/internal/portable"
	"sml/models/distribution"
)

// init registers the measure "energy", one score of all targets together.
func init() {
	measure.Register(measure.Measure{
		Name:         "energy",
		Title:        "Energy",
		Summary:      "energy score: the CRPS of all targets together",
		Formula:      "mean E‖Y − y‖ − ½ E‖Y − Y′‖, Y and Y′ independent draws of the predicted distribution",
		Convention:   "of 100 draws, from the same normal scores for all rows",
		Source:       "Gneiting & Raftery (2007), Strictly proper scoring rules, prediction, and estimation, eq. 22, with the opposite sign",
		Unit:         measure.Target,
		Needs:        []measure.Part{measure.CDF},
		OnRequest:    true,
		ComputeJoint: func(targets []*measure.Column) float64 { return meanOfDraws(targets, energyOfRow) },
	})
}

// jointOf returns the predicted distribution of all targets of a row. Predictions with contradicting correlations do not
// get here.
func jointOf(targets []*measure.Column, row int) *distribution.Joint {
	joint, err := measure.JointOf(targets, row)
	if err != nil {
		panic(err)
	}
	return joint
}

// truth returns the true values of a row.
func truth(targets []*measure.Column, row int) []float64 {
	var y []float64
	for _, c := range targets {
		y = append(y, c.Y[row])
	}
	return y
}

// meanOfDraws returns the mean over the rows of a score of 100 draws of a row's targets and their true values. The draws
// come from normal scores drawn once, for all rows, so that the mean does not depend on the order of the rows.
func meanOfDraws(targets []*measure.Column, score func(draws [][]float64, y []float64) float64) float64 {
	const drawCount = 100
	random := rand.New(rand.NewPCG(1, 1)) // a fixed seed: equal columns have equal scores
	scores := make([][]float64, drawCount)
	for k := range scores {
		for range targets {
			scores[k] = append(scores[k], portable.NormFloat64(random))
		}
	}
	return targets[0].Average(func(row int) float64 {
		joint := jointOf(targets, row)
		var draws [][]float64
		for _, independent := range scores {
			draws = append(draws, joint.At(independent))
		}
		return score(draws, truth(targets, row))
	})
}

// energyOfRow returns mean ‖yₖ − y‖ − ½ mean ‖yₖ − yₗ‖ over the draws yₖ and the pairs of different draws of a row.
func energyOfRow(draws [][]float64, y []float64) float64 {
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

// distance returns the Euclidean distance of two points.
func distance(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += float64((v - b[i]) * (v - b[i]))
	}
	return math.Sqrt(sum)
}
