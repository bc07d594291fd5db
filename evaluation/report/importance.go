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
	"sml/evaluation/report/internal/compare"
	"sml/evaluation/report/internal/shape"
)

// Sizes of a figure of importances.
const (
	maxImportanceColumns = 20            // largest number of columns for each target
	maxColumnNameLetters = 24            // longer names of columns are cut
	importanceBarHeight  = vg.Length(13) // distance of two bars, in points
	importanceAxisHeight = vg.Length(62) // height of a row of panels without the bars: titles and x axis
	importanceFoot       = vg.Length(20) // space below the last row
)

// Importance draws the importance of a table's columns for the predictions of a model, with a row of
// panels for each target: one for the mean and, beside it, one for σ, or a single one if the prediction
// has no such parts. It shows the most important columns of each target. A bar is a mean over the
// repeated permutations, and its whisker their standard deviation. The figure has no panels if there are
// no importances.
func Importance(p *explain.Permutation) *drawing.Figure {
	figure := &drawing.Figure{Width: drawing.PageWidth, Height: importanceFoot}
	targets := compare.DistinctNames(p.Baseline, func(b explain.Baseline) string { return b.Target })
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
		last := &row[len(row)-1] // the note on the columns stands once in the row, at its right end
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
		bars, hidden := newImportanceBars(p, target, aspect, columns)
		panel := bars.panel(importanceLabel(aspect), labels)
		panel.Note = drawing.CountNote(hidden, "not finite")
		row = append(row, panel)
		labels = slices.Repeat([]string{" "}, len(columns)) // blank: the plot takes ticks with "" for minor ones
	}
	return row
}

// newImportanceBars returns a bar for each of the columns, from the top down: the importance of the column
// for one aspect of a target. It leaves out bars that are NaN, infinite or too large to draw, and counts
// them as hidden.
func newImportanceBars(p *explain.Permutation, target string, aspect explain.Aspect, columns []string) (bars importanceBars, hidden int) {
	bars.colour = drawing.Blue
	if aspect.Part == explain.Std {
		bars.colour = drawing.Orange
	}
	for i, column := range columns {
		j := slices.IndexFunc(p.Importances, func(importance explain.Importance) bool {
			return importance.Target == target && importance.Column == column && importance.Aspect == aspect
		})
		if j < 0 { // the column was not permuted
			continue
		}
		mean := float64(p.Importances[j].Mean)
		std := float64(p.Importances[j].Std)
		if !axes.IsDrawable(mean) || !axes.IsDrawable(std) {
			hidden++
			continue
		}
		bars.bars = append(bars.bars, importanceBar{y: barY(i), mean: mean, std: std})
	}
	return bars, hidden
}

// barY returns the y coordinate of the bar with the given index: 0 for the first bar, −1 for the bar below
// it, and so on.
func barY(index int) float64 { return -float64(index) }

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
	y         float64 // coordinate of the bar's middle, from barY
	mean, std float64 // importance over the repeated permutations; std is 0 for a single repeat
}

// importanceBars is a plotter of horizontal bars with whiskers, from the top down.
type importanceBars struct {
	bars   []importanceBar
	colour color.NRGBA
}

// panel returns a panel of the bars. xLabel is the label of the x axis. labels has the label of each bar's
// place, also of places whose bar is hidden.
func (b importanceBars) panel(xLabel string, labels []string) drawing.Panel {
	const border = 0.6 // from the first and the last bar to the ends of the axis, in distances of two bars
	var ticks plot.ConstantTicks
	for i, label := range labels {
		ticks = append(ticks, plot.Tick{Value: barY(i), Label: label})
	}
	p := drawing.NewPlot(xLabel, "")
	p.Add(b)
	p.X.Min, p.X.Max = b.limits()
	p.Y.Min = -float64(len(labels)) + (1 - border) // barY of the last bar, less the border
	p.Y.Max = border
	p.Y.Tick.Marker = ticks
	p.Y.Tick.Length = 0
	return drawing.Panel{Plot: p}
}

// limits returns limits of the x axis that contain 0, the bars and the whiskers. An axis without
// negative values begins at 0 exactly.
func (b importanceBars) limits() (low, high float64) {
	for _, bar := range b.bars {
		low = min(low, bar.mean-bar.std)
		high = max(high, bar.mean+bar.std)
	}
	startsAtZero := low == 0 // low and high start at 0, and low only falls
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
