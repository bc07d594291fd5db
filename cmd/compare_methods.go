package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/data/split"
	"sml/evaluation"
	"sml/evaluation/baseline"
	"sml/evaluation/experiment"
	"sml/evaluation/study"
	"sml/internal/strict"
)

// planMethods plans the trainings of the methods of --methods, which run as a study does, and returns the function that
// trains them and adds their predictions and the baselines'. It declares the methods, files and the baselines, and sets
// the rows of the comparison to the folds' test rows.
func (k *comparison) planMethods(c *cli.Context, files []string) (train func() error, err error) {
	config, err := comparedStudy(c)
	if err != nil {
		return nil, err
	}
	if err := config.Check(); err != nil {
		return nil, usageError{err}
	}
	defer announce(c, "reading "+c.String("data"))()
	read := readOnce(studyTables(c))
	p, err := study.NewPlan(c.Context, config, programVersion(), read, false)
	if err != nil {
		return nil, err
	}
	first := p.Cells[0]
	k.name = c.String("data")
	k.rowsName = first.Training.Split + " split"
	k.classes = first.Spec.Architecture.Classes
	k.targetCount = first.Spec.Architecture.Targets
	k.seeds = p.Config.Seeds
	for _, cell := range p.Cells {
		if err := k.checkTarget(cell.Spec.Architecture, cell.Label); err != nil {
			return nil, err
		}
		k.declare(methodKind, cell.Label)
	}
	k.declareAll(predictionsKind, files)
	k.declareAll(baselineKind, baseline.Names(k.classes))
	t, err := read(c.Context, first.Source(), first.Training.Protocol)
	if err != nil {
		return nil, err
	}
	table := experiment.NewTable(t)
	k.table = table.Table
	kind, err := split.Lookup(first.Training.Split)
	if err == nil && kind.Column == "group" {
		k.setSplitGroups(k.table)
	}
	return func() error { return k.trainMethods(c, p, read) }, k.chooseFolds(c.Context, p, table)
}

// chooseFolds sets the folds of the comparison to the folds of a plan, which all methods and seeds share. table is the
// table that the plan trains on.
func (k *comparison) chooseFolds(ctx context.Context, p *study.Plan, table *experiment.Table) error {
	first := p.Cells[0]
	for _, cell := range p.Cells {
		if cell.Label != first.Label || cell.Training.Seed != first.Training.Seed {
			continue
		}
		rows, err := cell.Settings.Rows(ctx, table)
		if err != nil {
			return err
		}
		k.folds = append(k.folds, comparedFold{
			number:    cell.Training.Fold,
			rows:      rows.Test,
			knownRows: len(rows.KnownRows(rows.Test)),
		})
	}
	return nil
}

// comparedStudy returns the study that the flags of --methods describe.
func comparedStudy(c *cli.Context) (study.Config, error) {
	options := readOptions(c)
	splitName := c.String("split")
	if implied := options.DefaultSplit(); implied != "" && !c.IsSet("split") { // by a flag such as --group
		splitName = implied
	}
	if _, err := split.Lookup(splitName); err != nil {
		return study.Config{}, usageErrorf("--split: %w", err)
	}
	if err := checkNotEmpty(c, "seeds"); err != nil {
		return study.Config{}, err
	}
	config, err := chosenTrainings(c)
	if err != nil {
		return config, err
	}
	if config.Seeds == nil {
		config.Seeds = []uint64{1}
	}
	config.SplitSeed = &config.Seeds[0]
	config.Splits = []string{splitName}
	config.Tables = []study.Table{{
		Data:        c.String("data"),
		ReadOptions: options,
		Splits:      strict.List[string]{splitName},
	}}
	return config, nil
}

// trainMethods runs a plan in a temporary directory, and adds the predictions of its methods, and of the baselines, to the
// comparison.
func (k *comparison) trainMethods(c *cli.Context, p *study.Plan, read study.Reader) error {
	dir, err := os.MkdirTemp("", "sml-compare-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	view := newProgress(c, "training")
	defer view.End()
	s, err := study.Run(c.Context, dir, p, programVersion(), read, study.Options{
		Jobs:     c.Int("jobs"),
		Machine:  machine(),
		Progress: func(now study.Progress) { showCells(view, now) },
		Predicted: func(cell study.PlannedCell, t *experiment.Trained, predictions *evaluation.Predictions) error {
			return k.addTrained(cell, t, predictions, hasBaselineRows(p, cell))
		},
	})
	if errors.Is(err, context.Canceled) {
		return errInterrupted
	}
	if err != nil {
		return err
	}
	if s.Failed > 0 {
		return fmt.Errorf("%d trainings failed:\n%s", s.Failed, strings.Join(s.Failures, "\n"))
	}
	warn(c, s.Warnings...)
	return nil
}

// hasBaselineRows reports whether the baselines are fitted to the training rows of a cell. They are fitted once in each fold,
// to the rows of the plan's first label and seed: other labels may keep some training rows for a calibration.
func hasBaselineRows(p *study.Plan, c study.PlannedCell) bool {
	first := p.Cells[0]
	return c.Label == first.Label && c.Training.Seed == first.Training.Seed
}

// addTrained adds the predictions p of a cell's test rows by its trained method and, if addsBaselines is set, by the
// baselines.
func (k *comparison) addTrained(c study.PlannedCell, t *experiment.Trained, p *evaluation.Predictions, addsBaselines bool) error {
	e := t.Experiment
	m, err := experiment.Decode(t.Model)
	if err != nil {
		return err
	}
	test := e.Rows.Test
	columns, err := columnsInUnit(p, m.Truth(e.Data(), test))
	if err != nil {
		return err
	}
	fold := slices.IndexFunc(k.folds, func(f comparedFold) bool { return f.number == c.Training.Fold })
	seed := slices.Index(k.seeds, c.Training.Seed)
	k.declare(methodKind, c.Label).add(fold, seed, columns)
	if !addsBaselines {
		return nil
	}
	baselines, err := e.Baselines(test)
	if err != nil {
		return err
	}
	for _, b := range baselines {
		k.declare(baselineKind, b.Name).add(fold, seed, b.Columns())
	}
	return nil
}
