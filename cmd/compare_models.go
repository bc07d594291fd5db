package cmd

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
)

// chooseRows sets the rows of a comparison without --methods: the rows on which evaluate scores the first model, by
// the flags --on and --data. It declares files, and adds the predictions of the baselines, fitted to the training rows of
// this model, unless these are not at hand.
func (k *comparison) chooseRows(c *cli.Context, dir string, files []string) error {
	m, err := openModel(c, dir)
	if err != nil {
		return err
	}
	k.classes = m.Architecture.Classes
	k.targetCount = m.Architecture.Targets
	judged, err := rowsToJudge(c, m, c.String("group"))
	if err != nil {
		return err
	}
	noteTable(c, judged.table)
	fold := comparedFold{}
	for position := range judged.count() {
		fold.rows = append(fold.rows, judged.tableIndex(position))
	}
	k.name = judged.name
	k.rowsName = judged.splitPart
	k.table = judged.targets
	k.folds = []comparedFold{fold}
	if c.String("group") != "" {
		if err := k.setKeptGroups(); err != nil {
			return err
		}
	}
	baselines, err := predictOwnBaselines(c, dir, m, &judged)
	if err != nil {
		return err
	}
	k.declareAll(predictionsKind, files)
	const onlyFold, onlySeed = 0, 0
	for _, b := range baselines {
		k.declare(baselineKind, b.Name).add(onlyFold, onlySeed, b.Columns())
	}
	return nil
}

// predictOwnBaselines returns the predictions of the judged rows by the baselines, fitted to the training rows of the model
// in dir, or nil if these are not at hand.
func predictOwnBaselines(c *cli.Context, dir string, m *experiment.Model, judged *judgedRows) ([]experiment.Baseline, error) {
	train, err := judged.trainingRows(c, m)
	if errors.Is(err, errInterrupted) {
		return nil, err
	}
	if err != nil {
		note(c, "the baselines are left out: the table that %s was trained on is not there, or has changed", dir)
		return nil, nil
	}
	return train.predictBaselines(judged, m.Architecture.Classes)
}

// addModel predicts the rows of all folds with the model in a directory. It returns an error if the model was trained or
// calibrated on some of them, as far as it can be told.
func (k *comparison) addModel(c *cli.Context, dir string) error {
	m, err := openModel(c, dir)
	if err != nil {
		return err
	}
	if err := k.checkTarget(m.Architecture, dir); err != nil {
		return err
	}
	if err := loadTrainingRows(c, m, dir); err != nil {
		return err
	}
	all, err := chooseRows(c, m, k.tableChoice(c, m))
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	for i, fold := range k.folds {
		judged := all
		judged.indices = k.findRows(fold.rows, all.targets)
		if err := k.checkJudged(c, m, dir, &judged, fold.rows); err != nil {
			return err
		}
		k.adoptGroups(c, m, dir, &judged)
		predictions, err := predictCalibrated(c, m, &judged)
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		const onlySeed = 0
		k.declare(modelKind, dir).add(i, onlySeed, predictions)
	}
	return nil
}

// findRows returns the indices in t of the rows of the comparison's table with these indices. The two tables may leave
// out different rows of a file: they have other numbers of rows then, and rows are found by their number in the file. A
// row that t has left out is missing in the result.
func (k *comparison) findRows(rows []int, t *data.Table) []int {
	if t.Rows() == k.table.Rows() || t.TestRows > 0 || k.table.TestRows > 0 {
		return rows
	}
	indexOf := make(map[int]int)
	for i := range t.Rows() {
		indexOf[t.RowNumber(i)] = i
	}
	var indices []int
	for _, row := range rows {
		if i, isThere := indexOf[k.table.RowNumber(row)]; isThere {
			indices = append(indices, i)
		}
	}
	return indices
}

// tableChoice returns the choice of all rows of the comparison's table for a model. A model that was trained on a
// table of this name reads it as in its training, with its file of test rows, unless --data names a table.
func (k *comparison) tableChoice(c *cli.Context, m *experiment.Model) rowChoice {
	choice := rowChoice{splitPart: allRows, table: c.String("data"), partFlag: "on", tableFlag: "data"}
	if m.Calibration != nil {
		choice.groupColumn = m.Calibration.GroupColumn
	}
	trained := m.Settings.Table
	isOwnTable := choice.table == "" || choice.table == trained.Name && trained.Test != nil
	if isOwnTable {
		choice.table = ""
	}
	return choice
}

// checkJudged returns an error if the judged rows do not have the targets of the compared rows, the rows of the
// comparison's table with these indices, or if the model in dir knows some of them.
func (k *comparison) checkJudged(c *cli.Context, m *experiment.Model, dir string, judged *judgedRows, compared []int) error {
	hasAllRows := len(judged.indices) == len(compared) && judged.indices[len(compared)-1] < judged.targets.Rows()
	areSame := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
	if !hasAllRows || !slices.EqualFunc(judged.targets.TargetsOf(judged.indices), k.table.TargetsOf(compared), areSame) {
		return fmt.Errorf("%s: its table %s does not have the rows and targets of %s; name the table to compare on with --data", dir, judged.name, k.name)
	}
	const remedy = "compare on rows that were held out from every training: train each model with the same --split, --fold and --seed"
	if err := checkFresh(c, m, dir, judged, remedy); err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	if m.Calibration == nil {
		return nil
	}
	calibrated := 0
	for _, row := range judged.indices {
		_, isCalibration := slices.BinarySearch(judged.split.Calibration, row)
		if isCalibration {
			calibrated++
		}
	}
	standardised, err := m.Truth(judged.targets, judged.indices).Standardised()
	if calibrated > 0 || err == nil && m.Calibration.IsFittedTo(standardised) {
		return fmt.Errorf("%s was calibrated on rows of %s, so that its intervals fit them; %s", dir, judged.name, remedy)
	}
	return nil
}

// predictCalibrated returns the model's predictions of the judged rows, a column for each target in the target's own unit.
func predictCalibrated(c *cli.Context, m *experiment.Model, judged *judgedRows) ([]*measure.Column, error) {
	p, err := judged.predict(c, m, m.Sampling)
	if err != nil {
		return nil, err
	}
	calibrate, err := m.Calibrator(judged.targets, judged.indices)
	if err != nil {
		return nil, err
	}
	if calibrate != nil {
		p = calibrate(p)
	}
	return columnsInUnit(p, m.Truth(judged.targets, judged.indices))
}

// columnsInUnit returns a column of predictions for each target, in the target's own unit.
func columnsInUnit(p *evaluation.Predictions, truth evaluation.Truth) (columns []*measure.Column, err error) {
	for target := range p.Targets {
		column, err := p.InUnit(truth, target, data.Sound)
		if err != nil {
			return nil, err
		}
		columns = append(columns, column)
	}
	return columns, nil
}
