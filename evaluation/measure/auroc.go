package measure

import "slices"

// AUROC returns the area under the receiver operating characteristic curve of two sets of values,
// such as the σ of usual and of shifted rows: the probability that a value of the first set is
// below a value of the second, where ties count half (Mann–Whitney). It is 1/2 if the sets cannot
// be told apart, 1 if all values of the second are above all of the first, and NaN if a set has no
// weight. Nil weights count all values the same. It takes O(n log n).
//
// Source: scikit-learn, roc_auc_score.
func AUROC(below, above, weightsBelow, weightsAbove []float64) float64 {
	values := append(append([]float64{}, below...), above...)
	weights := append(weightsOrOnes(weightsBelow, len(below)), weightsOrOnes(weightsAbove, len(above))...)
	aboveWeights := slices.Clone(weights) // 0 for the first set
	clear(aboveWeights[:len(below)])
	// The rank of a value among both sets minus its rank among the second set is the weight of the
	// first set below it.
	ranks := midranks(values, weights)
	ranksInAbove := midranks(values, aboveWeights)
	var sum, belowTotal, aboveTotal float64
	for i, w := range weights {
		sum += float64(aboveWeights[i] * (ranks[i] - ranksInAbove[i]))
		belowTotal = belowTotal + w - aboveWeights[i]
		aboveTotal += aboveWeights[i]
	}
	return sum / belowTotal / aboveTotal
}

// weightsOrOnes returns a copy of the weights, or n ones if they are nil.
func weightsOrOnes(weights []float64, n int) []float64 {
	if weights != nil {
		return slices.Clone(weights)
	}
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	return ones
}
