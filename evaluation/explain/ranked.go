package explain

import (
	"cmp"
	"math"
	"slices"
)

// Ranked are the columns, those first that the predictions of a target follow from most:
// by the larger of their shares in the largest importance for the mean and in the largest
// for σ, as Shown has them.
func (p *Permutation) Ranked(target string) []string {
	var names []string
	share := make(map[string]float64)
	for _, shown := range p.Shown() {
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

// Shown is what is shown of each part where there is no room for all: for the mean the
// rise of the RMSE; for σ that of the measure, or Change by a measure that does not look
// at σ; for predictions without σ the rise of the measure for all of the prediction.
func (p *Permutation) Shown() []Aspect {
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
