// Package compare compares scores with a reference, such as a publication, and the scores of
// several seeds with one another.
package compare

import (
	"slices"

	"sml/evaluation/measure"
)

// Distinct returns the names of the elements of a list, for example the data sets of scores. It
// returns each name once, in the order of first appearance.
func Distinct[T any](list []T, nameOf func(T) string) []string {
	var names []string
	for _, v := range list {
		if name := nameOf(v); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Filter returns the scores that keep accepts.
func Filter(scores []measure.Score, keep func(measure.Score) bool) []measure.Score {
	return slices.DeleteFunc(slices.Clone(scores), func(s measure.Score) bool { return !keep(s) })
}
