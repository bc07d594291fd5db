package report

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sml/data/split"
	"sml/evaluation/measure"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/plot"
	"sml/evaluation/study"
)

// rowFigures returns the figures of single rows, with a panel for each method. Studies have rows if
// they save their predictions.
func rowFigures() []Figure {
	var list []Figure
	reader := &savedRowsReader{}
	for _, name := range []string{"calibration", "pit", "errors"} {
		list = append(list, Figure{
			Name: "rows-" + name,
			Draw: func(ctx context.Context, r *Report) (*drawing.Figure, string, error) {
				return drawRows(ctx, r, name, reader)
			},
		})
	}
	return list
}

// drawRows draws the plot of the given name for all methods with saved rows.
func drawRows(ctx context.Context, r *Report, name string, reader *savedRowsReader) (*drawing.Figure, string, error) {
	p, err := plot.Lookup(name)
	if err != nil {
		return nil, "", err
	}
	saved, err := reader.read(ctx, r)
	if err != nil {
		return nil, "", err
	}
	methods := saved.methods
	note := ""
	if name != "errors" { // the other plots need distributions
		methods, note = saved.withDistributions()
	}
	f, err := plot.CompareMethods(ctx, p, methods)
	if err != nil || f == nil {
		return nil, "", err
	}
	caption := p.Title + ", of all rows that were kept of " + saved.split + " together, in units of the standardised target." + note
	return f, caption, nil
}

// savedRowsReader reads the rows of a report once for all figures.
type savedRowsReader struct{ rows *savedRows }

func (reader *savedRowsReader) read(ctx context.Context, r *Report) (*savedRows, error) {
	if reader.rows == nil {
		rows, err := r.readSavedRows(ctx)
		if err != nil {
			return nil, err
		}
		reader.rows = rows
	}
	return reader.rows, nil
}

// savedRows has the predictions that studies saved, by method.
type savedRows struct {
	split   string // split that the rows are scored as
	methods []*plot.Rows

	// withoutDistribution lists the methods whose calibrated distributions were not saved.
	withoutDistribution []string
}

// maxSavedRows is the largest number of rows of a method that a figure shows.
const maxSavedRows = 1_000_000

// readSavedRows reads the test rows of one split: of the random split if any rows of it are saved,
// otherwise of the first split with saved rows.
func (r *Report) readSavedRows(ctx context.Context) (*savedRows, error) {
	saved := &savedRows{split: r.savedSplit()}
	var seen []string // names of cells, which studies may share
	for _, s := range r.Studies {
		for _, c := range s.Cells {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if c.PredictionFormat == "" || scoreName(c) != saved.split || slices.Contains(seen, c.Name) {
				continue
			}
			column, hasDistributions, err := study.ReadPredictionColumn(s.Dir, s.Plan, c)
			if err != nil {
				return nil, err
			}
			if column != nil {
				seen = append(seen, c.Name)
				saved.add(titles([]string{c.Label}, r.MethodTitle)[0], column, hasDistributions)
			}
		}
	}
	return saved, nil
}

// savedSplit returns "test" if cells of the random split save their rows, otherwise the split of the
// first cell that does, "" if none does.
func (r *Report) savedSplit() string {
	first := ""
	for _, s := range r.Studies {
		for _, c := range s.Cells {
			if c.PredictionFormat == "" {
				continue
			}
			if scoreName(c) == "test" {
				return "test"
			}
			if first == "" {
				first = scoreName(c)
			}
		}
	}
	return first
}

// scoreName returns the split under which a cell's test rows are scored, "" if its split is unknown.
func scoreName(c study.PlannedCell) string {
	kind, err := split.Lookup(c.Training.Split)
	if err != nil {
		return ""
	}
	return kind.ScoreName(c.Training.Fold)
}

// add adds the rows of a cell to those of its method. It leaves them out if the method would have too
// many rows, or if their predictions are of another form than the method's first.
func (k *savedRows) add(method string, c *measure.Column, hasDistributions bool) {
	if !hasDistributions && !slices.Contains(k.withoutDistribution, method) {
		k.withoutDistribution = append(k.withoutDistribution, method)
	}
	i := slices.IndexFunc(k.methods, func(r *plot.Rows) bool { return r.Name == method })
	if i < 0 {
		k.methods = append(k.methods, &plot.Rows{Name: method, Target: "the target", Raw: c})
		return
	}
	all := k.methods[i].Raw
	sameForm := slices.Equal(all.Levels, c.Levels) && (all.Std == nil) == (c.Std == nil)
	if !sameForm || len(all.Y)+len(c.Y) > maxSavedRows {
		return
	}
	all.Y = append(all.Y, c.Y...)
	all.Mean = append(all.Mean, c.Mean...)
	all.Std = append(all.Std, c.Std...)
	all.Distributions = append(all.Distributions, c.Distributions...)
}

// withDistributions returns the methods whose distributions are saved, and a note on the others.
func (k *savedRows) withDistributions() (methods []*plot.Rows, note string) {
	if len(k.withoutDistribution) == 0 {
		return k.methods, ""
	}
	for _, r := range k.methods {
		if !slices.Contains(k.withoutDistribution, r.Name) {
			methods = append(methods, r)
		}
	}
	return methods, fmt.Sprintf(" Without %s: a calibration has found a distribution that is not kept with their rows.", strings.Join(k.withoutDistribution, ", "))
}
