package cmd

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"slices"

	"sml/evaluation/report"
	"sml/evaluation/study"
)

// Data sets of the paper's figures of single rows, as far as a study has them.
var (
	shareSets    = []string{"superconduct", "protein"}
	termSets     = []string{"wine-red", "power", "california"}
	residualSets = []string{"naval", "abalone", "superconduct"}
)

// figures draws every figure of the paper for which the studies have data.
func (f *found) figures(ctx context.Context) ([]report.Picture, error) {
	var pictures []report.Picture
	add := func(id, number, caption string, figure *report.Figure, err error) error {
		if err == nil && figure != nil {
			pictures = append(pictures, report.Picture{ID: id, Number: number, Caption: caption, Figure: figure})
		}
		return err
	}
	panels, err := toyPanels(ctx)
	if err != nil {
		return nil, err
	}
	first, err := report.Figure1(panels)
	if err := add("figure01", "1", "200 sub-networks of a network trained with MC dropout and with the second-moment loss, on data without noise.", first, err); err != nil {
		return nil, err
	}
	main, beta := f.without(true), f.without(false)
	overview := func(scores []report.Score, id, number, measure, caption string) error {
		if !anyFinite(scores, measure) {
			return nil
		}
		figure, err := report.Overview(scores, measure, methodTitle)
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
			return add("figure10", "10", "Residuals and uncertainties of an ideal mechanism: residuals are drawn from the predicted normal distributions.", report.IdealResiduals(1), nil)
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

// anyFinite tells whether there is anything to draw of a measure.
func anyFinite(scores []report.Score, measure string) bool {
	return slices.ContainsFunc(scores, func(s report.Score) bool {
		return s.Measure == measure && !math.IsNaN(s.Mean) && !math.IsInf(s.Mean, 0)
	})
}

type addFigure = func(id, number, caption string, figure *report.Figure, err error) error

// addShares draws the parts of σ_total on the paper's data sets, or on the
// largest two that are there.
func (f *found) addShares(add addFigure) error {
	var shares []report.Share
	for _, name := range f.present(shareSets, 2) {
		for _, split := range []struct {
			name  string
			parts []string
		}{
			{"train", []string{"train"}}, {"test", []string{"test"}},
			{"test-label", []string{"label-interpolate", "label-extrapolate"}}, {"test-pca", []string{"pca-interpolate", "pca-extrapolate"}},
		} {
			sum, n := 0.0, 0
			for _, c := range f.collected {
				for _, s := range c.Shares {
					if s.Dataset == name && s.Method == "sml" && slices.Contains(split.parts, s.Split) {
						sum += s.Drop
						n++
					}
				}
			}
			if n > 0 {
				shares = append(shares, report.Share{Dataset: name, Split: split.name, Drop: sum / float64(n)})
			}
		}
	}
	if len(shares) == 0 {
		return nil
	}
	figure, err := report.Shares(shares)
	return add("figure04", "4", "Shares of the sub-networks' spread (full) and of their distance from the full network (pale) in σ_total.", figure, err)
}

// present returns those of the wanted data sets that a study has, or if there
// are fewer than n, the largest n.
func (f *found) present(wanted []string, n int) []string {
	var there, all []string
	for _, p := range f.plans {
		for _, c := range p.Cells {
			if c.Label == "sml" && !slices.Contains(all, c.Dataset) {
				all = append(all, c.Dataset)
				if slices.Contains(wanted, c.Dataset) {
					there = append(there, c.Dataset)
				}
			}
		}
	}
	for i := len(all) - 1; i >= 0 && len(there) < n; i-- {
		if !slices.Contains(there, all[i]) {
			there = append(there, all[i])
		}
	}
	return there
}

// pictured returns the cell whose single rows were kept, nil if there is none.
func (f *found) pictured(dataset, label string) (dir string, cell *study.Planned) {
	for i, p := range f.plans {
		for j, c := range p.Cells {
			if c.Dataset == dataset && c.Label == label && c.Pictures {
				return f.dirs[i], &p.Cells[j]
			}
		}
	}
	return "", nil
}

// firstTarget reads what a cell predicted of its first target, nothing if it
// is not done.
func firstTarget(dir string, cell *study.Planned) ([]study.Prediction, error) {
	rows, err := study.Predictions(dir, cell.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return slices.DeleteFunc(rows, func(p study.Prediction) bool { return p.Target != 0 }), err
}

func (f *found) addTerms(add addFigure) error {
	var terms []report.Terms
	for _, name := range f.present(termSets, 1) {
		dir, cell := f.pictured(name, "sml")
		if cell == nil {
			continue
		}
		rows, err := firstTarget(dir, cell)
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			continue // the cell is not done
		}
		pairs, err := study.Pairs(dir, cell.Name)
		if err != nil {
			return err
		}
		t := report.Terms{Dataset: name}
		draws := len(pairs) / len(rows)
		for from := 0; from < len(pairs); from += draws {
			t.A = append(t.A, pairs[from].A)
			var b []float64
			for _, p := range pairs[from : from+draws] {
				b = append(b, p.B)
			}
			t.B = append(t.B, b)
		}
		terms = append(terms, t)
	}
	if len(terms) == 0 {
		return nil
	}
	figure, err := report.LossTerms(terms)
	return add("figure05", "5", "The two terms of the loss on test rows: residuals a of the full network, distances b of sub-networks from it, and |b| − |a|.", figure, err)
}

func (f *found) addResiduals(add addFigure) error {
	var list []report.Residuals
	for _, name := range f.present(residualSets, 3) {
		seen := make(map[string]bool)
		for _, p := range f.plans {
			for _, label := range p.Config.Methods {
				dir, cell := f.pictured(name, label)
				if cell == nil || isBeta(label) || seen[label] {
					continue
				}
				seen[label] = true
				rows, err := firstTarget(dir, cell)
				if err != nil {
					return err
				}
				if len(rows) == 0 {
					continue // the cell is not done
				}
				r := report.Residuals{Dataset: name, Method: label}
				for _, row := range rows {
					r.Residual = append(r.Residual, row.Mean-row.Y)
					r.Std = append(r.Std, row.Std)
				}
				list = append(list, r)
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	figure, err := report.ResidualGrid(list, methodTitle)
	return add("figure11", "11", "Residuals and uncertainties on the test rows of one fold. Realistic uncertainties lie mostly above the 3σ lines.", figure, err)
}

// toyPanels trains MC and SML on the toy curve for figure 1.
func toyPanels(ctx context.Context) ([]report.SubNetworks, error) {
	var panels []report.SubNetworks
	for _, method := range []string{"mc", "sml"} {
		model, t, _, err := quickTrain(ctx, quickTables[0], method)
		if err != nil {
			return nil, err
		}
		panel, err := quickPanel(ctx, model, t)
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	return panels, nil
}
