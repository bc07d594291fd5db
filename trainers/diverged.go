package trainers

import (
	"fmt"
	"math"
	"strings"

	"sml/graph"
	"sml/internal/kernels"
	"sml/internal/statistics"
	"sml/models"
)

// DivergedError is the error of a training whose loss, gradient or weights are no
// longer finite numbers. The step that it names was not made.
type DivergedError struct {
	Member, Epoch, Step int     // member from 0, epoch and its step from 1
	Loss                float64 // of that step; finite if it is the gradient or the weights that are not
	PreviousLoss        float64 // of the step before, NaN if it was the first
	Rate                float64 // learning rate
	Cause               string
}

func (d *DivergedError) Error() string {
	if statistics.Finite(d.Loss) {
		return fmt.Sprintf("training diverged at epoch %d, step %d, where the loss is still %.4g: %s", d.Epoch, d.Step, d.Loss, d.Cause)
	}
	before := ""
	if !math.IsNaN(d.PreviousLoss) {
		before = fmt.Sprintf(" (%.4g the step before)", d.PreviousLoss)
	}
	return fmt.Sprintf("training diverged: the loss is %v at epoch %d, step %d%s: %s", d.Loss, d.Epoch, d.Step, before, d.Cause)
}

// describeFault says where the first number that is not finite is in a step over rows of the
// table, "" if nothing is found.
func describeFault(step *models.Step, rows []int32) string {
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

// outlierDistance is the distance from the mean, in standard deviations, at which a
// value is worth naming as a likely cause.
const outlierDistance = 1000

// gradientCause says of which parameters the gradient is not finite.
func gradientCause(p *graph.Params, grad []float32, loss, rate float64, fault string) string {
	var names []string
	for i, param := range p.List() {
		if !kernels.Finite(graph.ParamValues(p, grad, i)) {
			names = append(names, param.Name)
		}
	}
	if math.Abs(loss) > outlierDistance*outlierDistance {
		return fmt.Sprintf("the gradient of %s is beyond the range of float32; try a smaller learning rate than %g, or gradient clipping", strings.Join(names, ", "), rate) + fault
	}
	text := fmt.Sprintf("the gradient of %s is not finite although the loss is: some operation of the objective has no finite derivative here", strings.Join(names, ", "))
	if fault == "" {
		text += ", such as a root or a logarithm of 0, or a quotient with 0 below"
	}
	return text + fault
}

// lossCause says why a loss, or a weight, is not finite in a step over inputs x and targets
// y, given what fault found. The learning rate is none before the first step is done.
func lossCause(p *graph.Params, x, y []float32, first bool, rate float64, fault string) string {
	smaller := fmt.Sprintf("; try a smaller learning rate than %g", rate)
	var weights []string
	for i, param := range p.List() {
		switch {
		case kernels.Finite(graph.ParamValues(p, p.Float32s(), i)):
		case param.Buffer:
			return fmt.Sprintf("what the buffer %s was updated by is not finite", param.Name)
		default:
			weights = append(weights, param.Name)
		}
	}
	if len(weights) > 0 {
		return fmt.Sprintf("the weights overflowed, of %s%s, or gradient clipping", strings.Join(weights, ", "), smaller)
	}
	for _, c := range []struct {
		name   string
		values []float32
	}{{"an input", x}, {"the target", y}} {
		for _, v := range c.values {
			if v > outlierDistance || v < -outlierDistance {
				return fmt.Sprintf("%s of this batch is %.0f standard deviations from its mean; look at the data", c.name, v) + fault
			}
		}
	}
	text := "the objective has no finite value here"
	if !first {
		text += smaller
	}
	if fault == "" {
		text += "; look for a logarithm or quotient of 0"
	}
	return text + fault
}
