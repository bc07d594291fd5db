package cmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"sml/evaluation"
	"sml/evaluation/measure"
	"sml/evaluation/report"
	"sml/evaluation/study"
)

// Data sets of the paper's figures of single rows, in its order. The third of
// the residuals is superconduct in the paper, whose file is hard to come by.
var (
	shareSlots    = []slot{{"superconduct"}, {"protein"}}
	termSlots     = []slot{{"wine-red"}, {"power"}, {"california"}}
	residualSlots = []slot{{"naval"}, {"abalone"}, {"superconduct", "protein"}}
)

// figures draws every figure of the paper for which the studies have data.
func (f *found) figures(ctx context.Context) ([]report.Picture, error) {
	var pictures []report.Picture
	add := func(id, number, caption string, figure *report.Figure, err error) error {
		if errors.Is(err, report.ErrMarkers) {
			f.undrawn = append(f.undrawn, fmt.Sprintf("Figure %s is left out: %v.", number, err))
			return nil
		}
		if err == nil && figure != nil {
			pictures = append(pictures, report.Picture{ID: id, Number: number, Caption: caption, Figure: figure})
		}
		return err
	}
	panels, err := toyPanels(ctx)
	if err != nil {
		return nil, err
	}
	first, err := report.Figure1(panels...)
	if err := add("figure01", "1", "200 sub-networks of a network trained with MC dropout and with the second-moment loss: above on a curve without noise, below on noise whose spread is exp(−0.02 x²). SML's sub-networks spread as the noise does; at the edges, where there is hardly any, they overshoot.", first, err); err != nil {
		return nil, err
	}
	main, beta := pictured(f.without(true)), pictured(f.without(false))
	overview := func(scores []measure.Score, id, number, name, caption string) error {
		if !anyFinite(scores, name) {
			return nil
		}
		figure, err := report.Overview(scores, name, methodTitle)
		return add(id, number, caption, figure, err)
	}
	for _, draw := range []func() error{
		func() error {
			return overview(main, "figure02", "2", "ece", "Expected calibration errors under i.i.d. conditions (above) and under data shift (below).")
		},
		func() error {
			return add("figure03", "3", "The second term of the loss for a Gaussian residual, over mean and standard deviation of the sub-networks, with its minima.", report.SecondTermSurface(), nil)
		},
		func() error { return f.addShares(add) },
		func() error { return f.addTerms(add) },
		func() error {
			return add("figure06", "6", "The splits along the first principal component and along the label: inner parts are interpolation, outer ones extrapolation.", report.SplitScheme(1), nil)
		},
		func() error { return overview(main, "figure07", "7", "rmse", "Root-mean-square errors.") },
		func() error { return overview(main, "figure08", "8", "nll", "Negative log-likelihoods.") },
		func() error {
			return overview(main, "figure09", "9", "ws", "Wasserstein distances of the normalised residuals.")
		},
		func() error {
			return add("figure10", "10", "Residuals and uncertainties of an ideal mechanism: residuals are drawn from the predicted normal distributions. "+
				fmt.Sprintf("Even so, Pearson's correlation of |r| and σ is only %.3f.", report.IdealCorrelation()), report.IdealResiduals(1), nil)
		},
		func() error { return f.addResiduals(add) },
		func() error {
			return overview(beta, "figure12", "12", "ece", "Expected calibration errors for several β.")
		},
		func() error { return overview(beta, "figure13", "13", "ws", "Wasserstein distances for several β.") },
		func() error {
			if !anyFinite(main, "ece") {
				return nil
			}
			figure, err := report.MeasurePairs(main, methodTitle)
			return add("figure14", "14", "ECE, Wasserstein and Kolmogorov–Smirnov distance against one another.", figure, err)
		},
	} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := draw(); err != nil {
			return nil, err
		}
	}
	return pictures, nil
}

// pictured are the scores on the splits that the paper's figures show.
func pictured(scores []measure.Score) []measure.Score {
	return slices.DeleteFunc(slices.Clone(scores), func(s measure.Score) bool { return !slices.Contains(report.Splits(), s.Split) })
}

// anyFinite tells whether there is anything to draw of a measure.
func anyFinite(scores []measure.Score, name string) bool {
	return slices.ContainsFunc(scores, func(s measure.Score) bool {
		return s.Measure == name && !math.IsNaN(s.Mean) && !math.IsInf(s.Mean, 0)
	})
}

type addFigure = func(id, number, caption string, figure *report.Figure, err error) error

// shareSplits are the bars of a data set in the figure of shares: the folds of
// one kind together.
var shareSplits = []struct {
	name  string
	parts []string
}{
	{"train", []string{"train"}}, {"test", []string{"test"}},
	{"test-label", []string{"label-interpolate", "label-extrapolate"}}, {"test-pca", []string{"pca-interpolate", "pca-extrapolate"}},
}

