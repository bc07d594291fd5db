package distribution

// ClassSets is a distribution over classes that also gives sets of classes. The set of a coverage contains the true class
// with that probability, over rows like those that the sets were calibrated on.
type ClassSets struct {
	Classes

	Scores []float64                      // conformal score of each class: how unlike the calibration rows it would be
	Bound  func(coverage float64) float64 // largest score of the classes in the set of a coverage
}

// Set reports for each class whether it is in the set of a coverage. The most probable class always is.
func (d ClassSets) Set(coverage float64) []bool {
	set := make([]bool, len(d.Classes))
	bound := d.Bound(coverage)
	best := 0
	for class, p := range d.Classes {
		set[class] = d.Scores[class] <= bound
		if p > d.Classes[best] {
			best = class
		}
	}
	set[best] = true
	return set
}

// Affine returns the distribution itself: a class has no unit.
func (d ClassSets) Affine(_, _ float64) Distribution { return d }

// ClassesOf returns the probabilities of a distribution over classes, with or without sets. It returns false for a
// distribution of numbers.
func ClassesOf(d Distribution) (Classes, bool) {
	switch d := d.(type) {
	case Classes:
		return d, true
	case ClassSets:
		return d.Classes, true
	}
	return nil, false
}
