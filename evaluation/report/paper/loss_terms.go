package paper

import (
	"context"
	"fmt"
	"slices"

	"sml/evaluation"
	"sml/evaluation/report/chart"
	"sml/evaluation/study"
)

// lossTerms draws figure 5: the numbers that the second-moment loss compares, on the test rows of three
// data sets. The figure has no panels if no study has saved them.
func lossTerms(_ context.Context, p *part) (f chart.Figure, caption string, err error) {
	terms := make(map[string]evaluation.LossTerms) // by data set
	for _, name := range p.datasets {
		t, err := p.readLossTerms(name)
		if err != nil {
			return f, "", fmt.Errorf("paper: %s: %w", name, err)
		}
		terms[name] = t
	}
	hasRows := func(dataset string) bool { return terms[dataset].Rows > 0 }
	shown, note := p.fillSlots(hasRows, []string{"wine-red"}, []string{"power"}, []string{"california"})
	if len(shown) == 0 {
		return f, "", nil
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
	return study.ReadLossTerms(in.Dir, in.Plan, *cell)
}

// drawLossTerms draws a row of panels for each data set: the histograms of a and b, the scatter (b, a) and the histogram
// of |b| − |a|. All but the first are over all sub-networks of all rows. The second term of the loss is 0 on the dashed
// lines, and at 0 of the last histogram. Notes count the values beyond the axes.
func drawLossTerms(datasets []string, terms map[string]evaluation.LossTerms) chart.Figure {
	titles := []string{"a = f − y", "b = f~ − f", "(b, a)", "|b| − |a|"}
	f := chart.Figure{
		Columns:     len(titles),
		Rows:        datasets,
		Width:       chart.WideWidth,
		PanelHeight: 132,
	}
	for _, name := range datasets {
		t := terms[name]
		row := []chart.Panel{
			histogramPanel(t.A, "a", "rows"),
			histogramPanel(t.B, "b", "draws"),
			pairPanel(t),
			histogramPanel(t.Difference, "|b| − |a|", "draws"),
		}
		for i, title := range titles {
			row[i].Title = title
		}
		f.Panels = append(f.Panels, row...)
	}
	f.LeaveOutRepeatedLabels()
	return f
}

// histogramPanel returns the panel of a histogram, with a dashed line at 0. xLabel names the values, and yLabel names
// the counted things. A note counts the values beyond the histogram.
func histogramPanel(h evaluation.Histogram, xLabel, yLabel string) chart.Panel {
	const headroom = 1.05 // factor: space above the highest bin
	bins := chart.Layer{Kind: chart.Boxes, Colour: cloudColour}
	width := (h.High - h.Low) / float64(len(h.Counts))
	for i, count := range h.Counts {
		left := h.Low + width*float64(i)
		bins.AddBetween(left, 0, left+width, float64(count))
	}
	highest := headroom * float64(max(slices.Max(h.Counts), 1)) // 1 if all values are beyond
	return chart.Panel{
		Note:   countNote(h.Outside, "beyond the axes"),
		X:      chart.Axis{Label: xLabel, Min: h.Low, Max: h.High, Ticks: chart.RoundTicks(h.Low, h.High, 2)},
		Y:      chart.Axis{Label: yLabel, Max: highest, Ticks: chart.RoundTicks(0, highest, 3)},
		Layers: []chart.Layer{bins, chart.Ideal(0, 0, 0, highest)},
	}
}

// countNote returns a note on values that are not among a panel's points, such as "3 missing", or "" if count is 0.
func countNote(count int, reason string) string {
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s", count, reason)
}

// pairPanel returns the panel of the pairs (b, a), with the diagonals |b| = |a|. The pairs are counted in bins, and a
// point in the middle of a bin stands for its pairs.
func pairPanel(t evaluation.LossTerms) chart.Panel {
	bins := float64(len(t.Pairs)) // of a and as many of b
	binMiddle := func(h evaluation.Histogram, bin int) float64 {
		return h.Low + (h.High-h.Low)*(float64(bin)+0.5)/bins
	}
	pairs := chart.Layer{Kind: chart.Cloud, Colour: cloudColour, Radius: 0.6}
	for binOfA, row := range t.Pairs {
		for binOfB, count := range row {
			if count > 0 {
				pairs.Add(binMiddle(t.B, binOfB), binMiddle(t.A, binOfA))
				pairs.Counts = append(pairs.Counts, count)
			}
		}
	}
	far := max(-t.A.Low, t.A.High, -t.B.Low, t.B.High) // so that the diagonals cross the whole panel
	rising := chart.Ideal(-far, -far, far, far)
	rising.Name = "|b| = |a|"
	return chart.Panel{
		Note:   countNote(t.PairsOutside, "beyond the axes"),
		X:      chart.Axis{Label: "b", Min: t.B.Low, Max: t.B.High, Ticks: chart.RoundTicks(t.B.Low, t.B.High, 2)},
		Y:      chart.Axis{Label: "a", Min: t.A.Low, Max: t.A.High},
		Layers: []chart.Layer{pairs, rising, chart.Ideal(-far, far, far, -far)},
	}
}
