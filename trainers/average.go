package trainers

import (
	"fmt"
	"strconv"
	"strings"

	"sml/internal/portable"
	"sml/models"
)

// Average is a rule that averages the weights of a member over its training. Validation, early
// stopping and the trained model use the averaged weights; the optimizer goes on from the current
// weights. Buffers, such as the running statistics of batch normalisation, are averaged like
// weights. The zero Average averages nothing.
type Average struct {
	Kind string // EMA, SWA, or "" for no average

	// Value is the decay of EMA, from 0 to 0.999999, or the fraction of the epochs before the
	// average of SWA begins, from 0 to less than 1.
	Value float64
}

// The kinds of averages.
const (
	// EMA is the exponential moving average over all steps, without a bias towards the initial
	// weights: after step t the weights of step i count decay^(t−i), divided by the sum of these
	// numbers over all steps. Source: Polyak and Juditsky 1992 for averages of iterates; Kingma and Ba 2015,
	// section 3, for the correction of the bias.
	EMA = "ema"

	// SWA is the mean of the weights at the end of each epoch, from a fraction of the epochs on.
	// Before that, there is no average. Source: Izmailov et al. 2018, algorithm 1 with a cycle of
	// one epoch. They recompute the statistics of batch normalisation by a pass over the
	// training rows; here buffers are averaged, as by torch.optim.swa_utils.AveragedModel with
	// use_buffers, since a buffer may hold anything that a step updates.
	SWA = "swa"
)

// noAverage is the text of the zero Average.
const noAverage = "none"

// swaRange is the range of the fraction of SWA.
var swaRange = models.Range{Min: 0, Max: 1 - 1e-9}

// emaRange is the range of the decay of EMA. Above 0.999999 an average of float32 numbers hardly
// moves.
var emaRange = models.Range{Min: 0, Max: 0.999999}

// ParseAverage returns the average that text describes: none, ema(DECAY) or swa(START).
func ParseAverage(text string) (Average, error) {
	if text == "" || text == noAverage {
		return Average{}, nil
	}
	kind, rest, _ := strings.Cut(text, "(")
	number, closed := strings.CutSuffix(rest, ")")
	value, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !closed {
		return Average{}, fmt.Errorf("average %q: want %s, or such as %s(0.999) or %s(0.75)", text, noAverage, EMA, SWA)
	}
	a := Average{Kind: kind, Value: value + 0} // + 0 turns −0 into 0
	return a, a.check()
}

// check returns an error if the kind is unknown or the value out of range.
func (a Average) check() error {
	switch a.Kind {
	case "":
		if a.Value != 0 {
			return fmt.Errorf("the average has a number and no kind: want %s or %s", EMA, SWA)
		}
		return nil
	case EMA:
		return checkRange("the decay of the average", a.Value, emaRange)
	case SWA:
		return checkRange("the fraction of the epochs before the average", a.Value, swaRange)
	}
	return fmt.Errorf("unknown average %q; want one of %s, %s, %s", a.Kind, noAverage, EMA, SWA)
}

// String returns the average as ParseAverage reads it.
func (a Average) String() string {
	if a.Kind == "" {
		return noAverage
	}
	return fmt.Sprintf("%s(%v)", a.Kind, a.Value)
}

// MarshalText returns the text of String.
func (a Average) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads the text of String. It returns the errors of ParseAverage.
func (a *Average) UnmarshalText(text []byte) (err error) {
	*a, err = ParseAverage(string(text))
	return err
}

// hasBegun reports whether there are averaged weights after a number of epochs.
func (a Average) hasBegun(epoch, epochs int) bool {
	switch a.Kind {
	case EMA:
		return epoch > 0
	case SWA:
		return epoch > a.epochsBefore(epochs)
	}
	return false
}

// epochsBefore returns the number of epochs before the average of SWA begins, rounded down.
func (a Average) epochsBefore(epochs int) int {
	const roundingError = 1e-6 // a product just below a whole number counts as this number
	return int(float64(a.Value*float64(epochs)) + roundingError)
}

// updateEMA updates an exponential moving average after a step. Step i of t counts decay^(t−i) in
// the average, and the sum of these numbers is (1 − decay^t)/(1 − decay): the latest step counts 1 of it.
func (m *member) updateEMA() {
	a := m.settings.Average
	if a.Kind != EMA {
		return
	}
	decay := a.Value
	m.moveAverage((1 - decay) / (1 - portable.Power(decay, m.state.Step)))
}

// updateSWA updates the average of SWA after an epoch: it stays the mean over the epochs so far.
func (m *member) updateSWA() {
	a := m.settings.Average
	if a.Kind != SWA || !a.hasBegun(m.state.Epoch, m.settings.Epochs) {
		return
	}
	averagedEpochs := m.state.Epoch - a.epochsBefore(m.settings.Epochs)
	m.moveAverage(1 / float64(averagedEpochs))
}

// moveAverage moves the average by a fraction of the way to the current weights. The fraction of the
// first call must be 1, so that the average starts from the current weights.
func (m *member) moveAverage(fraction float64) {
	values := m.params.Float32s()
	if m.state.Average == nil {
		m.state.Average = make([]float32, len(values))
	}
	average := m.state.Average[:len(values)]
	for i, v := range values {
		before := float64(average[i])
		average[i] = float32(before + float64(fraction*(float64(v)-before)))
	}
}

// withAveragedWeights calls f with the averaged weights in the network, if there are any yet, and then
// restores the weights.
func (m *member) withAveragedWeights(f func() error) error {
	if m.state.Average == nil {
		return f()
	}
	values := m.params.Float32s()
	if m.currentWeights == nil {
		m.currentWeights = make([]float32, len(values))
	}
	copy(m.currentWeights, values)
	defer copy(values, m.currentWeights)
	copy(values, m.state.Average)
	return f()
}
