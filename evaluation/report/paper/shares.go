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

// shareSplits are the bars of a data set in figure 4, which takes inter- and
// extrapolation together, in the colours of the other figures.
var shareSplits = []struct {
	name  string
	parts []string // splits whose scores are reported
	color.NRGBA
}{
	{"train", []string{"train"}, splitColour("train")},
	{"test", []string{"test"}, splitColour("test")},
	{"test-label", []string{"label-interpolate", "label-extrapolate"}, splitColour("label-interpolate")},
	{"test-pca", []string{"pca-interpolate", "pca-extrapolate"}, splitColour("pca-extrapolate")},
}

func splitColour(name string) color.NRGBA { return drawing.Splits[drawing.SplitIndex(name)].Colour }

// share is what σ_drop contributes to σ_total = σ_drop + |f − ⟨f~⟩| of SML on rows
// of a data set: the mean over the folds of the first study that has it.
func (p *part) share(dataset string, splits []string) (share float64, ok bool) {
	for _, study := range p.studies {
		sum, n := 0.0, 0
		for _, s := range study.DropFractions {
			if s.Dataset == dataset && s.Method == "sml" && slices.Contains(splits, s.Split) && s.Drop >= 0 && s.Drop <= 1 {
				sum += float64(s.Drop * float64(s.Trainings))
				n += s.Trainings
			}
		}
		if n > 0 {
			return sum / float64(n), true
		}
	}
	return 0, false
}

// shares is figure 4: the parts of σ_total on two data sets, and their mean over
// these. The caption has the means over all data sets.
func shares(_ context.Context, p *part) (*drawing.Figure, string, error) {
	shown, note := p.fillSlots(func(dataset string) bool {
		_, ok := p.share(dataset, shareSplits[1].parts)
		return ok
	}, []string{"superconduct"}, []string{"protein"})
	var groups []shareGroup
	mean := shareGroup{name: "mean"}
	for _, name := range shown {
		groups = append(groups, shareGroup{name: name})
	}
	var overall []string
	for i, split := range shareSplits {
		sum, of, all, ofAll := 0.0, 0, 0.0, 0
		for _, name := range p.datasets {
			share, ok := p.share(name, split.parts)
			if !ok {
				continue
			}
			all, ofAll = all+share, ofAll+1
			if j := slices.Index(shown, name); j >= 0 {
				groups[j].bars = append(groups[j].bars, shareBar{i, share})
				sum, of = sum+share, of+1
			}
		}
		if of > 1 && of == len(shown) {
			mean.bars = append(mean.bars, shareBar{i, sum / float64(of)})
		}
		if ofAll > len(shown) {
			overall = append(overall, fmt.Sprintf("%.0f %% on %s (%d sets)", 100*all/float64(ofAll), split.name, ofAll))
		}
	}
	if len(mean.bars) > 0 {
		groups = append(groups, mean)
	}
	if len(groups) == 0 {
		return nil, "", nil
	}
	caption := "Shares of the sub-networks' spread (full) and of their distance from the full network (pale) in σ_total."
	if len(overall) > 0 {
		caption += " Over all data sets the spread's mean share is " + strings.Join(overall, ", ") + "."
	}
	return drawShares(groups), caption + note, nil
}

// shareGroup is the bars of a data set.
type shareGroup struct {
	name string
	bars []shareBar
}

// shareBar is the share on one of shareSplits, from 0 to 1.
type shareBar struct {
	split int
	share float64
}

const (
	barHeight = vg.Length(11)
	groupGap  = 0.7 // between data sets, in bars
)

// drawShares shows a bar for each split, of which the full part is the share of
// σ_drop in σ_total and the pale part the share of |f − ⟨f~⟩|.
func drawShares(groups []shareGroup) *drawing.Figure {
	p := drawing.NewPlot("share of σ_total", "")
	var ticks plot.ConstantTicks
	var colours []drawing.Entry
	y := 0.0
	for _, g := range groups {
		p.Add(placedGroup{g, y})
		bars := float64(len(g.bars))
		ticks = append(ticks, plot.Tick{Value: y - bars/2, Label: g.name})
		y -= bars + groupGap
	}
	for i, split := range shareSplits {
		if slices.ContainsFunc(groups, func(g shareGroup) bool {
			return slices.ContainsFunc(g.bars, func(b shareBar) bool { return b.split == i })
		}) {
			colours = append(colours, drawing.ColourEntry(split.name, split.NRGBA))
		}
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1.16, y+groupGap, 0 // room for the numbers
	p.X.Tick.Marker, p.Y.Tick.Marker = axes.Within(0, 1, axes.WithLabels(axes.RoundTicks(5), percent)), ticks
	p.Y.Tick.Length, p.Y.LineStyle.Width, p.Y.Padding = 0, 0, 4
	p.Y.Tick.Label.Font.Size = drawing.LabelSize
	return &drawing.Figure{
		Width: 6 * vg.Inch, Height: barHeight*vg.Length(-p.Y.Min) + 76,
		Panels: [][]drawing.Panel{{{Plot: p}}},
		Legend: [][]drawing.Entry{colours, {
			drawing.ColourEntry("full: σ_drop", drawing.Grey), drawing.ColourEntry("pale: |f − mean f~|", tint(drawing.Grey)),
		}},
	}
}

// tint is a colour through which the ground is seen.
func tint(c color.NRGBA) color.NRGBA {
	c.A = 0x40
	return c
}

func percent(share float64) string { return strconv.Itoa(int(math.Round(100*share))) + " %" }

// placedGroup draws bars one unit high from its top down.
type placedGroup struct {
	shareGroup
	top float64
}

// Plot implements plot.Plotter.
func (g placedGroup) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := drawing.TextStyle(drawing.NoteSize)
	style.YAlign = draw.YCenter
	for i, b := range g.bars {
		top, bottom := y(g.top-float64(i)-0.08), y(g.top-float64(i)-0.92)
		colour := shareSplits[b.split].NRGBA
		c.FillPolygon(tint(colour), shape.Rectangle(x(0), bottom, x(1), top))
		c.FillPolygon(colour, shape.Rectangle(x(0), bottom, x(b.share), top))
		at := vg.Point{X: x(1) + 4, Y: (top+bottom)/2 + drawing.NoteSize/16}
		c.FillText(style, at, percent(b.share))
	}
}
