package methods

import (
	"sml/graph"
	"sml/models"
	"sml/models/distribution"
)

// Normal returns the prediction N(mean, std²), [rows targets] each. The components are parts of
// std.
func Normal(mean, std *graph.Node, components ...models.Component) models.PredictionNodes {
	return models.PredictionNodes{
		Family:     distribution.Normal,
		Parameters: []*graph.Node{mean, std},
		Components: components,
	}
}

// Point returns the prediction of a mean [rows targets] without uncertainty.
func Point(mean *graph.Node) models.PredictionNodes {
	return models.PredictionNodes{Family: distribution.Point, Parameters: []*graph.Node{mean}}
}

// Classes returns the prediction of the class probabilities softmax(logits), with one node
// [rows targets] for each class.
func Classes(b *graph.Builder, logits []*graph.Node) models.PredictionNodes {
	logSum := b.LogSumExpOf(logits...)
	logProbabilities := make([]*graph.Node, len(logits))
	for i, logit := range logits {
		logProbabilities[i] = b.Sub(logit, logSum)
	}
	return models.PredictionNodes{Family: distribution.Categorical(len(logits)), Parameters: logProbabilities}
}

// Counts returns the prediction of a family of counts (distribution.Formulas). parameters belong to the formulas,
// [rows targets] each, in the target's own unit. Counts adds the mean and the standard deviation of the target.
func Counts(b *graph.Builder, m models.Moments, family distribution.Family, parameters ...*graph.Node) models.PredictionNodes {
	shape := parameters[0].Shape()
	for _, scale := range []*graph.Node{m.TargetMean, m.TargetStd} {
		parameters = append(parameters, b.Repeat(scale, shape[0], shape[1]))
	}
	return models.PredictionNodes{Family: family, Parameters: parameters}
}

// Quantiles returns the prediction of quantiles, with one node [rows targets] for each level. The
// levels ascend between 0 and 1; the values need not ascend.
func Quantiles(levels []float64, values []*graph.Node) models.PredictionNodes {
	return models.PredictionNodes{Family: distribution.Quantiles(levels...), Parameters: values}
}

// PredictFullNetwork is a models.Predictor that returns the full network's first output as a point.
func PredictFullNetwork(_ *graph.Builder, m models.Moments) models.PredictionNodes {
	return Point(m.Full[0])
}

// PredictNormal is a models.Predictor that returns the normal distribution whose mean and standard
// deviation the full network predicts, as MeanAndStd reads them.
func PredictNormal(b *graph.Builder, m models.Moments) models.PredictionNodes {
	return Normal(m.Full[0], SoftplusAtLeast(b, m.Full[1], MinStd))
}

// PredictSubNetworks is a models.Predictor that returns the normal distribution with the mean and the
// standard deviation of the sub-networks' first output.
func PredictSubNetworks(_ *graph.Builder, m models.Moments) models.PredictionNodes {
	return Normal(m.Mean[0], m.Std[0], models.Component{Name: models.DropoutStd, Std: m.Std[0]})
}

// PredictFullWithShift is a models.Predictor that returns the normal distribution with the full network's
// output f as its mean and the standard deviation
//
//	σ = σ_drop + |f − μ_drop|
//
// where μ_drop and σ_drop are mean and standard deviation of the sub-networks' outputs. Source:
// Sicking et al. 2021, section 3.
func PredictFullWithShift(b *graph.Builder, m models.Moments) models.PredictionNodes {
	shift := b.Abs(b.Sub(m.Full[0], m.Mean[0]))
	return Normal(m.Full[0], b.Add(m.Std[0], shift),
		models.Component{Name: models.DropoutStd, Std: m.Std[0]},
		models.Component{Name: models.DropoutOffset, Std: shift})
}

// PredictMixtureOfDraws is a models.Predictor for sub-networks that predict mean μ and standard deviation
// σ each, as MeanAndStd reads them. It returns the normal distribution with the mean of the μ and
// the variance
//
//	mean of σ² + variance of μ
//
// over the sub-networks. The root of the first summand is the aleatoric, that of the second the
// epistemic component. Source: Kendall and Gal 2017, equation 9.
func PredictMixtureOfDraws(b *graph.Builder, m models.Moments) models.PredictionNodes {
	aleatoricVariance := m.MeanOverDraws(func(outputs []*graph.Node) *graph.Node {
		std := SoftplusAtLeast(b, outputs[1], MinStd)
		return b.Square(std)
	})
	epistemic := m.Std[0]
	std := b.Sqrt(b.Add(aleatoricVariance, b.Square(epistemic)))
	return Normal(m.Mean[0], std, uncertaintyComponents(b.Sqrt(aleatoricVariance), epistemic)...)
}

// uncertaintyComponents returns an aleatoric and an epistemic standard deviation as components.
func uncertaintyComponents(aleatoric, epistemic *graph.Node) []models.Component {
	return []models.Component{
		{Name: models.Aleatoric, Std: aleatoric},
		{Name: models.Epistemic, Std: epistemic},
	}
}

// repeatRow returns a row [1, targets] as each of the given number of rows.
func repeatRow(b *graph.Builder, row *graph.Node, rows int) *graph.Node {
	var columns []*graph.Node
	for k := range row.Shape()[1] {
		columns = append(columns, b.Repeat(b.Columns(row, k, k+1), rows, 1))
	}
	return b.Concat(columns...)
}
