package drawing

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/report/internal/axes"
)

// The look that all figures share: sizes for a page 7 inches wide, in points.
const (
	PageWidth    = 7 * vg.Inch
	Wide         = 7.5 * vg.Inch // of figures with many columns
	margin       = vg.Length(5)
	gap          = vg.Length(14)
	legendHeight = vg.Length(16)
	titleHeight  = vg.Length(17)
	noteHeight   = vg.Length(12)
	rowNameWidth = vg.Length(16)

	titleSize = vg.Length(9.5)
	LabelSize = vg.Length(8.5)
	TickSize  = vg.Length(7.5)
	NoteSize  = vg.Length(7)
)

// Colours that stay apart on white paper, in grey print and for readers who
// do not tell red from green.
var (
	Ink    = color.NRGBA{R: 0x26, G: 0x26, B: 0x26, A: 0xff}
	Red    = color.NRGBA{R: 0xd6, G: 0x1f, B: 0x26, A: 0xff}
	Orange = color.NRGBA{R: 0xf2, G: 0x8e, B: 0x1c, A: 0xff}
	Blue   = color.NRGBA{R: 0x1b, G: 0x5f, B: 0xc1, A: 0xff}
	Grey   = color.NRGBA{R: 0x5a, G: 0x60, B: 0x68, A: 0xff}
	Pale   = color.NRGBA{R: 0xee, G: 0xef, B: 0xf1, A: 0xff} // behind data
	Veil   = color.NRGBA{R: 0x5a, G: 0x60, B: 0x68, A: 0x46} // grey, for many lines on one another
)

// GridLine lies behind data.
var GridLine = draw.LineStyle{Color: color.NRGBA{R: 0xdd, G: 0xdf, B: 0xe2, A: 0xff}, Width: 0.4}

// TextStyle is that of a text of some points: of numbers and names at an axis
// TickSize, of its label LabelSize, of a note NoteSize.
func TextStyle(size vg.Length) text.Style {
	return text.Style{
		Color:   Ink,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		Handler: writer,
	}
}

// writer is gonum's own with subscripts.
var writer = subscripts{text.Plain{Fonts: plot.DefaultTextHandler.Cache()}}

// NewPlot returns an empty plot in the shared look, with the labels of its axes.
func NewPlot(x, y string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil // the figure's ground, light or dark
	setAxis(&p.X, x)
	setAxis(&p.Y, y)
	return p
}

func setAxis(axis *plot.Axis, label string) {
	line := draw.LineStyle{Color: Ink, Width: 0.6}
	axis.LineStyle, axis.Tick.LineStyle = line, line
	axis.Padding = 4 // lines that start at an axis do not run into it
	axis.Tick.Length = 3
	axis.Tick.Marker = axes.RoundTicks(4)
	axis.Scale = axes.WideScale{}

	// The alignments of gonum's axes are kept: they turn and centre the text.
	axis.Label.Text = label
	axis.Label.Padding = 3
	axis.Label.TextStyle.Handler, axis.Tick.Label.Handler = writer, writer
	axis.Label.TextStyle.Color, axis.Label.TextStyle.Font = Ink, TextStyle(LabelSize).Font
	axis.Tick.Label.Color, axis.Tick.Label.Font = Ink, TextStyle(TickSize).Font
}
