package plot

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/experiment"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
	"sml/evaluation/report/internal/shape"
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

// drawLearningCurves draws the training losses and, if the history has them, the validation losses.
func drawLearningCurves(_ context.Context, r *Rows) (Drawing, error) {
	if r.Model == nil || len(r.Model.History.Rows) == 0 {
		return Drawing{Note: "the model has no training history"}, nil
	}
	l := newLosses(r.Model.History)
	values := l.drawableValues()
	if len(values) == 0 {
		return Drawing{Note: "the training history has no finite loss"}, nil
	}
	p := drawing.NewPlot("epoch", "loss")
	l.setEpochAxis(p)
	l.setLossAxis(p, values)
	outside := 0
	for _, v := range values {
		if v < p.Y.Min || v > p.Y.Max {
			outside++
		}
	}
	l.addTo(p)
	return Drawing{
		Panels: []drawing.Panel{{Plot: p, Note: drawing.CountNote(outside, "beyond the axis")}},
		Legend: l.legend(),
		Note:   describeKeptEpochs(l.kept, l.hasValidation) + describeAverage(r.Model),
	}, nil
}

// losses has the losses of a training by ensemble member. A point is an epoch, counted from 1, and a loss.
type losses struct {
	training      []plotter.XYs // of each member, without losses that cannot be drawn
	validation    []plotter.XYs // of each member, without losses that cannot be drawn; all empty if the history has none
	hasValidation bool          // whether the history has validation losses
	kept          plotter.XYs   // point of the epoch whose weights the model has, by member
	epochs        int           // largest number of epochs of a member
}

// newLosses returns the losses of a training history, which must not be empty. The model has the weights of
// the epoch with the lowest validation loss or, without validation rows, of the last epoch.
func newLosses(h models.History) losses {
	validationColumn := slices.Index(h.Columns, validationLoss)
	members := h.Rows[len(h.Rows)-1].Member + 1 // rows are sorted by member
	l := losses{
		training:      make([]plotter.XYs, members),
		validation:    make([]plotter.XYs, members),
		hasValidation: validationColumn >= 0,
		kept:          make(plotter.XYs, members),
	}
	for _, row := range h.Rows {
		l.epochs = max(l.epochs, row.Number)
		training := plotter.XY{X: float64(row.Number), Y: row.Values[0]} // the first column is the loss
		l.training[row.Member] = appendDrawable(l.training[row.Member], training)
		if !l.hasValidation || math.IsNaN(row.Values[validationColumn]) { // this member has no validation rows
			l.kept[row.Member] = training // later epochs overwrite earlier ones
			continue
		}
		validation := plotter.XY{X: training.X, Y: row.Values[validationColumn]}
		l.validation[row.Member] = appendDrawable(l.validation[row.Member], validation)
		isFirst := row.Number == 1
		if isFirst || validation.Y < l.kept[row.Member].Y { // false for NaN
			l.kept[row.Member] = validation
		}
	}
	return l
}

// appendDrawable appends the point if its loss can be drawn.
func appendDrawable(points plotter.XYs, point plotter.XY) plotter.XYs {
	if !axes.IsDrawable(point.Y) {
		return points
	}
	return append(points, point)
}

// drawableValues returns all training and validation losses that can be drawn.
func (l losses) drawableValues() []float64 {
	lines := slices.Concat(l.training, l.validation)
	return yValues(slices.Concat(lines...))
}

// setEpochAxis sets the limits and ticks of the x axis. The only epoch of a short training is in the middle.
func (l losses) setEpochAxis(p *plot.Plot) {
	setLimits(&p.X, 1, float64(l.epochs))
	if l.epochs == 1 {
		setLimits(&p.X, 0.5, 1.5)
	}
	p.X.Tick.Marker = wholeTicks
}

// setLossAxis sets a logarithmic axis for all values if they are positive and differ by more than a
// factor of ten. Otherwise it sets a linear axis with the limits of readableLimits.
func (l losses) setLossAxis(p *plot.Plot, values []float64) {
	const (
		minLogRatio = 10  // of the highest loss to the lowest
		border      = 1.1 // factor, at both ends of the logarithmic axis
	)
	low := slices.Min(values)
	high := slices.Max(values)
	if low >= axes.LeastLogarithm && high > minLogRatio*low {
		setLimits(&p.Y, low/border, high*border)
		p.Y.Scale = plot.LogScale{}
		p.Y.Tick.Marker = plot.TickerFunc(axes.DecadeTicks)
		return
	}
	low, high = readableLimits(yValues(slices.Concat(l.training...)), values)
	setLimits(&p.Y, low, high)
}

