package report

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/explain"
	"sml/evaluation/measure"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
	"sml/evaluation/report/internal/shape"
)

// maxImportanceColumns is the largest number of columns that a figure shows for each target.
const maxImportanceColumns = 20

// Importance draws the importance of a table's columns: a panel for the mean and, beside it, a panel
// for σ, with the most important columns of each target. A bar is a mean over repeats, and its whisker
// the standard deviation. Targets are below one another.
func Importance(p *explain.Permutation) *drawing.Figure {
	figure := &drawing.Figure{Width: drawing.PageWidth, Height: 20}
	var targets []string
	for _, b := range p.Baseline {
		if !slices.Contains(targets, b.Target) {
			targets = append(targets, b.Target)
		}
	}
	for j, target := range targets {
		names := p.ColumnsByImportance(target)
		note := ""
		if len(names) > maxImportanceColumns {
			note = fmt.Sprintf("%d of %d columns", maxImportanceColumns, len(names))
			names = names[:maxImportanceColumns]
		}
		var row []drawing.Panel
		aspects := p.OverviewAspects()
		for i, aspect := range aspects {
			panel := importancePanel(p, target, aspect, names, i == 0)
			if j == 0 {
				panel.Title = importanceTitles[aspect.Part]
			}
			if i == 1 || len(aspects) == 1 {
				panel.Note = drawing.JoinNotes(panel.Note, note)
			}
			row = append(row, panel)
		}
		figure.Panels = append(figure.Panels, row)
		figure.Height += 62 + vg.Length(len(names))*13 // the axis and its label, and the bars
		if len(targets) > 1 {
			figure.Rows = append(figure.Rows, target)
		}
	}
	return figure
}

var importanceTitles = map[explain.Part]string{explain.Mean: "for the mean", explain.Std: "for σ", explain.Whole: "for the whole prediction"}

// importancePanel returns the panel of one target and one aspect, with a bar for each of the columns.
// The columns are named if isNamed is true.
func importancePanel(p *explain.Permutation, target string, aspect explain.Aspect, columns []string, isNamed bool) drawing.Panel {
	bars := importanceBars{colour: drawing.Blue}
	if aspect.Part == explain.Std {
		bars.colour = drawing.Orange
	}
	var ticks plot.ConstantTicks
	hidden := 0
	for k, column := range columns {
		y := -float64(k) // from the top down
		label := " "
		if isNamed {
			label = shortenName(column, 24)
		}
		ticks = append(ticks, plot.Tick{Value: y, Label: label})
		for _, i := range p.Importances {
			if i.Target != target || i.Column != column || i.Aspect != aspect {
				continue
			}
			bar := importanceBar{y: y, mean: float64(i.Mean), std: float64(i.Std)}
			if !axes.IsDrawable(bar.mean) || !axes.IsDrawable(bar.std) {
				hidden++
				continue
			}
			bars.list = append(bars.list, bar)
		}
	}
	plotted := drawing.NewPlot(importanceLabel(aspect), "")
	plotted.Add(bars)
	plotted.X.Min, plotted.X.Max = bars.limits()
	plotted.Y.Min = -float64(len(columns)) + 0.4
	plotted.Y.Max = 0.6
	plotted.Y.Tick.Marker = ticks
	plotted.Y.Tick.Length = 0
	return drawing.Panel{Note: drawing.CountNote(hidden, "not finite"), Plot: plotted}
}

// importanceLabel returns the label of the x axis: how a larger importance changes the measure.
func importanceLabel(aspect explain.Aspect) string {
	if aspect.Measure == explain.Change {
		return "relative change of σ"
	}
	direction := "rise"
	m, err := measure.Lookup(aspect.Measure)
	switch {
	case err != nil: // not registered: lower is better
	case m.Nominal != 0:
		direction = "worsening"
	case m.HigherIsBetter:
		direction = "fall"
	}
	return direction + " of " + measure.Title(aspect.Measure)
}

// shortenName returns a name with at most so many letters.
func shortenName(name string, maxLetters int) string {
	letters := []rune(name)
	if len(letters) <= maxLetters {
		return name
	}
	return string(letters[:maxLetters-1]) + "…"
}

type importanceBar struct{ y, mean, std float64 }

// importanceBars is a plotter of horizontal bars with whiskers from mean − std to mean + std.
type importanceBars struct {
	list   []importanceBar
	colour color.NRGBA
}

// limits returns limits of the x axis that hold 0, the bars and the whiskers.
func (b importanceBars) limits() (low, high float64) {
	for _, bar := range b.list {
		low = min(low, bar.mean-bar.std)
		high = max(high, bar.mean+bar.std)
	}
	startsAtZero := low == 0
	low, high = axes.Widen(low, high)
	if startsAtZero {
		low = 0
	}
	return low, high
}

// Plot implements plot.Plotter.
func (b importanceBars) Plot(c draw.Canvas, p *plot.Plot) {
	const (
		halfBar     = 0.34 // of the distance of two bars
		halfWhisker = 0.15
	)
	toX, toY := p.Transforms(&c)
	line := draw.LineStyle{Color: drawing.Ink, Width: 0.8}
	c.StrokeLine2(drawing.GridLine, toX(0), c.Min.Y, toX(0), c.Max.Y)
	for _, bar := range b.list {
		left := toX(min(0, bar.mean))
		right := toX(max(0, bar.mean))
		c.FillPolygon(b.colour, shape.Rectangle(left, toY(bar.y-halfBar), right, toY(bar.y+halfBar)))
		if !(bar.std > 0) {
			continue
		}
		low := toX(bar.mean - bar.std)
		high := toX(bar.mean + bar.std)
		c.StrokeLine2(line, low, toY(bar.y), high, toY(bar.y))
		for _, end := range []vg.Length{low, high} {
			c.StrokeLine2(line, end, toY(bar.y-halfWhisker), end, toY(bar.y+halfWhisker))
		}
	}
}
