package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"sml/evaluation/measure"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/shape"
	"sml/internal/registry"
)

// Figure is a picture that a report has where its studies have what it needs.
type Figure struct {
	Name   string // of its files, and on the page: letters, digits and hyphens
	Number string // that a publication gives it, such as 2; may be empty

	// Draw returns the figure and its caption, nil if the studies have nothing to draw.
	Draw func(ctx context.Context, r *Report) (f *drawing.Figure, caption string, err error)
}

var (
	figures    = registry.New("figure", func(f Figure) string { return f.Name }, "")
	identifier = regexp.MustCompile("^[A-Za-z0-9-]+$")
)

// RegisterFigure adds a figure to every report from then on. It panics if its name
// is taken or not of letters, digits and hyphens: a mistake in the program.
func RegisterFigure(f Figure) {
	if !identifier.MatchString(f.Name) {
		panic(fmt.Sprintf("report: the name of figure %q is not of letters, digits and hyphens", f.Name))
	}
	figures.Add(f)
}

// Draw draws the figures: an Overview of each of r.Overviews, and those that are
// registered. One that has more methods than there are markers is left out, with a note.
func (r *Report) Draw(ctx context.Context) error {
	var all []Figure
	for _, name := range r.Overviews {
		all = append(all, Figure{Name: "overview-" + name, Draw: func(context.Context, *Report) (*drawing.Figure, string, error) {
			f, err := Overview(r.Shown, name, r.MethodTitle)
			m, _ := measure.Lookup(name)
			return f, drawing.JoinNotes(measure.Title(name), m.Summary) + ".", err
		}})
	}
	r.pictures = nil
	for _, f := range slices.Concat(all, rowPlots(), figures.All()) {
		if err := ctx.Err(); err != nil {
			return err
		}
		d, caption, err := f.Draw(ctx, r)
		switch {
		case errors.Is(err, shape.ErrMarkers):
			r.Notes = append(r.Notes, fmt.Sprintf("Figure %s is left out: %v.", cmp.Or(f.Number, f.Name), err))
		case err != nil:
			return fmt.Errorf("report: figure %s: %w", f.Name, err)
		case d != nil:
			r.pictures = append(r.pictures, Picture{f, caption, d})
		}
	}
	return nil
}