// share is the part of σ_drop in σ_total of SML, the mean over the folds of
// the first study that has it.
func (f *found) share(dataset string, parts []string) (share float64, ok bool) {
	for _, c := range f.collected {
		sum, n := 0.0, 0
		for _, s := range c.Shares {
			if s.Dataset == dataset && s.Method == "sml" && slices.Contains(parts, s.Split) && s.Drop >= 0 && s.Drop <= 1 {
				sum += float64(s.Drop * float64(s.Trainings))
				n += s.Trainings
			}
		}
		if n > 0 {
			return sum / float64(n), true
		}
	}
	return 0, false
}

// addShares draws the parts of σ_total, and their means over the data sets
// that are drawn. The caption has the means over all of them.
func (f *found) addShares(add addFigure) error {
	shown, note := f.fill(shareSlots, func(dataset string) bool {
		_, ok := f.share(dataset, shareSplits[1].parts)
		return ok
	})
	// mean is that over data sets which have the share.
	mean := func(datasets, parts []string) (mean float64, of int) {
		for _, name := range datasets {
			if share, ok := f.share(name, parts); ok {
				mean += share
				of++
			}
		}
		return mean / float64(max(1, of)), of
	}
	var shares []report.Share
	var overall []string
	for _, name := range shown {
		for _, split := range shareSplits {
			if share, ok := f.share(name, split.parts); ok {
				shares = append(shares, report.Share{Dataset: name, Split: split.name, Drop: share})
			}
		}
	}
	for _, split := range shareSplits {
		if share, of := mean(shown, split.parts); of > 1 && of == len(shown) {
			shares = append(shares, report.Share{Dataset: "mean", Split: split.name, Drop: share})
		}
		if share, of := mean(f.datasets(), split.parts); of > len(shown) {
			overall = append(overall, fmt.Sprintf("%.0f %% on %s (%d sets)", 100*share, split.name, of))
		}
	}
	if len(shares) == 0 {
		return nil
	}
	caption := "Shares of the sub-networks' spread (full) and of their distance from the full network (pale) in σ_total."
	if len(overall) > 0 {
		caption += " Over all data sets the spread's mean share is " + strings.Join(overall, ", ") + "."
	}
	figure, err := report.Shares(shares)
	return add("figure04", "4", caption+note, figure, err)
}

// kept returns the first cell that is done and kept its single rows, nil if
// there is none.
func (f *found) kept(dataset, label string) (dir string, cell *study.Planned) {
	for i, p := range f.plans {
		for j, c := range p.Cells {
			if c.Table.Name == dataset && c.Label == label && c.Pictures && study.IsDone(f.dirs[i], p, c) {
				return f.dirs[i], &p.Cells[j]
			}
		}
	}
	return "", nil
}

func (f *found) addTerms(add addFigure) error {
	counts := make(map[string]evaluation.LossTerms)
	for _, name := range f.datasets() {
		dir, cell := f.kept(name, "sml")
		if cell == nil {
			continue
		}
		t, err := study.LossTerms(dir, cell.Name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // a study of a program that kept pairs in their place
		}
		if err != nil {
			return err
		}
		counts[name] = t
	}
	shown, note := f.fill(termSlots, func(dataset string) bool { return counts[dataset].Rows > 0 })
	var terms []report.Terms
	for _, name := range shown {
		terms = append(terms, report.Terms{Dataset: name, LossTerms: counts[name]})
	}
	if len(terms) == 0 {
		return nil
	}
	figure, err := report.LossTerms(terms)
	return add("figure05", "5", fmt.Sprintf("The two terms of the loss on test rows, over all %d sub-networks of each row: "+
		"residuals a of the full network, distances b of sub-networks from it, and |b| − |a|.", terms[0].Samples)+note, figure, err)
}

func (f *found) addResiduals(add addFigure) error {
	shown, note := f.fill(residualSlots, func(dataset string) bool {
		return slices.ContainsFunc(f.methods(), func(label string) bool {
			_, cell := f.kept(dataset, label)
			return cell != nil
		})
	})
	var list []report.Residuals
	for _, label := range f.methods() { // so that columns have this order, whichever methods a data set lacks
		for _, name := range shown {
			r := report.Residuals{Dataset: name, Method: label}
			if dir, cell := f.kept(name, label); cell != nil {
				rows, err := study.Predictions(dir, cell.Name)
				if err != nil {
					return err
				}
				for _, row := range rows {
					if row.Target == 0 {
						r.Residual = append(r.Residual, row.Mean-row.Y)
						r.Std = append(r.Std, row.Std)
					}
				}
			}
			list = append(list, r)
		}
	}
	if len(list) == 0 {
		return nil
	}
	figure, err := report.ResidualGrid(list, methodTitle)
	return add("figure11", "11", "Residuals and uncertainties on the test rows of one fold. Realistic uncertainties lie mostly above the 3σ lines."+note, figure, err)
}

// toyPanels trains MC and SML on the toy curves for figure 1, on all cores.
func toyPanels(ctx context.Context) ([][]report.SubNetworks, error) {
	panels := toyFigure()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for row, table := range quickTables[:len(panels)] {
		for column, method := range toyMethods {
			group.Go(func() error {
				e, model, err := quickTrain(ctx, table, method)
				if err != nil {
					return err
				}
				panels[row][column], err = quickPanel(ctx, e, model)
				return err
			})
		}
	}
	return panels, group.Wait()
}
