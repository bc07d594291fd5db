package paper

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"sml/evaluation/report"
	"sml/evaluation/report/chart"
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

// splitColour returns the colour of one of report.Splits.
func splitColour(name string) color.NRGBA { return report.Splits[report.SplitIndex(name)].Colour }

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
// caption has the means over all data sets. The figure has no panels if no study has drop
// fractions.
func dropFractions(_ context.Context, p *part) (f chart.Figure, caption string, err error) {
	hasTestFraction := func(dataset string) bool {
		_, ok := p.meanDropFraction(dataset, testSplits)
		return ok
	}
	shown, note := p.fillSlots(hasTestFraction, []string{"superconduct"}, []string{"protein"})
	if len(shown) == 0 {
		return f, "", nil
	}
	caption = "Fractions of σ_total: the sub-networks' spread (full) and their mean's distance from the full network (pale)."
	if overall := p.describeDropFractions(len(shown)); len(overall) > 0 {
		caption += " Over all data sets the spread's mean fraction is " + strings.Join(overall, ", ") + "."
	}
	return p.drawDropFractions(shown), caption + note, nil
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

// fractionBars has the marks of figure 4: groups of bars, one below the other. The full part of a bar is σ_drop as a fraction
// of σ_total; the pale part is the rest of σ_total, |f − ⟨f~⟩|. In the panel's y coordinates, a bar is one unit high.
type fractionBars struct {
	full, pale []chart.Layer // by kind of rows
	numbers    chart.Layer   // beside the bars
	names      []chart.Tick  // of the groups
	bottom     float64       // of the last group
}

// drawDropFractions draws a group of bars for each data set and, if there are several, one for the mean over them.
func (p *part) drawDropFractions(datasets []string) chart.Figure {
	const (
		width        = 432
		numbersEnd   = 1.16 // right end of the panel
		barHeight    = 11   // with the gaps, in points
		heightBeside = 38   // of the x axis, in points
	)
	b := fractionBars{numbers: chart.Layer{Kind: chart.Texts, Colour: chart.Ink}}
	for _, kind := range rowKinds {
		b.full = append(b.full, chart.Layer{Name: kind.name, Kind: chart.Boxes, Colour: kind.colour})
		b.pale = append(b.pale, chart.Layer{Kind: chart.Boxes, Colour: chart.Pale(kind.colour)})
	}
	for _, dataset := range datasets {
		p.addBars(&b, dataset, []string{dataset})
	}
	if len(datasets) > 1 {
		p.addBars(&b, "mean", datasets)
	}
	full := slices.DeleteFunc(b.full, func(l chart.Layer) bool { return len(l.X) == 0 }) // no group has this kind of rows
	legend := []chart.Layer{
		{Name: "full: σ_drop", Kind: chart.Boxes, Colour: chart.Grey},
		{Name: "pale: |f − mean f~|", Kind: chart.Boxes, Colour: chart.Pale(chart.Grey)},
	}
	panel := chart.Panel{
		X:      chart.Axis{Label: "fraction of σ_total", Max: numbersEnd, Ticks: percentTicks()},
		Y:      chart.Axis{Min: b.bottom, Ticks: b.names},
		Layers: slices.Concat(full, b.pale, []chart.Layer{b.numbers}, legend),
	}
	return chart.Figure{Width: width, PanelHeight: heightBeside - barHeight*b.bottom, Panels: []chart.Panel{panel}}
}

// addBars adds a group with the means over the data sets on each kind of rows that all of them have.
func (p *part) addBars(b *fractionBars, name string, datasets []string) {
	const (
		groupGap  = 0.7  // space between groups, in heights of a bar
		barGap    = 0.08 // above and below a bar
		numbersAt = 1.07 // middle of the numbers
	)
	y := b.bottom // upper end of the next bar
	if len(b.names) > 0 {
		y -= groupGap
	}
	top := y
	for kind := range rowKinds {
		fraction, count := p.meanOverDatasets(datasets, rowKinds[kind].splits)
		if count < len(datasets) {
			continue
		}
		b.full[kind].AddBetween(0, y-barGap, fraction, y-1+barGap)
		b.pale[kind].AddBetween(fraction, y-barGap, 1, y-1+barGap)
		b.numbers.Add(numbersAt, y-0.5)
		b.numbers.Labels = append(b.numbers.Labels, percent(fraction))
		y--
	}
	b.names = append(b.names, chart.Tick{Value: (top + y) / 2, Label: name})
	b.bottom = y
}

// percentTicks returns ticks from 0 to 1 that are labelled as percentages.
func percentTicks() []chart.Tick {
	ticks := chart.RoundTicks(0, 1, 5)
	for i, tick := range ticks {
		ticks[i].Label = percent(tick.Value)
	}
	return ticks
}

// percent formats a fraction as a whole percentage.
func percent(fraction float64) string { return strconv.Itoa(int(math.Round(100*fraction))) + " %" }
