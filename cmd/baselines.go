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
// of the model. It returns nil if the training rows are in another table, and if the targets are classes.
func (j *judgedRows) scoreBaselines(c *cli.Context, m *experiment.Model) ([]experiment.BaselineScores, error) {
	if !j.isTrainingTable || m.Architecture.Classes > 0 {
		return nil, nil
	}
	return scoreBaselines(c, func() ([]experiment.Baseline, error) {
		judged := experiment.TableRows{Read: j.targets, Prepared: j.table}
		for position := range j.count() {
			judged.Numbers = append(judged.Numbers, j.tableIndex(position))
		}
		train := judged
		train.Numbers = j.split.KnownRows(judged.Numbers)
		return experiment.Baselines(train, judged)
	})
}

// scoreBaselines returns the scores of the baselines that predict returns, or errInterrupted. If they cannot be
// fitted, it prints why and returns nil: the scores of the model stand without them.
func scoreBaselines(c *cli.Context, predict func() ([]experiment.Baseline, error)) ([]experiment.BaselineScores, error) {
	baselines, err := await(c.Context, predict)
	if err != nil {
		if c.Context.Err() != nil {
			return nil, err
		}
		note(c, "ridge regression and a constant are not scored: %v", err)
		return nil, nil
	}
	return experiment.ScoreBaselines(baselines)
}

// writeBaselines writes a line with the scores of each baseline for people.
func writeBaselines(w io.Writer, baselines []experiment.BaselineScores) error {
	var pairs []terminal.Pair
	for _, b := range baselines {
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
