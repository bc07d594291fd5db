package calibrate

import "math"

// Nonconformity returns how wrong each prediction is, [targets][rows]: the distance between target and mean in the scale
// of the residuals, how far a target is outside of the widest interval between quantiles, or 1 minus the
// probability of the true class. Without a calibration c that ranks
// the residuals of all rows together, the scale is the predicted standard deviation; c may be nil.
func Nonconformity(r Rows, c *Calibration) [][]float64 {
	p := r.Predictions
	all := make([]int, len(p.Values)/p.Targets)
	for row := range all {
		all[row] = row
	}
	var sizes [][]float64
	for target := range p.Targets {
		fit := TargetFit{Floor: minStd, Scale: 1, QuantileMoves: QuantileMoves{Stretch: 1}}
		if c != nil && c.CheckScores() == nil {
			fit = c.Groups[0].Targets[target].TargetFit
		}
		switch {
		case p.Family.Classes > 0:
			sizes = append(sizes, r.classSample(target, all).missingProbabilities())
		case p.Family.Levels != nil:
			byLevel := r.quantileSample(target, all).residuals(fit.QuantileMoves)
			distances := make([]float64, len(all))
			for row := range distances {
				distances[row] = distanceOutside(byLevel[0][row], byLevel[len(byLevel)-1][row])
			}
			sizes = append(sizes, distances)
		default:
			sizes = append(sizes, absolute(r.sample(target, all).residuals(fit.ScaleOf)))
		}
	}
	return sizes
}

// distanceOutside returns how far a target is outside of the interval between two quantiles, given its distances from
// them, which are positive above a quantile. The result is negative inside.
func distanceOutside(fromLower, fromUpper float64) float64 { return math.Max(-fromLower, fromUpper) }

// missingProbabilities returns 1 minus the predicted probability of the true class of each row.
func (s classSample) missingProbabilities() []float64 {
	missing := make([]float64, len(s.Y))
	for row, classes := range s.Classes {
		trueClass := int(s.Y[row])
		missing[row] = 1 - classes[trueClass]
	}
	return missing
}

// NonconformityOfScores returns the result of Nonconformity for calibration rows, given their scores in the order of
// Calibration.Scores.
func (c *Calibration) NonconformityOfScores(scores []float64) [][]float64 {
	targets := len(c.Groups[0].Targets)
	perTarget := c.ScoresPerTarget()
	sizes := make([][]float64, targets)
	for i := 0; i < len(scores); i += perTarget {
		target := i / perTarget % targets
		size := math.Abs(scores[i])
		if c.Levels != nil {
			size = distanceOutside(scores[i], scores[i+perTarget-1])
		}
		sizes[target] = append(sizes[target], size)
	}
	return sizes
}

// absolute replaces the values by their absolute values, and returns them.
func absolute(values []float64) []float64 {
	for i, v := range values {
		values[i] = math.Abs(v)
	}
	return values
}
