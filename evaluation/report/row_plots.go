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

// rowPlots are the plots of single rows that a report has of studies that keep their
// predictions: a panel for each method.
func rowPlots() []Figure {
	var list []Figure
	var kept *keptRows
	for _, name := range []string{"calibration", "pit", "errors"} {
		list = append(list, Figure{Name: "rows-" + name, Draw: func(ctx context.Context, r *Report) (*drawing.Figure, string, error) {
			p, err := plot.Lookup(name)
			if err != nil {
				return nil, "", err
			}
			if kept == nil {
				if kept, err = r.keptRows(ctx); err != nil {
					return nil, "", err
				}
			}
			rows, without := kept.of(name != "errors")
			f, err := plot.CompareMethods(ctx, p, rows)
			if err != nil || f == nil {
				return nil, "", err
			}
			return f, p.Title + ", of all rows that were kept of " + kept.split + " together, in units of the standardised target." + without, nil
		}})
	}
	return list
}

// keptRows are the predictions that studies keep, those of one method together.
type keptRows struct {
	split   string // as which the rows are reported
	methods []*plot.Rows
	shaped  []string // methods of whose calibrated distributions nothing is kept
}

// mostKept bounds the rows of a method.
const mostKept = 1_000_000

// keptRows reads the test rows of the first split that cells report, the random one if
// it is there. A method's rows beyond a million, and cells whose quantiles are at other
// levels than those of the first, are left out.
func (r *Report) keptRows(ctx context.Context) (*keptRows, error) {
	out := &keptRows{}
	splitOf := func(c study.PlannedCell) string {
		kind, err := split.Lookup(c.Training.Split)
		if err != nil {
			return ""
		}
		return kind.ScoreName(c.Training.Fold)
	}
	for _, s := range r.Studies {
		for _, c := range s.Cells {
			if c.PredictionFormat != "" && (out.split == "" || splitOf(c) == "test") {
				out.split = splitOf(c)
			}
		}
	}
	var seen []string // studies may share cells
	for _, s := range r.Studies {
		for _, c := range s.Cells {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if c.PredictionFormat == "" || splitOf(c) != out.split || slices.Contains(seen, c.Name) {
				continue
			}
			column, known, err := study.ReadPredictionColumn(s.Dir, s.Plan, c)
			if err != nil {
				return nil, err
			}
			if column != nil {
				seen = append(seen, c.Name)
				out.add(titles([]string{c.Label}, r.MethodTitle)[0], column, known)
			}
		}
	}
	return out, nil
}

func (k *keptRows) add(method string, c *measure.Column, known bool) {
	if !known && !slices.Contains(k.shaped, method) {
		k.shaped = append(k.shaped, method)
	}
	i := slices.IndexFunc(k.methods, func(r *plot.Rows) bool { return r.Name == method })
	if i < 0 {
		k.methods = append(k.methods, &plot.Rows{Name: method, Target: "the target", Raw: c})
		return
	}
	all := k.methods[i].Raw
	if len(all.Y)+len(c.Y) > mostKept || !slices.Equal(all.Levels, c.Levels) || (all.Std == nil) != (c.Std == nil) {
		return
	}
	all.Y, all.Mean, all.Std = append(all.Y, c.Y...), append(all.Mean, c.Mean...), append(all.Std, c.Std...)
	all.Distributions = append(all.Distributions, c.Distributions...)
}

// of are the rows of methods, but for those whose distributions are not known where these
// are needed; and which these are, in words.
func (k *keptRows) of(distributions bool) (rows []*plot.Rows, without string) {
	if !distributions || len(k.shaped) == 0 {
		return k.methods, ""
	}
	for _, r := range k.methods {
		if !slices.Contains(k.shaped, r.Name) {
			rows = append(rows, r)
		}
	}
	return rows, fmt.Sprintf(" Without %s: a calibration has found a distribution that is not kept with their rows.", strings.Join(k.shaped, ", "))
}
