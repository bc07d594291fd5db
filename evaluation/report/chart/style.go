package chart

import (
	"cmp"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// Sizes in points.
const (
	panelHeight  = 210 // of a row of panels, by default
	margin       = 5   // around a figure
	gap          = 14  // between panels
	lineHeight   = 16  // of a line of the legend
	titleHeight  = 14  // of a panel's title
	noteHeight   = 12  // of a panel's note
	rowNameWidth = 16  // of the names of rows, which read upwards

	titleSize = 9.5
	labelSize = 8.5 // of the labels of axes and the legend
	tickSize  = 7.5 // of the labels of ticks
	noteSize  = 7
)

// textStyle returns the style of text of the given size, whose anchor is at its left end.
func textStyle(size vg.Length) text.Style {
	return text.Style{
		Color:   Ink,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		Handler: plot.DefaultTextHandler,
	}
}

// width returns the width of the figure, in points.
func (f Figure) width() vg.Length { return vg.Length(cmp.Or(f.Width, PageWidth)) }
