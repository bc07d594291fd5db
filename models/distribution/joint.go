package distribution

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"sml/internal/linear"
	"sml/internal/portable"
)

// Joint is the distribution of several numbers together, such as the targets of a row. Each number has a distribution by
// itself. The normal scores Φ⁻¹(F(y)) of the numbers, by their distribution functions F, are jointly normal: a Gaussian
// copula. If the distributions are normal, so is the joint distribution. Increasing transforms of the numbers do not
// change the correlations of their scores. Source: Nelsen 2006, An introduction to copulas, section 2.3.
type Joint struct {
	marginals []Distribution  // distribution of each number
	factor    linear.Cholesky // factor of the correlation matrix of the scores; nil if the numbers are independent
}

// NewJoint returns the joint distribution of numbers with the given distributions and correlations of their normal scores,
// a matrix; nil for independent numbers. It returns an error if there is no joint distribution with these correlations.
func NewJoint(marginals []Distribution, correlations [][]float64) (*Joint, error) {
	j := &Joint{marginals: marginals}
	if correlations == nil {
		return j, nil
	}
	const tolerance = 1e-6 // of correlations that were computed with rounding errors
	matrix := linear.NewMatrix(len(marginals), len(marginals))
	for row := range matrix {
		for column := range row + 1 {
			below, above := correlations[row][column], correlations[column][row]
			if math.Abs(below-above) > tolerance {
				return nil, fmt.Errorf("targets %d and %d with both the correlations %.6g and %.6g: want a symmetric matrix", row, column, below, above)
			}
			matrix[row][column] = below
		}
		if own := matrix[row][row]; math.Abs(own-1) > tolerance {
			return nil, fmt.Errorf("target %d with the correlation %.6g with itself: want 1", row, own)
		}
	}
	j.factor = linear.NewCholesky(matrix)
	for row, l := range j.factor {
		// NewCholesky enlarges the pivots of a matrix without a factor, such as contradicting correlations.
		if own := linear.Dot(l[:row+1], l[:row+1]); !(math.Abs(own-1) <= tolerance) {
			return nil, fmt.Errorf("target %d with correlations that contradict those of the targets before it: want a positive semi-definite matrix", row)
		}
	}
	return j, nil
}

// LogDensity returns the natural logarithm of the joint density at y. It is NaN if a distribution has no density.
func (j *Joint) LogDensity(y []float64) float64 {
	sum := 0.0
	for i, d := range j.marginals {
		sum += d.LogDensity(y[i])
	}
	if j.factor == nil {
		return sum
	}
	var scores []float64
	for i, d := range j.marginals {
		scores = append(scores, normalScore(d, y[i]))
	}
	// The density of the copula is the density of N(0, L·Lᵀ) at the scores, divided by the density of N(0, 1) at each.
	independent := j.factor.SolveLower(scores)
	for i, l := range j.factor {
		sum += float64((scores[i]*scores[i])/2) - float64((independent[i]*independent[i])/2) - portable.Log(l[i])
	}
	return sum
}

// normalScore returns Φ⁻¹(F(y)). F(y) is kept at least 1e-16 away from 0 and 1, so that the score is finite.
func normalScore(d Distribution, y float64) float64 {
	if IsNormal(d) {
		return (y - d.Mean()) / d.Std()
	}
	const leastProbability = 1e-16
	return portable.NormalQuantile(min(max(d.CDF(y), leastProbability), 1-leastProbability))
}

// Sample returns random numbers with this distribution.
func (j *Joint) Sample(r *rand.Rand) []float64 {
	scores := make([]float64, len(j.marginals))
	for i := range scores {
		scores[i] = portable.NormFloat64(r)
	}
	return j.At(scores)
}

// At returns the numbers for independent normal scores. If the scores are random numbers with the distribution N(0, 1),
// the numbers are random with distribution j.
func (j *Joint) At(scores []float64) []float64 {
	if j.factor != nil {
		independent := scores
		scores = slices.Clone(independent)
		for i, l := range j.factor {
			scores[i] = linear.Dot(l[:i+1], independent[:i+1])
		}
	}
	var y []float64
	for i, d := range j.marginals {
		if IsNormal(d) {
			y = append(y, d.Mean()+float64(d.Std()*scores[i]))
		} else {
			y = append(y, d.Quantile(portable.NormalCDF(scores[i])))
		}
	}
	return y
}
