package experiment

import (
	"math"

	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/models/distribution"
)

// matchMembers changes the targets and predictions of calibration rows so that residuals and standard deviations are as large
// as for the whole ensemble. Only some members predict each calibration row, since the others were trained on it,
// and fewer members have larger errors. all is the number of members.
func matchMembers(rows calibrate.Rows, spreads []evaluation.Spread, all int) {
	for target := range rows.Predictions.Targets {
		if rows.Predictions.Family.Levels != nil {
			matchQuantiles(rows, spreads, target, all)
		} else {
			matchMoments(rows, spreads, target, all)
		}
	}
}

// matchMoments rescales the residuals and standard deviations of one target. The target moves towards the mean or away from
// it, and the mean stays.
func matchMoments(rows calibrate.Rows, spreads []evaluation.Spread, target, all int) {
	p := rows.Predictions
	errors := estimateErrors(rows, spreads, target)
	for i := target; i < len(p.Values); i += p.Targets { // the values of a row follow each other, one for each target
		prediction := p.Values[i]
		members := spreads[i].Members
		mean := prediction.Mean()
		rows.Y[i] = mean + float64(errors.residualFactor(members, all)*(rows.Y[i]-mean))
		if p.HasStd() {
			std := math.Sqrt(errors.variance(prediction.Std(), members, all))
			p.Values[i] = prediction.WithDistribution(distribution.WithMoments(prediction.Distribution, mean, std))
		}
	}
}

// ensembleErrors describes how the errors and the predicted variance of an ensemble depend on the number m of its members.
// All fields are means over rows. The functions of m are
//
//	squared error               bias + ofMember/m  (Krogh and Vedelsby 1995, equation 7)
//	predicted variance          within + (1 − 1/m)·between
//	noise of that variance      withinNoise/m + (1 − 1/m)²·betweenSquare·2/(m − 1)
//
// The noise is large for few members: they agree in some rows by chance, and residuals in units of the standard deviation
// would be huge there.
type ensembleErrors struct {
	bias          float64 // squared error of many members: noise of the target and squared bias
	ofMember      float64 // variance of one member's mean
	within        float64 // predicted variance of one member
	between       float64 // variance between many members
	betweenSquare float64 // square of the variance between many members
	withinNoise   float64 // variance of one member's predicted variance between members
	points        bool    // whether members predict points: the predicted variance is then that between members
	trueSpread    float64 // variance over rows of the predicted variance of many members
}

