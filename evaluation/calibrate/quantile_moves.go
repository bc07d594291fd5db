package calibrate

import (
	"math"
	"slices"

	"sml/internal/portable"
)

// QuantileMoves says how the quantiles that a method predicts are calibrated: each is stretched away from the row's
// median by a factor, and then moved by its own shift.
type QuantileMoves struct {
	Stretch float64   `json:"stretch,omitempty"`
	Shifts  []float64 `json:"shifts,omitempty"` // by level; nil if the method does not predict quantiles
}

// apply moves the quantiles of a row.
func (m QuantileMoves) apply(quantiles []float64, median float64) {
	m.stretch(quantiles, median)
	for i, shift := range m.Shifts {
		quantiles[i] += shift
	}
}

// stretch multiplies the distances of quantiles from the median by the factor.
func (m QuantileMoves) stretch(quantiles []float64, median float64) {
	for i, q := range quantiles {
		quantiles[i] = median + float64(m.Stretch*(q-median))
	}
}

// fitQuantileMoves returns the moves of predicted quantiles. The shift of a level p is the quantile of the n targets'
// distances from their quantiles with the rank p·(n + 1), so that a fraction p of them is below. The stretch has the
// smallest pinball loss; it is 1 for a kind that does not adapt.
func (k Kind) fitQuantileMoves(s quantileSample) QuantileMoves {
	moves := QuantileMoves{Stretch: 1}
	if k.adapts {
		moves.Stretch = s.bestStretch()
	}
	for _, residuals := range s.residuals(moves) {
		quantileAt := k.shapeOf(newOrderStatistics(residuals, meanWeights(s.Weights)), 1)
		level := s.Levels[len(moves.Shifts)]
		moves.Shifts = append(moves.Shifts, quantileAt.quantile(level, 1))
	}
	return moves
}

// residuals returns the distance of each target from its stretched quantile, by level: positive above it.
func (s quantileSample) residuals(m QuantileMoves) [][]float64 {
	byLevel := make([][]float64, len(s.Levels))
	for row, y := range s.Y {
		quantiles := slices.Clone(s.Quantiles[row])
		m.stretch(quantiles, s.Medians[row])
		for i, q := range quantiles {
			byLevel[i] = append(byLevel[i], y-q)
		}
	}
	return byLevel
}

// Stretches that bestStretch compares: powers of e.
const (
	lowestLogStretch  = -0.7
	logStretchStep    = 0.05
	numberOfStretches = 39
)

// bestStretch returns the stretch with the smallest pinball loss over all rows and levels.
func (s quantileSample) bestStretch() float64 {
	best := 1.0
	lowest := math.Inf(1)
	for i := range numberOfStretches {
		m := QuantileMoves{Stretch: portable.Exp(lowestLogStretch + float64(float64(i)*logStretchStep))}
		loss := 0.0
		for level, residuals := range s.residuals(m) {
			for row, r := range residuals {
				p := s.Levels[level]
				loss += float64(s.weight(row) * max(float64(p*r), float64((p-1)*r)))
			}
		}
		if loss < lowest {
			lowest = loss
			best = m.Stretch
		}
	}
	return best
}
