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

// lossTerms is figure 5: what the second-moment loss compares on the test rows of
// three data sets.
func lossTerms(_ context.Context, p *part) (*drawing.Figure, string, error) {
	counts := make(map[string]evaluation.LossTerms)
	for _, name := range p.datasets {
		in, cell := p.cellWithRows(name, "sml")
		if cell == nil {
			continue
		}
		t, err := study.ReadLossTerms(in.Dir, in.Plan, *cell)
		if errors.Is(err, fs.ErrNotExist) {
			continue // a study of a program that kept pairs in their place
		}
		if err == nil {
			err = t.Check()
		}
		if err != nil {
			return nil, "", fmt.Errorf("paper: %s: %w", name, err)
		}
		counts[name] = t
	}
	shown, note := p.fillSlots(func(dataset string) bool { return counts[dataset].Rows > 0 }, []string{"wine-red"}, []string{"power"}, []string{"california"})
	if len(shown) == 0 {
		return nil, "", nil
	}
	return drawTerms(shown, counts), fmt.Sprintf("The two terms of the loss on test rows, over all %d sub-networks of each row: "+
		"residuals a of the full network, distances b of sub-networks from it, and |b| − |a|.", counts[shown[0]].Samples) + note, nil
}

// drawTerms shows, in a row for each data set, the histograms of a and b, the
// scatter (b, a) and the histogram of |b| − |a|, the last three over all sub-networks
// of all rows. On the dashed lines, and at 0 of the last histogram, the second term of
// the loss is 0. What lies beyond the limits of the counts is counted in the panel's note.
func drawTerms(datasets []string, counts map[string]evaluation.LossTerms) *drawing.Figure {
	figure := &drawing.Figure{
		Width:  drawing.WideWidth,
		Height: vg.Length(len(datasets))*1.5*vg.Inch + 0.75*vg.Inch,
		Rows:   datasets,
		Legend: [][]drawing.Entry{{drawing.LineEntry("|b| = |a|", diagonalLine)}},
	}
	for j, name := range datasets {
		t := counts[name]
		row := []drawing.Panel{histogramPanel(t.A, "a", "rows"), histogramPanel(t.B, "b", "draws"), pairPanel(t), histogramPanel(t.Difference, "|b| − |a|", "draws")}
		for i, title := range []string{"a = f − y", "b = f~ − f", "(b, a)", "|b| − |a|"} {
			if j == 0 {
				row[i].Title = title
			}
			if j < len(datasets)-1 {
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

func histogramPanel(h evaluation.Histogram, label, counted string) drawing.Panel {
	p := drawing.NewPlot(label, counted)
	steps := plotter.Line{StepStyle: plotter.PostStep, FillColor: cloudColour, LineStyle: draw.LineStyle{Color: drawing.Blue, Width: 0.5}}
	for i, count := range append(h.Counts[:len(h.Counts):len(h.Counts)], 0) {
		steps.XYs = append(steps.XYs, plotter.XY{X: h.Low + (h.High-h.Low)*float64(i)/float64(len(h.Counts)), Y: float64(count)})
	}
	highest := 1.05 * float64(max(slices.Max(h.Counts), 1))
	p.Add(&steps, &plotter.Line{XYs: plotter.XYs{{X: 0, Y: 0}, {X: 0, Y: highest}}, LineStyle: zeroLine})
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = h.Low, h.High, 0, highest
	p.X.Tick.Marker, p.Y.Tick.Marker = axes.RoundTicks(2), axes.WholeTicks(axes.RoundTicks(3))
	if p.Y.Max >= 1e3 {
		p.Y.Tick.Marker = axes.WithLabels(p.Y.Tick.Marker, thousands)
	}
	p.X.Padding, p.Y.Padding = 0, 3
	return drawing.Panel{Note: drawing.CountNote(h.Outside, "beyond"), Plot: p}
}

// thousands writes 1500 as 1.5k.
func thousands(count float64) string {
	if count == 0 {
		return "0"
	}
	return strconv.FormatFloat(count/1e3, 'g', 4, 64) + "k"
}

func pairPanel(t evaluation.LossTerms) drawing.Panel {
	p := drawing.NewPlot("b", "a")
	pairs := shape.Cloud{Colour: cloudColour, Radius: 0.6}
	middle := func(h evaluation.Histogram, bin int) float64 {
		return h.Low + (h.High-h.Low)*(float64(bin)+0.5)/float64(len(t.Pairs))
	}
	for i, line := range t.Pairs {
		for j, n := range line {
			if n > 0 {
				pairs.Points = append(pairs.Points, plotter.XY{X: middle(t.B, j), Y: middle(t.A, i)})
				pairs.Counts = append(pairs.Counts, n)
			}
		}
	}
	far := max(-t.A.Low, t.A.High, -t.B.Low, t.B.High)
	p.Add(pairs,
		&plotter.Line{XYs: plotter.XYs{{X: -far, Y: -far}, {X: far, Y: far}}, LineStyle: diagonalLine},
		&plotter.Line{XYs: plotter.XYs{{X: -far, Y: far}, {X: far, Y: -far}}, LineStyle: diagonalLine})
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = t.B.Low, t.B.High, t.A.Low, t.A.High
	p.X.Tick.Marker, p.Y.Tick.Marker = axes.RoundTicks(2), axes.RoundTicks(3)
	p.X.Padding, p.Y.Padding = 3, 3
	return drawing.Panel{Note: drawing.CountNote(t.PairsOutside, "beyond"), Plot: p}
}
