package measure

import "slices"

var crpsDraws = Measure{
	Name: "crps-draws", Title: "eCRPS",
	Summary: "continuous ranked probability score of draws, as of an ensemble, without assuming a shape",
	Formula: "mean of 1/m Σ|xᵢ − y| − 1/(2m²) ΣΣ|xᵢ − xⱼ|, x₁ … xₘ the draws of a row",
	Convention: "it is the score of the draws' own distribution function, and of a single draw its distance. " +
		"Of predictions with draws alone, which a program gives (Column.Draws); what the methods here predict has none",
	Source: "Gneiting & Raftery (2007), Strictly proper scoring rules, prediction, and estimation, eq. 21; properscoring, crps_ensemble",
	Unit:   Target, Needs: []Part{Draws}, OnRequest: true,
	Of: func(c *Column) float64 {
		return c.Average(func(row int) float64 { return crpsOfDraws(c.Draws[row], c.Y[row]) })
	},
}

// crpsOfDraws returns the continuous ranked probability score of draws x₁ … xₘ at y, in
// their unit: 1/m Σ|xᵢ − y| − 1/(2m²) ΣΣ|xᵢ − xⱼ|, in O(m log m).
func crpsOfDraws(draws []float64, y float64) float64 {
	sorted := slices.Sorted(slices.Values(draws))
	m := float64(len(sorted))
	var distance, spread float64 // Σ|x − y|, and Σ over pairs i < j
	for i, x := range sorted {
		distance += max(x-y, y-x)
		if i > 0 {
			spread += float64(float64(i) * (m - float64(i)) * (x - sorted[i-1])) // pairs on both sides of a gap
		}
	}
	return distance/m - spread/float64(m*m)
}
