package summary

import (
	"cmp"
	"math"
	"slices"

	"sml/data"
)

// folds is the number of parts of a sample; each is held out in turn.
const folds = 5

// fold is a part of the sample: its rows from start to end, without end.
type fold struct{ index, start, end int }

// foldsOf returns the folds of a number of rows.
func foldsOf(rows int) (parts []fold) {
	for k := range folds {
		parts = append(parts, fold{k, k * rows / folds, (k + 1) * rows / folds})
	}
	return parts
}

// has reports whether the fold has a row.
func (f fold) has(row int) bool { return row >= f.start && row < f.end }

// meanOutside returns the mean of the values outside the fold.
func (f fold) meanOutside(values []float64) float64 {
	sum := 0.0
	for row, v := range values {
		if !f.has(row) {
			sum += v
		}
	}
	return sum / float64(len(values)-(f.end-f.start))
}

// heldOutR2 returns the held-out R² over all folds: 1 minus the sum of squared errors over the sum of the squared errors of
// the training rows' means. It returns 0 if the target is constant. predict fits to the rows outside a fold, and predicts all
// outputs of the rows of the fold: [output][row].
func heldOutR2(outputs [][]float64, predict func(f fold, predictions [][]float64)) float64 {
	predictions := make([][]float64, len(outputs))
	for o, output := range outputs {
		predictions[o] = make([]float64, len(output))
	}
	var errorSum, meanErrorSum float64
	for _, f := range foldsOf(len(outputs[0])) {
		predict(f, predictions)
		for o, output := range outputs {
			mean := f.meanOutside(output)
			for row := f.start; row < f.end; row++ {
				residual := output[row] - predictions[o][row]
				deviation := output[row] - mean
				errorSum += float64(residual * residual) // rounded before the addition on every CPU
				meanErrorSum += float64(deviation * deviation)
			}
		}
	}
	if meanErrorSum == 0 {
		return 0
	}
	return 1 - errorSum/meanErrorSum
}

// scoreNumbers returns the held-out R² of a small regression tree on numbers.
func scoreNumbers(values []float64, outputs [][]float64) float64 {
	var sorted []int // rows with a value, by ascending value
	for row, v := range values {
		if !math.IsNaN(v) {
			sorted = append(sorted, row)
		}
	}
	slices.SortStableFunc(sorted, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	leaves := make([]int, len(values))
	return heldOutR2(outputs, func(f fold, predictions [][]float64) {
		thresholds := growTree(values, outputs, slices.DeleteFunc(slices.Clone(sorted), f.has))
		for row, v := range values {
			leaves[row] = findLeaf(thresholds, v)
		}
		const extra = 2 // leaves more than thresholds: the first one, and the one of missing values
		predictByLeaf(f, leaves, len(thresholds)+extra, outputs, predictions)
	})
}

// scoreCategories returns the held-out R² of the means of categories. Missing values are a category of their own.
func scoreCategories(values []float64, outputs [][]float64) float64 {
	codes, count := encode(values)
	return heldOutR2(outputs, func(f fold, predictions [][]float64) {
		predictByLeaf(f, codes, count, outputs, predictions)
	})
}

// score sets the correlation of an input with the target, and how well it predicts the target by itself, unless there
// are too few rows.
func (y *outcome) score(c *Column) {
	const minGain = 0.1 // minimum difference of the R² of names and numbers
	if c.Kind != data.Category && !y.isClass() {
		r, ok := correlation(c.values, y.values)
		if ok {
			c.WithTarget = append(c.WithTarget, Correlation{Target: y.Name, R: r})
		}
	}
	if len(c.sample) < minScoredRows {
		return
	}
	score := scoreNumbers
	if c.Kind == data.Category {
		score = scoreCategories
	}
	r2 := max(0, score(c.sample, y.outputs))
	if mayBeNames(c) {
		asNames := scoreCategories(c.sample, y.outputs)
		if asNames > r2+minGain {
			c.namesRows = true
			r2 = asNames
		}
	}
	c.Predicts = append(c.Predicts, Prediction{Target: y.Name, R2: r2})
}

// minScoredRows is the minimum number of rows of a table with scores: scores of fewer rows are chance.
const minScoredRows = 30

// predictByLeaf predicts the rows of a fold by the means of their leaves, or categories. leaves has the leaf of each
// row, below count.
func predictByLeaf(f fold, leaves []int, count int, outputs, predictions [][]float64) {
	for o, output := range outputs {
		means := leafMeans(f, leaves, count, output)
		for row := f.start; row < f.end; row++ {
			predictions[o][row] = means[leaves[row]]
		}
	}
}

// leafMeans returns the mean of an output in each leaf over all rows outside the fold. A leaf with fewer than
// minLeafRows rows has one row more, with the mean of all rows, so that chance counts for less.
func leafMeans(f fold, leaves []int, count int, output []float64) []float64 {
	means := make([]float64, count)
	rows := make([]float64, count)
	for row, leaf := range leaves {
		if !f.has(row) {
			rows[leaf]++
			means[leaf] += output[row]
		}
	}
	mean := f.meanOutside(output)
	for leaf := range means {
		if rows[leaf] < minLeafRows {
			means[leaf] += mean
			rows[leaf]++
		}
		means[leaf] /= rows[leaf]
	}
	return means
}

// mayBeNames reports whether numbers may be the names of categories: whole numbers, few different ones.
func mayBeNames(c *Column) bool {
	const minDistinct, maxDistinct = 3, 256
	const minRowsPerName = 10 // mean number
	isFew := c.Distinct >= minDistinct && c.Distinct <= maxDistinct && minRowsPerName*c.Distinct <= len(c.values)
	return c.Kind == data.Number && isFew && c.isWhole()
}
