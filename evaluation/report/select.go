package report

import (
	"slices"

	"sml/evaluation/measure"
)

// DistinctNames returns the names of elements, for example the data sets of scores. It returns each
// name once, in the order of first appearance.
func DistinctNames[T any](elements []T, nameOf func(T) string) []string {
	var names []string
	for _, element := range elements {
		name := nameOf(element)
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// FilterScores returns the scores for which isWanted returns true, in a new slice.
func FilterScores(scores []measure.Score, isWanted func(measure.Score) bool) []measure.Score {
	return slices.DeleteFunc(slices.Clone(scores), func(s measure.Score) bool { return !isWanted(s) })
}
