package methods

import (
	"sml/graph"
	"sml/models"
	"sml/models/distribution"
)

// Normal returns the prediction N(mean, std²), with parts of std.
func Normal(mean, std *graph.Node, components ...models.Component) models.PredictionNodes {
	return models.PredictionNodes{Family: distribution.Normal, Parameters: []*graph.Node{mean, std}, Components: components}
}

// Point returns the prediction of a mean without uncertainty.
func Point(mean *graph.Node) models.PredictionNodes {
	return models.PredictionNodes{Family: distribution.Point, Parameters: []*graph.Node{mean}}
}

// Classes returns the prediction of probabilities softmax(logits), one logit for each class.
func Classes(b *graph.Builder, logits []*graph.Node) models.PredictionNodes {
	total := b.LogSumExpOf(logits...)
	logP := make([]*graph.Node, len(logits))
	for i, logit := range logits {
		logP[i] = b.Sub(logit, total)
	}
	return models.PredictionNodes{Family: distribution.Categorical(len(logits)), Parameters: logP}
}

// Quantiles returns the prediction of quantiles at levels, which ascend between 0 and 1. The
// values may cross.
func Quantiles(levels []float64, values []*graph.Node) models.PredictionNodes {
	return models.PredictionNodes{Family: distribution.Quantiles(levels...), Parameters: values}
}

// FullNetwork predicts the full network's first output, without uncertainty.
func FullNetwork(_ *graph.Builder, m models.Moments) models.PredictionNodes { return Point(m.Full[0]) }

// Gaussian predicts the normal distribution whose parameters the full network puts out, as
// MeanAndStd reads them.
func Gaussian(b *graph.Builder, m models.Moments) models.PredictionNodes {
	return Normal(m.Full[0], Positive(b, m.Full[1], MinStd))
}

// SubNetworks predicts mean and standard deviation of the sub-networks' first output.
func SubNetworks(_ *graph.Builder, m models.Moments) models.PredictionNodes {
	return Normal(m.Mean[0], m.Std[0], models.Component{Name: models.StdDrop, Std: m.Std[0]})
}

// FullWithShift predicts the full network's output f and
// σ = σ_drop + |f − ⟨f~⟩|. Source: Sicking et al. 2021, section 3.
func FullWithShift(b *graph.Builder, m models.Moments) models.PredictionNodes {
	offset := b.Abs(b.Sub(m.Full[0], m.Mean[0]))
	return Normal(m.Full[0], b.Add(m.Std[0], offset),
		models.Component{Name: models.StdDrop, Std: m.Std[0]}, models.Component{Name: models.Offset, Std: offset})
}

// MixtureOfDraws predicts the mean μ and, by σ² = ⟨σ~²⟩ + var μ~, the standard deviation of
// sub-networks that put out mean and standard deviation, as MeanAndStd reads them. The
// first part is aleatoric, the second epistemic. Source: Kendall and Gal 2017, equation 9.
func MixtureOfDraws(b *graph.Builder, m models.Moments) models.PredictionNodes {
	aleatoric := m.OverDraws(func(draw []*graph.Node) *graph.Node { return b.Square(Positive(b, draw[1], MinStd)) })
	return Normal(m.Mean[0], b.Sqrt(b.Add(aleatoric, b.Square(m.Std[0]))), separated(b.Sqrt(aleatoric), m.Std[0])...)
}

// separated returns the two parts of an uncertainty as components.
func separated(aleatoric, epistemic *graph.Node) []models.Component {
	return []models.Component{{Name: models.Aleatoric, Std: aleatoric}, {Name: models.Epistemic, Std: epistemic}}
}
