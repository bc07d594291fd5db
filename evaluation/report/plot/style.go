package plot

import (
	"image/color"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
)

// Colours and lines that all plots share.
var (
	shownColour = drawing.Blue   // final predictions, calibrated if the model has a calibration
	rawColour   = drawing.Orange // predictions before calibration
	bandColour  = withAlpha(drawing.Grey, 0x40)
	areaColour  = withAlpha(drawing.Blue, 0x38)

	// Clouds of points are pixels, which do not change in dark mode: their colours contrast with a
	// light and a dark background.
	cloudColour = color.NRGBA{R: 0x3a, G: 0x86, B: 0xe0, A: 0xff}
	alertColour = color.NRGBA{R: 0xe5, G: 0x38, B: 0x3b, A: 0xff}

	// versionNames are the names of Rows.versions.
	versionNames = []string{"raw", "calibrated"}

	// idealLine shows where perfectly calibrated or perfectly accurate predictions would be.
	idealLine = draw.LineStyle{Color: drawing.Grey, Width: 0.8, Dashes: []vg.Length{3, 2}}
)

// withAlpha returns a colour with another opacity, from 0 to 0xff.
func withAlpha(c color.NRGBA, alpha uint8) color.NRGBA {
	c.A = alpha
	return c
}

// versionColour returns the colour of r.versions()[version]. The last version has the same colour whether
// the model has a calibration or not.
func (r *Rows) versionColour(version int) color.NRGBA {
	if r.Calibrated != nil && version == 0 {
		return rawColour
	}
	return shownColour
}

// versionLine returns the line style of r.versions()[version].
func (r *Rows) versionLine(version int) draw.LineStyle {
	return draw.LineStyle{Color: r.versionColour(version), Width: 1.3}
}

// versionEntries returns the legend entries of the lines of all versions. soleName is the text of
// the entry if the predictions have only one version.
func (r *Rows) versionEntries(soleName string) []drawing.Entry {
	if r.Calibrated == nil {
		return []drawing.Entry{drawing.LineEntry(soleName, r.versionLine(0))}
	}
	return []drawing.Entry{
		drawing.LineEntry(versionNames[0], r.versionLine(0)),
		drawing.LineEntry(versionNames[1], r.versionLine(1)),
	}
}

// axisPadding is the distance in points of the data from an axis on which they begin. It is smaller than in
// other plots, so that the axes visibly meet at 0.
const axisPadding = 2

// setLimitsFromZero sets axes that begin at 0 and end at xMax and yMax.
func setLimitsFromZero(p *plot.Plot, xMax, yMax float64) {
	setLimits(&p.X, 0, xMax)
	setLimits(&p.Y, 0, yMax)
	p.X.Padding = axisPadding
	p.Y.Padding = axisPadding
}

// setLimits sets the limits of an axis.
func setLimits(axis *plot.Axis, low, high float64) {
	axis.Min = low
	axis.Max = high
}

// addBorder widens a range by 3 % at both ends, so that marks at its ends are fully visible.
func addBorder(low, high float64) (wideLow, wideHigh float64) {
	const borderFraction = 0.03 // of the range
	border := borderFraction * (high - low)
	return low - border, high + border
}

// wholeTicks are the ticks of an axis of counts, such as epochs.
var wholeTicks = axes.WithLabels(axes.WholeTicks(axes.RoundTicks(4)), func(value float64) string {
	return strconv.FormatFloat(value+0, 'f', -1, 64) // value+0 turns −0 into 0
})

// fewerTicks returns ticks for a short axis: one round tick less than the given ticker has. It returns
// tickers of other kinds as they are.
func fewerTicks(ticks plot.Ticker) plot.Ticker {
	const minTicks = 2 // one tick would not show the scale
	n, ok := ticks.(axes.RoundTicks)
	if !ok { // ticks of another kind do not say how many they are
		return ticks
	}
	return max(minTicks, n-1)
}
