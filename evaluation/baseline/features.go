package baseline

import (
	"cmp"
	"math"
	"slices"

	"sml/data"
)

// scaling chooses and standardises the features that a regression uses.
type scaling struct {
	features []int     // indices of the used features, ascending
	means    []float64 // mean of each used feature
	scales   []float64 // standard deviation of each used feature, above 0
}

// chooseFeatures returns the scaling for training rows. It uses all features that are not constant or, if there are more
// than maxCount, the maxCount features with the highest correlation with the target: see correlations.
func chooseFeatures(train Rows, maxCount int) scaling {
	means, stds := train.moments()
	_, exactStds := data.Moments(train.X, train.Inputs, train.Numbers) // 0, unlike stds, if values differ only by rounding
	var s scaling
	for j, std := range exactStds {
		if std > 0 && stds[j] > 0 {
			s.features = append(s.features, j)
		}
	}
	if len(s.features) > maxCount {
		correlations := train.correlations(means, stds)
		byCorrelation := func(a, b int) int { return cmp.Compare(correlations[b], correlations[a]) }
		slices.SortStableFunc(s.features, byCorrelation)
		s.features = s.features[:maxCount]
		slices.Sort(s.features)
	}
	for _, j := range s.features {
		s.means = append(s.means, means[j])
		s.scales = append(s.scales, stds[j])
	}
	return s
}

// moments returns the weighted means and standard deviations of the features.
func (r Rows) moments() (means, stds []float64) {
	means = make([]float64, r.Inputs)
	variances := make([]float64, r.Inputs)
	total := r.totalWeight()
	for i := range r.Numbers {
		fraction := r.weight(i) / total
		for j, x := range r.features(i) {
			means[j] += float64(fraction * x)
		}
	}
	for i := range r.Numbers {
		fraction := r.weight(i) / total
		for j, x := range r.features(i) {
			deviation := x - means[j]
			variances[j] += float64(fraction * deviation * deviation)
		}
	}
	for _, variance := range variances {
		stds = append(stds, math.Sqrt(variance))
	}
	return means, stds
}

// correlations returns the absolute correlation of each feature with the target, up to a common factor, or NaN if the
// feature is constant. If the target is a class, it returns the highest of the correlations with membership in each class.
// means and stds are the features' means and standard deviations.
func (r Rows) correlations(means, stds []float64) []float64 {
	targets := [][]float64{r.Y}
	if r.Classes > 0 {
		targets = r.memberships()
	}
	highest := make([]float64, r.Inputs)
	for _, y := range targets {
		covariances := r.covariances(means, y)
		_, std := data.Moments(y, 1, nil)
		if std[0] == 0 {
			continue
		}
		for j, covariance := range covariances {
			highest[j] = max(highest[j], math.Abs(covariance/(stds[j]*std[0])))
		}
	}
	return highest
}

// memberships returns for each class a number for each row: 1 if the row has the class, 0 otherwise.
func (r Rows) memberships() [][]float64 {
	memberships := make([][]float64, r.Classes)
	for class := range memberships {
		memberships[class] = make([]float64, len(r.Y))
		for i, y := range r.Y {
			if int(y) == class {
				memberships[class][i] = 1
			}
		}
	}
	return memberships
}

// covariances returns the weighted covariance of each feature with the target y. means are the features' means.
func (r Rows) covariances(means, y []float64) []float64 {
	centred := r
	centred.Y = y
	meanTarget := centred.meanTarget()
	covariances := make([]float64, r.Inputs)
	total := r.totalWeight()
	for i := range y {
		fraction := r.weight(i) / total
		for j, x := range r.features(i) {
			covariances[j] += float64(fraction * (x - means[j]) * (y[i] - meanTarget))
		}
	}
	return covariances
}

// standardise sets dst to the used features of a row, standardised. features has all features of the row.
func (s scaling) standardise(dst, features []float64) {
	for k, j := range s.features {
		dst[k] = (features[j] - s.means[k]) / s.scales[k]
	}
}