// estimateErrors returns the errors of one target, estimated from rows that two or more members predict each, by the
// rows' weights.
func estimateErrors(rows calibrate.Rows, spreads []evaluation.Spread, target int) ensembleErrors {
	p := rows.Predictions
	known, fraction := fractions(rows, target)
	var e ensembleErrors
	var squaredError, inverseMembers float64 // means over the rows
	for _, i := range known {
		s := spreads[i]
		members := float64(s.Members)
		inverseMembers += fraction(i) / members
		squaredError += float64(fraction(i) * square(rows.Y[i]-p.Values[i].Mean()))
		e.ofMember += float64(fraction(i) * s.Variance)
		e.points = s.Points
		if p.HasStd() {
			between, within := divideVariance(p.Values[i].Std(), s)
			e.within += float64(fraction(i) * within)
			e.between += float64(fraction(i) * between)
			e.betweenSquare += float64(fraction(i) * square(between) / (1 + 2/(members-1)))
			e.withinNoise += float64(fraction(i) * s.Within)
		}
	}
	e.bias = max(0, squaredError-float64(inverseMembers*e.ofMember))
	e.betweenSquare = max(e.betweenSquare, square(e.between))
	for _, i := range known {
		if !p.HasStd() {
			break
		}
		deviation := square(p.Values[i].Std()) - e.meanVariance(spreads[i].Members)
		e.trueSpread += float64(fraction(i) * (square(deviation) - e.noise(spreads[i].Members)))
	}
	e.trueSpread = max(0, e.trueSpread)
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

// betweenFactor returns the part of the variance between many members that is in the predicted variance of m of them.
func (e ensembleErrors) betweenFactor(m int) float64 {
	if e.points {
		return 1
	}
	return 1 - 1/float64(m)
}

// meanVariance returns the mean over rows of the predicted variance of m members.
func (e ensembleErrors) meanVariance(m int) float64 {
	return e.within + float64(e.betweenFactor(m)*e.between)
}

// noise returns the mean over rows of the variance that the predicted variance of a row has because only m members predict it.
func (e ensembleErrors) noise(m int) float64 {
	ofBetween := float64(square(e.betweenFactor(m)) * float64(2/float64(m-1)*e.betweenSquare))
	return e.withinNoise/float64(m) + ofBetween
}

// residualFactor returns the size of the residuals of all members divided by the size of the residuals of m members.
func (e ensembleErrors) residualFactor(m, all int) float64 {
	ofSome := e.bias + e.ofMember/float64(m)
	if ofSome == 0 {
		return 1
	}
	return math.Sqrt((e.bias + e.ofMember/float64(all)) / ofSome)
}

// variance converts the predicted variance of a row from m members to all members. Its distance from the mean over the rows
// shrinks by the ratio of the spreads over rows, each the true spread and the noise.
func (e ensembleErrors) variance(std float64, m, all int) float64 {
	deviation := square(std) - e.meanVariance(m)
	ratio := 1.0 // of the deviations' sizes
	if ofSome := e.trueSpread + e.noise(m); ofSome > 0 {
		ratio = math.Sqrt((e.trueSpread + e.noise(all)) / ofSome)
	}
	return max(0, e.meanVariance(all)+float64(ratio*deviation))
}

// fractions returns the indices of the values of a target in the rows in which it is known, and a function that returns
// the share in a mean over these rows of the row of a value.
func fractions(rows calibrate.Rows, target int) (known []int, fraction func(i int) float64) {
	targets := rows.Predictions.Targets
	for i := target; i < len(rows.Y); i += targets {
		if !math.IsNaN(rows.Y[i]) {
			known = append(known, i)
		}
	}
	weights := rows.MeanWeights()
	return known, func(i int) float64 {
		fraction := 1 / float64(len(known))
		if weights != nil {
			fraction *= weights[i/targets]
		}
		return fraction
	}
}

// matchQuantiles rescales the residuals y − q of each predicted quantile q of one target around their mean. The target y
// stays, and q moves.
func matchQuantiles(rows calibrate.Rows, spreads []evaluation.Spread, target, all int) {
	p := rows.Predictions
	known, fraction := fractions(rows, target)
	quantiles := make([][]float64, len(p.Values)) // by value and level
	for k, level := range p.Family.Levels {
		residuals := make(map[int]float64, len(known)) // by value
		mean := 0.0
		for _, i := range known {
			residuals[i] = rows.Y[i] - p.Values[i].Quantile(level)
			mean += float64(fraction(i) * residuals[i])
		}
		errors := estimateLevelErrors(residuals, mean, spreads, k, known, fraction)
		for _, i := range known {
			factor := errors.residualFactor(spreads[i].Members, all)
			rescaled := mean + float64(factor*(residuals[i]-mean))
			quantiles[i] = append(quantiles[i], rows.Y[i]-rescaled)
		}
	}
	for _, i := range known {
		p.Values[i] = p.Values[i].WithDistribution(p.Family.New(quantiles[i]))
	}
}

// estimateLevelErrors returns bias and ofMember of the residuals of the quantile with index k among the levels: with m
// members, their variance over the rows is bias + ofMember/m. Arguments known and fraction are results of fractions.
func estimateLevelErrors(residuals map[int]float64, mean float64, spreads []evaluation.Spread, k int, known []int, fraction func(i int) float64) ensembleErrors {
	var e ensembleErrors
	var meanSquare, inverseMembers float64 // over the rows
	for _, i := range known {
		meanSquare += float64(fraction(i) * square(residuals[i]))
		inverseMembers += fraction(i) / float64(spreads[i].Members)
		e.ofMember += float64(fraction(i) * spreads[i].Quantiles[k])
	}
	e.bias = max(0, meanSquare-square(mean)-float64(inverseMembers*e.ofMember))
	return e
}

// square returns x², rounded to float64 before it is added to anything.
func square(x float64) float64 { return float64(x * x) }
