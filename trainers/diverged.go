package trainers

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"sml/graph"
	"sml/internal/kernels"
	"sml/internal/statistics"
	"sml/models"
)

// DivergedError is the error of a training whose loss, gradient or weights are no longer finite
// numbers.
type DivergedError struct {
	Member       int     // index of the ensemble member, from 0
	Epoch        int     // number of the epoch, from 1
	Step         int     // number of the step in its epoch, from 1
	Loss         float64 // loss of the step; finite if only the gradient or the weights are not
	PreviousLoss float64 // loss of the step before; NaN if the step is the first of its epoch
	Rate         float64 // learning rate of the step
	Cause        string  // probable cause, and what to try
}

// Error returns a message with the place where the training diverged, the loss and the probable cause.
func (d *DivergedError) Error() string {
	if statistics.IsFinite(d.Loss) {
		return fmt.Sprintf("training diverged at epoch %d, step %d, where the loss is still %.4g: %s", d.Epoch, d.Step, d.Loss, d.Cause)
	}
	previous := ""
	if !math.IsNaN(d.PreviousLoss) {
		previous = fmt.Sprintf(" (%.4g the step before)", d.PreviousLoss)
	}
	return fmt.Sprintf("training diverged: the loss is %v at epoch %d, step %d%s: %s", d.Loss, d.Epoch, d.Step, previous, d.Cause)
}

// describeFault returns text that names the operation and the row where the first number of a step on the batch
// is not finite, or "" if no operation is found.
func (b batch) describeFault(step *models.Step) string {
	f := step.FindFault()
	if f == nil {
		return ""
	}
	text := "; the first number that is not finite: " + f.String()
	if len(f.Rows) == 0 || f.Height != len(b.indices) { // the number belongs to no row
		return text
	}
	text += "; " + b.rowName(f.Rows[0])
	others := len(f.Rows) - 1
	if others > 0 {
		text += fmt.Sprintf(" and %d more of the batch", others)
	}
	return text
}

// outlierDistance is the distance of a value from the mean, in standard deviations, at which messages
// name the value as a probable cause.
const outlierDistance = 1000

// hugeLoss is the loss above which a gradient that is not finite has probably overflowed.
const hugeLoss = outlierDistance * outlierDistance

// gradientCause returns a text that says why a gradient is not finite although the loss is, and what to
// try: a huge loss makes the gradient overflow, and otherwise a derivative does not exist. fault is the
// text of describeFault, which is added at the end.
func gradientCause(p *graph.Params, grad []float32, loss, rate float64, fault string) string {
	var names []string
	for i, param := range p.List() {
		if !kernels.Finite(graph.ParamValues(p, grad, i)) {
			names = append(names, param.Name)
		}
	}
	parameters := strings.Join(names, ", ")
	if math.Abs(loss) > hugeLoss {
		return fmt.Sprintf("the gradient of %s is beyond the range of float32; try a smaller learning rate than %g, or gradient clipping", parameters, rate) + fault
	}
	text := fmt.Sprintf("the gradient of %s is not finite although the loss is: some operation of the objective has no finite derivative here", parameters)
	if fault == "" {
		text += ", such as a root or a logarithm of 0, or a division by 0"
	}
	return text + fault
}

// weightsCause returns a text that names the parameters whose weights are not finite, and says what to
// try. It returns "" if all weights are finite.
func weightsCause(p *graph.Params, rate float64) string {
	var overflowed []string
	for i, param := range p.List() {
		if kernels.Finite(graph.ParamValues(p, p.Float32s(), i)) {
			continue
		}
		if param.Buffer {
			return fmt.Sprintf("the update of the buffer %s is not finite", param.Name)
		}
		overflowed = append(overflowed, param.Name)
	}
	if len(overflowed) == 0 {
		return ""
	}
	return fmt.Sprintf("the weights of %s overflowed; try a smaller learning rate than %g, or gradient clipping", strings.Join(overflowed, ", "), rate)
}

// lossCause returns a text that says why the loss of a step is probably not finite, and what to try:
// weights that overflowed, an outlier in the batch, or else the objective. fault is the text of
// describeFault, which is added at the end.
func (m *member) lossCause(step *models.Step, rate float64, fault string) string {
	cause := weightsCause(m.params, rate)
	if cause != "" {
		return cause
	}
	cause = cmp.Or(outlierCause("an input", step.X), outlierCause("the target", step.Y))
	if cause != "" {
		return cause + fault
	}
	text := "the objective has no finite value here"
	if m.state.Step > 0 { // before the first step, the learning rate has had no effect
		text += fmt.Sprintf("; try a smaller learning rate than %g", rate)
	}
	if fault == "" {
		text += "; look for a logarithm of 0 or a division by 0"
	}
	return text + fault
}

// outlierCause returns a message if a standardised value is far from the mean, and "" otherwise. kind
// names the values.
func outlierCause(kind string, values []float32) string {
	for _, v := range values {
		if v > outlierDistance || v < -outlierDistance {
			return fmt.Sprintf("%s of this batch is %.0f standard deviations from its mean; look at the data", kind, v)
		}
	}
	return ""
}
