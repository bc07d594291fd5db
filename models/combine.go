package models

import (
	"fmt"

	"sml/graph"
	"sml/internal/portable"
	"sml/models/distribution"
)

// CombineAsNormal is a Combiner. It returns the normal distribution with the mean μ and the standard
// deviation σ of the equally weighted mixture of the members' distributions,
//
//	μ = mean of μᵢ
//	σ² = mean of σᵢ² + (μᵢ − μ)²
//
// Its components are the means of the members' components; if these have none, the aleatoric
// √(mean of σᵢ²) and the epistemic standard deviation of the μᵢ. Targets are correlated as in the
// mixture, too. The builder fails if the members' family has no standard deviation. Source: Lakshminarayanan
// et al. 2017, section 2.4.
func CombineAsNormal(b *graph.Builder, members []PredictionNodes) PredictionNodes {
	var means, stds []*graph.Node
	for _, member := range members {
		d := member.Family.Nodes(b, member.Parameters)
		if d.Std() == nil {
			b.Fail(fmt.Errorf("CombineAsNormal needs members that predict a standard deviation; the family %s has none: use CombineByFamily", member.Family.Name))
			return member
		}
		means = append(means, d.Mean())
		stds = append(stds, d.Std())
	}
	mean := b.MeanOf(means...)
	var variances, squaredDeviations, totals []*graph.Node
	for i := range members {
		variance := b.Square(stds[i])
		squaredDeviation := b.Square(b.Sub(means[i], mean))
		variances = append(variances, variance)
		squaredDeviations = append(squaredDeviations, squaredDeviation)
		totals = append(totals, b.Add(variance, squaredDeviation))
	}
	std := b.Sqrt(b.MeanOf(totals...))
	components := averageComponents(b, members)
	if components == nil {
		components = []Component{
			{Name: Aleatoric, Std: b.Sqrt(b.MeanOf(variances...))},
			{Name: Epistemic, Std: b.Sqrt(b.MeanOf(squaredDeviations...))},
		}
	}
	combined := normalNodes(mean, std, components)
	combined.Correlations = combineCorrelations(b, members)
	return combined
}

// averageComponents returns the mean of each component over the members, or nil if the members have no
// components. All members have the same ones, as they have the same predictor.
func averageComponents(b *graph.Builder, members []PredictionNodes) []Component {
	var means []Component
	for i, component := range members[0].Components {
		stds := make([]*graph.Node, len(members))
		for k, member := range members {
			stds[k] = member.Components[i].Std
		}
		means = append(means, Component{Name: component.Name, Std: b.MeanOf(stds...)})
	}
	return means
}

// CombineByFamily is a Combiner. It returns the combined prediction of several members, by the family
// that they predict:
//
//   - points: the normal distribution with the mean of the points and their sample standard
//     deviation (n−1);
//   - normal distributions, and mixtures of them: the equally weighted mixture;
//   - quantiles: the mean of each quantile (Ratcliff 1979);
//   - classes: the mean of each probability (Lakshminarayanan et al. 2017, section 2.4);
//   - other families with a standard deviation: the equally weighted mixture, distribution.Mixture.
//
// Targets are correlated as in the equally weighted mixture of the members' joint distributions. The builder
// fails if the members predict another family.
func CombineByFamily(b *graph.Builder, members []PredictionNodes) PredictionNodes {
	combined := combineFamilies(b, members)
	combined.Correlations = combineCorrelations(b, members)
	return combined
}

// combineFamilies returns CombineByFamily without correlations.
func combineFamilies(b *graph.Builder, members []PredictionNodes) PredictionNodes {
	switch family := members[0].Family; {
	case family.Name == distribution.Point.Name:
		return normalOfPoints(b, members)
	case family.Name == distribution.Normal.Name, family.Name == mixtureName:
		return mixMembers(b, members)
	case family.Name == quantilesName:
		return averageParameters(b, members)
	case family.Name == categoricalName:
		return averageProbabilities(b, members)
	case family.HasStd:
		return mixAny(members)
	default:
		b.Fail(fmt.Errorf("CombineByFamily cannot combine predictions of the family %s, which has no standard deviation: set Method.Combine to a combiner of your own", family.Name))
		return members[0]
	}
}

// mixAny returns the equally weighted mixture of members that predict any one family.
func mixAny(members []PredictionNodes) PredictionNodes {
	mixed := PredictionNodes{Family: distribution.Mixture(members[0].Family, len(members))}
	for _, member := range members {
		mixed.Parameters = append(mixed.Parameters, member.Parameters...)
	}
	return mixed
}

