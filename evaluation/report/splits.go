package report

import (
	"image/color"
	"math"
	"slices"

	"sml/evaluation/measure"
	"sml/evaluation/report/chart"
	"sml/internal/statistics"
)

// shownSplit is a kind of rows that scores are reported for, with its appearance in figures.
type shownSplit struct {
	Name   string
	Colour color.NRGBA
	Shift  bool // whether the rows differ in distribution from the training rows
}

// Splits are the kinds of rows that figures show, in their order. They are the random split and the folds of the pca and
// label splits (see package data/split).
var Splits = []shownSplit{
	{Name: "train", Colour: color.NRGBA{R: 0x2a, G: 0xa1, B: 0x4f, A: 0xff}},                          // green
	{Name: "test", Colour: color.NRGBA{R: 0x1f, G: 0x6f, B: 0xd6, A: 0xff}},                           // blue
	{Name: "pca-interpolate", Colour: color.NRGBA{R: 0xb4, G: 0xd3, B: 0x2a, A: 0xff}, Shift: true},   // yellow-green
	{Name: "pca-extrapolate", Colour: color.NRGBA{R: 0xf2, G: 0x8e, B: 0x1c, A: 0xff}, Shift: true},   // orange
	{Name: "label-interpolate", Colour: color.NRGBA{R: 0xc8, G: 0x16, B: 0x1d, A: 0xff}, Shift: true}, // red
	{Name: "label-extrapolate", Colour: color.NRGBA{R: 0xff, G: 0xa0, B: 0xa4, A: 0xff}, Shift: true}, // light red
}

// SplitIndex returns the index in Splits of the split with the given name, or -1 if figures do not show it.
func SplitIndex(name string) int {
	return slices.IndexFunc(Splits, func(s shownSplit) bool { return s.Name == name })
}

// SplitEntries returns a legend entry for each of Splits that a figure shows. isShown is called with indices in Splits.
func SplitEntries(isShown func(split int) bool) []chart.Layer {
	var entries []chart.Layer
	for i, split := range Splits {
		if isShown(i) {
			entries = append(entries, chart.Layer{Name: split.Name, Kind: chart.Boxes, Colour: split.Colour})
		}
	}
	return entries
}

// calibrationMeasures are the measures of the tables on data shift. They judge σ and have no unit, so that
// means over data sets make sense. The measure ks has no unit, either, but it shows the same as ws and
// is less sensitive to outliers.
var calibrationMeasures = []string{"ece", "ws"}

// SplitTables returns a table for ECE and one for WS, as far as r.Shown has scores. Each shows how the scores change
// under data shift.
func (r *Report) SplitTables() []Table {
	var tables []Table
	for _, name := range calibrationMeasures {
		t := r.splitTable(name)
		if len(t.Body) > 0 {
			tables = append(tables, t)
		}
	}
	return tables
}

// splitTable returns a table of one measure with a row for each split and a column for each method. A cell
// has the mean over the data sets and below it the median. A row counts only the data sets on which all
// methods have a score.
func (r *Report) splitTable(measureName string) Table {
	ofMeasure := FilterScores(r.Shown, func(s measure.Score) bool { return s.Measure == measureName })
	methods := DistinctNames(ofMeasure, methodOf)
	t := Table{
		Caption: measure.Title(measureName) + " by split: mean over data sets, median below",
		Words:   1,
		Header:  append([]string{"split"}, r.methodTitles(methods)...),
	}
	for _, split := range Splits {
		g := newGrid(r.Shown, split.Name, measureName).common()
		if len(g.datasets) > 0 {
			t.Body = append(t.Body, g.splitRow(split.Name, methods))
		}
	}
	return t
}

// splitRow returns a row with the mean and the median over the data sets of each method's scores, and
// "not run" for methods that the grid lacks. The grid must be common.
func (g grid) splitRow(split string, methods []string) []Cell {
	row := TextCells(split)
	var means []float64 // by method, for markBest; NaN for methods that were not run
	for _, method := range methods {
		if !slices.Contains(g.methods, method) {
			row = append(row, Cell{Text: "not run"})
			means = append(means, math.NaN())
			continue
		}
		scores := g.column(method, scoreMean)
		mean := statistics.Mean(scores)
		row = append(row, Cell{Text: formatScore(mean), Below: []string{formatScore(statistics.Median(scores))}})
		means = append(means, mean)
	}
	markBest(row[1:], means, g.measure.Badness)
	return row
}
