package measure

import "slices"

// AUROC returns the area under the receiver operating characteristic curve of two sets of values,
// such as the σ of usual and of shifted rows: the probability that a value of the first set is
// below a value of the second, where ties count half (Mann and Whitney). It is 1/2 if the sets have the
// same distribution, 1 if all values of the second set are above all values of the first, and NaN if the
// weights of a set are all 0. Nil weights mean that all values of a set count the same. AUROC takes
// O(n log n) for n values.
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
	var pairsWeight float64 // of the pairs in which the value of the first set is below
	var belowTotal, aboveTotal float64
	for i, weight := range weights {
		pairsWeight += float64(aboveWeights[i] * (ranks[i] - ranksInAbove[i]))
		belowTotal = belowTotal + weight - aboveWeights[i]
		aboveTotal += aboveWeights[i]
	}
	return pairsWeight / belowTotal / aboveTotal
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
