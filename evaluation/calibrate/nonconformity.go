package calibrate

import "math"

// Nonconformity returns how wrong each prediction is, [targets][rows]: the distance between target and mean in
// standard deviations, how far a target is outside of the widest interval between quantiles, or 1 minus the
// probability of the true class. Standard deviations are calibrated by c if c ranks the errors of all rows together;
// c may be nil.
func Nonconformity(r Rows, c *Calibration) [][]float64 {
	p := r.Predictions
	all := make([]int, len(p.Values)/p.Targets)
	for row := range all {
		all[row] = row
	}
	var sizes [][]float64
	for target := range p.Targets {
		switch {
		case p.Family.Classes > 0:
			sizes = append(sizes, r.classSample(target, all).missingProbabilities())
		case p.Family.Levels != nil:
			_, opposite := pairOf(p.Family.Levels, 0)
			sizes = append(sizes, r.quantileSample(target, all).distancesOutside(0, opposite))
		default:
			fit := TargetFit{Floor: minStd, Scale: 1}
			if c != nil && c.CheckScores() == nil {
				fit = c.Groups[0].Targets[target].TargetFit
			}
			sizes = append(sizes, absolute(fit.scores(conformal, r.sample(target, all))))
		}
	}
	return sizes
}

// missingProbabilities returns 1 minus the predicted probability of the true class of each row.
func (s ClassSample) missingProbabilities() []float64 {
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
	for i := 0; i < len(scores); i += perTarget { // the first score is of the first level
		target := i / perTarget % targets
		sizes[target] = append(sizes[target], scores[i])
	}
	if c.Levels == nil {
		for _, column := range sizes {
			absolute(column)
		}
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
