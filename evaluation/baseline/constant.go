package baseline

import (
	"cmp"
	"slices"

	"sml/data"
	"sml/evaluation/measure"
	"sml/models/distribution"
)

// predictConstant returns the same prediction for all test rows: the distribution of the training targets.
func predictConstant(train, test Rows) *measure.Column {
	column := &measure.Column{Y: test.Y, Weights: test.Weights, Protocol: data.Sound}
	if train.Classes > 0 {
		column.Distributions = slices.Repeat([]distribution.Distribution{train.classFrequencies()}, len(test.Y))
		return column
	}
	empirical := distribution.NewEmpirical(train.targetQuantiles())
	column.Distributions = slices.Repeat([]distribution.Distribution{empirical}, len(test.Y))
	column.Mean = slices.Repeat([]float64{train.meanTarget()}, len(test.Y))
	column.Std = slices.Repeat([]float64{empirical.Std()}, len(test.Y))
	return column
}

// maxDraws is the maximum number of values of the empirical distribution. More would change no digit that is
// printed, and the CRPS of each row takes time in proportion.
const maxDraws = 500

// targetQuantiles returns values with the distribution of the targets, ascending: the targets themselves if they
// are few and count the same, otherwise their quantiles at evenly spaced levels.
func (r Rows) targetQuantiles() []float64 {
	order := make([]int, len(r.Y)) // positions by ascending target
	total := 0.0                   // sum of the weights
	for i := range order {
		order[i] = i
		total += r.weight(i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.Y[a], r.Y[b]) })
	draws := min(len(order), maxDraws)
	quantiles := make([]float64, draws)
	position := 0
	below := r.weight(order[0]) // sum of the weights up to the position
	for i := range quantiles {
		level := float64((float64(i) + 0.5) * total / float64(draws))
		for below < level && position < len(order)-1 {
			position++
			below += r.weight(order[position])
		}
		quantiles[i] = r.Y[order[position]]
	}
	return quantiles
}

// classFrequencies returns the weighted fraction of the rows for each class.
func (r Rows) classFrequencies() distribution.Classes {
	f := make(distribution.Classes, r.Classes)
	total := r.totalWeight()
	for i, y := range r.Y {
		f[int(y)] += r.weight(i) / total
	}
	return f
}
