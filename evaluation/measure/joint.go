package measure

import "sml/models/distribution"

// JointOf returns the predicted distribution of all targets of a row together. It returns an error if their correlations
// contradict each other.
func JointOf(targets []*Column, row int) (*distribution.Joint, error) {
	var marginals []distribution.Distribution
	var correlations [][]float64
	for _, c := range targets {
		if c.Distributions == nil {
			marginals = append(marginals, distribution.NewNormal(c.Mean[row], c.Std[row]))
		} else {
			marginals = append(marginals, c.Distributions[row])
		}
		if c.Correlations != nil {
			correlations = append(correlations, c.Correlations[row])
		}
	}
	return distribution.NewJoint(marginals, correlations)
}
