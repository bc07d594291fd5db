package report

import (
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The look that all figures share: sizes for a page 7 inches wide, in points.
const (
	pageWidth    = 7 * vg.Inch
	margin       = vg.Length(5)
	gap          = vg.Length(14)
	legendHeight = vg.Length(16)
	titleHeight  = vg.Length(17)
	noteHeight   = vg.Length(12)
	rowNameWidth = vg.Length(16)

	titleSize = vg.Length(9.5)
	labelSize = vg.Length(8.5)
	tickSize  = vg.Length(7.5)
	noteSize  = vg.Length(7)
)

// Colours that stay apart on white paper, in grey print and for readers who
// do not tell red from green.
var (
	ink    = color.NRGBA{R: 0x26, G: 0x26, B: 0x26, A: 0xff}
	red    = color.NRGBA{R: 0xd6, G: 0x1f, B: 0x26, A: 0xff}
	orange = color.NRGBA{R: 0xf2, G: 0x8e, B: 0x1c, A: 0xff}
	blue   = color.NRGBA{R: 0x1b, G: 0x5f, B: 0xc1, A: 0xff}
	grey   = color.NRGBA{R: 0x5a, G: 0x60, B: 0x68, A: 0xff}
	pale   = color.NRGBA{R: 0xee, G: 0xef, B: 0xf1, A: 0xff} // behind data
	veil   = color.NRGBA{R: 0x5a, G: 0x60, B: 0x68, A: 0x46} // grey, for many lines on one another
)

// gridLine lies behind data.
var gridLine = draw.LineStyle{Color: color.NRGBA{R: 0xdd, G: 0xdf, B: 0xe2, A: 0xff}, Width: 0.4}

func textStyle(size vg.Length) text.Style {
	return text.Style{
		Color:   ink,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		Handler: writer,
	}
}

// writer is gonum's own with subscripts.
var writer = subscripts{text.Plain{Fonts: plot.DefaultTextHandler.Cache()}}

// newPlot returns an empty panel in the shared look.
func newPlot(x, y string) *plot.Plot {
	p := plot.New()
	setAxis(&p.X, x)
	setAxis(&p.Y, y)
	return p
}

func setAxis(axis *plot.Axis, label string) {
	line := draw.LineStyle{Color: ink, Width: 0.6}
	axis.LineStyle, axis.Tick.LineStyle = line, line
	axis.Padding = 4 // lines that start at an axis do not run into it
	axis.Tick.Length = 3
	axis.Tick.Marker = signedTicks{plot.DefaultTicks{}}

	// The alignments of gonum's axes are kept: they turn and centre the text.
	axis.Label.Text = label
	axis.Label.Padding = 3
	axis.Label.TextStyle.Handler, axis.Tick.Label.Handler = writer, writer
	axis.Label.TextStyle.Color, axis.Label.TextStyle.Font = ink, textStyle(labelSize).Font
	axis.Tick.Label.Color, axis.Tick.Label.Font = ink, textStyle(tickSize).Font
}

// signedTicks are ticks whose labels have a minus sign, not a hyphen.
type signedTicks struct{ plot.Ticker }

func (t signedTicks) Ticks(low, high float64) []plot.Tick {
	if span := high - low; !(span >= 0x1p-1022) || math.IsInf(span, 0) { // plot would look for ticks for ever
		return nil
	}
	ticks := t.Ticker.Ticks(low, high)
	for i := range ticks {
		ticks[i].Label = strings.ReplaceAll(ticks[i].Label, "-", "−")
	}
	return ticks
}
