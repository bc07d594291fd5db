package paper

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
	"sml/evaluation/report/internal/shape"
	"sml/evaluation/study"
)

// lossTerms draws figure 5: the numbers that the second-moment loss compares, on the test rows of three
// data sets. The figure is nil if no study has saved them.
func lossTerms(_ context.Context, p *part) (f *drawing.Figure, caption string, err error) {
	terms := make(map[string]evaluation.LossTerms) // by data set
	for _, name := range p.datasets {
		t, err := p.readLossTerms(name)
		if err != nil {
			return nil, "", fmt.Errorf("paper: %s: %w", name, err)
		}
		terms[name] = t
	}
	hasRows := func(dataset string) bool { return terms[dataset].Rows > 0 }
	shown, note := p.fillSlots(hasRows, []string{"wine-red"}, []string{"power"}, []string{"california"})
	if len(shown) == 0 {
		return nil, "", nil
	}
	caption = fmt.Sprintf("The numbers that the loss compares, on test rows: "+
		"the residual a of the full network, the distance b of each of %d sub-networks from the full network, and |b| − |a|.", terms[shown[0]].Samples)
	return drawLossTerms(shown, terms), caption + note, nil
}

// readLossTerms returns the loss terms of SML on a data set. They have no rows if no study saved them.
func (p *part) readLossTerms(dataset string) (evaluation.LossTerms, error) {
	in, cell := p.cellWithRows(dataset, "sml")
	if cell == nil {
		return evaluation.LossTerms{}, nil
	}
	t, err := study.ReadLossTerms(in.Dir, in.Plan, *cell)
	if errors.Is(err, fs.ErrNotExist) {
		return evaluation.LossTerms{}, nil // an earlier version of the program saved pairs instead
	}
	return t, err
}

// drawLossTerms draws a row of panels for each data set: the histograms of a and b, the scatter (b, a)
// and the histogram of |b| − |a|. All but the first are over all sub-networks of all rows. The second
// term of the loss is 0 on the dashed lines, and at 0 of the last histogram. Notes count the values
// beyond the axes.
func drawLossTerms(datasets []string, terms map[string]evaluation.LossTerms) *drawing.Figure {
	const (
		panelHeight = 1.5 * vg.Inch
		footHeight  = 0.75 * vg.Inch // of the legend and the x axis
	)
	figure := &drawing.Figure{
		Width:  drawing.WideWidth,
		Height: vg.Length(len(datasets))*panelHeight + footHeight,
		Rows:   datasets,
		Legend: [][]drawing.Entry{{drawing.LineEntry("|b| = |a|", diagonalLine)}},
	}
	for j, name := range datasets {
		t := terms[name]
		row := []drawing.Panel{
			histogramPanel(t.A, "a", "rows"),
			histogramPanel(t.B, "b", "draws"),
			pairPanel(t),
			histogramPanel(t.Difference, "|b| − |a|", "draws"),
		}
		for i, title := range []string{"a = f − y", "b = f~ − f", "(b, a)", "|b| − |a|"} {
			if j == 0 {
				row[i].Title = title
			}
			if j < len(datasets)-1 { // the row below has the same labels
				row[i].X.Label.Text = ""
			}
		}
		figure.Panels = append(figure.Panels, row)
	}
	return figure
}

var (
	diagonalLine = draw.LineStyle{Color: drawing.Grey, Width: 0.7, Dashes: []vg.Length{3, 2}}
	zeroLine     = draw.LineStyle{Color: drawing.Ink, Width: 0.5, Dashes: []vg.Length{1, 2}}
)

// histogramPanel returns the panel of a histogram, with a dotted line at 0. xLabel names the values, and yLabel
// what is counted. A note counts the values beyond the histogram.
func histogramPanel(h evaluation.Histogram, xLabel, yLabel string) drawing.Panel {
	const (
		headroom    = 1.05 // factor: space above the highest bin
		minThousand = 1e3  // axis from which on the labels count thousands
	)
	p := drawing.NewPlot(xLabel, yLabel)
	steps := plotter.Line{
		StepStyle: plotter.PostStep,
		FillColor: cloudColour,
		LineStyle: draw.LineStyle{Color: drawing.Blue, Width: 0.5},
	}
	bins := len(h.Counts)
	// A step is at the left edge of a bin; one more step, at the right edge of the last bin, ends at 0. The
	// capacity bins makes append copy the counts.
	for i, count := range append(h.Counts[:bins:bins], 0) {
		x := h.Low + (h.High-h.Low)*float64(i)/float64(bins)
		steps.XYs = append(steps.XYs, plotter.XY{X: x, Y: float64(count)})
	}
	highest := headroom * float64(max(slices.Max(h.Counts), 1)) // 1 if all values are beyond
	p.Add(&steps, &plotter.Line{XYs: plotter.XYs{{X: 0, Y: 0}, {X: 0, Y: highest}}, LineStyle: zeroLine})
	p.X.Min = h.Low
	p.X.Max = h.High
	p.X.Padding = 0
	p.X.Tick.Marker = axes.RoundTicks(2)
	p.Y.Min = 0
	p.Y.Max = highest
	p.Y.Padding = 3
	p.Y.Tick.Marker = axes.WholeTicks(axes.RoundTicks(3))
	if p.Y.Max >= minThousand {
		p.Y.Tick.Marker = axes.WithLabels(p.Y.Tick.Marker, formatThousands)
	}
	return drawing.Panel{Note: drawing.CountNote(h.Outside, "beyond"), Plot: p}
}

// formatThousands formats a count in thousands, such as 1500 as "1.5k".
func formatThousands(count float64) string {
	if count == 0 {
		return "0"
	}
	return strconv.FormatFloat(count/1e3, 'g', 4, 64) + "k"
}

// pairPanel returns the panel of the pairs (b, a), with the diagonals |b| = |a|. The pairs are counted in
// bins, and a point in the middle of a bin stands for its pairs.
func pairPanel(t evaluation.LossTerms) drawing.Panel {
	p := drawing.NewPlot("b", "a")
	bins := float64(len(t.Pairs)) // of a and as many of b
	binMiddle := func(h evaluation.Histogram, bin int) float64 {
		return h.Low + (h.High-h.Low)*(float64(bin)+0.5)/bins
	}
	pairs := shape.Cloud{Colour: cloudColour, Radius: 0.6}
	for binOfA, row := range t.Pairs {
		for binOfB, count := range row {
			if count > 0 {
				pairs.Points = append(pairs.Points, plotter.XY{X: binMiddle(t.B, binOfB), Y: binMiddle(t.A, binOfA)})
				pairs.Counts = append(pairs.Counts, count)
			}
		}
	}
	far := max(-t.A.Low, t.A.High, -t.B.Low, t.B.High) // so that the diagonals cross the whole panel
	p.Add(pairs,
		&plotter.Line{XYs: plotter.XYs{{X: -far, Y: -far}, {X: far, Y: far}}, LineStyle: diagonalLine},
		&plotter.Line{XYs: plotter.XYs{{X: -far, Y: far}, {X: far, Y: -far}}, LineStyle: diagonalLine})
	p.X.Min = t.B.Low
	p.X.Max = t.B.High
	p.X.Padding = 3
	p.X.Tick.Marker = axes.RoundTicks(2)
	p.Y.Min = t.A.Low
	p.Y.Max = t.A.High
	p.Y.Padding = 3
	p.Y.Tick.Marker = axes.RoundTicks(3)
	return drawing.Panel{Note: drawing.CountNote(t.PairsOutside, "beyond"), Plot: p}
}
