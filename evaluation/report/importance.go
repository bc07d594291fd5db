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

// Sizes of a figure of importances.
const (
	maxImportanceColumns = 20            // largest number of columns for each target
	maxColumnNameLetters = 24            // longer names of columns are cut
	importanceBarHeight  = vg.Length(13) // distance of two bars
	importanceAxisHeight = vg.Length(62) // height of a row of panels without the bars
	importanceFoot       = vg.Length(20)
)

// Importance draws the importance of a table's columns for the predictions of a model, with a row of
// panels for each target: one for the mean and, beside it, one for σ, or a single one if the prediction
// has no such parts. It shows the most important columns of each target. A bar is a mean over the
// repeated permutations, and its whisker their standard deviation.
func Importance(p *explain.Permutation) *drawing.Figure {
	figure := &drawing.Figure{Width: drawing.PageWidth, Height: importanceFoot}
	var targets []string
	for _, b := range p.Baseline {
		if !slices.Contains(targets, b.Target) {
			targets = append(targets, b.Target)
		}
	}
	aspects := p.OverviewAspects()
	if len(targets) == 0 || len(aspects) == 0 {
		return figure
	}
	for _, target := range targets {
		columns := p.ColumnsByImportance(target)
		note := ""
		if len(columns) > maxImportanceColumns {
			note = fmt.Sprintf("%d of %d columns", maxImportanceColumns, len(columns))
			columns = columns[:maxImportanceColumns]
		}
		row := importanceRow(p, target, columns)
		last := &row[len(row)-1]
		last.Note = drawing.JoinNotes(last.Note, note)
		figure.Panels = append(figure.Panels, row)
		figure.Height += importanceAxisHeight + vg.Length(len(columns))*importanceBarHeight
		if len(targets) > 1 {
			figure.Rows = append(figure.Rows, target)
		}
	}
	for i, aspect := range aspects {
		figure.Panels[0][i].Title = importanceTitles[aspect.Part] // above the first row only
	}
	return figure
}

// importanceTitles has the titles of the panels.
var importanceTitles = map[explain.Part]string{
	explain.Mean:  "for the mean",
	explain.Std:   "for σ",
	explain.Whole: "for the whole prediction",
}

// importanceRow returns the panels of one target. The panels show the same columns in the same order, so
// only the first one names them.
func importanceRow(p *explain.Permutation, target string, columns []string) []drawing.Panel {
	labels := make([]string, len(columns))
	for i, column := range columns {
		labels[i] = shortenName(column, maxColumnNameLetters)
	}
	var row []drawing.Panel
	for _, aspect := range p.OverviewAspects() {
		row = append(row, importancePanel(p, target, aspect, columns, labels))
		labels = slices.Repeat([]string{" "}, len(columns))
	}
	return row
}

// importancePanel returns the panel of one target and one aspect, with a bar for each of the columns and
// labels beside the bars.
func importancePanel(p *explain.Permutation, target string, aspect explain.Aspect, columns, labels []string) drawing.Panel {
	plotter := importanceBars{colour: drawing.Blue}
	if aspect.Part == explain.Std {
		plotter.colour = drawing.Orange
	}
	var ticks plot.ConstantTicks
	hidden := 0 // number of bars that are not finite
	for i, column := range columns {
		y := -float64(i) // from the top down
		ticks = append(ticks, plot.Tick{Value: y, Label: labels[i]})
		for _, importance := range p.Importances {
			if importance.Target != target || importance.Column != column || importance.Aspect != aspect {
				continue
			}
			bar := importanceBar{y: y, mean: float64(importance.Mean), std: float64(importance.Std)}
			if !axes.IsDrawable(bar.mean) || !axes.IsDrawable(bar.std) {
				hidden++
				continue
			}
			plotter.bars = append(plotter.bars, bar)
		}
	}
	axesPlot := drawing.NewPlot(importanceLabel(aspect), "")
	axesPlot.Add(plotter)
	axesPlot.X.Min, axesPlot.X.Max = plotter.limits()
	const border = 0.6 // from the first and the last bar to the ends of the axis, in distances of two bars
	axesPlot.Y.Min = -float64(len(columns)) + (1 - border)
	axesPlot.Y.Max = border
	axesPlot.Y.Tick.Marker = ticks
	axesPlot.Y.Tick.Length = 0
	return drawing.Panel{Note: drawing.CountNote(hidden, "not finite"), Plot: axesPlot}
}

// importanceLabel returns the label of the x axis. It says what a column's permutation does to the
// measure, such as "rise of RMSE": the importance is larger the worse the measure becomes.
func importanceLabel(aspect explain.Aspect) string {
	if aspect.Measure == explain.Change {
		return "relative change of σ"
	}
	direction := "rise"
	m, err := measure.Lookup(aspect.Measure)
	switch {
	case err != nil: // not registered: lower is better
	case m.Nominal != 0: // the best value is neither the lowest nor the highest
		direction = "worsening"
	case m.HigherIsBetter:
		direction = "fall"
	}
	return direction + " of " + measure.Title(aspect.Measure)
}

// shortenName returns the name if it has at most maxLetters letters, and otherwise its beginning with an
// ellipsis, maxLetters letters in all.
func shortenName(name string, maxLetters int) string {
	letters := []rune(name)
	if len(letters) <= maxLetters {
		return name
	}
	return string(letters[:maxLetters-1]) + "…"
}

// importanceBar is a bar from 0 to mean, with a whisker from mean − std to mean + std.
type importanceBar struct {
	y         float64 // height of the bar's middle
	mean, std float64
}

// importanceBars is a plotter of horizontal bars with whiskers.
type importanceBars struct {
	bars   []importanceBar
	colour color.NRGBA
}

// limits returns limits of the x axis that contain 0, the bars and the whiskers. An axis without
// negative values begins at 0 exactly.
func (b importanceBars) limits() (low, high float64) {
	for _, bar := range b.bars {
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
	const ( // heights in distances of two bars
		halfBar     = 0.34
		halfWhisker = 0.15 // of the strokes at the whisker's ends
	)
	toX, toY := p.Transforms(&c)
	line := draw.LineStyle{Color: drawing.Ink, Width: 0.8}
	c.StrokeLine2(drawing.GridLine, toX(0), c.Min.Y, toX(0), c.Max.Y)
	for _, bar := range b.bars {
		left := toX(min(0, bar.mean))
		right := toX(max(0, bar.mean))
		c.FillPolygon(b.colour, shape.Rectangle(left, toY(bar.y-halfBar), right, toY(bar.y+halfBar)))
		if bar.std == 0 { // a single repeat
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
