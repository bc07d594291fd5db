package measure

// AUROC is the area under the receiver operating characteristic that tells two sets of
// rows apart by a value, such as shifted rows from others by σ: the probability that
// one of the first set is below one of the second, ties counting half (Mann–Whitney).
// 1/2 tells nothing, 1 means that all of the second are above all of the first. nil
// weights count all alike. NaN where a set has no weight. As scikit-learn's
// roc_auc_score, O(n log n).
func AUROC(below, above, weightsBelow, weightsAbove []float64) float64 {
	values := append(append([]float64{}, below...), above...)
	var weights, second []float64
	for i := range values {
		w := 1.0
		switch j := i - len(below); {
		case j < 0 && weightsBelow != nil:
			w = weightsBelow[i]
		case j >= 0 && weightsAbove != nil:
			w = weightsAbove[j]
		}
		weights = append(weights, w)
		if i < len(below) {
			w = 0
		}
		second = append(second, w)
	}
	// A rank among all is what of both sets is below: less what of the second is, it is
	// what of the first is.
	among, own := midranks(values, weights), midranks(values, second)
	var sum, first, all float64
	for i, w := range weights {
		sum += float64(second[i] * (among[i] - own[i]))
		first, all = first+w-second[i], all+second[i]
	}
	return sum / first / all
}
