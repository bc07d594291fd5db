package report

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"sml/evaluation/experiment"
	"sml/evaluation/report/chart"
	"sml/models"
)

// validationLoss is the name of a history's column.
const validationLoss = "validation loss"

var learningCurves = Plot{
	Name:     "learning",
	Title:    "Learning curves",
	PerModel: true,
	Summary: "The loss over the epochs, with a line for each ensemble member. Both losses are values of the same objective, with dropout. The training loss is the mean over the steps of an epoch, during which the weights change; " +
		"the validation loss is computed at the end of the epoch, with the same dropout masks every time.",
	Draw: drawLearningCurves,
}

// drawLearningCurves draws the training losses and, if the history has them, the validation losses. The note says which
// epochs the model has the weights of, or why there is no figure.
func drawLearningCurves(_ context.Context, r *Rows) (f chart.Figure, note string, err error) {
	if r.Model == nil || len(r.Model.History.Rows) == 0 {
		return f, "the model has no training history", nil
	}
	l := newLosses(r.Model.History)
	values := allLosses(slices.Concat(l.training, l.validation))
	if len(values) == 0 {
		return f, "the training history has no finite loss", nil
	}
	p := chart.Panel{X: l.epochAxis(), Y: l.lossAxis(values)}
	p.Layers = l.layers(p.Y)
	if outside := countOutside(values, p.Y); outside > 0 {
		p.Note = fmt.Sprintf("%d beyond the axis", outside)
	}
	f.Panels = []chart.Panel{p}
	return f, describeKeptEpochs(l.kept.X, l.validation != nil) + describeAverage(r.Model), nil
}

// countOutside counts the values beyond the limits of an axis.
func countOutside(values []float64, axis chart.Axis) (count int) {
	for _, v := range values {
		if v < axis.Min || v > axis.Max {
			count++
		}
	}
	return count
}

// losses has the losses of a training by ensemble member.
type losses struct {
	training   []chart.Layer // line of each member, without losses that cannot be drawn
	validation []chart.Layer // line of each member, without losses that cannot be drawn; nil if the history has none
	kept       chart.Layer   // point of each member: the epoch whose weights the model has, and its loss
	epochs     int           // largest number of epochs of a member
}

// newLosses returns the losses of a training history, which must not be empty.
func newLosses(h models.History) losses {
	members := h.Rows[len(h.Rows)-1].Member + 1 // rows are sorted by member
	validationColumn := slices.Index(h.Columns, validationLoss)
	l := losses{
		training: memberLines(members, "training", chart.Blue),
		kept:     chart.Layer{X: make([]float64, members), Y: make([]float64, members)},
	}
	if validationColumn >= 0 {
		l.validation = memberLines(members, "validation", chart.Orange)
	}
	for _, row := range h.Rows {
		validation := math.NaN()
		if l.validation != nil {
			validation = row.Values[validationColumn]
		}
		l.epochs = max(l.epochs, row.Number)
		l.addEpoch(row.Member, float64(row.Number), row.Values[0], validation) // the first column is the loss
	}
	return l
}

// addEpoch adds the next epoch of a member. validation is NaN if the member has no validation rows. The member then keeps
// the weights of its last epoch, and otherwise of the epoch with the lowest validation loss.
func (l *losses) addEpoch(member int, epoch, training, validation float64) {
	judged := validation // loss by which the epoch is kept
	isKept := epoch == 1 || validation < l.kept.Y[member]
	if math.IsNaN(validation) {
		judged = training
		isKept = true
	}
	if isKept {
		l.kept.X[member] = epoch
		l.kept.Y[member] = judged
	}
	if chart.IsDrawable(training) {
		l.training[member].Add(epoch, training)
	}
	if chart.IsDrawable(validation) {
		l.validation[member].Add(epoch, validation)
	}
}

// allLosses returns the losses of all members' lines.
func allLosses(lines []chart.Layer) []float64 {
	var values []float64
	for _, line := range lines {
		values = append(values, line.Y...)
	}
	return values
}

// epochAxis returns the x axis. The only epoch of a short training is in the middle.
func (l losses) epochAxis() chart.Axis {
	low, high := 1.0, float64(l.epochs)
	if l.epochs == 1 {
		low, high = 0.5, 1.5
	}
	return chart.Axis{Label: "epoch", Min: low, Max: high, Ticks: wholeTicks(low, high)}
}

