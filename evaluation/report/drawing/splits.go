package drawing

import (
	"image/color"
	"slices"
)

// split describes how figures show the scores of one kind of rows.
type split struct {
	Name   string
	Colour color.NRGBA
	Shift  bool // whether the rows are unlike those in training
}

// Splits are the kinds of rows that figures show, in their order: the folds of data's random,
// pca and label splits, in green, blue, yellow-green, orange, red and light red.
var Splits = []split{
	{"train", color.NRGBA{R: 0x2a, G: 0xa1, B: 0x4f, A: 0xff}, false},
	{"test", color.NRGBA{R: 0x1f, G: 0x6f, B: 0xd6, A: 0xff}, false},
	{"pca-interpolate", color.NRGBA{R: 0xb4, G: 0xd3, B: 0x2a, A: 0xff}, true},
	{"pca-extrapolate", color.NRGBA{R: 0xf2, G: 0x8e, B: 0x1c, A: 0xff}, true},
	{"label-interpolate", color.NRGBA{R: 0xc8, G: 0x16, B: 0x1d, A: 0xff}, true},
	{"label-extrapolate", color.NRGBA{R: 0xff, G: 0xa0, B: 0xa4, A: 0xff}, true},
}

// SplitIndex returns the index of a split in Splits, -1 if figures do not show it.
func SplitIndex(name string) int {
	return slices.IndexFunc(Splits, func(s split) bool { return s.Name == name })
}
