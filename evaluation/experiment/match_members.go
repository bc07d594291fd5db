package experiment

import (
	"math"

	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/models/distribution"
)

// matchMembers makes residuals and standard deviations of calibration rows as large as those of the whole ensemble. Only
// some of its members predict each row, since the others were trained on it. It changes the targets and predictions in
// rows; all is the number of members.
//
//   - The squared error of m members is bias + variance/m (Krogh and Vedelsby 1995, equation 7). The target moves
//     towards the prediction, so that the residual is smaller by the root of the ratio of these.
//   - The predicted variance of m members is within + (1 − 1/m)·between. Both are estimates from few members: within, a mean
//     of m variances, has the noise of one divided by m, and between the noise 2/(m−1)·E[between²]. Few members agree in
//     some rows by chance, and the residuals of these rows would be huge in standard deviations. The variance of each row
//     moves towards the mean over the rows, so that its variance over the rows is that of an estimate from all members.
//   - Where quantiles are predicted, each level has errors of its own: see matchQuantiles.
func matchMembers(rows calibrate.Rows, spreads []evaluation.Spread, all int) {
	p := rows.Predictions
	for target := range p.Targets {
		if p.Family.Levels != nil {
			matchQuantiles(rows, spreads, target, all)
			continue
		}
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
}

// ensembleErrors describes how the errors and the predicted variance of an ensemble depend on the number of its members,
// as means over rows.
type ensembleErrors struct {
	bias          float64 // squared error of many members: noise and squared bias
	ofMember      float64 // variance of one member's mean
	within        float64 // predicted variance of one member
	between       float64 // variance between many members
	betweenSquare float64 // mean square of the variance between many members
	withinNoise   float64 // variance of one member's predicted variance between members
	points        bool    // whether members predict points
	trueSpread    float64 // variance over rows of the predicted variance of many members
}

// estimateErrors returns the errors of one target, estimated from rows that two or more members predict each, by the
// rows' weights.
func estimateErrors(rows calibrate.Rows, spreads []evaluation.Spread, target int) ensembleErrors {
	p := rows.Predictions
	known, fraction := fractions(rows, target)
	var e ensembleErrors
	var squaredError, inverse float64 // means over the rows; inverse of the number of members
	for _, i := range known {
		s := spreads[i]
		members := float64(s.Members)
		inverse += fraction(i) / members
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
	e.bias = max(0, squaredError-float64(inverse*e.ofMember))
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

// noise returns the mean over rows of the variance that the predicted variance of a row has because it is of m members.
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

// variance returns the predicted variance of a row with m members as it would be of all members.
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

// matchQuantiles changes the quantiles of one target. The residuals of a level, y − quantile, have the variance of many
// members' residuals plus the quantile's variance/m. Each moves towards the mean of the level's residuals, so that its
// size is that of all members' residuals.
func matchQuantiles(rows calibrate.Rows, spreads []evaluation.Spread, target, all int) {
	p := rows.Predictions
	known, fraction := fractions(rows, target)
	quantiles := make([][]float64, len(p.Values)) // by value and level
	for k, level := range p.Family.Levels {
		var e ensembleErrors
		var mean, meanSquare, inverse float64 // over the rows; inverse of the number of members
		for _, i := range known {
			residual := rows.Y[i] - p.Values[i].Quantile(level)
			mean += float64(fraction(i) * residual)
			meanSquare += float64(fraction(i) * square(residual))
			inverse += fraction(i) / float64(spreads[i].Members)
			e.ofMember += float64(fraction(i) * spreads[i].Quantiles[k])
		}
		e.bias = max(0, meanSquare-square(mean)-float64(inverse*e.ofMember))
		for _, i := range known {
			deviation := rows.Y[i] - p.Values[i].Quantile(level) - mean
			residual := mean + float64(e.residualFactor(spreads[i].Members, all)*deviation)
			quantiles[i] = append(quantiles[i], rows.Y[i]-residual)
		}
	}
	for _, i := range known {
		p.Values[i] = p.Values[i].WithDistribution(p.Family.New(quantiles[i]))
	}
}

// square returns x², rounded to float64 before it is added to anything.
func square(x float64) float64 { return float64(x * x) }
