package leaks

import "math"

// categoryLearner returns the learner that predicts the mean of a row's category, drawn towards the mean of
// all rows: the more, the fewer rows the category has and the less the categories differ. Missing values are
// a category of their own. A category without training rows is predicted by the mean of all rows.
func categoryLearner(values []float64, y *outcome, s *sample) learner {
	codes, count := encode(values)
	return func(fold int, predictions [][]float64) {
		start, end := s.fold(fold)
		for o, output := range y.outputs {
			means := categoryMeans(codes, count, output, start, end)
			for row := start; row < end; row++ {
				predictions[o][row] = means[codes[row]]
			}
		}
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

// categoryMeans returns the prediction for each category, fitted to all rows except the rows from start to end.
// It is the best linear prediction in a model of random effects, with the variances between and within
// categories by the method of moments of the analysis of variance.
func categoryMeans(codes []int, count int, output []float64, start, end int) []float64 {
	mean := meanOutside(output, start, end)
	sums := make([]float64, count)
	rows := make([]float64, count)
	var total, squares float64
	for i, code := range codes {
		if i >= start && i < end {
			continue
		}
		deviation := output[i] - mean
		sums[code] += deviation
		squares += float64(deviation * deviation)
		rows[code]++
		total++
	}
	ratio := varianceRatio(sums, rows, total, squares)
	means := make([]float64, count)
	for code := range means {
		means[code] = mean
		if rows[code] > 0 {
			means[code] += sums[code] / (rows[code] + ratio)
		}
	}
	return means
}

// varianceRatio returns the variance within categories over the variance between them, which is infinite
// if the categories do not differ. sums and rows have the sum of deviations from the mean and the number of
// rows of each category; total and squares are the number of all rows and the sum of squared deviations.
func varianceRatio(sums, rows []float64, total, squares float64) float64 {
	var between, rowSquares, categories float64
	for code, n := range rows {
		if n > 0 {
			between += float64(sums[code]*sums[code]) / n
			rowSquares += float64(n * n)
			categories++
		}
	}
	if categories < 2 || total <= categories {
		return math.Inf(1)
	}
	within := max(0, squares-between) / (total - categories)
	meanRows := (total - rowSquares/total) / (categories - 1)
	betweenVariance := (between/(categories-1) - within) / meanRows
	if betweenVariance <= 0 {
		return math.Inf(1)
	}
	return within / betweenVariance
}
