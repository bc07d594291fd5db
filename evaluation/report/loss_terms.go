package report

import (
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation"
)

// Terms is what the second-moment loss compares on the test rows of a data set.
type Terms struct {
	Dataset string
	evaluation.LossTerms
}

// LossTerms draws figure 5 of the paper: a row for each data set, with the
// histograms of a and b, the scatter (b, a) and the histogram of |b| − |a|,
// the last three over all sub-networks of all rows. On the dashed lines, and
// at 0 of the last histogram, the second term of the loss is 0. What lies
// beyond the limits of the counts is counted in the panel's note. It is an
// error if there are no data sets, or if the counts of one do not fit together.
func LossTerms(terms []Terms) (*Figure, error) {
	if len(terms) == 0 {
		return nil, fmt.Errorf("report: figure of loss terms has no data sets; want at least one")
	}
	figure := &Figure{
		width:  overviewWidth,
		height: vg.Length(len(terms))*1.5*vg.Inch + 0.75*vg.Inch,
		legend: [][]legendEntry{{lineEntry("|b| = |a|", diagonalLine)}},
	}
	for j, t := range terms {
		if err := t.Check(); err != nil {
			return nil, fmt.Errorf("report: %q: %w", t.Dataset, err)
		}
		row := []panel{histogramPanel(t.A, "a", "rows"), histogramPanel(t.B, "b", "draws"), t.pairPanel(), histogramPanel(t.Difference, "|b| − |a|", "draws")}
		if j == 0 {
			for i, title := range []string{"a = f − y", "b = f~ − f", "(b, a)", "|b| − |a|"} {
				row[i].title = title
			}
		}
		if j < len(terms)-1 {
			for i := range row {
				row[i].X.Label.Text = ""
			}
		}
		figure.panels = append(figure.panels, row)
		figure.rows = append(figure.rows, t.Dataset)
	}
	return figure, nil
}

var (
	histogramFill = cloudColour
	diagonalLine  = draw.LineStyle{Color: grey, Width: 0.7, Dashes: []vg.Length{3, 2}}
)

func histogramPanel(h evaluation.Histogram, label, counted string) panel {
	p := newPlot(label, counted)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = h.Low, h.High, 0, 1.05*float64(max(slices.Max(h.Counts), 1))
	p.X.Tick.Marker, p.Y.Tick.Marker = roundTicks(2), wholeTicks{thousands{roundTicks(3)}}
	p.X.Padding, p.Y.Padding = 0, 3
	p.Add(histogram(h))
	return panel{note: beyondNote(h.Beyond), Plot: p}
}

func (t Terms) pairPanel() panel {
	p := newPlot("b", "a")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = t.B.Low, t.B.High, t.A.Low, t.A.High
	p.X.Tick.Marker, p.Y.Tick.Marker = roundTicks(2), roundTicks(3)
	p.X.Padding, p.Y.Padding = 3, 3
	pairs := cloud{colour: cloudColour, radius: 0.6}
	middle := func(h evaluation.Histogram, bin int) float64 {
		return h.Low + (h.High-h.Low)*(float64(bin)+0.5)/float64(len(t.Pairs))
	}
	for i, line := range t.Pairs {
		for j, n := range line {
			if n > 0 {
				pairs.points = append(pairs.points, plotter.XY{X: middle(t.B, j), Y: middle(t.A, i)})
				pairs.counts = append(pairs.counts, n)
			}
		}
	}
	p.Add(pairs, diagonals{})
	return panel{note: beyondNote(t.PairsBeyond), Plot: p}
}

// thousands writes counts above 1000 as 1.5k.
type thousands struct{ plot.Ticker }

// Ticks implements plot.Ticker.
func (t thousands) Ticks(low, high float64) []plot.Tick {
	ticks := t.Ticker.Ticks(low, high)
	for i, tick := range ticks {
		if high >= 1e3 && tick.Value != 0 {
			ticks[i].Label = strconv.FormatFloat(tick.Value/1e3, 'g', 4, 64) + "k"
		}
	}
	return ticks
}

// diagonals draws the lines on which |y| = |x|.
type diagonals struct{}

// Plot implements plot.Plotter.
func (diagonals) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, sign := range []float64{1, -1} {
		low, high := max(p.X.Min, min(sign*p.Y.Min, sign*p.Y.Max)), min(p.X.Max, max(sign*p.Y.Min, sign*p.Y.Max))
		if low < high {
			c.StrokeLine2(diagonalLine, x(low), y(sign*low), x(high), y(sign*high))
		}
	}
}

// histogram draws counts of equal bins as one area.
type histogram evaluation.Histogram

// Plot implements plot.Plotter.
func (h histogram) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	edge := func(i int) vg.Length {
		return x(h.Low + (h.High-h.Low)*float64(i)/float64(len(h.Counts)))
	}
	outline := []vg.Point{{X: edge(0), Y: y(0)}}
	for i, count := range h.Counts {
		top := y(float64(count))
		outline = append(outline, vg.Point{X: edge(i), Y: top}, vg.Point{X: edge(i + 1), Y: top})
	}
	outline = append(outline, vg.Point{X: edge(len(h.Counts)), Y: y(0)})
	c.FillPolygon(histogramFill, outline)
	c.StrokeLines(draw.LineStyle{Color: blue, Width: 0.5}, outline)
	if p.X.Min < 0 && p.X.Max > 0 {
		c.StrokeLine2(zeroLine, x(0), c.Min.Y, x(0), c.Max.Y)
	}
}

var zeroLine = draw.LineStyle{Color: ink, Width: 0.5, Dashes: []vg.Length{1, 2}}
