package plot

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/data"
	"sml/evaluation/measure"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
)

// mostPanels bounds those of one figure.
const mostPanels = 24

var coverageByBins = Plot{
	Name: "coverage", Title: "Coverage by prediction and inputs",
	Summary: "The share of targets within their interval, of rows in ten parts by the prediction and by each column of the table, and what is certain of it to 95 % (Wilson's interval). " +
		"The dashed line is what it should be everywhere: where parts are off, in red, intervals are too narrow for some rows and too wide for others; one part in twenty is by chance.",
	Draw: func(_ context.Context, r *Rows) (Drawn, error) {
		c := r.predictions()
		limits, ok := c.Interval(coverage)
		if !ok {
			return Drawn{Note: noInterval}, nil
		}
		inside := make([]bool, len(c.Y))
		for row, y := range c.Y {
			low, high := limits(row)
			inside[row] = low <= y && y <= high
		}
		inputs := append([]input{{Name: "prediction", Field: data.Field{Kind: data.Number}, At: func(row int) float64 { return c.Mean[row] }}}, r.Inputs...)
		var all []*parts
		for _, in := range inputs {
			all = append(all, newParts(in, c, inside, coverage))
		}
		left := 0
		if len(all) > mostPanels {
			left = len(all) - mostPanels
			off := slices.Clone(all[1:])
			slices.SortStableFunc(off, func(a, b *parts) int { return compare(b.off, a.off) })
			all = slices.DeleteFunc(all, func(p *parts) bool { return slices.Index(off, p) >= mostPanels-1 })
		}
		lowest := 0.75
		for _, p := range all {
			for _, share := range p.share {
				if !math.IsNaN(share) {
					lowest = min(lowest, share-0.02) // bars of few rows may reach further
				}
			}
		}
		lowest = max(0, math.Floor(lowest*10)/10)
		d := Drawn{Across: min(3, max(2, len(all))), Height: 1.75 * vg.Inch}
		width := drawing.PageWidth/vg.Length(d.Across) - 45
		for i, parts := range all {
			p := parts.plot(width)
			if p.Y.Min, p.Y.Max = lowest, 1; i%d.Across == 0 {
				p.Y.Label.Text = "covered"
			}
			d.Panels = append(d.Panels, drawing.Panel{Title: plain(parts.name), Plot: p})
		}
		d.Note = fmt.Sprintf("Intervals of %v cover %v.", percent(coverage), percent(covered(c, limits)))
		if left > 0 {
			d.Note += fmt.Sprintf(" %d columns in whose parts it is off least are left out.", left)
		}
		d.Legend = []drawing.Entry{dotsEntry("covered", shownColour), dotsEntry(percent(coverage)+" is not within its uncertainty", drawing.Red), drawing.LineEntry(percent(coverage), honest)}
		return d, nil
	},
}

// parts are the coverages of rows by a column.
type parts struct {
	name string
	bins
	share, low, high []float64 // of each bin
	coverage         float64
	off              float64 // the largest distance from coverage, in standard errors
}

func newParts(in input, c *measure.Column, inside []bool, coverage float64) *parts {
	p := &parts{name: in.Name, bins: binsOf(in, len(c.Y)), coverage: coverage}
	n := len(p.names)
	sums, squares, within := make([]float64, n), make([]float64, n), make([]float64, n)
	for row := range c.Y {
		i, w := p.of[row], weight(c, row)
		sums[i], squares[i] = sums[i]+w, squares[i]+w*w
		if inside[row] {
			within[i] += w
		}
	}
	p.of = nil
	for i := range n {
		rows := effective(sums[i], squares[i])
		share, low, high := math.NaN(), 0.0, 1.0
		if rows > 0 {
			share = within[i] / sums[i]
			low, high = wilson(share, rows)
			p.off = max(p.off, math.Abs(share-coverage)*math.Sqrt(float64(rows)))
		}
		p.share, p.low, p.high = append(p.share, share), append(p.low, low), append(p.high, high)
	}
	return p
}

// plot has a place for each part; names that are too wide for theirs slant.
func (p *parts) plot(width vg.Length) *plot.Plot {
	out := drawing.NewPlot("", "")
	n := len(p.names)
	out.X.Min, out.X.Max, out.X.Padding = 0, float64(n), 0
	var ticks plot.ConstantTicks
	style := drawing.TextStyle(drawing.TickSize)
	slot := width / vg.Length(n)
	if p.edges != nil {
		widest := vg.Length(0)
		for _, edge := range p.edges {
			widest = max(widest, style.Width(edge))
		}
		every := max(1, int(math.Ceil(float64((widest+6)/slot))))
		for i, edge := range p.edges {
			if (len(p.edges)-1-i)%every != 0 {
				edge = ""
			}
			ticks = append(ticks, plot.Tick{Value: float64(i), Label: edge})
		}
	}
	slant := false
	for i, name := range p.names {
		if name == "" {
			continue
		}
		name = short(name)
		slant = slant || style.Width(name) > slot-2
		ticks = append(ticks, plot.Tick{Value: float64(i) + 0.5, Label: name})
	}
	if slant {
		out.X.Tick.Label.Rotation, out.X.Tick.Label.XAlign, out.X.Tick.Label.YAlign = math.Pi/5, draw.XRight, draw.YTop
	}
	out.X.Tick.Marker = ticks
	out.Y.Tick.Marker = axes.RoundTicks(3)
	out.Add(p)
	return out
}

// short is a name that fits below a panel.
func short(name string) string {
	const most = 14
	if letters := []rune(plain(name)); len(letters) > most {
		return string(letters[:most-1]) + "…"
	}
	return plain(name)
}

// Plot implements plot.Plotter.
func (p *parts) Plot(c draw.Canvas, plt *plot.Plot) {
	x, y := plt.Transforms(&c)
	c.StrokeLine2(honest, c.Min.X, y(p.coverage), c.Max.X, y(p.coverage))
	for i, share := range p.share {
		if math.IsNaN(share) {
			continue
		}
		colour := shownColour
		if !(p.low[i] <= p.coverage && p.coverage <= p.high[i]) {
			colour = drawing.Red
		}
		at := x(float64(i) + 0.5)
		c.StrokeLine2(draw.LineStyle{Color: colour, Width: 1.1}, at, max(c.Min.Y, y(p.low[i])), at, y(p.high[i]))
		disc.Draw(c, vg.Point{X: at, Y: y(share)}, 2, colour, false)
	}
}
