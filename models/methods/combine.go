package methods

import (
	"fmt"

	"sml/graph"
	"sml/internal/portable"
	"sml/models"
	"sml/models/distribution"
)

// GaussianMixture combines by the normal distribution with the mean and the standard
// deviation of the equally weighted mixture of the members' distributions:
// μ = mean of μᵢ, σ² = mean of (σᵢ² + μᵢ²) − μ². Members without components give an aleatoric
// part, the root of the mean of σᵢ², and an epistemic one, the spread of the μᵢ. Source:
// Lakshminarayanan et al. 2017, section 2.4.
func GaussianMixture(b *graph.Builder, members []models.PredictionNodes) models.PredictionNodes {
	var means, stds []*graph.Node
	for _, m := range members {
		d := m.Family.Nodes(b, m.Parameters)
		if d.Std() == nil {
			b.Fail(fmt.Errorf("a mixture of Gaussians is made of means and standard deviations, and the family %s has none: combine by Ensemble", m.Family.Name))
			return m
		}
		means, stds = append(means, d.Mean()), append(stds, d.Std())
	}
	mean := b.MeanOf(means...)
	variances, offs := make([]*graph.Node, len(members)), make([]*graph.Node, len(members))
	both := make([]*graph.Node, len(members))
	for i := range members {
		variances[i], offs[i] = b.Square(stds[i]), b.Square(b.Sub(means[i], mean))
		both[i] = b.Add(variances[i], offs[i]) // mean of (σᵢ² + μᵢ²) − μ², without its cancellation
	}
	combined := Normal(mean, b.Sqrt(b.MeanOf(both...)), averageComponents(b, members)...)
	if combined.Components == nil {
		combined.Components = separated(b.Sqrt(b.MeanOf(variances...)), b.Sqrt(b.MeanOf(offs...)))
	}
	return combined
}

// averageComponents returns the mean of each component over the members.
func averageComponents(b *graph.Builder, members []models.PredictionNodes) []models.Component {
	var means []models.Component
	for i, c := range members[0].Components {
		parts := make([]*graph.Node, len(members))
		for k, m := range members {
			parts[k] = m.Components[i].Std
		}
		means = append(means, models.Component{Name: c.Name, Std: b.MeanOf(parts...)})
	}
	return means
}

// Ensemble combines by the family that the members predict:
//
//   - points: the normal distribution with the mean of the means and their sample standard
//     deviation (n−1);
//   - normal distributions, and mixtures of them: the equally weighted mixture;
//   - quantiles: the mean of each quantile (Ratcliff 1979);
//   - classes: the mean of each probability (Lakshminarayanan et al. 2017, section 2.4).
//
// Other families it refuses.
func Ensemble(b *graph.Builder, members []models.PredictionNodes) models.PredictionNodes {
	switch family := members[0].Family; family.Name {
	case distribution.Point.Name:
		return spreadOfPoints(b, members)
	case distribution.Normal.Name, mixtureName:
		return mixture(b, members)
	case quantilesName:
		return averageParameters(b, members)
	case categoricalName:
		return averageProbabilities(b, members)
	default:
		b.Fail(fmt.Errorf("Ensemble does not combine distributions of the family %s", family.Name))
		return members[0]
	}
}

var (
	mixtureName     = distribution.NormalMixture(1).Name
	quantilesName   = distribution.Quantiles(0.5).Name
	categoricalName = distribution.Categorical(2).Name
)

func spreadOfPoints(b *graph.Builder, members []models.PredictionNodes) models.PredictionNodes {
	means := parametersOf(members, 0)
	n := float64(len(members))
	return Normal(b.MeanOf(means...), b.Sqrt(b.Scale(n/(n-1), b.VarianceOf(means...))))
}

// parametersOf returns one parameter of each member.
func parametersOf(members []models.PredictionNodes, parameter int) []*graph.Node {
	nodes := make([]*graph.Node, len(members))
	for k, m := range members {
		nodes[k] = m.Parameters[parameter]
	}
	return nodes
}

// mixture returns the mixture of the members' components, each with its weight divided by
// the number of members.
func mixture(b *graph.Builder, members []models.PredictionNodes) models.PredictionNodes {
	var logWeights, means, stds []*graph.Node
	share := -portable.Log(float64(len(members)))
	for _, m := range members {
		p := m.Parameters
		if m.Family.Name == distribution.Normal.Name {
			p = []*graph.Node{b.Scale(0, p[0]), p[0], p[1]} // a mixture of one
		}
		k := len(p) / 3
		for i := range k {
			logWeights = append(logWeights, b.AddConst(p[i], share))
		}
		means, stds = append(means, p[k:2*k]...), append(stds, p[2*k:]...)
	}
	return models.PredictionNodes{
		Family:     distribution.NormalMixture(len(means)),
		Parameters: append(append(logWeights, means...), stds...),
	}
}

func averageParameters(b *graph.Builder, members []models.PredictionNodes) models.PredictionNodes {
	mean := models.PredictionNodes{Family: members[0].Family}
	for i := range mean.Family.Parameters {
		mean.Parameters = append(mean.Parameters, b.MeanOf(parametersOf(members, i)...))
	}
	return mean
}

func averageProbabilities(b *graph.Builder, members []models.PredictionNodes) models.PredictionNodes {
	mean := models.PredictionNodes{Family: members[0].Family}
	share := -portable.Log(float64(len(members)))
	for i := range mean.Family.Parameters {
		mean.Parameters = append(mean.Parameters, b.AddConst(b.LogSumExpOf(parametersOf(members, i)...), share))
	}
	return mean
}
