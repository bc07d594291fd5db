package measure

import "sml/models/distribution"

// JointOf returns the predicted distribution of all targets of a row together. It returns an error if their correlations
// contradict each other.
func JointOf(targets []*Column, row int) (*distribution.Joint, error) {
	var marginals []distribution.Distribution
	var correlations [][]float64
	for _, c := range targets {
		marginals = append(marginals, c.Distribution(row))
		if c.Correlations != nil {
			correlations = append(correlations, c.Correlations[row])
		}
	}
	return distribution.NewJoint(marginals, correlations)
}
