package cmd

import (
	"errors"

	"github.com/urfave/cli/v2"

	"sml/evaluation/experiment"
)

// maxReadForBaselines is the maximum number of rows of a training table that is read for the baselines alone.
// Reading more rows would take longer than evaluating most models.
const maxReadForBaselines = 200_000

// scoreBaselines returns the scores of simple methods on the judged rows, fitted to the training rows of the model, by
// the named measures. It returns nil if the training rows are in another table that cannot be read or is large.
func (j *judgedRows) scoreBaselines(c *cli.Context, m *experiment.Model, measures []string) ([]experiment.BaselineScores, error) {
	if !j.isTrainingTable && m.Settings.Table.Rows > maxReadForBaselines {
		return nil, nil
	}
	train, err := j.trainingRows(c, m)
	if errors.Is(err, errInterrupted) {
		return nil, err
	}
	if err != nil {
		return nil, nil // the file is not there any more, or has changed
	}
	return scorePredicted(c, measures, func() ([]experiment.Baseline, error) { return train.predictBaselines(j, m.Architecture.Classes) })
}

// trainingRows returns the training rows of a model, which are rows of the same table as the judged rows, or are read from
// the table that the model was trained on.
func (j *judgedRows) trainingRows(c *cli.Context, m *experiment.Model) (judgedRows, error) {
	if j.isTrainingTable {
		return *j, nil
	}
	return chooseRows(c, m, rowChoice{splitPart: trainRows, partFlag: "on", tableFlag: "data"})
}

// predictBaselines fits the baselines to the training and calibration rows in the split of j, and predicts the judged
// rows, which are rows of the same table or of another one. classes is the number of classes of every target, 0 for
// numbers.
func (j *judgedRows) predictBaselines(judged *judgedRows, classes int) ([]experiment.Baseline, error) {
	rows := experiment.TableRows{Read: judged.targets, Prepared: judged.table}
	for position := range judged.count() {
		rows.Numbers = append(rows.Numbers, judged.tableIndex(position))
	}
	judgedTrainingRows := rows.Numbers // judged rows of the table of j
	if !judged.isTrainingTable {
		judgedTrainingRows = nil
	}
	train := experiment.TableRows{
		Read:     j.targets,
		Prepared: j.table,
		Numbers:  j.split.KnownRows(judgedTrainingRows),
	}
	return experiment.Baselines(train, rows, classes)
}

// scorePredicted returns the scores of the baselines that predict returns by the named measures, or errInterrupted. If
// they cannot be fitted or scored, it prints why and returns nil: the scores of the model stand without them.
func scorePredicted(c *cli.Context, measures []string, predict func() ([]experiment.Baseline, error)) ([]experiment.BaselineScores, error) {
	scores, err := await(c.Context, func() ([]experiment.BaselineScores, error) {
		baselines, err := predict()
		if err != nil {
			return nil, err
		}
		return experiment.ScoreBaselines(baselines, measures)
	})
	if err != nil && c.Context.Err() == nil {
		note(c, "the baselines are not scored: %v", err)
		return nil, nil
	}
	return scores, err
}