// readableLimits returns limits that keep most losses readable. They cut off the loss of a first
// epoch far above all others, and validation losses that rise far above the training losses: above these,
// there is at most half as much space as the training losses take.
func readableLimits(training, all []float64) (low, high float64) {
	const (
		shownLosses         = 0.99 // fraction of all losses, half of the others below the limits
		shownTrainingLosses = 0.97 // fraction of the training losses; smaller, to leave out the high loss of a first epoch
		spaceAboveTraining  = 0.5  // of the range of the training losses
	)
	low, _ = axes.Quantiles(all, shownLosses)
	_, trainingHigh := axes.Quantiles(training, shownTrainingLosses)
	aboveTraining := trainingHigh + spaceAboveTraining*(trainingHigh-low)
	high = min(slices.Max(all), aboveTraining)
	return addBorder(axes.Widen(low, high))
}

// addTo adds the lines of all members and marks of the kept epochs to a plot. Later lines are drawn above
// earlier ones: validation losses above training losses, and the marks above both.
func (l losses) addTo(p *plot.Plot) {
	const minEpochsOfLine = 4 // a line of one point is invisible, and a line of few points is hard to see
	for _, points := range l.training {
		p.Add(newLine(shape.Extent(points), l.line(trainingColour)))
	}
	for _, points := range l.validation {
		p.Add(newLine(shape.Extent(points), l.line(validationColour)))
	}
	if l.epochs < minEpochsOfLine {
		for member := range l.training {
			p.Add(discs{points: l.training[member], colour: trainingColour})
			p.Add(discs{points: l.validation[member], colour: validationColour})
		}
	}
	p.Add(rings(l.kept))
}

// legend returns the legend entries of the lines and of the mark of a kept epoch.
func (l losses) legend() []drawing.Entry {
	entries := []drawing.Entry{drawing.LineEntry("training", l.line(trainingColour))}
	if l.hasValidation {
		entries = append(entries, drawing.LineEntry("validation", l.line(validationColour)))
	}
	return append(entries, drawing.PointEntry("kept epoch", drawRing))
}

var (
	trainingColour   = drawing.Blue
	validationColour = drawing.Orange
)

// line returns the style of a member's line. Lines of several members are thinner, since they overlap.
func (l losses) line(colour color.NRGBA) draw.LineStyle {
	const (
		soleWidth   = vg.Length(1.3)
		memberWidth = vg.Length(0.7)
	)
	if len(l.training) > 1 {
		return draw.LineStyle{Color: colour, Width: memberWidth}
	}
	return draw.LineStyle{Color: colour, Width: soleWidth}
}

// describeKeptEpochs returns a sentence on the epochs whose weights the members have.
func describeKeptEpochs(kept plotter.XYs, hasValidation bool) string {
	first := math.Inf(1)
	last := math.Inf(-1)
	for _, point := range kept {
		first = min(first, point.X)
		last = max(last, point.X)
	}
	epochs := fmt.Sprintf("epoch %v", first)
	if last > first {
		epochs = fmt.Sprintf("epochs %v to %v", first, last)
	}
	if hasValidation {
		return "The model has the weights of the lowest validation loss, from " + epochs + "."
	}
	return "There were no validation rows: the model has the last weights, from " + epochs + "."
}

// describeAverage returns a sentence on averaged weights, with a space before it, or "" if the training did not average them.
func describeAverage(m *experiment.Model) string {
	average := m.Settings.Training.Average
	if average.Kind == "" {
		return ""
	}
	return fmt.Sprintf(" These weights, and the weights for each validation loss, are averaged by %v.", average)
}

// rings is a plotter of red rings at points.
type rings plotter.XYs

// Plot implements plot.Plotter.
func (r rings) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	for _, point := range r {
		center := vg.Point{X: toX(point.X), Y: toY(point.Y)}
		if c.Contains(center) {
			drawRing(c, center)
		}
	}
}

// drawRing draws the mark of a kept epoch.
func drawRing(c draw.Canvas, center vg.Point) {
	const radius = 3.2 // points
	shape.Ring.Draw(c, center, radius, drawing.Red, true)
}
