package cmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
)

// scoreBaselines returns the scores of ridge regression and a constant on the judged rows, fitted to the training rows
// of the model, by the named measures. It returns nil if the training rows are in another table, and if the targets are classes.
func (j *judgedRows) scoreBaselines(c *cli.Context, m *experiment.Model, measures []string) ([]experiment.BaselineScores, error) {
	if !j.isTrainingTable || m.Architecture.Classes > 0 {
		return nil, nil
	}
	return scoreBaselines(c, measures, func() ([]experiment.Baseline, error) {
		judged := experiment.TableRows{Read: j.targets, Prepared: j.table}
		for position := range j.count() {
			judged.Numbers = append(judged.Numbers, j.tableIndex(position))
		}
		train := judged
		train.Numbers = j.split.KnownRows(judged.Numbers)
		return experiment.Baselines(train, judged)
	})
}

// scoreBaselines returns the scores of the baselines that predict returns by the named measures, or errInterrupted. If
// they cannot be fitted or scored, it prints why and returns nil: the scores of the model stand without them.
func scoreBaselines(c *cli.Context, measures []string, predict func() ([]experiment.Baseline, error)) ([]experiment.BaselineScores, error) {
	scores, err := await(c.Context, func() ([]experiment.BaselineScores, error) {
		baselines, err := predict()
		if err != nil {
			return nil, err
		}
		return experiment.ScoreBaselines(baselines, measures)
	})
	if err != nil && c.Context.Err() == nil {
		note(c, "ridge regression and a constant are not scored: %v", err)
		return nil, nil
	}
	return scores, err
}

// writeBaselines writes a line with the scores of each baseline for people.
func writeBaselines(w io.Writer, baselines []experiment.BaselineScores) error {
	var pairs []terminal.Pair
	for _, b := range baselines {
		if len(b.Original) == 0 { // no measure of --measures applies
			return nil
		}
		var scores []string
		for _, score := range b.Original {
			scores = append(scores, fmt.Sprintf("%s %.4g", measure.Title(score.Measure), score.Score))
		}
		pairs = append(pairs, terminal.Pair{Term: b.Name, Meaning: strings.Join(scores, ", ")})
	}
	for _, line := range terminal.Pairs(pairs) {
		if _, err := fmt.Fprintf(w, "baseline %s (original unit)\n", line); err != nil {
			return err
		}
	}
	return nil
}
