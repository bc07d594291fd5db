package baseline

import (
	"cmp"
	"slices"

	"sml/data"
	"sml/evaluation/measure"
	"sml/models/distribution"
)

// constant predicts the same distribution for every row.
type constant struct {
	mean         float64                   // mean of the training targets
	distribution distribution.Distribution // their empirical distribution
}

// fitConstant returns the mean and the distribution of the training targets.
func fitConstant(train Rows) constant {
	return constant{
		mean:         train.meanTarget(),
		distribution: distribution.NewEmpirical(train.targetQuantiles()),
	}
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

// predict returns the predictions of the test rows.
func (c constant) predict(test Rows) *measure.Column {
	column := &measure.Column{Y: test.Y, Weights: test.Weights, Protocol: data.Sound}
	std := c.distribution.Std()
	for range test.Y {
		column.Mean = append(column.Mean, c.mean)
		column.Std = append(column.Std, std)
		column.Distributions = append(column.Distributions, c.distribution)
	}
	return column
}
