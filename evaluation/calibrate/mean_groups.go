package calibrate

import (
	"cmp"
	"fmt"
	"slices"
)

// targetCalibration has the fit to the rows of one target or, if Options.MeanGroups is set, a fit to each
// group of these rows by their predicted mean.
type targetCalibration struct {
	TargetFit             // zero if ByMean is set
	ByMean    *meanGroups `json:"by_mean,omitempty"` // nil unless Options.MeanGroups is set
}

// meanGroups divides rows into groups by the predicted mean of a target, standardised and before the calibration.
// Each group has its own fit: a Mondrian conformal regressor (Boström & Johansson 2020, who group rows by an
// estimate of their error). A row belongs to the group of its predicted mean, a mean at an edge to the upper group.
type meanGroups struct {
	Edges  []float64   `json:"edges"`  // lower edge of each group but the first, ascending
	Groups []meanGroup `json:"groups"` // by ascending means
}

// meanGroup is a group of rows with similar predicted means.
type meanGroup struct {
	Rows int       `json:"rows"` // number of rows
	Fit  TargetFit `json:"fit"`
}

// maxMeanGroups is the largest Options.MeanGroups.
const maxMeanGroups = 1000

// checkMeanGroups returns an error unless groups is a valid Options.MeanGroups.
func checkMeanGroups(groups int) error {
	if groups == 0 || groups >= 2 && groups <= maxMeanGroups {
		return nil
	}
	return fmt.Errorf("there are %d groups by the predicted mean; want 2 to %d, or 0 for no such groups", groups, maxMeanGroups)
}

// fitMeanGroups divides the given rows into groups by the predicted mean of a target, and fits the calibration to each group.
// A group has enough rows for the calibration's interval.
func (c *Calibration) fitMeanGroups(kind Kind, r Rows, target int, rows []int) *meanGroups {
	meanOf := func(row int) float64 { return r.Predictions.Values[row*r.Predictions.Targets+target].Mean() }
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(a, b int) int { return cmp.Compare(meanOf(a), meanOf(b)) })
	means := make([]float64, len(sorted))
	for i, row := range sorted {
		means[i] = meanOf(row)
	}
	minRows := kind.Rows(c.Coverage)
	starts := groupStarts(means, c.MeanGroups, minRows)
	groups := &meanGroups{Edges: []float64{}}
	for _, start := range starts[1:] {
		groups.Edges = append(groups.Edges, edgeBetween(means[start-1], means[start]))
	}
	ends := append(starts[1:len(starts):len(starts)], len(sorted))
	for i, start := range starts {
		group := sorted[start:ends[i]]
		groups.Groups = append(groups.Groups, meanGroup{Rows: len(group), Fit: r.fit(kind, target, group)})
	}
	return groups
}

// groupStarts returns the index at which each group of the sorted means starts. The groups have equally many means,
// except that equal means share a group, and a group of fewer than minRows means joins its lower neighbour.
func groupStarts(means []float64, groups, minRows int) []int {
	starts := []int{0}
	for k := 1; k < groups; k++ {
		start := k * len(means) / groups
		for start < len(means) && means[start] == means[start-1] {
			start++
		}
		rowsBefore := start - starts[len(starts)-1]
		if rowsBefore >= minRows && len(means)-start >= minRows {
			starts = append(starts, start)
		}
	}
	return starts
}

// edgeBetween returns the lower edge of a group that starts at the mean high and follows a group that ends at the
// mean low: the middle between them, or high if no number lies between them. Sums of halves do not overflow.
func edgeBetween(low, high float64) float64 {
	middle := float64(low/2) + float64(high/2)
	if middle > low {
		return middle
	}
	return high
}

// FitsByMean returns the fits of the groups by the predicted mean, and the lower edge of each group but the first,
// ascending. Without such groups it returns the one fit and no edges.
func (t targetCalibration) FitsByMean() (edges []float64, fits []TargetFit) {
	if t.ByMean == nil {
		return nil, []TargetFit{t.TargetFit}
	}
	for _, g := range t.ByMean.Groups {
		fits = append(fits, g.Fit)
	}
	return t.ByMean.Edges, fits
}

// meanGroupIndex returns the index of the fit for a row with this predicted mean, in the order of FitsByMean.
func meanGroupIndex(edges []float64, mean float64) int {
	i, isEdge := slices.BinarySearch(edges, mean)
	if isEdge {
		return i + 1
	}
	return i
}

// smallestGroup returns the number of rows of the smallest group by the predicted mean, or rows, the number of
// all rows, if there are no such groups.
func (t targetCalibration) smallestGroup(rows int) int {
	if t.ByMean == nil {
		return rows
	}
	for _, g := range t.ByMean.Groups {
		rows = min(rows, g.Rows)
	}
	return rows
}
