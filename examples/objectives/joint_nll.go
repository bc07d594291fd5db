package main

import "sml/evaluation/measure"

// init registers the measure "joint-nll", the negative log-likelihood of all targets together.
func init() {
	measure.Register(measure.Measure{
		Name:         "joint-nll",
		Title:        "Joint NLL",
		Summary:      "negative log-likelihood of all targets together",
		Formula:      "mean of −log p(y), with the predicted density p of all targets of a row",
		Convention:   "standardised, with its constants such as ½ log 2π",
		Source:       "Gneiting & Raftery (2007), Strictly proper scoring rules, prediction, and estimation, section 4.1",
		Unit:         measure.None,
		Needs:        []measure.Part{measure.Density},
		OnRequest:    true,
		ComputeJoint: jointNLL,
	})
}

// jointNLL returns the mean negative log-likelihood of the rows.
func jointNLL(targets []*measure.Column) float64 {
	return targets[0].Average(func(row int) float64 {
		return -jointOf(targets, row).LogDensity(truth(targets, row))
	})
}
