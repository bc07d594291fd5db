package paper

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
	"sml/evaluation/report/internal/shape"
)

// fractionSplits are the bars of a data set in figure 4, in the colours of the other figures. A bar of
// rows under shift is the mean over interpolation and extrapolation.
var fractionSplits = []fractionSplit{
	{name: "train", splits: []string{"train"}, colour: splitColour("train")},
	{name: "test", splits: []string{"test"}, colour: splitColour("test")},
	{name: "test-label", splits: []string{"label-interpolate", "label-extrapolate"}, colour: splitColour("label-interpolate")},
	{name: "test-pca", splits: []string{"pca-interpolate", "pca-extrapolate"}, colour: splitColour("pca-extrapolate")},
}

type fractionSplit struct {
	name   string
	splits []string // splits as scores name them
	colour color.NRGBA
}

func splitColour(name string) color.NRGBA { return drawing.Splits[drawing.SplitIndex(name)].Colour }

// meanDropFraction returns the mean fraction of σ_drop in σ_total = σ_drop + |f − ⟨f~⟩| of SML on rows of a
// data set. Only the trainings of the first study with such trainings count; ok is false if no study has any.
func (p *part) meanDropFraction(dataset string, splits []string) (fraction float64, ok bool) {
	for _, study := range p.studies {
		sum := 0.0
		trainings := 0
		for _, s := range study.DropoutFractions {
			if s.Dataset == dataset && s.Method == "sml" && slices.Contains(splits, s.Split) && s.Fraction >= 0 && s.Fraction <= 1 {
				sum += float64(s.Fraction * float64(s.Trainings)) // float64 keeps the compiler from fusing product and sum
				trainings += s.Trainings
			}
		}
		if trainings > 0 {
			return sum / float64(trainings), true
		}
	}
	return 0, false
}

// dropFractions draws figure 4: the parts of σ_total on two data sets, and their mean over these. The caption
// has the means over all data sets.
func dropFractions(_ context.Context, p *part) (*drawing.Figure, string, error) {
	hasTestFraction := func(dataset string) bool {
		_, ok := p.meanDropFraction(dataset, fractionSplits[1].splits)
		return ok
	}
	shown, note := p.fillSlots(hasTestFraction, []string{"superconduct"}, []string{"protein"})
	groups := p.fractionGroups(shown)
	if len(groups) == 0 {
		return nil, "", nil
	}
	caption := "Fractions of σ_total: the sub-networks' spread (full) and their mean's distance from the full network (pale)."
	if overall := p.describeFractions(len(shown)); len(overall) > 0 {
		caption += " Over all data sets the spread's mean fraction is " + strings.Join(overall, ", ") + "."
	}
	return drawFractions(groups), caption + note, nil
}

// fractionGroups returns a group of bars for each of the data sets, and a group with their means.
func (p *part) fractionGroups(datasets []string) []fractionGroup {
	var groups []fractionGroup
	for _, name := range datasets {
		groups = append(groups, fractionGroup{name: name})
	}
	mean := fractionGroup{name: "mean"}
	for i, split := range fractionSplits {
		sum := 0.0
		count := 0
		for _, name := range p.datasets { // in the paper's order, on which the rounding of the sum depends
			j := slices.Index(datasets, name)
			fraction, ok := p.meanDropFraction(name, split.splits)
			if j < 0 || !ok {
				continue
			}
			groups[j].bars = append(groups[j].bars, fractionBar{i, fraction})
			sum += fraction
			count++
		}
		if count > 1 && count == len(datasets) {
			mean.bars = append(mean.bars, fractionBar{i, sum / float64(count)})
		}
	}
	if len(mean.bars) > 0 {
		groups = append(groups, mean)
	}
	return groups
}

// describeFractions returns the mean fraction over all data sets for each of fractionSplits that more data sets
// have than the figure shows.
func (p *part) describeFractions(shown int) []string {
	var texts []string
	for _, split := range fractionSplits {
		sum := 0.0
		count := 0
		for _, name := range p.datasets {
			if fraction, ok := p.meanDropFraction(name, split.splits); ok {
				sum += fraction
				count++
			}
		}
		if count > shown {
			texts = append(texts, fmt.Sprintf("%.0f %% on %s (%d sets)", 100*sum/float64(count), split.name, count))
		}
	}
	return texts
}

