package plot

import (
	"context"
	"fmt"
	"regexp"

	"gonum.org/v1/plot/vg"

	"sml/evaluation/report/drawing"
	"sml/internal/registry"
)

// Plot is a picture of Rows.
type Plot struct {
	Name    string // of its files and on the command line: letters, digits and hyphens
	Title   string // in tables and over it
	Summary string // what it shows and how it is read
	Source  string // paper and equation

	// Model says that it shows the model itself, whichever target is looked at.
	Model bool

	// Draw returns its panels. Without panels there is nothing to draw, and Note says
	// why.
	Draw func(ctx context.Context, r *Rows) (Drawn, error)
}

// Drawn is what a plot has drawn.
type Drawn struct {
	Panels []drawing.Panel // in reading order; where the rows are one method of several, the first stands for all
	Across int             // panels beside one another; default 1
	Height vg.Length       // of a panel; default what looks well
	Legend []drawing.Entry
	Note   string // what these rows come to, in a sentence or two
}

var (
	plots      = registry.New("plot", func(p Plot) string { return p.Name }, "")
	identifier = regexp.MustCompile("^[A-Za-z0-9-]+$")
)

func init() {
	for _, p := range []Plot{calibrationCurve, levelHistogram, intervals, predicted, errorsBySigma, uncertaintyParts, sparsification, coverageByBins, learningCurves, function} {
		Register(p)
	}
}

// Register adds a plot. It panics if its name is taken or not of letters, digits and
// hyphens, or if it cannot draw: a mistake in the program.
func Register(p Plot) {
	if p.Draw == nil || p.Title == "" || !identifier.MatchString(p.Name) {
		panic(fmt.Sprintf("plot: %q: want a name of letters, digits and hyphens, a title and Draw", p.Name))
	}
	plots.Add(p)
}

// All returns all plots in the order in which a page has them.
func All() []Plot { return plots.All() }

// Names returns their names.
func Names() []string { return plots.Names() }

// Lookup returns the plot of that name. The error lists those that there are.
func Lookup(name string) (Plot, error) { return plots.Lookup(name) }

const (
	foot      = 0.4 * vg.Inch // legend
	oneHeight = 3.2 * vg.Inch // of a panel as wide as the page
	twoHeight = 2.9 * vg.Inch // of one half as wide
)

// Figure is the panels side by side as many as they say.
func (d Drawn) Figure() *drawing.Figure {
	across := max(1, d.Across)
	height := d.Height
	switch {
	case height > 0:
	case across == 1:
		height = oneHeight
	default:
		height = twoHeight
	}
	f := &drawing.Figure{Width: drawing.PageWidth}
	for from := 0; from < len(d.Panels); from += across {
		row := make([]drawing.Panel, across)
		copy(row, d.Panels[from:])
		f.Panels = append(f.Panels, row)
	}
	f.Height = height * vg.Length(len(f.Panels))
	if d.Legend != nil {
		f.Legend, f.Height = [][]drawing.Entry{d.Legend}, f.Height+foot
	}
	return f
}

// Together is the first panel of each of several rows, such as those of the methods of a
// study, under their names. Rows that have none are left out; it is nil where all are.
func Together(ctx context.Context, p Plot, rows []*Rows) (*drawing.Figure, error) {
	const most = 4
	var all Drawn
	for _, r := range rows {
		d, err := p.Draw(ctx, r)
		if err != nil {
			return nil, fmt.Errorf("plot %s of %s: %w", p.Name, r.Name, err)
		}
		if len(d.Panels) == 0 {
			continue
		}
		panel := d.Panels[0]
		panel.Title = r.Name
		all.Panels, all.Legend = append(all.Panels, panel), d.Legend
	}
	if all.Panels == nil {
		return nil, nil
	}
	if all.Across = min(most, len(all.Panels)); len(all.Panels) == 5 || len(all.Panels) == 6 {
		all.Across = 3
	}
	if all.Across > 1 {
		all.Height = drawing.PageWidth / vg.Length(all.Across)
	}
	for i := range all.Panels {
		p := all.Panels[i].Plot
		if all.Across > 2 {
			p.X.Tick.Marker, p.Y.Tick.Marker = coarser(p.X.Tick.Marker), coarser(p.Y.Tick.Marker)
		}
		if i%all.Across > 0 {
			p.Y.Label.Text = ""
		}
		if i+all.Across < len(all.Panels) {
			p.X.Label.Text = ""
		}
	}
	return all.Figure(), nil
}

// plain is a name as figures write it: not too long.
func plain(name string) string {
	const most = 28
	if letters := []rune(name); len(letters) > most {
		name = string(letters[:most-1]) + "…"
	}
	return name
}
