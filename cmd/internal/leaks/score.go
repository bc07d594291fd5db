package leaks

// learner is fitted to all folds of a sample but one, and predicts all outputs of the rows of that fold.
// predictions has the form of outcome.outputs.
type learner func(fold int, predictions [][]float64)

// score returns the held-out R² of a learner over all folds: 1 minus the sum of its squared errors over
// the sum of the squared errors of the training rows' means. It returns 0 if the target is constant.
func score(y *outcome, s *sample, predict learner) float64 {
	predictions := make([][]float64, len(y.outputs))
	for o := range predictions {
		predictions[o] = make([]float64, s.size())
	}
	var errorSum, meanErrorSum float64
	for k := range folds {
		start, end := s.fold(k)
		predict(k, predictions)
		for o, output := range y.outputs {
			mean := meanOutside(output, start, end)
			for i := start; i < end; i++ {
				residual := output[i] - predictions[o][i]
				deviation := output[i] - mean
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

// meanOutside returns the mean of the values outside start to end.
func meanOutside(values []float64, start, end int) float64 {
	sum := 0.0
	for _, v := range values[:start] {
		sum += v
	}
	for _, v := range values[end:] {
		sum += v
	}
	return sum / float64(len(values)-(end-start))
}
