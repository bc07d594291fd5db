package calibrate

import "math"

// Nonconformity returns how wrong each prediction is, [targets][rows]: the distance between target and mean in the scale
// of the residuals, how far a target is outside of the widest interval between quantiles, or 1 minus the
// probability of the true class. Without a calibration c that ranks
// the residuals of all rows together, the scale is the predicted standard deviation; c may be nil.
func Nonconformity(r Rows, c *Calibration) [][]float64 {
	var sizes [][]float64
	for target := range r.Predictions.Targets {
		if r.Predictions.Family.Classes > 0 {
			sizes = append(sizes, r.sample(target, r.all()).trueScores(missingProbability))
			continue
		}
		fit := TargetFit{Floor: minStd, Scale: 1, QuantileMoves: QuantileMoves{Stretch: 1}}
		if c != nil && c.CheckScores() == nil {
			fit = c.Groups[0].Targets[target].TargetFit
		}
		byLevel := r.residuals(target, fit)
		distances := make([]float64, len(byLevel[0]))
		for row := range distances {
			distances[row] = distanceOutside(byLevel[0][row], byLevel[len(byLevel)-1][row])
		}
		sizes = append(sizes, distances)
	}
	return sizes
}

// distanceOutside returns how far a target is outside of the interval between two quantiles, given its distances from
// them, which are positive above a quantile. The result is negative inside. Twice the distance from the mean gives the
// distance's size.
func distanceOutside(fromLower, fromUpper float64) float64 { return math.Max(-fromLower, fromUpper) }

// NonconformityOfScores returns the result of Nonconformity for calibration rows, given their scores in the order of
// Calibration.Scores.
func (c *Calibration) NonconformityOfScores(scores []float64) [][]float64 {
	targets := len(c.Groups[0].Targets)
	perTarget := c.ScoresPerTarget()
	sizes := make([][]float64, targets)
	for i := 0; i < len(scores); i += perTarget {
		target := i / perTarget % targets
		sizes[target] = append(sizes[target], distanceOutside(scores[i], scores[i+perTarget-1]))
	}
	return sizes
}
