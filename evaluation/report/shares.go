package report

import (
	"fmt"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Share is what σ_drop contributes to σ_total = σ_drop + |f − ⟨f~⟩| on one
// split of a data set, from 0 to 1, on average over its rows. The rest is the
// distance of the full network from the mean of its sub-networks.
type Share struct {
	Dataset string
	Split   string // train, test, test-label or test-pca
	Drop    float64
}

// Shares draws figure 4 of the paper: a group of bars for each data set, a bar
// for each split, of which the full part is the share of σ_drop in σ_total and
// the pale part the share of |f − ⟨f~⟩|. Data sets stand in the order of first
// appearance, splits in the order given. The colours of the splits are those
// of the other figures, not the paper's for this one. It is an error if there
// are no shares, if one is not from 0 to 1, or if a split is unknown.
func Shares(shares []Share) (*Figure, error) {
	if len(shares) == 0 {
		return nil, fmt.Errorf("report: figure of shares has no shares; want at least one")
	}
	var datasets, names []string
	var bars shareBars
	for _, s := range shares {
		if !(s.Drop >= 0 && s.Drop <= 1) {
			return nil, fmt.Errorf("report: the share of σ_drop on data set %q, split %q is %v; want 0 to 1", s.Dataset, s.Split, s.Drop)
		}
		if _, err := shareColour(s.Split); err != nil {
			return nil, err
		}
		datasets, names = appendNew(datasets, s.Dataset), appendNew(names, s.Split)
	}
	var ticks plot.ConstantTicks
	y := 0.0
	for _, dataset := range datasets {
		top := y
		for _, s := range shares {
			if s.Dataset == dataset {
				colour, _ := shareColour(s.Split)
				bars = append(bars, shareBar{y, s.Drop, colour})
				y--
			}
		}
		ticks = append(ticks, plot.Tick{Value: (top + y) / 2, Label: dataset})
		y -= shareGap
	}

	p := newPlot("share of σ_total", "")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, y+shareGap, 0
	p.X.Tick.Marker, p.Y.Tick.Marker = percentTicks{roundTicks(5)}, ticks
	p.Y.Tick.Length, p.Y.LineStyle.Width, p.Y.Padding = 0, 0, 4
	p.Y.Tick.Label.Font.Size = labelSize
	p.Add(bars)

	var colours []legendEntry
	for _, name := range names {
		colour, _ := shareColour(name)
		colours = append(colours, colourEntry(name, colour))
	}
	return &Figure{
		width: 6 * vg.Inch, height: barHeight*vg.Length(-p.Y.Min) + 76,
		panels: [][]panel{{{Plot: p}}},
		legend: [][]legendEntry{colours, {
			colourEntry("full: σ_drop", grey), colourEntry("pale: |f − mean f~|", tint(grey)),
		}},
	}, nil
}

const (
	barHeight = vg.Length(11)
	shareGap  = 0.7 // between data sets, in bars
)

// shareColour is the colour of a split in figure 4, which takes inter- and
// extrapolation together.
func shareColour(split string) (color.NRGBA, error) {
	known := map[string]string{
		"train": "train", "test": "test", "test-label": "label-interpolate", "test-pca": "pca-extrapolate",
	}
	name, ok := known[split]
	if !ok {
		return color.NRGBA{}, fmt.Errorf("report: unknown split %q of shares; known splits: train, test, test-label, test-pca", split)
	}
	i, err := splitNamed(name)
	return splits[i].colour, err
}

// tint is a colour mixed with much white.
func tint(c color.NRGBA) color.NRGBA {
	mix := func(v uint8) uint8 { return 255 - (255-v)/4 }
	return color.NRGBA{R: mix(c.R), G: mix(c.G), B: mix(c.B), A: c.A}
}

type percentTicks struct{ plot.Ticker }

func (t percentTicks) Ticks(low, high float64) []plot.Tick {
	ticks := t.Ticker.Ticks(low, high)
	for i := range ticks {
		ticks[i].Label = percent(ticks[i].Value)
	}
	return ticks
}

func percent(share float64) string { return strconv.Itoa(int(math.Round(100*share))) + " %" }

// shareBar is a bar one unit high from its top down.
type shareBar struct {
	top, drop float64
	colour    color.NRGBA
}

type shareBars []shareBar

// Plot implements plot.Plotter.
func (bars shareBars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := textStyle(noteSize)
	style.YAlign = draw.YCenter
	for _, b := range bars {
		top, bottom := y(b.top-0.08), y(b.top-0.92)
		c.FillPolygon(tint(b.colour), rectangle(x(0), bottom, x(1), top))
		c.FillPolygon(b.colour, rectangle(x(0), bottom, x(b.drop), top))
		// The number stands in the full part where that has room for it.
		at := vg.Point{X: x(0) + 4, Y: (top+bottom)/2 + noteSize/16}
		style.Color = color.White
		if x(b.drop)-x(0) < 8+style.Width(percent(b.drop)) {
			at.X, style.Color = x(b.drop)+4, ink
		}
		c.FillText(style, at, percent(b.drop))
	}
}
