package drawing

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/report/internal/axes"
)

// Sizes that all figures share, in points, for a page 7 inches wide.
const (
	PageWidth = 7 * vg.Inch
	WideWidth = 7.5 * vg.Inch // width of figures with many columns

	margin          = vg.Length(5)  // space around a figure
	gap             = vg.Length(14) // space between panels
	legendHeight    = vg.Length(16) // height of one line of the legend
	titleHeight     = vg.Length(17) // height of a title of one line, with the space around it
	titleLineHeight = vg.Length(14) // height of each further line of a title
	noteHeight      = vg.Length(12) // height of one line of a note
	rowNameWidth    = vg.Length(16) // width of the names of rows, which read upwards

	titleSize = vg.Length(9.5) // font size of a panel's title
	LabelSize = vg.Length(8.5) // font size of axis labels and legend entries
	TickSize  = vg.Length(7.5) // font size of numbers and names at an axis
	NoteSize  = vg.Length(7)   // font size of a panel's note
)

// Colours that differ on white paper, in grey print, and for readers who do not distinguish red from
// green.
var (
	Ink             = color.NRGBA{R: 0x26, G: 0x26, B: 0x26, A: 0xff} // text and axes
	Red             = color.NRGBA{R: 0xd6, G: 0x1f, B: 0x26, A: 0xff}
	Orange          = color.NRGBA{R: 0xf2, G: 0x8e, B: 0x1c, A: 0xff}
	Blue            = color.NRGBA{R: 0x1b, G: 0x5f, B: 0xc1, A: 0xff}
	Grey            = color.NRGBA{R: 0x5a, G: 0x60, B: 0x68, A: 0xff}
	PaleGrey        = color.NRGBA{R: 0xee, G: 0xef, B: 0xf1, A: 0xff} // areas behind data
	TranslucentGrey = color.NRGBA{R: 0x5a, G: 0x60, B: 0x68, A: 0x46} // many lines above one another
)

// GridLine is the style of lines behind data.
var GridLine = draw.LineStyle{Color: color.NRGBA{R: 0xdd, G: 0xdf, B: 0xe2, A: 0xff}, Width: 0.4}

// TextStyle returns the style of text of the given size, such as LabelSize, TickSize or NoteSize.
func TextStyle(size vg.Length) text.Style {
	return text.Style{
		Color:   Ink,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		Handler: textHandler,
	}
}

// titleStyle returns the style of a panel's title, with its anchor at the middle of its foot.
func titleStyle() text.Style {
	style := TextStyle(titleSize)
	style.XAlign = draw.XCenter
	style.YAlign = draw.YBottom
	return style
}

// noteStyle returns the style of a panel's note, with its anchor at its lower right corner.
func noteStyle() text.Style {
	style := TextStyle(NoteSize)
	style.XAlign = draw.XRight
	style.YAlign = draw.YBottom
	style.Color = Grey
	return style
}

// rowNameStyle returns the style of the name of a row, which reads upwards.
func rowNameStyle() text.Style {
	style := TextStyle(titleSize)
	style.XAlign = draw.XCenter
	style.YAlign = draw.YTop
	style.Rotation = math.Pi / 2
	return style
}

// textHandler writes text as gonum does, and subscripts.
var textHandler = subscriptHandler{text.Plain{Fonts: plot.DefaultTextHandler.Cache()}}

// NewPlot returns an empty plot in the style of all figures. xLabel and yLabel are the labels of its
// axes.
func NewPlot(xLabel, yLabel string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil // the figure's background, light or dark
	setAxis(&p.X, xLabel)
	setAxis(&p.Y, yLabel)
	return p
}

// setAxis gives an axis of a new plot the style of all figures.
func setAxis(axis *plot.Axis, label string) {
	line := draw.LineStyle{Color: Ink, Width: 0.6}
	axis.LineStyle = line
	axis.Padding = 4 // keeps lines that start at an axis off it
	axis.Scale = axes.WideScale{}

	axis.Tick.LineStyle = line
	axis.Tick.Length = 3
	axis.Tick.Marker = axes.RoundTicks(4)
	axis.Tick.Label.Handler = textHandler
	axis.Tick.Label.Color = Ink
	axis.Tick.Label.Font = TextStyle(TickSize).Font

	// The alignment of gonum's label stays: it turns and centers the text.
	axis.Label.Text = label
	axis.Label.Padding = 3
	axis.Label.TextStyle.Handler = textHandler
	axis.Label.TextStyle.Color = Ink
	axis.Label.TextStyle.Font = TextStyle(LabelSize).Font
}
