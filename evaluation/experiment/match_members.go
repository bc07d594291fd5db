package experiment

import (
	"math"

	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/models/distribution"
)

// matchMembers changes the targets and the standard deviations of calibration rows, each of which some members of an
// ensemble predict, so that residuals and standard deviations are distributed as if all members had predicted the row.
//
//   - The squared error of m members is bias + variance/m (Krogh and Vedelsby 1995, equation 7). The target moves
//     towards the prediction, so that the residual is smaller by the root of the ratio of these.
//   - The predicted variance of m members is within + (1 − 1/m)·between, where between, an estimate from m numbers, has
//     the variance of the true one and the noise 2/(m−1)·E[between²]. Few members agree in some rows by chance, and
//     the residuals of these rows would be huge in standard deviations. The estimate moves towards its mean over the
//     rows, so that the estimates have the variance of estimates from all members.
func matchMembers(rows calibrate.Rows, spreads []evaluation.Spread, all int) {
	p := rows.Predictions
	for target := range p.Targets {
		e := estimateErrors(rows, spreads, target)
		for i := target; i < len(p.Values); i += p.Targets {
			v := p.Values[i]
			mean := v.Mean()
			rows.Y[i] = mean + float64(e.residualFactor(spreads[i].Members, all)*(rows.Y[i]-mean))
			if p.HasStd() {
				std := math.Sqrt(e.variance(v.Std(), spreads[i], all))
				p.Values[i] = v.WithDistribution(distribution.WithMoments(v.Distribution, mean, std))
			}
		}
	}
}

// ensembleErrors describes how the errors and the predicted variance of an ensemble depend on the number of its members,
// as means over rows.
type ensembleErrors struct {
	bias          float64 // squared error of many members: noise and squared bias
	ofMember      float64 // variance of one member's mean
	between       float64 // variance between many members
	betweenSquare float64 // mean square of the variance between many members
}

// estimateErrors returns the errors of one target, estimated from rows that two or more members predict each, by the
// rows' weights.
func estimateErrors(rows calibrate.Rows, spreads []evaluation.Spread, target int) ensembleErrors {
	p := rows.Predictions
	weights := rows.MeanWeights()
	var e ensembleErrors
	var squaredError, inverse float64 // means over the rows; inverse of the number of members
	for i := target; i < len(p.Values); i += p.Targets {
		fraction := float64(p.Targets) / float64(len(p.Values))
		if weights != nil {
			fraction *= weights[i/p.Targets]
		}
		members := float64(spreads[i].Members)
		inverse += fraction / members
		squaredError += float64(fraction * square(rows.Y[i]-p.Values[i].Mean()))
		e.ofMember += float64(fraction * spreads[i].Variance)
		if p.HasStd() {
			between, _ := divideVariance(p.Values[i].Std(), spreads[i])
			e.between += float64(fraction * between)
			e.betweenSquare += float64(fraction * square(between) / (1 + 2/(members-1)))
		}
	}
	e.bias = max(0, squaredError-float64(inverse*e.ofMember))
	e.betweenSquare = max(e.betweenSquare, square(e.between))
	return e
}

// divideVariance returns the unbiased estimate of the variance between many members, and the rest of the predicted
// variance.
func divideVariance(std float64, s evaluation.Spread) (between, within float64) {
	variance := square(std)
	if s.Points {
		return variance, 0
	}
	between = max(0, s.Between)
	return between / (1 - 1/float64(s.Members)), max(0, variance-between)
}

// residualFactor returns the size of the residuals of all members divided by the size of the residuals of m members.
func (e ensembleErrors) residualFactor(m, all int) float64 {
	ofSome := e.bias + e.ofMember/float64(m)
	if ofSome == 0 {
		return 1
	}
	return math.Sqrt((e.bias + e.ofMember/float64(all)) / ofSome)
}

// variance returns the predicted variance of a row with the spread s as it would be of all members.
func (e ensembleErrors) variance(std float64, s evaluation.Spread, all int) float64 {
	between, within := divideVariance(std, s)
	shrunk := e.between + float64(e.noiseRatio(s.Members, all)*(between-e.between))
	if !s.Points {
		shrunk *= 1 - 1/float64(all)
	}
	return max(0, within+shrunk)
}

// noiseRatio returns the standard deviation over rows of the estimated variance between all members, divided by
// the same standard deviation for m members.
func (e ensembleErrors) noiseRatio(m, all int) float64 {
	deviation := func(members int) float64 {
		return float64(e.betweenSquare*(1+2/float64(members-1))) - square(e.between)
	}
	if ofSome := deviation(m); ofSome > 0 {
		return math.Sqrt(deviation(all) / ofSome)
	}
	return 1
}

// square returns x², rounded to float64 before it is added to anything.
func square(x float64) float64 { return float64(x * x) }
