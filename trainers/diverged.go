package trainers

import (
	"fmt"
	"math"
	"strings"

	"sml/graph"
	"sml/models"
)

// Diverged is the error of a training whose loss, gradient or weights are no
// longer finite numbers. The step that it names was not made.
type Diverged struct {
	Member, Epoch, Step int     // member from 0, epoch and its step from 1
	Loss                float64 // of that step; finite if it is the gradient or the weights that are not
	Before              float64 // of the step before, NaN if it was the first
	Rate                float64 // learning rate
	Cause               string
}

func (d *Diverged) Error() string {
	if finite(d.Loss) {
		return fmt.Sprintf("training diverged at epoch %d, step %d, where the loss is still %.4g: %s", d.Epoch, d.Step, d.Loss, d.Cause)
	}
	before := ""
	if !math.IsNaN(d.Before) {
		before = fmt.Sprintf(" (%.4g the step before)", d.Before)
	}
	return fmt.Sprintf("training diverged: the loss is %v at epoch %d, step %d%s: %s", d.Loss, d.Epoch, d.Step, before, d.Cause)
}

// fault says where the first number that is not finite is in a step over rows of the
// table, "" if nothing is found.
func fault(step *models.Step, rows []int32) string {
	f := step.Fault()
	if f == nil {
		return ""
	}
	text := "; the first number that is not finite: " + f.String()
	if len(f.Rows) > 0 && f.Height == len(rows) {
		text += fmt.Sprintf("; row %d of the table", rows[f.Rows[0]]+1)
		if n := len(f.Rows) - 1; n > 0 {
			text += fmt.Sprintf(" and %d more of the batch", n)
		}
	}
	return text
}

// far is the distance from the mean, in standard deviations, at which a
// value is worth naming as a likely cause.
const far = 1000

// gradientCause says of which parameters the gradient is not finite.
func gradientCause(p *graph.Params, grad []float32, loss, rate float64) string {
	var names []string
	for i, param := range p.List() {
		if !graph.Finite(graph.Slice(p, grad, i)) {
			names = append(names, param.Name)
		}
	}
	if math.Abs(loss) > far*far {
		return fmt.Sprintf("the gradient of %s is beyond the range of float32; try a smaller learning rate than %g, or gradient clipping", strings.Join(names, ", "), rate)
	}
	return fmt.Sprintf("the gradient of %s is not finite although the loss is: some operation of the objective has no finite derivative here, "+
		"such as a root or a logarithm of 0, or a quotient with 0 below", strings.Join(names, ", "))
}

func cause(values, x, y []float32, rate float64) string {
	if !graph.Finite(values) {
		return fmt.Sprintf("the weights overflowed; try a smaller learning rate than %g, or gradient clipping", rate)
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
