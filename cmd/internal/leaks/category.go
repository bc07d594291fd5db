package leaks

import "math"

// categoryLearner returns the learner that predicts the mean of a row's category. Missing values are a category of
// their own.
func categoryLearner(values []float64, y *outcome, s *sample) learner {
	codes, count := encode(values)
	return func(fold int, predictions [][]float64) {
		start, end := s.fold(fold)
		predictByLeaf(codes, count, y, start, end, predictions)
	}
}

// encode numbers the different values in the order of their first rows. Missing values count as one value.
func encode(values []float64) (codes []int, count int) {
	numbers := make(map[float64]int)
	missing := -1
	codes = make([]int, len(values))
	for i, v := range values {
		if math.IsNaN(v) {
			if missing < 0 {
				missing = count
				count++
			}
			codes[i] = missing
			continue
		}
		number, isKnown := numbers[v]
		if !isKnown {
			number = count
			numbers[v] = number
			count++
		}
		codes[i] = number
	}
	return codes, count
}
