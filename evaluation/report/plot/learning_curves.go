package plot

import (
	"context"
	"fmt"
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
)

// validationLoss is how a history calls it.
const validationLoss = "validation loss"

var learningCurves = Plot{
	Name: "learning", Title: "Learning curves", Model: true,
	Summary: "The loss over the epochs, a line for each network. The two are of one objective, with its dropout: the training loss is the mean over the steps of an epoch, while the weights move, " +
		"the validation loss is that of the epoch's end, with the same masks each time.",
	Draw: func(_ context.Context, r *Rows) (Drawn, error) {
		if r.Model == nil || len(r.Model.History.Rows) == 0 {
			return Drawn{Note: "there is no history of the training"}, nil
		}
		h := r.Model.History
		validation := slices.Index(h.Columns, validationLoss)
		members := h.Rows[len(h.Rows)-1].Member + 1
		training, validated := make([]plotter.XYs, members), make([]plotter.XYs, members)
		kept := make(plotter.XYs, members)
		var values []float64
		for _, row := range h.Rows {
			epoch := float64(row.Number)
			add := func(to *plotter.XYs, v float64) {
				if axes.IsDrawable(v) {
					*to = append(*to, plotter.XY{X: epoch, Y: v})
					values = append(values, v)
				}
			}
			add(&training[row.Member], row.Values[0])
			if validation < 0 {
				kept[row.Member] = plotter.XY{X: epoch, Y: row.Values[0]}
				continue
			}
			v := row.Values[validation]
			add(&validated[row.Member], v)
			if row.Number == 1 || v < kept[row.Member].Y {
				kept[row.Member] = plotter.XY{X: epoch, Y: v}
			}
		}
		if values == nil {
			return Drawn{Note: "no loss of the history is finite"}, nil
		}
		p := drawing.NewPlot("epoch", "loss")
		p.X.Min, p.X.Max = 1, 1
		for _, row := range h.Rows {
			p.X.Max = max(p.X.Max, float64(row.Number))
		}
		if p.X.Max == 1 {
			p.X.Min, p.X.Max = 0.5, 1.5
		}
		p.X.Tick.Marker = wholeTicks
		low, high := slices.Min(values), slices.Max(values)
		outside := 0
		if low >= axes.LeastLogarithm && high > 10*low {
			p.Y.Min, p.Y.Max = low/1.1, high*1.1
			p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.TickerFunc(axes.DecadeTicks)
		} else {
			p.Y.Min, p.Y.Max = bordered(ofInterest(training, values))
			for _, v := range values {
				if v < p.Y.Min || v > p.Y.Max {
					outside++
				}
			}
		}
		width := vg.Length(1.3)
		if members > 1 {
			width = 0.7
		}
		trainingLine, validationLine := draw.LineStyle{Color: drawing.Blue, Width: width}, draw.LineStyle{Color: drawing.Orange, Width: width}
		for _, line := range training {
			p.Add(pathOf(shape.Extent(line), trainingLine))
		}
		legend := []drawing.Entry{drawing.LineEntry("training", trainingLine)}
		if validation >= 0 {
			for _, line := range validated {
				p.Add(pathOf(shape.Extent(line), validationLine))
			}
			legend = append(legend, drawing.LineEntry("validation", validationLine))
		}
		if p.X.Max < 4 { // lines of few points, or of one
			for member := range training {
				p.Add(marks{training[member], drawing.Blue, 1.8}, marks{validated[member], drawing.Orange, 1.8})
			}
		}
		p.Add(rings(kept))
		legend = append(legend, drawing.PointEntry("kept epoch", func(c draw.Canvas, at vg.Point) { ring(c, at) }))
		return Drawn{Panels: []drawing.Panel{{Plot: p, Note: drawing.Note(outside, "beyond the axis")}}, Legend: legend, Note: saysKept(kept, validation >= 0) + saysAveraged(r.Model)}, nil
	},
}

// ofInterest are limits of the losses that leave what matters readable: a first epoch
// far above all others, and a validation loss that has left that of training for good,
// end at the upper one.
func ofInterest(training []plotter.XYs, values []float64) (low, high float64) {
	var own []float64
	for _, line := range training {
		for _, point := range line {
			own = append(own, point.Y)
		}
	}
	low, _ = axes.Quantiles(values, 0.99)
	_, high = axes.Quantiles(own, 0.97)
	return axes.Widen(low, min(slices.Max(values), high+(high-low)/2))
}

// saysKept says which epochs' weights the model has.
func saysKept(kept plotter.XYs, validated bool) string {
	low, high := math.Inf(1), math.Inf(-1)
	for _, k := range kept {
		low, high = min(low, k.X), max(high, k.X)
	}
	epochs := fmt.Sprintf("epoch %v", low)
	if high > low {
		epochs = fmt.Sprintf("epochs %v to %v", low, high)
	}
	if validated {
		return "The weights of the lowest validation loss are kept: " + epochs + "."
	}
	return "Nothing was held out for validation: the last weights are kept, " + epochs + "."
}

// saysAveraged says which weights are averages. It returns "" if none are.
func saysAveraged(m *experiment.Model) string {
	average := m.Settings.Training.Average
	if average.Kind == "" {
		return ""
	}
	return fmt.Sprintf(" These weights, and the weights of each validation loss, are averages by %v.", average)
}

// rings mark points.
type rings plotter.XYs

// Plot implements plot.Plotter.
func (r rings) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, point := range r {
		if at := (vg.Point{X: x(point.X), Y: y(point.Y)}); c.Contains(at) {
			ring(c, at)
		}
	}
}

func ring(c draw.Canvas, at vg.Point) { shape.Ring.Draw(c, at, 3.2, drawing.Red, true) }
