package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"sml/evaluation/measure"
	"sml/evaluation/report/chart"
	"sml/internal/registry"
)

// StudyFigure is a kind of figure of studies. A report contains it if the studies have the data for it.
type StudyFigure struct {
	Name   string // name of its files and on the page: letters, digits and hyphens
	Number string // number in a publication, such as 2; "" if it has none

	// Draw returns the figure and its caption. The figure has no panels if the studies lack the data for it.
	Draw func(ctx context.Context, r *Report) (f chart.Figure, caption string, err error)
}

var figures = registry.New("figure", func(f StudyFigure) string { return f.Name }, "")

// RegisterFigure adds a figure to all reports that are drawn later. It panics if its name is taken, or cannot be a part of
// a file's name.
func RegisterFigure(f StudyFigure) { figures.Add(f) }

// Draw draws the figures of the report, which Files and WriteHTML then include: an Overview for each of r.Overviews, the
// methods' mean ranks, plots of rows, and the registered figures. It replaces the pictures of an earlier Draw. A figure
// with more methods than there are marks is left out, and r.Notes says so.
func (r *Report) Draw(ctx context.Context) error {
	r.pictures = nil
	for _, f := range slices.Concat(overviewFigures(r.Overviews), []StudyFigure{ranksFigure}, rowFigures(ctx, r), figures.All()) {
		if err := ctx.Err(); err != nil {
			return err
		}
		drawn, caption, err := f.Draw(ctx, r)
		switch { // a figure without panels is left out: the studies lack the data for it
		case errors.Is(err, chart.ErrMarks):
			r.Notes = append(r.Notes, fmt.Sprintf("Figure %s is left out: %v.", cmp.Or(f.Number, f.Name), err))
		case err != nil:
			return fmt.Errorf("report: figure %s: %w", f.Name, err)
		case len(drawn.Panels) > 0:
			r.pictures = append(r.pictures, Picture{Name: f.Name, Number: f.Number, Caption: caption, Figure: drawn})
		}
	}
	return nil
}

// overviewFigures returns a figure for each measure, named overview-MEASURE: the measure's scores of all methods and
// data sets, as Overview draws them. The caption is the measure's title and, if the measure is registered, its summary.
func overviewFigures(measures []string) []StudyFigure {
	var overviews []StudyFigure
	for _, name := range measures {
		overviews = append(overviews, StudyFigure{
			Name: "overview-" + name,
			Draw: func(_ context.Context, r *Report) (chart.Figure, string, error) {
				m, _ := measure.Lookup(name) // a measure that is not registered has no summary
				caption := chart.JoinNotes(measure.Title(name), m.Summary) + "."
				figure, err := Overview(r.Shown, name, r.MethodTitle)
				return figure, caption, err
			},
		})
	}
	return overviews
}

// Picture is a figure with its caption, for a Section.
type Picture struct {
	Name    string // name of its files and on the page: letters, digits and hyphens
	Number  string // number in a publication, such as 2; "" if it has none
	Caption string
	chart.Figure
}

// title returns the picture's number in words, such as "Figure 2", or "" if it has no number.
func (p Picture) title() string {
	if p.Number == "" {
		return ""
	}
	return "Figure " + p.Number
}

// Files returns the picture's files, an SVG and a PNG.
func (p Picture) Files() []File {
	name := "figures/" + p.Name
	return []File{
		{Name: name + ".svg", Write: p.WriteSVG},
		{Name: name + ".png", Write: p.WritePNG},
	}
}

// image returns the picture as an HTML element for a page. Screen readers read its title and caption.
func (p Picture) image() (template.HTML, error) {
	label := p.Caption
	if p.title() != "" {
		label = p.title() + ". " + p.Caption
	}
	var image strings.Builder
	err := p.WriteHTML(&image, label)
	return template.HTML(image.String()), err
}
