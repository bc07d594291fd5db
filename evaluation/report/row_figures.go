package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"sml/data/split"
	"sml/evaluation/measure"
	"sml/evaluation/report/chart"
	"sml/evaluation/study"
)

// rowFigures returns the figures of the rows' predictions, with a panel for each method. Only studies that save
// predictions have such figures. The figures share one reading of the rows.
func rowFigures(ctx context.Context, r *Report) []StudyFigure {
	var figures []StudyFigure
	read := sync.OnceValues(func() (*savedRows, error) { return r.readSavedRows(ctx) })
	for _, p := range []Plot{calibrationCurve, levelHistogram, errorsBySigma} {
		figures = append(figures, StudyFigure{
			Name: "rows-" + p.Name,
			Draw: func(ctx context.Context, r *Report) (f chart.Figure, caption string, err error) {
				saved, err := read()
				if err != nil {
					return f, "", err
				}
				return saved.draw(ctx, p)
			},
		})
	}
	return figures
}

// draw draws a plot for all methods with saved rows, and returns it with its caption. The figure has no panels if no rows
// are saved.
func (saved *savedRows) draw(ctx context.Context, p Plot) (f chart.Figure, caption string, err error) {
	methods := saved.methods
	note := ""
	if p.Name != errorsBySigma.Name { // which needs only a mean and a standard deviation for each row
		methods, note = saved.withDistributions()
	}
	f, err = compareMethods(ctx, p, methods)
	caption = p.Title + ": all saved rows of the " + saved.split + " split together, in units of the standardised target." + note
	return f, caption, err
}

// savedRows has the predictions that studies saved, by method.
type savedRows struct {
	split   string // name of the split under which the rows are scored
	methods []*Rows

	// withoutDistribution lists the methods whose calibrated distributions were not saved.
	withoutDistribution []string
}

// maxSavedRows is the largest number of a method's rows that a figure shows. More rows would hardly change
// it, and would take memory.
const maxSavedRows = 1_000_000

// readSavedRows reads the saved test rows of the split that savedSplit chooses. A cell that several
// studies contain is read once, from the first study with saved rows.
func (r *Report) readSavedRows(ctx context.Context) (*savedRows, error) {
	saved := &savedRows{split: r.savedSplit()}
	isRead := make(map[string]bool) // by the cell's name
	for _, s := range r.Studies {
		for _, c := range s.Cells {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if c.PredictionFormat == "" || scoreName(c) != saved.split || isRead[c.Name] {
				continue
			}
			column, hasDistributions, err := study.ReadPredictionColumn(s.Dir, s.Plan, c)
			if err != nil {
				return nil, err
			}
			if column == nil { // the cell has not been run
				continue
			}
			isRead[c.Name] = true
			saved.add(r.MethodTitle(c.Label), column, hasDistributions)
		}
	}
	return saved, nil
}

// savedSplit returns the name of one split whose rows are saved: "test", which is the random split, if a
// cell saves rows of it, and otherwise the split of the first cell that saves its rows. It returns "" if
// none does.
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
			first = cmp.Or(first, scoreName(c))
		}
	}
	return first
}

// scoreName returns the name of the split under which a cell's test rows are scored, or "" if the cell's
// split is not registered.
func scoreName(c study.PlannedCell) string {
	kind, err := split.Lookup(c.Training.Split)
	if err != nil {
		return ""
	}
	return kind.ScoreName(c.Training.Fold)
}

// add adds the rows of a cell to its method's rows. It ignores them if the method would have more than
// maxSavedRows rows. It also ignores them if the predictions have other parts than the method's first ones: other quantile
// levels, or a standard deviation where the first have none.
func (s *savedRows) add(method string, cellRows *measure.Column, hasDistributions bool) {
	if !hasDistributions && !slices.Contains(s.withoutDistribution, method) {
		s.withoutDistribution = append(s.withoutDistribution, method)
	}
	i := slices.IndexFunc(s.methods, func(r *Rows) bool { return r.Name == method })
	if i < 0 {
		s.methods = append(s.methods, &Rows{Name: method, Target: "the target", Raw: cellRows})
		return
	}
	methodRows := s.methods[i].Raw
	hasSameParts := slices.Equal(methodRows.Levels, cellRows.Levels) && (methodRows.Std == nil) == (cellRows.Std == nil)
	isTooMany := len(methodRows.Y)+len(cellRows.Y) > maxSavedRows
	if !hasSameParts || isTooMany {
		return
	}
	methodRows.Y = append(methodRows.Y, cellRows.Y...)
	methodRows.Mean = append(methodRows.Mean, cellRows.Mean...)
	methodRows.Std = append(methodRows.Std, cellRows.Std...)
	methodRows.Distributions = append(methodRows.Distributions, cellRows.Distributions...)
}

// withDistributions returns the methods whose distributions are saved, and a note that names the other
// methods, "" if there are none.
func (s *savedRows) withDistributions() (methods []*Rows, note string) {
	if len(s.withoutDistribution) == 0 {
		return s.methods, ""
	}
	methods = slices.DeleteFunc(slices.Clone(s.methods), func(r *Rows) bool { return slices.Contains(s.withoutDistribution, r.Name) })
	note = fmt.Sprintf(" Without %s: these methods were calibrated, and the calibrated distributions are not saved with their rows.", strings.Join(s.withoutDistribution, ", "))
	return methods, note
}
