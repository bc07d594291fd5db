package report

import (
	"fmt"
	"image/color"
	"math"
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

// mostColumns is how many columns a figure of importances has for each target, the most
// important.
const mostColumns = 20

// Importance draws the importance of a table's columns, a bar each with the standard
// deviation over the repeats: for the mean, and beside that for σ. Targets are below one
// another.
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
		if len(names) > mostColumns {
			note = fmt.Sprintf("%d of %d columns", mostColumns, len(names))
			names = names[:mostColumns]
		}
		var row []drawing.Panel
		for k, shown := range p.OverviewAspects() {
			panel := importancePanel(p, target, shown, names, k == 0)
			if j == 0 {
				panel.Title = importanceTitles[shown.Part]
			}
			if k == 1 || len(p.OverviewAspects()) == 1 {
				panel.Note = drawing.JoinNotes(panel.Note, note)
			}
			row = append(row, panel)
		}
		figure.Panels = append(figure.Panels, row)
		figure.Height += 62 + vg.Length(len(names))*13
		if len(targets) > 1 {
			figure.Rows = append(figure.Rows, target)
		}
	}
	return figure
}

var importanceTitles = map[explain.Part]string{explain.Mean: "for the mean", explain.Std: "for σ", explain.Whole: "for the whole prediction"}

func importancePanel(p *explain.Permutation, target string, shown explain.Aspect, names []string, named bool) drawing.Panel {
	label := "relative change of σ"
	if shown.Measure != explain.Change {
		way := "rise"
		switch m, err := measure.Lookup(shown.Measure); {
		case err != nil:
		case m.Nominal != 0:
			way = "worsening"
		case m.Higher:
			way = "fall"
		}
		label = way + " of " + measure.Title(shown.Measure)
	}
	bars := importanceBars{colour: drawing.Blue}
	if shown.Part == explain.Std {
		bars.colour = drawing.Orange
	}
	plotted := drawing.NewPlot(label, "")
	var ticks plot.ConstantTicks
	low, high, left := 0.0, 0.0, 0
	for k, name := range names {
		tick := plot.Tick{Value: -float64(k), Label: " "}
		if named {
			tick.Label = shortened(name, 24)
		}
		ticks = append(ticks, tick)
		for _, i := range p.Importances {
			if i.Target != target || i.Column != name || i.Aspect != shown {
				continue
			}
			bar := importanceBar{-float64(k), float64(i.Mean), float64(i.Std)}
			if !axes.IsDrawable(bar.mean) || !axes.IsDrawable(bar.std) {
				left++
				continue
			}
			low, high = min(low, bar.mean-bar.std), max(high, bar.mean+bar.std)
			bars.list = append(bars.list, bar)
		}
	}
	plotted.Add(bars)
	plotted.X.Min, plotted.X.Max = axes.Widen(low, high)
	if low == 0 {
		plotted.X.Min = 0
	}
	plotted.Y.Min, plotted.Y.Max = -float64(len(names))+0.4, 0.6
	plotted.Y.Tick.Marker, plotted.Y.Tick.Length = ticks, 0
	return drawing.Panel{Note: drawing.CountNote(left, "not finite"), Plot: plotted}
}

// shortened is a name that is not too long for an axis.
func shortened(name string, most int) string {
	if letters := []rune(name); len(letters) > most {
		return string(letters[:most-1]) + "…"
	}
	return name
}

type importanceBar struct{ at, mean, std float64 }

// importanceBars draws bars with whiskers from mean − std to mean + std.
type importanceBars struct {
	list   []importanceBar
	colour color.NRGBA
}

// Plot implements plot.Plotter.
func (b importanceBars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	line := draw.LineStyle{Color: drawing.Ink, Width: 0.8}
	c.StrokeLine2(drawing.GridLine, x(0), c.Min.Y, x(0), c.Max.Y)
	for _, bar := range b.list {
		low, high := min(0, bar.mean), max(0, bar.mean)
		c.FillPolygon(b.colour, shape.Rectangle(x(low), y(bar.at-0.34), x(high), y(bar.at+0.34)))
		if bar.std > 0 && !math.IsNaN(bar.std) {
			c.StrokeLine2(line, x(bar.mean-bar.std), y(bar.at), x(bar.mean+bar.std), y(bar.at))
			for _, end := range []float64{bar.mean - bar.std, bar.mean + bar.std} {
				c.StrokeLine2(line, x(end), y(bar.at-0.15), x(end), y(bar.at+0.15))
			}
		}
	}
}
