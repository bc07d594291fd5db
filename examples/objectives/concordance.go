package main

import "sml/evaluation/measure"

// init registers the measure "concordance" for targets that may be lower bounds: where the column
// "censored" of the table is not 0.
func init() {
	measure.Register(measure.Measure{
		Name:           "concordance",
		Title:          "C index",
		Summary:        "concordance index: how often the larger of two targets has the larger predicted mean",
		Formula:        "fraction of the comparable pairs yᵢ < yⱼ with μᵢ < μⱼ; μᵢ = μⱼ counts as half a pair",
		Convention:     "from 0 to 1, and 0.5 for a constant mean. Comparable are pairs of which the smaller target is not censored, or of equal targets one. It is 0.5 without such a pair",
		Source:         "Harrell et al. 1982, Evaluating the yield of medical tests",
		Unit:           measure.None,
		HigherIsBetter: true,
		Needs:          []measure.Part{measure.Mean},
		Columns:        []string{"censored"},
		OnRequest:      true, // its time grows with the square of the number of rows
		Compute:        concordance,
	})
}

// concordance returns the weighted fraction of the comparable pairs that are concordant. A pair weighs as much as the
// product of the weights of its rows.
func concordance(c *measure.Column) float64 {
	comparable, concordant := 0.0, 0.0
	for i := range c.Y {
		for j := range c.Y {
			if !isBefore(c, i, j) {
				continue
			}
			weight := float64(weightOf(c, i) * weightOf(c, j))
			comparable += weight
			switch {
			case c.Mean[i] < c.Mean[j]:
				concordant += weight
			case c.Mean[i] == c.Mean[j]:
				concordant += float64(weight / 2)
			}
		}
	}
	if comparable == 0 {
		return 0.5
	}
	return concordant / comparable
}

// isBefore reports whether the target of row i is known to be below the target of row j.
func isBefore(c *measure.Column, i, j int) bool {
	isCensored := c.Extras["censored"]
	return isCensored[i] == 0 && (c.Y[i] < c.Y[j] || c.Y[i] == c.Y[j] && isCensored[j] != 0)
}

// weightOf returns the weight of a row, 1 if all rows count the same.
func weightOf(c *measure.Column, row int) float64 {
	if c.Weights == nil {
		return 1
	}
	return c.Weights[row]
}
