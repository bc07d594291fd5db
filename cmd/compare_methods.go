package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/data/split"
	"sml/evaluation"
	"sml/evaluation/baseline"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/evaluation/study"
	"sml/internal/strict"
)

// methodTraining is the training of methods on the folds of a table.
type methodTraining struct {
	plan *study.Plan
	read study.Reader // reads the table once
}

// planMethods returns the training of the methods of --methods, which runs as a study does. It sets the rows of the
// comparison to the folds' test rows.
func (k *comparison) planMethods(c *cli.Context) (*methodTraining, error) {
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
	t, err := read(c.Context, first.Source(), first.Training.Protocol)
	if err != nil {
		return nil, err
	}
	table := experiment.NewTable(t)
	k.table = table.Table
	k.classes = first.Spec.Architecture.Classes
	for _, cell := range p.Cells {
		if err := k.checkTarget(cell.Spec.Architecture, cell.Label); err != nil {
			return nil, err
		}
	}
	kind, err := split.Lookup(first.Training.Split)
	if err == nil && kind.Column == "group" {
		k.setSplitGroups(k.table)
	}
	k.seeds = p.Config.Seeds
	return &methodTraining{plan: p, read: read}, k.chooseFolds(c.Context, p, table)
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
	if err := checkRange(c, "jobs", study.Jobs); err != nil {
		return study.Config{}, err
	}
	options := readOptions(c)
	splitName := c.String("split")
	if implied := options.DefaultSplit(); implied != "" && !c.IsSet("split") { // by a flag such as --group
		splitName = implied
	}
	if _, err := split.Lookup(splitName); err != nil {
		return study.Config{}, usageErrorf("--split: %w", err)
	}
	settings, err := variedSettings(c)
	if err != nil {
		return study.Config{}, err
	}
	folds, err := parseFolds(c.String("fold"))
	if err != nil {
		return study.Config{}, err
	}
	seeds, err := comparedSeeds(c)
	if err != nil {
		return study.Config{}, err
	}
	table := study.Table{
		Data:        c.String("data"),
		ReadOptions: options,
		Splits:      strict.List[string]{splitName},
	}
	return study.Config{
		Tables:    []study.Table{table},
		Methods:   splitLabels(c.String("methods")),
		Splits:    []string{splitName},
		Fold:      folds,
		Seeds:     seeds,
		SplitSeed: &seeds[0],
		Protocol:  c.String("protocol"),
		Settings:  settings,
	}, nil
}

// comparedSeeds returns the seeds of --seeds, by default 1.
func comparedSeeds(c *cli.Context) ([]uint64, error) {
	seeds, err := parseSeeds(cmp.Or(c.String("seeds"), "1"))
	if err == nil && len(seeds) == 0 {
		err = usageErrorf("--seeds names nothing: leave it out for its default")
	}
	return seeds, err
}

// competitors returns the methods and the baselines, in the order of the comparison.
func (t *methodTraining) competitors() []trainedCompetitor {
	var competitors []trainedCompetitor
	for _, cell := range t.plan.Cells {
		method := trainedCompetitor{name: cell.Label, kind: methodKind}
		if !slices.Contains(competitors, method) {
			competitors = append(competitors, method)
		}
	}
	for _, name := range baseline.Names(t.plan.Cells[0].Spec.Architecture.Classes) {
		competitors = append(competitors, trainedCompetitor{name: name, kind: baselineKind})
	}
	return competitors
}

// train trains the methods in a temporary directory and adds the losses of methods and baselines to the comparison.
func (t *methodTraining) train(c *cli.Context, k *comparison) error {
	dir, err := os.MkdirTemp("", "sml-compare-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	collected := &collectedLosses{
		first:  t.plan.Cells[0],
		losses: make(map[competitorTraining][]measure.RowLoss),
	}
	view := newProgress(c, "training")
	defer view.End()
	s, err := study.Run(c.Context, dir, t.plan, programVersion(), t.read, study.Options{
		Jobs:      c.Int("jobs"),
		Machine:   machine(),
		Progress:  func(now study.Progress) { showCells(view, now) },
		Predicted: collected.add,
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
	warnAll(c, s.Warnings)
	for _, competitor := range t.competitors() {
		for _, fold := range k.folds {
			k.addLosses(competitor.name, competitor.kind, collected.meanOverSeeds(competitor, fold.number, k.seeds))
		}
	}
	return nil
}

// trainedCompetitor identifies a method or a baseline.
type trainedCompetitor struct {
	name string // label of the method, or name of the baseline
	kind string // methodKind or baselineKind
}

// competitorTraining identifies the predictions of a fold's test rows by one training of a method or a baseline.
type competitorTraining struct {
	trainedCompetitor
	fold int
	seed uint64 // for a baseline, the first seed
}

// collectedLosses collects the losses of trainings that run at the same time.
type collectedLosses struct {
	// Cell of the method and seed to whose training rows the baselines are fitted: a label may keep rows for a
	// calibration.
	first study.PlannedCell

	lock   sync.Mutex // held while losses is used
	losses map[competitorTraining][]measure.RowLoss
}

// add adds the losses of the predictions p of a cell's test rows, and for the first method and seed also of the
// baselines.
func (l *collectedLosses) add(c study.PlannedCell, t *experiment.Trained, p *evaluation.Predictions) error {
	e := t.Experiment
	m, err := experiment.Decode(t.Model)
	if err != nil {
		return err
	}
	test := e.Rows.Test
	const onlyTarget = 0
	column, err := p.InUnit(m.Truth(e.Data(), test), onlyTarget, data.Sound)
	if err != nil {
		return err
	}
	var baselines []experiment.Baseline
	if c.Label == l.first.Label && c.Training.Seed == l.first.Training.Seed {
		baselines, err = e.Baselines(test)
		if err != nil {
			return err
		}
	}
	losses := column.RowLosses() // takes time, and therefore comes before the lock
	training := competitorTraining{
		trainedCompetitor: trainedCompetitor{name: c.Label, kind: methodKind},
		fold:              c.Training.Fold,
		seed:              c.Training.Seed,
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	l.losses[training] = losses
	for _, b := range baselines {
		training.trainedCompetitor = trainedCompetitor{name: b.Name, kind: baselineKind}
		l.losses[training] = b.Columns[onlyTarget].RowLosses()
	}
	return nil
}

// meanOverSeeds returns the losses of a fold's rows by a competitor, as means over its trainings from several seeds.
func (l *collectedLosses) meanOverSeeds(c trainedCompetitor, fold int, seeds []uint64) []measure.RowLoss {
	var means []measure.RowLoss
	trainings := 0
	for _, seed := range seeds {
		losses, hasTraining := l.losses[competitorTraining{trainedCompetitor: c, fold: fold, seed: seed}]
		if !hasTraining { // of a baseline
			continue
		}
		trainings++
		if means == nil {
			means = losses
			continue
		}
		for i, loss := range losses {
			for row, value := range loss.Values {
				means[i].Values[row] += value
			}
		}
	}
	for _, mean := range means {
		for row := range mean.Values {
			mean.Values[row] /= float64(trainings)
		}
	}
	return means
}
