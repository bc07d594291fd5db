package report

import (
	"image/color"
	"slices"

	"sml/evaluation/report/chart"
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
