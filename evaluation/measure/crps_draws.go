package measure

import "slices"

var crpsDraws = Measure{
	Name: "crps-draws", Title: "eCRPS",
	Summary: "continuous ranked probability score of draws, as of an ensemble, without assuming a shape",
	Formula: "mean of 1/m Σ|xᵢ − y| − 1/(2m²) ΣΣ|xᵢ − xⱼ|, x₁ … xₘ the draws of a row",
	Convention: "it is the score of the draws' own distribution function, and of a single draw its distance. " +
		"CRPSOfDraws has the fair one too, with m(m − 1) for m². Of predictions with draws alone, which a program gives (Column.Draws); what the methods here predict has none",
	Source: "Gneiting & Raftery (2007), Strictly proper scoring rules, prediction, and estimation, eq. 21; properscoring, crps_ensemble",
	Unit:   Target, Needs: []Part{Draws}, OnRequest: true,
	Of: func(c *Column) float64 {
		return c.Average(func(row int) float64 { return CRPSOfDraws(c.Draws[row], c.Y[row], false) })
	},
}

// CRPSOfDraws is the continuous ranked probability score of draws x₁ … xₘ at y, in
// their unit: 1/m Σ|xᵢ − y| − 1/(2m²) ΣΣ|xᵢ − xⱼ|, of sorted draws in O(m log m). The
// fair one divides by m(m − 1) in the place of m², for two draws or more: its mean is
// that of infinitely many, whatever m. Source: Gneiting & Raftery 2007, eq. 21; Ferro
// 2014, Fair scores for ensemble forecasts.
func CRPSOfDraws(draws []float64, y float64, fair bool) float64 {
	sorted := slices.Sorted(slices.Values(draws))
	m := float64(len(sorted))
	var distance, spread float64 // Σ|x − y|, and Σ over pairs i < j
	for i, x := range sorted {
		distance += max(x-y, y-x)
		if i > 0 {
			spread += float64(float64(i) * (m - float64(i)) * (x - sorted[i-1])) // pairs on both sides of a gap
		}
	}
	pairs := float64(m * m)
	if fair && m > 1 {
		pairs = float64(m * (m - 1))
	}
	return distance/m - spread/pairs
}
