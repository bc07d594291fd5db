package explain

import (
	"cmp"
	"math"
	"slices"
)

// ColumnsByImportance returns the names of the columns, the most important for a target first. The
// aspects of OverviewAspects have different units, so importances are divided by the largest finite one of
// their aspect; a column ranks by the largest of its quotients.
func (p *Permutation) ColumnsByImportance(target string) []string {
	var names []string
	largestQuotient := make(map[string]float64) // by column
	for _, aspect := range p.OverviewAspects() {
		importances := p.importancesOf(target, aspect)
		largest := largestFinite(importances)
		for _, i := range importances {
			if !slices.Contains(names, i.Column) {
				names = append(names, i.Column)
			}
			quotient := float64(i.Mean) / largest     // NaN or infinite if no importance of the aspect is above 0
			if quotient > largestQuotient[i.Column] { // false for 0/0, which is NaN
				largestQuotient[i.Column] = quotient
			}
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(largestQuotient[b], largestQuotient[a]) })
	return names
}

// largestFinite returns the largest finite importance, and 0 if none is above 0.
func largestFinite(importances []Importance) float64 {
	largest := 0.0
	for _, i := range importances {
		mean := float64(i.Mean)
		if mean > largest && !math.IsInf(mean, 0) {
			largest = mean
		}
	}
	return largest
}

// importancesOf returns the importances of all columns for one aspect of a target.
func (p *Permutation) importancesOf(target string, aspect Aspect) []Importance {
	var importances []Importance
	for _, i := range p.Importances {
		if i.Target == target && i.Aspect == aspect {
			importances = append(importances, i)
		}
	}
	return importances
}

// OverviewAspects returns one aspect for each of two parts, for a short overview: for the mean the
// RMSE; for σ the measure, or Change if the measure does not depend on σ; for predictions without σ
// the measure of the whole prediction.
func (p *Permutation) OverviewAspects() []Aspect {
	var aspects []Aspect
	for _, part := range []Part{Mean, Std, Whole} {
		first := slices.IndexFunc(p.Importances, func(i Importance) bool { return i.Part == part })
		if first >= 0 {
			aspects = append(aspects, p.Importances[first].Aspect)
		}
	}
	const maxParts = 2 // the whole prediction is shown only if there is no σ
	return aspects[:min(len(aspects), maxParts)]
}
