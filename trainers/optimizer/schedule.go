package optimizer

import (
	"math"

	"sml/internal/portable"
)

// Schedule is what the learning rate is multiplied by when the part done of a
// training, from 0 to 1, is behind it. The method At of a models.Schedule is one:
// linear, exponential.
type Schedule func(done float64) float64

// ByStep multiplies the learning rate of each step.
func ByStep(s Schedule) Link {
	return link(func(_ []float32, at At) At {
		at.Rate *= s(part(at.Step-1, at.Steps))
		return at
	})
}

// ByEpoch multiplies the learning rate of all steps of an epoch alike.
func ByEpoch(s Schedule) Link {
	return link(func(_ []float32, at At) At {
		at.Rate *= s(part(at.Epoch, at.Epochs))
		return at
	})
}

func part(done, all int) float64 {
	if all == 0 { // unknown
		return 0
	}
	return float64(done) / float64(all)
}

// Cosine falls from 1 to 0 along half a cosine. Source: Loshchilov and Hutter 2017,
// equation 5, without restarts.
func Cosine(done float64) float64 { return (1 + portable.Cos(math.Pi*done)) / 2 }

// StepDecay is 1, a tenth after half of the training, a hundredth after three
// quarters.
func StepDecay(done float64) float64 {
	switch {
	case done >= 0.75:
		return 0.01
	case done >= 0.5:
		return 0.1
	}
	return 1
}

// WarmUp rises from a hundredth to 1, linearly in the first part of a training,
// above 0 and below 1; the rest is as then says of a whole one, at 1 if then is nil.
// Source: Goyal et al. 2017, section 2.2.
func WarmUp(first float64, then Schedule) Schedule {
	need("WarmUp", first, first > 0 && first < 1, "a part of the training, above 0 and below 1")
	return func(done float64) float64 {
		switch {
		case done < first:
			return 0.01 + float64(0.99*(done/first))
		case then == nil:
			return 1
		}
		return then((done - first) / (1 - first))
	}
}