// combineCorrelations returns the correlations of the targets in the equally weighted mixture of the members, nil if the
// members have none. With the members' means μᵢ, standard deviations σᵢ and correlations ρᵢ, and the mean μ of the μᵢ, the
// covariance of the targets j and k in the mixture is the mean of ρᵢ σᵢⱼ σᵢₖ + (μᵢⱼ − μⱼ)(μᵢₖ − μₖ). It is NaN for a
// target without spread.
func combineCorrelations(b *graph.Builder, members []PredictionNodes) *graph.Node {
	if members[0].Correlations == nil {
		return nil
	}
	var means, stds []*graph.Node // [rows, targets] for each member
	for _, member := range members {
		d := member.Family.Nodes(b, member.Parameters)
		if d.Std() == nil {
			b.Fail(fmt.Errorf("correlations of several networks cannot be combined without standard deviations, and the family %s has none: set Method.Combine to a combiner of your own", member.Family.Name))
			return members[0].Correlations
		}
		means = append(means, d.Mean())
		stds = append(stds, d.Std())
	}
	mean := b.MeanOf(means...)
	targets := mean.Shape()[1]
	var covariances []*graph.Node // of all targets with target k, [rows, targets], for each k
	for k := range targets {
		var terms []*graph.Node
		for i, member := range members {
			correlations := b.Columns(member.Correlations, k*targets, (k+1)*targets)
			within := b.Mul(b.Mul(correlations, stds[i]), b.Columns(stds[i], k, k+1))
			deviation := b.Sub(means[i], mean)
			terms = append(terms, b.Add(within, b.Mul(deviation, b.Columns(deviation, k, k+1))))
		}
		covariances = append(covariances, b.MeanOf(terms...))
	}
	var variances []*graph.Node
	for k, covariance := range covariances {
		variances = append(variances, b.Columns(covariance, k, k+1))
	}
	std := b.Sqrt(b.Concat(variances...))
	var correlations []*graph.Node
	for k, covariance := range covariances {
		product := b.Mul(std, b.Columns(std, k, k+1))
		correlations = append(correlations, b.Div(covariance, product))
	}
	return b.Concat(correlations...)
}

// Names of families that depend on a number, which does not change the name: of components, levels or
// classes.
var (
	mixtureName     = distribution.NormalMixture(1).Name
	quantilesName   = distribution.Quantiles(0.5).Name
	categoricalName = distribution.Categorical(2).Name
)

// normalOfPoints returns the normal distribution with the mean and the sample standard deviation
// (n−1) of the members' points.
func normalOfPoints(b *graph.Builder, members []PredictionNodes) PredictionNodes {
	points := memberParameters(members, 0)
	n := float64(len(members))
	mean := b.MeanOf(points...)
	variance := b.Scale(n/(n-1), b.VarianceOf(points...))
	return normalNodes(mean, b.Sqrt(variance), nil)
}

// normalNodes returns the prediction of a normal distribution.
func normalNodes(mean, std *graph.Node, components []Component) PredictionNodes {
	return PredictionNodes{Family: distribution.Normal, Parameters: []*graph.Node{mean, std}, Components: components}
}

// memberParameters returns the parameter with the given index of each member's distribution.
func memberParameters(members []PredictionNodes, index int) []*graph.Node {
	nodes := make([]*graph.Node, len(members))
	for k, member := range members {
		nodes[k] = member.Parameters[index]
	}
	return nodes
}

// mixMembers returns the equally weighted mixture of members that predict normal distributions or
// mixtures of them. Its components are those of all members, with their weights divided by the number of
// members.
func mixMembers(b *graph.Builder, members []PredictionNodes) PredictionNodes {
	var logWeights, means, stds []*graph.Node
	logMemberWeight := -portable.Log(float64(len(members)))
	for _, member := range members {
		p := member.Parameters
		if member.Family.Name == distribution.Normal.Name {
			logWeight := b.Scale(0, p[0]) // zeros in the shape of the mean: log 1, for one component
			p = []*graph.Node{logWeight, p[0], p[1]}
		}
		components := len(p) / 3 // log weights, then means, then standard deviations
		for i := range components {
			logWeights = append(logWeights, b.Shift(p[i], logMemberWeight))
		}
		means = append(means, p[components:2*components]...)
		stds = append(stds, p[2*components:]...)
	}
	return PredictionNodes{
		Family:     distribution.NormalMixture(len(means)),
		Parameters: append(append(logWeights, means...), stds...),
	}
}

// averageParameters returns the prediction of the members' family whose parameters are the means of the
// members' parameters.
func averageParameters(b *graph.Builder, members []PredictionNodes) PredictionNodes {
	average := PredictionNodes{Family: members[0].Family}
	for i := range average.Family.Parameters {
		average.Parameters = append(average.Parameters, b.MeanOf(memberParameters(members, i)...))
	}
	return average
}

// averageProbabilities returns the prediction whose class probabilities are the means of the members'
// probabilities. The parameters l are logarithms: log((Σ eˡ)/n) = LogSumExp(l) − log n.
func averageProbabilities(b *graph.Builder, members []PredictionNodes) PredictionNodes {
	average := PredictionNodes{Family: members[0].Family}
	logMemberWeight := -portable.Log(float64(len(members)))
	for i := range average.Family.Parameters {
		logSum := b.LogSumExpOf(memberParameters(members, i)...)
		average.Parameters = append(average.Parameters, b.Shift(logSum, logMemberWeight))
	}
	return average
}
