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

// rowKind is a kind of rows on which drop fractions are shown.
type rowKind struct {
	name   string
	splits []string // splits as scores name them; a bar is the mean over them
	colour color.NRGBA
}

// rowKinds are the bars of a data set in figure 4, in the colours of the other figures.
var rowKinds = []rowKind{
	{name: "train", splits: []string{"train"}, colour: splitColour("train")},
	{name: "test", splits: testSplits, colour: splitColour("test")},
	{name: "test-label", splits: []string{"label-interpolate", "label-extrapolate"}, colour: splitColour("label-interpolate")},
	{name: "test-pca", splits: []string{"pca-interpolate", "pca-extrapolate"}, colour: splitColour("pca-extrapolate")},
}

// testSplits has the split without data shift.
var testSplits = []string{"test"}

// splitColour returns the colour of one of drawing.Splits.
func splitColour(name string) color.NRGBA { return drawing.Splits[drawing.SplitIndex(name)].Colour }

// meanDropFraction returns the mean of σ_drop/σ_total, where σ_total = σ_drop + |f − ⟨f~⟩|, over the trainings
// of SML on rows of a data set. Only the trainings of the first study with such trainings count, since several
// studies may contain the same trainings; ok is false if no study has any.
func (p *part) meanDropFraction(dataset string, splits []string) (fraction float64, ok bool) {
	for _, study := range p.studies {
		sum := 0.0
		trainings := 0
		for _, s := range study.DropoutFractions {
			isWanted := s.Dataset == dataset && s.Method == "sml" && slices.Contains(splits, s.Split)
			isValid := s.Fraction >= 0 && s.Fraction <= 1 // false for NaN
			if isWanted && isValid {
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

// dropFractions draws figure 4: σ_drop as a fraction of σ_total on two data sets, and the mean over these. The
// caption has the means over all data sets. The figure is nil if no study has drop fractions.
func dropFractions(_ context.Context, p *part) (f *drawing.Figure, caption string, err error) {
	hasTestFraction := func(dataset string) bool {
		_, ok := p.meanDropFraction(dataset, testSplits)
		return ok
	}
	shown, note := p.fillSlots(hasTestFraction, []string{"superconduct"}, []string{"protein"})
	groups := p.dropFractionGroups(shown)
	if len(groups) == 0 {
		return nil, "", nil
	}
	caption = "Fractions of σ_total: the sub-networks' spread (full) and their mean's distance from the full network (pale)."
	if overall := p.describeDropFractions(len(shown)); len(overall) > 0 {
		caption += " Over all data sets the spread's mean fraction is " + strings.Join(overall, ", ") + "."
	}
	return drawDropFractions(groups), caption + note, nil
}

// dropFractionGroup has the bars of one data set, or of the mean over data sets.
type dropFractionGroup struct {
	name string
	bars []dropFractionBar
}

// dropFractionBar is σ_drop as a fraction of σ_total on one kind of rows.
type dropFractionBar struct {
	kind     int     // index in rowKinds
	fraction float64 // from 0 to 1
}

// dropFractionGroups returns a group of bars for each of the data sets, with σ_drop as a fraction of σ_total on
// each kind of rows, and a group "mean" with their means. A mean is left out unless all of the data sets, and
// at least two, have the fraction.
func (p *part) dropFractionGroups(datasets []string) []dropFractionGroup {
	var groups []dropFractionGroup
	for _, dataset := range datasets {
		group := dropFractionGroup{name: dataset}
		for kind := range rowKinds {
			fraction, ok := p.meanDropFraction(dataset, rowKinds[kind].splits)
			if ok {
				group.bars = append(group.bars, dropFractionBar{kind: kind, fraction: fraction})
			}
		}
		groups = append(groups, group)
	}
	mean := dropFractionGroup{name: "mean"}
	for kind := range rowKinds {
		fraction, count := p.meanOverDatasets(datasets, rowKinds[kind].splits)
		if count > 1 && count == len(datasets) {
			mean.bars = append(mean.bars, dropFractionBar{kind: kind, fraction: fraction})
		}
	}
	if len(mean.bars) > 0 {
		groups = append(groups, mean)
	}
	return groups
}

// meanOverDatasets returns the mean of meanDropFraction over the data sets with drop fractions, and their
// number. The mean is NaN if the number is 0.
func (p *part) meanOverDatasets(datasets, splits []string) (mean float64, count int) {
	sum := 0.0
	for _, dataset := range p.datasets { // in the paper's order, on which the rounding of the sum depends
		if !slices.Contains(datasets, dataset) {
			continue
		}
		fraction, ok := p.meanDropFraction(dataset, splits)
		if ok {
			sum += fraction
			count++
		}
	}
	return sum / float64(count), count
}

// describeDropFractions returns a text such as "85 % on test (11 sets)" for each kind of rows: the mean of
// σ_drop/σ_total over all data sets that have it. It leaves out kinds of rows for which the figure already
// shows every such data set; shown is the number of data sets in the figure.
func (p *part) describeDropFractions(shown int) []string {
	var texts []string
	for _, kind := range rowKinds {
		mean, count := p.meanOverDatasets(p.datasets, kind.splits)
		if count > shown {
			texts = append(texts, fmt.Sprintf("%.0f %% on %s (%d sets)", 100*mean, kind.name, count))
		}
	}
	return texts
}

// drawDropFractions draws the groups one below the other, with a bar for each kind of rows. The full part of a
// bar is σ_drop as a fraction of σ_total; the pale part is the rest of σ_total, |f − ⟨f~⟩|. In the plot's y
// coordinates, a bar is one unit high.
func drawDropFractions(groups []dropFractionGroup) *drawing.Figure {
	const (
		groupGap     = 0.7           // space between groups, in heights of a bar
		numbersEnd   = 1.16          // right end of the plot, with space for the numbers beside the bars
		barHeight    = vg.Length(11) // with the space between bars
		heightBeside = vg.Length(76) // of the axis and the legend
	)
	p := drawing.NewPlot("fraction of σ_total", "")
	var ticks plot.ConstantTicks
	y := 0.0 // upper end of the next group
	for _, g := range groups {
		p.Add(placedGroup{dropFractionGroup: g, top: y})
		bars := float64(len(g.bars))
		ticks = append(ticks, plot.Tick{Value: y - bars/2, Label: g.name})
		y -= bars + groupGap
	}
	p.X.Min = 0
	p.X.Max = numbersEnd
	p.X.Tick.Marker = axes.Within(0, 1, axes.WithLabels(axes.RoundTicks(5), percent))
	p.Y.Min = y + groupGap // no gap below the last group
	p.Y.Max = 0
	p.Y.Padding = 4
	p.Y.LineStyle.Width = 0
	p.Y.Tick.Marker = ticks
	p.Y.Tick.Length = 0
	p.Y.Tick.Label.Font.Size = drawing.LabelSize
	barParts := []drawing.Entry{
		drawing.ColourEntry("full: σ_drop", drawing.Grey),
		drawing.ColourEntry("pale: |f − mean f~|", makeTranslucent(drawing.Grey)),
	}
	return &drawing.Figure{
		Width:  6 * vg.Inch,
		Height: barHeight*vg.Length(-p.Y.Min) + heightBeside,
		Panels: [][]drawing.Panel{{{Plot: p}}},
		Legend: [][]drawing.Entry{rowKindEntries(groups), barParts},
	}
}

// rowKindEntries returns a legend entry for each kind of rows that the groups have.
func rowKindEntries(groups []dropFractionGroup) []drawing.Entry {
	var entries []drawing.Entry
	for i, kind := range rowKinds {
		hasKind := func(g dropFractionGroup) bool {
			return slices.ContainsFunc(g.bars, func(b dropFractionBar) bool { return b.kind == i })
		}
		if slices.ContainsFunc(groups, hasKind) {
			entries = append(entries, drawing.ColourEntry(kind.name, kind.colour))
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
	dropFractionGroup
	top float64 // y coordinate of the group's upper end; a bar is one unit high
}

// Plot implements plot.Plotter. It draws the bars and, at their right, their fractions as numbers.
func (g placedGroup) Plot(c draw.Canvas, p *plot.Plot) {
	const (
		barSpace       = 0.08                  // above and below a bar, in units of y
		numberDistance = vg.Length(4)          // from a bar to its number
		numberShift    = drawing.NoteSize / 16 // upwards: digits look centred a little above the middle of their line
	)
	toX, toY := p.Transforms(&c)
	style := drawing.TextStyle(drawing.NoteSize)
	style.YAlign = draw.YCenter
	for i, b := range g.bars {
		top := toY(g.top - float64(i) - barSpace)
		bottom := toY(g.top - float64(i) - (1 - barSpace))
		colour := rowKinds[b.kind].colour
		c.FillPolygon(makeTranslucent(colour), shape.Rectangle(toX(0), bottom, toX(1), top))
		c.FillPolygon(colour, shape.Rectangle(toX(0), bottom, toX(b.fraction), top))
		numberLeft := vg.Point{X: toX(1) + numberDistance, Y: (top+bottom)/2 + numberShift}
		c.FillText(style, numberLeft, percent(b.fraction))
	}
}
