package report

import (
	"context"
	"fmt"
	"image/color"

	"sml/evaluation/report/chart"
	"sml/internal/registry"
	"sml/internal/texts"
)

// Plot is a kind of figure of a model's Rows.
type Plot struct {
	Name    string // name in file names and on the command line: letters, digits and hyphens
	Title   string // heading of the figure
	Summary string // contents of the figure and how to read it, in a few sentences
	Source  string // paper and equation; "" if the plot has no source

	// PerModel is true if the figure shows the model itself and is the same for all its targets.
	PerModel bool

	// ForClasses is true if the figure is only for targets that are classes.
	ForClasses bool

	// Draw returns the figure of r, and a note with numbers of these rows, in a sentence or two. If r lacks something
	// that the plot needs, the figure has no panels, and the note names the missing part.
	Draw func(ctx context.Context, r *Rows) (f chart.Figure, note string, err error)
}

var plots = registry.New("plot", func(p Plot) string { return p.Name }, "")

// init registers the plots of this package, in a page's order.
func init() {
	for _, p := range []Plot{
		calibrationCurve,
		levelHistogram,
		intervals,
		predicted,
		errorsBySigma,
		uncertaintyParts,
		sparsification,
		coverageByBins,
		confusion,
		reliability,
		roc,
		learningCurves,
		function,
	} {
		RegisterPlot(p)
	}
}

// RegisterPlot adds a plot to the list of plots. It panics if the name is taken, or cannot be a part of a file's name.
func RegisterPlot(p Plot) { plots.Add(p) }

// Plots returns all plots, in a page's order.
func Plots() []Plot { return plots.All() }

// PlotNames returns the names of all plots, in the order of Plots.
func PlotNames() []string { return plots.Names() }

// LookupPlot returns the plot with the given name. It returns an error that lists all names if there is no such plot.
func LookupPlot(name string) (Plot, error) { return plots.Lookup(name) }

// Colours that all plots share.
var (
	shownColour = chart.Blue // final predictions, calibrated if the model has a calibration
	bandColour  = chart.Pale(chart.Grey)
	areaColour  = chart.Pale(chart.Blue)
	cloudColour = color.NRGBA{R: 0x3a, G: 0x86, B: 0xe0, A: 0xff}
	alertColour = color.NRGBA{R: 0xe5, G: 0x38, B: 0x3b, A: 0xff}
)

// axisName returns the name of a column for an axis or a title, shortened to 28 letters.
func axisName(column string) string {
	const maxLetters = 28
	return texts.Shorten(column, maxLetters)
}

// compareMethods draws the plot p of several methods' rows in one figure: the first panel of each method, with the
// method's name as title. It leaves out methods for which p has no panel; the figure has no panels if no method has one.
func compareMethods(ctx context.Context, p Plot, methods []*Rows) (chart.Figure, error) {
	var comparison chart.Figure
	for _, r := range methods {
		f, _, err := p.Draw(ctx, r)
		if err != nil {
			return chart.Figure{}, fmt.Errorf("plot %s of %s: %w", p.Name, r.Name, err)
		}
		if len(f.Panels) > 0 {
			panel := f.Panels[0]
			panel.Title = r.Name
			comparison.Panels = append(comparison.Panels, panel)
		}
	}
	columns := comparisonColumns(len(comparison.Panels))
	comparison.Columns = columns
	if columns > 1 {
		comparison.PanelHeight = chart.PageWidth / float64(columns) // about square
	}
	comparison.LeaveOutRepeatedLabels()
	return comparison, nil
}

// comparisonColumns returns how many of the given number of panels stand side by side: at most maxColumns, and one less
// if two rows of that many hold all panels, which leaves fewer empty places.
func comparisonColumns(panels int) int {
	const maxColumns = 4 // in more columns the labels would overlap
	fewer := maxColumns - 1
	if panels > maxColumns && panels <= 2*fewer {
		return fewer
	}
	return min(maxColumns, panels)
}
