package plot

import (
	"context"
	"fmt"
	"regexp"

	"gonum.org/v1/plot/vg"

	"sml/evaluation/report/drawing"
	"sml/internal/registry"
	"sml/internal/texts"
)

// Plot is a kind of picture of Rows.
type Plot struct {
	Name    string // name in file names and on the command line: letters, digits and hyphens
	Title   string // heading of the picture
	Summary string // contents of the picture and how to read it, in a few sentences
	Source  string // paper and equation; "" if the plot has no source

	// PerModel is true if the picture shows the model itself and is the same for all its targets.
	PerModel bool

	// Draw returns the picture of r. If r lacks something that the plot needs, the drawing has no
	// panels, and its Note names the missing part.
	Draw func(ctx context.Context, r *Rows) (Drawing, error)
}

// Drawing is the content of a picture: its panels and their layout, a legend and a note.
type Drawing struct {
	Panels []drawing.Panel // in reading order; CompareMethods shows only the first

	Columns     int             // number of panels side by side; 0 means 1
	PanelHeight vg.Length       // height of a panel; 0 means a default for the number of columns
	Legend      []drawing.Entry // nil if the picture has no legend

	// Note has numbers of these rows, in a sentence or two. If there are no panels, it is the reason.
	Note string
}

var (
	plots       = registry.New("plot", func(p Plot) string { return p.Name }, "")
	namePattern = regexp.MustCompile("^[A-Za-z0-9-]+$") // of a plot, since it is a part of file names
)

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
		learningCurves,
		function,
	} {
		Register(p)
	}
}

// Register adds a plot to the list of plots. It panics if the name is taken or has other characters
// than letters, digits and hyphens, or if the plot has no title or no Draw function.
func Register(p Plot) {
	if p.Draw == nil || p.Title == "" || !namePattern.MatchString(p.Name) {
		panic(fmt.Sprintf("plot: plot %q needs a name of letters, digits and hyphens, a title and a Draw function", p.Name))
	}
	plots.Add(p)
}

// All returns all plots, in a page's order.
func All() []Plot { return plots.All() }

// Names returns the names of all plots, in the order of All.
func Names() []string { return plots.Names() }

// Lookup returns the plot with the given name. It returns an error that lists all names if there is
// no such plot.
func Lookup(name string) (Plot, error) { return plots.Lookup(name) }

const (
	legendHeight     = 0.4 * vg.Inch // space below the panels
	fullPanelHeight  = 3.2 * vg.Inch // height of a panel as wide as the page
	smallPanelHeight = 2.9 * vg.Inch // height of panels that share the width of the page
)

// Figure returns the drawing as a figure as wide as a page. The drawing must have panels.
func (d Drawing) Figure() *drawing.Figure {
	columns := max(1, d.Columns)
	f := &drawing.Figure{Width: drawing.PageWidth}
	for start := 0; start < len(d.Panels); start += columns {
		row := make([]drawing.Panel, columns) // the last row may end with empty panels
		copy(row, d.Panels[start:])           // at most as many panels as fit
		f.Panels = append(f.Panels, row)
	}
	f.Height = d.panelHeight() * vg.Length(len(f.Panels))
	if d.Legend != nil {
		f.Legend = [][]drawing.Entry{d.Legend}
		f.Height += legendHeight
	}
	return f
}

// panelHeight returns PanelHeight, or the default for the number of columns if it is 0.
func (d Drawing) panelHeight() vg.Length {
	switch {
	case d.PanelHeight > 0:
		return d.PanelHeight
	case d.Columns <= 1:
		return fullPanelHeight
	default:
		return smallPanelHeight
	}
}

// CompareMethods draws the plot p of several methods' rows in one figure: the first panel of each
// method, with the method's name as title. It leaves out methods for which p has no panel, and
// returns nil if no method has one.
func CompareMethods(ctx context.Context, p Plot, methods []*Rows) (*drawing.Figure, error) {
	var comparison Drawing
	for _, r := range methods {
		d, err := p.Draw(ctx, r)
		if err != nil {
			return nil, fmt.Errorf("plot %s of %s: %w", p.Name, r.Name, err)
		}
		if len(d.Panels) == 0 {
			continue
		}
		panel := d.Panels[0]
		panel.Title = r.Name
		comparison.Panels = append(comparison.Panels, panel)
		comparison.Legend = d.Legend // the same for all methods
	}
	if comparison.Panels == nil {
		return nil, nil
	}
	comparison.Columns = comparisonColumns(len(comparison.Panels))
	if comparison.Columns > 1 {
		comparison.PanelHeight = drawing.PageWidth / vg.Length(comparison.Columns) // about square
	}
	comparison.thinTicks()
	comparison.keepOuterLabels()
	return comparison.Figure(), nil
}

// comparisonColumns returns how many of the given number of panels stand side by side: at most maxColumns,
// and one less if two rows of that many hold all panels, which leaves fewer empty places.
func comparisonColumns(panels int) int {
	const maxColumns = 4 // in more columns the labels would overlap
	fewer := maxColumns - 1
	if panels > maxColumns && panels <= 2*fewer {
		return fewer
	}
	return min(maxColumns, panels)
}

// thinTicks gives panels narrower than half a page fewer ticks. It changes the panels' plots.
func (d Drawing) thinTicks() {
	const maxWideColumns = 2
	if d.Columns <= maxWideColumns {
		return
	}
	for _, panel := range d.Panels {
		panel.X.Tick.Marker = fewerTicks(panel.X.Tick.Marker)
		panel.Y.Tick.Marker = fewerTicks(panel.Y.Tick.Marker)
	}
}

// keepOuterLabels removes the y label of panels with another panel at the left, and the x label of panels
// with another panel below: all panels have the same labels. It changes the panels' plots.
func (d Drawing) keepOuterLabels() {
	for i, panel := range d.Panels {
		hasLeftNeighbour := i%d.Columns > 0
		if hasLeftNeighbour {
			panel.Y.Label.Text = ""
		}
		hasPanelBelow := i+d.Columns < len(d.Panels)
		if hasPanelBelow {
			panel.X.Label.Text = ""
		}
	}
}

// axisName returns the name of a column for an axis or a title, shortened to 28 letters.
func axisName(column string) string {
	const maxLetters = 28
	return texts.Shorten(column, maxLetters)
}
