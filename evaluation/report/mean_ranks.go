package report

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"sml/internal/portable"
)

// methodRanking compares methods by their ranks on several data sets. Ranks are comparable where scores are not, since data
// sets differ in difficulty and unit.
type methodRanking struct {
	MeanRanks []float64 // of each method over the data sets; 1 for a method that is the best on each

	// PValue is the probability of mean ranks that differ at least as much, if no method is better than another. NaN
	// with fewer than two methods or data sets.
	PValue float64

	// CriticalDifference is the least difference of two mean ranks that is significant at 5 %, all pairs of methods
	// taken together. It depends on the numbers of methods and data sets alone, and is NaN if PValue is.
	CriticalDifference float64
}

// rankMethods ranks methods by the badness of their scores, which is less for better methods, by data set and method. Methods
// with equal scores get the mean of their ranks. NaN ranks last.
//
// Source: Demšar (2006), Statistical Comparisons of Classifiers over Multiple Data Sets, section 3.2: the critical
// difference of Nemenyi (1963), and the Friedman test, exact where there are few methods and data sets, and otherwise in
// the form of Iman and Davenport (1980).
func rankMethods(badness [][]float64) methodRanking {
	if len(badness) == 0 {
		return methodRanking{PValue: math.NaN(), CriticalDifference: math.NaN()}
	}
	datasets := len(badness)
	methods := len(badness[0])
	r := methodRanking{MeanRanks: make([]float64, methods), CriticalDifference: criticalDifference(methods, datasets)}
	var ranks [][]float64
	for _, scores := range badness {
		ofDataset := ranksOf(scores)
		ranks = append(ranks, ofDataset)
		for method, rank := range ofDataset {
			r.MeanRanks[method] += rank / float64(datasets)
		}
	}
	var isExact bool
	r.PValue, isExact = exactFriedmanPValue(ranks)
	if !isExact {
		r.PValue = friedmanPValue(ranks, r.MeanRanks)
	}
	return r
}

// ranksOf returns the ranks of scores, 1 for the least. Equal scores get the mean of their ranks, and NaN ranks last.
func ranksOf(scores []float64) []float64 {
	ranks := make([]float64, len(scores))
	for i, score := range scores {
		lower := 0
		equal := 0 // number of equal scores, this one included
		for _, other := range scores {
			order := compareNaNLast(other, score)
			if order < 0 {
				lower++
			}
			if order == 0 {
				equal++
			}
		}
		ranks[i] = float64(lower) + float64(0.5*float64(equal+1)) // the equal scores have the ranks from lower+1 to lower+equal
	}
	return ranks
}

// compareNaNLast compares two numbers as cmp.Compare does, except that NaN is after all numbers. Negating both numbers
// and swapping them leaves the order of numbers as it is, and cmp.Compare sorts NaN first, negated or not.
func compareNaNLast(a, b float64) int { return cmp.Compare(-b, -a) }

// friedmanPValue returns the p-value of the Friedman test of ranks by data set and method. Friedman's χ² is
// (methods − 1)·datasets²·between/total, which allows for equal ranks. Here between is the sum of the squared deviations
// of the mean ranks from the mean of all ranks, and total the sum over all ranks. Iman and Davenport turn χ² into an F
// statistic, since χ² finds too few differences.
func friedmanPValue(ranks [][]float64, meanRanks []float64) float64 {
	if len(meanRanks) < 2 || len(ranks) < 2 {
		return math.NaN()
	}
	middle := float64(0.5 * float64(len(meanRanks)+1)) // mean of the ranks on each data set
	between := 0.0
	for _, mean := range meanRanks {
		between += float64((mean - middle) * (mean - middle))
	}
	total := 0.0
	for _, ofDataset := range ranks {
		for _, rank := range ofDataset {
			total += float64((rank - middle) * (rank - middle))
		}
	}
	if total == 0 { // all methods are equal everywhere
		return 1
	}
	datasets := float64(len(ranks))
	degrees := float64(len(meanRanks) - 1)
	chiSquared := float64(float64(degrees*datasets*datasets)*between) / total
	remainder := float64(datasets*degrees) - chiSquared
	if remainder <= 0 { // all data sets rank the methods alike
		return 0
	}
	f := distuv.F{D1: degrees, D2: float64(degrees * (datasets - 1))}
	return f.Survival(float64((datasets-1)*chiSquared) / remainder)
}

// significance is the probability that any two of several equally good methods seem to differ.
const significance = 0.05

// criticalDifference returns Nemenyi's critical difference of mean ranks, q·√(k(k+1)/(12·N)) for k methods and N data
// sets, with the quantile q of the range of k standard normal numbers.
func criticalDifference(methods, datasets int) float64 {
	if methods < 2 || datasets < 2 {
		return math.NaN()
	}
	k := float64(methods)
	return float64(rangeQuantile(1-significance, methods) * math.Sqrt(float64(k*(k+1))/float64(12*datasets)))
}

// rangeQuantile returns the quantile at a level of the range of n independent standard normal numbers: of the largest
// minus the smallest of them.
func rangeQuantile(level float64, n int) float64 {
	low := 0.0
	high := 1.0
	for rangeCDF(high, n) < level {
		high *= 2
	}
	const steps = 50 // halve the interval to less than 1e-13
	for range steps {
		middle := (low + high) / 2
		if rangeCDF(middle, n) < level {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// rangeCDF returns the probability that the range of n standard normal numbers is at most r. If the smallest number is z,
// the others are between z and z + r. So the probability is the integral of n·φ(z)·(Φ(z + r) − Φ(z))ⁿ⁻¹ over z. It is
// computed by the trapezoidal rule, whose error is negligible for integrands that vanish, with all derivatives, at both
// ends.
func rangeCDF(r float64, n int) float64 {
	const (
		end   = 9.0 // of z in both directions: φ(9) is below 1e-17
		width = 1.0 / 64
	)
	sum := 0.0
	for z := -end; z <= end; z += width {
		between := portable.NormalCDF(z+r) - portable.NormalCDF(z)
		power := 1.0
		for range n - 1 {
			power = float64(power * between)
		}
		sum += float64(portable.NormalPDF(z) * power)
	}
	return float64(float64(n)*width) * sum
}
