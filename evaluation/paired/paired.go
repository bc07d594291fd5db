// Package paired compares methods by their differences on the same rows or folds. Rows that all
// methods find hard cancel in such differences, so they tell methods apart which have similar scores.
//
// Start with [Differences], which compares two methods on one set of independent test rows, on rows that belong together
// in groups, or on the folds of a cross-validation, and with [OverFolds] for differences that you have yourself. All
// intervals contain the true difference with a probability of about 95 %.
package paired

import (
	"math"

	"sml/evaluation/measure"
	"sml/internal/portable"
	"sml/internal/statistics"
)

// Difference is the score of a method minus the score of another, with half the width of its 95 % interval.
type Difference struct {
	Mean      float64
	HalfWidth float64 // NaN if there are too few rows or folds to tell, or if a value is not finite
}

// IsSignificant reports whether the interval does not contain 0.
func (d Difference) IsSignificant() bool { return math.Abs(d.Mean) > d.HalfWidth }

// coverage is the probability with which intervals contain the true difference.
const coverage = 0.95

// newDifference returns a difference with the interval mean ± t·error, with the quantile t of Student's
// distribution.
func newDifference(mean, standardError, degreesOfFreedom float64) Difference {
	t := portable.StudentQuantile((1+coverage)/2, degreesOfFreedom)
	return Difference{Mean: mean, HalfWidth: float64(t * standardError)}
}

// OverFolds returns the mean of the differences on several folds. The folds share training rows, so their
// differences are not independent: the variance of the mean is s²·(1/n + testRatio) instead of s²/n. Here s²
// is the variance of the n differences, and testRatio the number of test rows of a fold, divided by its
// number of training rows.
//
// Source: Nadeau and Bengio (2003), Inference for the Generalization Error, section 4, corrected resampled t-test.
func OverFolds(differences []float64, testRatio float64) Difference {
	n := float64(len(differences))
	mean, std := statistics.MeanStd(differences)
	return newDifference(mean, float64(std*math.Sqrt(1/n+testRatio)), n-1)
}

// overRows returns the difference of the scores of two methods on the same rows, by one measure. weights has the weight of
// each row, nil if all count the same, and groups the group of each row, nil if the rows are independent. Rows depend on
// each other within their groups and not across them.
//
// The interval is the t interval of the mean of the paired differences of the rows' losses. A root r of a mean m, such as
// the RMSE, is linearised (delta method): increasing a loss by d raises the root by d/(2r), over the number of rows.
//
// Row i has the linearised difference dᵢ and the weight wᵢ; the mean is d̄ = Σ wᵢdᵢ / Σ wᵢ. With S = Σ wᵢ(dᵢ − d̄) over
// the rows of a group, the variance of the mean is G/(G−1) · Σ S² / (Σ wᵢ)² over the G groups, and Student's t has
// G − 1 degrees of freedom. An independent row is a group. There should be 30 groups or more: with few groups, or if one
// group has most rows, the interval is too short.
//
// Source: Dror et al. (2018), The Hitchhiker's Guide to Testing Statistical Significance, section 3.2.1 (paired t-test);
// van der Vaart (1998), Asymptotic Statistics, chapter 3 (delta method); Liang and Zeger (1986), Longitudinal data
// analysis using generalized linear models; Cameron and Miller (2015), A Practitioner's Guide to Cluster-Robust Inference,
// sections II.C (variance) and VI (G − 1 degrees of freedom).
func overRows(loss, other measure.RowLoss, weights []float64, groups []string) Difference {
	var sums []float64 // of the deviations of each group that counts
	index := make(map[string]int)
	for row, deviation := range weightedDeviations(loss, other, weights) {
		if rowWeight(weights, row) == 0 {
			continue
		}
		if groups == nil { // the row is independent
			sums = append(sums, deviation)
			continue
		}
		i, isKnown := index[groups[row]]
		if !isKnown {
			i = len(sums)
			index[groups[row]] = i
			sums = append(sums, 0)
		}
		sums[i] += deviation
	}
	return differenceFromSums(loss, other, weights, sums)
}

// weightedDeviations returns, for each row, the deviation of its linearised difference from the mean, times the row's
// weight. It returns 0 for a row of weight 0.
func weightedDeviations(loss, other measure.RowLoss, weights []float64) []float64 {
	score := scoreOf(loss, weights)
	otherScore := scoreOf(other, weights)
	deviations := make([]float64, len(loss.Values))
	for row := range deviations {
		deviations[row] = linearise(loss, row, score) - linearise(other, row, otherScore)
	}
	mean := weightedMean(deviations, weights)
	for row, d := range deviations {
		weight := rowWeight(weights, row)
		if weight == 0 { // the loss may be infinite
			deviations[row] = 0
			continue
		}
		deviations[row] = float64(weight * (d - mean))
	}
	return deviations
}

// differenceFromSums returns the difference of two scores. sums has the sum of the weighted deviations for each independent
// group of rows.
func differenceFromSums(loss, other measure.RowLoss, weights, sums []float64) Difference {
	squares := 0.0
	for _, sum := range sums {
		squares += float64(sum * sum)
	}
	total := 0.0 // sum of the weights
	for row := range loss.Values {
		total += rowWeight(weights, row)
	}
	n := float64(len(sums))
	standardError := math.Sqrt(float64(squares*n)/(n-1)) / total
	return newDifference(scoreOf(loss, weights)-scoreOf(other, weights), standardError, n-1)
}

// scoreOf returns the score of a method by the losses of its rows.
func scoreOf(loss measure.RowLoss, weights []float64) float64 {
	mean := weightedMean(loss.Values, weights)
	if loss.IsRoot {
		return math.Sqrt(mean)
	}
	return mean
}

// linearise returns the part of the score that a row has: its loss, or its loss over 2·score if the score is the
// root of the mean loss. A root of 0 has no rows with a loss.
func linearise(loss measure.RowLoss, row int, score float64) float64 {
	switch {
	case !loss.IsRoot:
		return loss.Values[row]
	case score == 0:
		return 0
	}
	return loss.Values[row] / (2 * score)
}

// weightedMean returns the weighted mean of values.
func weightedMean(values, weights []float64) float64 {
	sum := 0.0
	total := 0.0
	for row, value := range values {
		weight := rowWeight(weights, row)
		if weight == 0 { // the value may be infinite
			continue
		}
		sum += float64(weight * value)
		total += weight
	}
	return sum / total
}

// rowWeight returns the weight of a row, 1 if all count the same.
func rowWeight(weights []float64, row int) float64 {
	if weights == nil {
		return 1
	}
	return weights[row]
}
