package explain

import (
	"cmp"
	"math"
	"slices"
)

// Ranked returns the names of the columns, the most important for a target first. The importances
// of each aspect that Shown returns are divided by the largest one; a column ranks by the largest
// of its quotients.
func (p *Permutation) ColumnsByImportance(target string) []string {
	var names []string
	share := make(map[string]float64)
	for _, shown := range p.OverviewAspects() {
		most := 0.0
		of := make(map[string]float64)
		for _, i := range p.Importances {
			if i.Target != target || i.Aspect != shown {
				continue
			}
			of[i.Column] = float64(i.Mean)
			if !slices.Contains(names, i.Column) {
				names = append(names, i.Column)
			}
			if v := float64(i.Mean); v > most && !math.IsInf(v, 0) {
				most = v
			}
		}
		for name, v := range of {
			if v /= most; v > share[name] {
				share[name] = v
			}
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(share[b], share[a]) })
	return names
}

// Shown returns one aspect for each of two parts, for a short overview: for the mean the RMSE;
// for σ the measure, or Change if the measure does not depend on σ; for predictions without σ the
// measure of the whole prediction.
func (p *Permutation) OverviewAspects() []Aspect {
	var list []Aspect
	for _, part := range []Part{Mean, Std, Whole} {
		for _, i := range p.Importances {
			if i.Part == part {
				list = append(list, i.Aspect)
				break
			}
		}
	}
	return list[:min(len(list), 2)] // without σ there is no second part
}
