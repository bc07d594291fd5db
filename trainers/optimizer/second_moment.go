package optimizer

import (
	"fmt"
	"math"

	"sml/internal/kernels"
)

// secondMoment is the second moment of an optimizer that divides each step by the moment's root, as Adam does. A
// state that embeds it is an EpochEnder and a Warner.
type secondMoment struct {
	title string    // title of the optimizer, for the warning
	v     []float32 // running mean of the squared gradient, per weight
}

// EndEpoch replaces infinite second moments by the largest finite number, because an infinite
// running mean could never become smaller again.
func (s *secondMoment) EndEpoch() {
	if kernels.Finite(s.v) {
		return
	}
	for i := range s.v {
		s.v[i] = min(s.v[i], math.MaxFloat32)
	}
}

// Warning returns a warning if second moments became so large that their weights hardly move any
// more: the optimizer divides each step by the root of the second moment.
func (s *secondMoment) Warning(network string, rate float64) string {
	const hugeGradient = 1e9 // ordinary gradients are between 1e-6 and 1e3
	largest := 0.0           // largest size of a gradient
	stopped := 0             // number of weights that hardly move any more
	for _, v := range s.v {
		size := math.Sqrt(float64(v)) // v is a mean of squared gradients
		if size > hugeGradient {
			largest = max(largest, size)
			stopped++
		}
	}
	if stopped == 0 {
		return ""
	}
	return fmt.Sprintf("gradients%s of up to %.0e have almost stopped %d of %d weights, because %s remembers the size of gradients for thousands of steps: clip gradients, or use a learning rate below %g", network, largest, stopped, len(s.v), s.title, rate)
}

// squareRoot returns the root of v, correctly rounded.
func squareRoot(v float32) float32 { return float32(math.Sqrt(float64(v))) }
