package summary

import (
	"math"
	"slices"
)

const (
	treeDepth       = 4   // splits on the way to a leaf
	minLeafRows     = 5   // minimum number of training rows in a leaf of a tree
	maxLeavesByRows = 200 // a leaf has at least the training rows divided by this number
)

// findLeaf returns the index of the leaf of a value: the number of thresholds up to it. Missing values have
// a leaf of their own, the last one.
func findLeaf(thresholds []float64, value float64) int {
	if math.IsNaN(value) {
		return len(thresholds) + 1
	}
	leaf, isThreshold := slices.BinarySearch(thresholds, value)
	if isThreshold {
		leaf++
	}
	return leaf
}

// tree is a regression tree on one column while it grows.
type tree struct {
	values      []float64   // values of the training rows, ascending
	sums        [][]float64 // [output][i]: sum of the output over the first i training rows; a difference of two is the sum between them
	minLeafRows int
	thresholds  []float64 // smallest value of each leaf except the first, ascending
}

// growTree fits a tree to the training rows, sorted by value, and returns its thresholds.
func growTree(values []float64, outputs [][]float64, training []int) []float64 {
	t := &tree{minLeafRows: max(minLeafRows, len(training)/maxLeavesByRows)}
	for _, row := range training {
		t.values = append(t.values, values[row])
	}
	for _, output := range outputs {
		sums := make([]float64, len(training)+1)
		for i, row := range training {
			sums[i+1] = sums[i] + output[row]
		}
		t.sums = append(t.sums, sums)
	}
	t.split(0, len(training), treeDepth)
	return t.thresholds
}

// split splits the training rows from start to end into leaves, at most depth times one below the other.
func (t *tree) split(start, end, depth int) {
	if depth == 0 {
		return
	}
	const minGain = 1e-9 // minimum decrease of the sum of squared errors; smaller gains are rounding
	best := 0            // row before which the best split is; 0 for none
	bestGain := minGain
	for i := start + t.minLeafRows; i <= end-t.minLeafRows; i++ {
		if t.values[i-1] == t.values[i] {
			continue
		}
		gain := t.gain(start, i, end)
		if gain > bestGain {
			best = i
			bestGain = gain
		}
	}
	if best == 0 {
		return
	}
	t.split(start, best, depth-1)
	t.thresholds = append(t.thresholds, t.values[best])
	t.split(best, end, depth-1)
}

// gain returns by how much the sum of squared errors of the rows from start to end falls if they are split
// before row i: n₁n₂/(n₁ + n₂)·(m₁ − m₂)² for each output, where n and m are the numbers of rows and the means of both
// sides.
func (t *tree) gain(start, i, end int) float64 {
	gain := 0.0
	for _, sums := range t.sums {
		below := sums[i] - sums[start]
		above := sums[end] - sums[i]
		difference := below/float64(i-start) - above/float64(end-i)
		gain += float64(difference * difference)
	}
	return gain * float64(i-start) * float64(end-i) / float64(end-start)
}