// fractionGroup has the bars of one data set.
type fractionGroup struct {
	name string
	bars []fractionBar
}

// fractionBar is the fraction on one kind of rows.
type fractionBar struct {
	split    int     // index in fractionSplits
	fraction float64 // from 0 to 1
}

const (
	barHeight = vg.Length(11)
	groupGap  = 0.7 // space between data sets, in heights of a bar
)

// drawFractions draws a bar for each split. Its full part is the fraction of σ_drop in σ_total, and its pale
// part the fraction of |f − ⟨f~⟩|.
func drawFractions(groups []fractionGroup) *drawing.Figure {
	p := drawing.NewPlot("fraction of σ_total", "")
	var ticks plot.ConstantTicks
	y := 0.0 // upper end of the next group; a bar is one unit high
	for _, g := range groups {
		p.Add(placedGroup{g, y})
		bars := float64(len(g.bars))
		ticks = append(ticks, plot.Tick{Value: y - bars/2, Label: g.name})
		y -= bars + groupGap
	}
	p.X.Min = 0
	p.X.Max = 1.16 // with space for the numbers
	p.X.Tick.Marker = axes.Within(0, 1, axes.WithLabels(axes.RoundTicks(5), percent))
	p.Y.Min = y + groupGap
	p.Y.Max = 0
	p.Y.Padding = 4
	p.Y.LineStyle.Width = 0
	p.Y.Tick.Marker = ticks
	p.Y.Tick.Length = 0
	p.Y.Tick.Label.Font.Size = drawing.LabelSize
	return &drawing.Figure{
		Width:  6 * vg.Inch,
		Height: barHeight*vg.Length(-p.Y.Min) + 76,
		Panels: [][]drawing.Panel{{{Plot: p}}},
		Legend: [][]drawing.Entry{fractionSplitEntries(groups), {
			drawing.ColourEntry("full: σ_drop", drawing.Grey), drawing.ColourEntry("pale: |f − mean f~|", makeTranslucent(drawing.Grey)),
		}},
	}
}

// fractionSplitEntries returns legend entries for the splits that the groups have.
func fractionSplitEntries(groups []fractionGroup) []drawing.Entry {
	var entries []drawing.Entry
	for i, split := range fractionSplits {
		isShown := slices.ContainsFunc(groups, func(g fractionGroup) bool {
			return slices.ContainsFunc(g.bars, func(b fractionBar) bool { return b.split == i })
		})
		if isShown {
			entries = append(entries, drawing.ColourEntry(split.name, split.colour))
		}
	}
	return entries
}

// makeTranslucent returns the colour with a quarter of its opacity.
func makeTranslucent(c color.NRGBA) color.NRGBA {
	c.A = 0x40
	return c
}

// percent formats a fraction as a whole percentage.
func percent(fraction float64) string { return strconv.Itoa(int(math.Round(100*fraction))) + " %" }

// placedGroup is a plotter of the bars of a group, from the top down.
type placedGroup struct {
	fractionGroup
	top float64
}

// Plot implements plot.Plotter.
func (g placedGroup) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	style := drawing.TextStyle(drawing.NoteSize)
	style.YAlign = draw.YCenter
	for i, b := range g.bars {
		top := toY(g.top - float64(i) - 0.08) // with some space between the bars
		bottom := toY(g.top - float64(i) - 0.92)
		colour := fractionSplits[b.split].colour
		c.FillPolygon(makeTranslucent(colour), shape.Rectangle(toX(0), bottom, toX(1), top))
		c.FillPolygon(colour, shape.Rectangle(toX(0), bottom, toX(b.fraction), top))
		numberLeft := vg.Point{X: toX(1) + 4, Y: (top+bottom)/2 + drawing.NoteSize/16}
		c.FillText(style, numberLeft, percent(b.fraction))
	}
}
