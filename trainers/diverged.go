package trainers

import (
	"fmt"
	"math"
)

// Diverged is the error of a training whose loss is no longer a finite number.
type Diverged struct {
	Member, Epoch, Step int     // member from 0, epoch and its step from 1
	Loss                float64 // of that step
	Before              float64 // of the step before, NaN if it was the first
	Rate                float64 // learning rate
	Cause               string
}

func (d *Diverged) Error() string {
	before := ""
	if !math.IsNaN(d.Before) {
		before = fmt.Sprintf(" (%.4g the step before)", d.Before)
	}
	return fmt.Sprintf("training diverged: the loss is %v at epoch %d, step %d%s: %s", d.Loss, d.Epoch, d.Step, before, d.Cause)
}

// far is the distance from the mean, in standard deviations, at which a
// value is worth naming as a likely cause.
const far = 1000

func cause(values, x, y []float32, rate float64) string {
	finite := func(v float32) bool { return !math.IsNaN(float64(v)) && !math.IsInf(float64(v), 0) }
	for _, v := range values {
		if !finite(v) {
			return fmt.Sprintf("the weights overflowed; try a smaller learning rate than %g, or gradient clipping", rate)
		}
	}
	for _, c := range []struct {
		name   string
		values []float32
	}{{"an input", x}, {"the target", y}} {
		for _, v := range c.values {
			if v > far || v < -far {
				return fmt.Sprintf("%s of this batch is %.0f standard deviations from its mean; look at the data", c.name, v)
			}
		}
	}
	return fmt.Sprintf("the objective has no finite value here; try a smaller learning rate than %g, or look for a logarithm or quotient of 0", rate)
}