// lossAxis returns a logarithmic axis for all values if they are positive and differ by more than a factor of ten.
// Otherwise it returns a linear axis with the limits of readableLimits.
func (l losses) lossAxis(values []float64) chart.Axis {
	const (
		minLogRatio = 10  // of the highest loss to the lowest
		border      = 1.1 // factor, at both ends of the logarithmic axis
	)
	low := slices.Min(values)
	high := slices.Max(values)
	if low >= border*chart.LeastLogarithm && high > minLogRatio*low {
		return chart.Axis{Label: "loss", Min: low / border, Max: high * border, Scale: chart.Logarithmic}
	}
	low, high = readableLimits(allLosses(l.training), values)
	return chart.Axis{Label: "loss", Min: low, Max: high}
}

// readableLimits returns limits that keep most losses readable. They cut off the loss of a first epoch far above all
// others, and validation losses that rise far above the training losses: above these, there is at most half as much
// space as the training losses take.
func readableLimits(training, all []float64) (low, high float64) {
	const (
		shownLosses         = 0.99 // fraction of all losses, half of the others below the limits
		shownTrainingLosses = 0.97 // fraction of the training losses; smaller, to leave out the high loss of a first epoch
		spaceAboveTraining  = 0.5  // of the range of the training losses
	)
	low, _ = chart.Quantiles(all, shownLosses)
	_, trainingHigh := chart.Quantiles(training, shownTrainingLosses)
	aboveTraining := trainingHigh + spaceAboveTraining*(trainingHigh-low)
	high = min(slices.Max(all), aboveTraining)
	low, high = chart.Widen(low, high)
	return chart.AddBorder(low, high, borderFraction)
}

// layers returns the lines of all members and rings at the kept epochs within the y axis. Validation losses are above
// training losses, and the rings above both.
func (l losses) layers(y chart.Axis) []chart.Layer {
	layers := slices.Concat(l.training, l.validation)
	const minEpochsOfLine = 4 // a line of one point is invisible, and a line of few points is hard to see
	if l.epochs < minEpochsOfLine {
		for _, line := range slices.Clone(layers) {
			line.Kind = chart.Points
			layers = append(layers, line)
		}
	}
	rings := chart.Layer{Name: "kept epoch", Kind: chart.Points, Hollow: true, Radius: 3.2, Colour: chart.Red}
	for member, loss := range l.kept.Y {
		if loss >= y.Min && loss <= y.Max {
			rings.Add(l.kept.X[member], loss)
		}
	}
	return append(layers, rings)
}

// memberLines returns an empty line for each member. Lines of several members are thinner, since they overlap.
func memberLines(members int, name string, colour color.NRGBA) []chart.Layer {
	const (
		soleWidth   = 1.3
		memberWidth = 0.7
	)
	width := soleWidth
	if members > 1 {
		width = memberWidth
	}
	return slices.Repeat([]chart.Layer{{Name: name, Colour: colour, Width: width}}, members)
}

// describeKeptEpochs returns a sentence on the epochs whose weights the members have.
func describeKeptEpochs(kept []float64, hasValidation bool) string {
	first := slices.Min(kept)
	last := slices.Max(kept)
	epochs := fmt.Sprintf("epoch %v", first)
	if last > first {
		epochs = fmt.Sprintf("epochs %v to %v", first, last)
	}
	if hasValidation {
		return "The model has the weights of the lowest validation loss, from " + epochs + "."
	}
	return "There were no validation rows: the model has the last weights, from " + epochs + "."
}

// describeAverage returns a sentence on averaged weights, with a space before it, or "" if the training did not average
// them.
func describeAverage(m *experiment.Model) string {
	average := m.Settings.Training.Average
	if average.Kind == "" {
		return ""
	}
	return fmt.Sprintf(" These weights, and the weights for each validation loss, are averaged by %v.", average)
}

// wholeTicks returns the whole numbers among the ticks of chart.RoundTicks, for axes of counts such as epochs.
func wholeTicks(low, high float64) []chart.Tick {
	ticks := slices.DeleteFunc(chart.RoundTicks(low, high, 4), func(t chart.Tick) bool { return t.Value != math.Round(t.Value) })
	for i, t := range ticks {
		ticks[i].Label = chart.WithMinusSign(strconv.FormatFloat(t.Value+0, 'f', -1, 64)) // + 0 turns −0 into 0
	}
	return ticks
}
