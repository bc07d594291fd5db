package report

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Terms is what the second-moment loss compares on the test rows of a data set.
type Terms struct {
	Dataset string
	A       []float64   // a = f − y of each row: the full network against the target
	B       [][]float64 // b = f~ − f of each row: its sub-networks against the full network
}

// LossTerms draws figure 5 of the paper: a row for each data set, with the
// histograms of a and b, the scatter (b, a) and the histogram of |b| − |a|,
// the last two over all sub-networks of all rows. On the dashed lines, and
// at 0 of the last histogram, the second term of the loss is 0. Axes
// hold 99.5 % of the values; the others are counted in the panel's note. It is
// an error if there are no data sets, or if one has no rows, no sub-networks,
// or not a list of them for each row.
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
		if len(t.A) == 0 || len(t.A) != len(t.B) {
			return nil, fmt.Errorf("report: loss terms of %q: %d values of a and %d lists of b; want as many of both, at least one", t.Dataset, len(t.A), len(t.B))
		}
		var b, difference []float64
		var pairs plotter.XYs
		for i, a := range t.A {
			for _, spread := range t.B[i] {
				b = append(b, spread)
				difference = append(difference, math.Abs(spread)-math.Abs(a))
				pairs = append(pairs, plotter.XY{X: spread, Y: a})
			}
		}
		if len(b) == 0 {
			return nil, fmt.Errorf("report: loss terms of %q: no sub-networks; want at least one for a row", t.Dataset)
		}
		row := []panel{histogramPanel(t.A, "a"), histogramPanel(b, "b"), pairPanel(pairs), histogramPanel(difference, "|b| − |a|")}
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

const termsShare = 0.995

func histogramPanel(values []float64, label string) panel {
	low, high := quantiles(values, termsShare)
	bins := max(8, min(60, int(2*math.Cbrt(float64(len(values)))))) // Rice's rule
	h := &histogram{low: low, high: high, counts: make([]int, bins)}
	beyond := 0
	tallest := 0
	for _, v := range values {
		if !(v >= low && v <= high) {
			beyond++
			continue
		}
		bin := min(bins-1, int((v-low)/(high-low)*float64(bins)))
		h.counts[bin]++
		tallest = max(tallest, h.counts[bin])
	}
	p := newPlot(label, "")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = low, high, 0, 1.05*float64(max(tallest, 1))
	p.X.Tick.Marker, p.Y.Tick.Marker = roundTicks(3), roundTicks(3)
	p.X.Padding, p.Y.Padding = 0, 3
	p.Add(h)
	return panel{note: beyondNote(beyond), Plot: p}
}

func pairPanel(pairs plotter.XYs) panel {
	var a, b []float64
	for _, pair := range pairs {
		a, b = append(a, pair.Y), append(b, pair.X)
	}
	p := newPlot("b", "a")
	p.X.Min, p.X.Max = quantiles(b, termsShare)
	p.Y.Min, p.Y.Max = quantiles(a, termsShare)
	p.X.Tick.Marker, p.Y.Tick.Marker = roundTicks(3), roundTicks(3)
	p.X.Padding, p.Y.Padding = 3, 3
	p.Add(cloud{pairs, cloudColour, 0.6}, diagonals{})
	return panel{note: beyondNote(outside(pairs, p)), Plot: p}
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
type histogram struct {
	low, high float64
	counts    []int
}

// Plot implements plot.Plotter.
func (h *histogram) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	edge := func(i int) vg.Length {
		return x(h.low + (h.high-h.low)*float64(i)/float64(len(h.counts)))
	}
	outline := []vg.Point{{X: edge(0), Y: y(0)}}
	for i, count := range h.counts {
		top := y(float64(count))
		outline = append(outline, vg.Point{X: edge(i), Y: top}, vg.Point{X: edge(i + 1), Y: top})
	}
	outline = append(outline, vg.Point{X: edge(len(h.counts)), Y: y(0)})
	c.FillPolygon(histogramFill, outline)
	c.StrokeLines(draw.LineStyle{Color: blue, Width: 0.5}, outline)
	if p.X.Min < 0 && p.X.Max > 0 {
		c.StrokeLine2(zeroLine, x(0), c.Min.Y, x(0), c.Max.Y)
	}
}

var zeroLine = draw.LineStyle{Color: ink, Width: 0.5, Dashes: []vg.Length{1, 2}}
