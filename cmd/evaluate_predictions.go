package cmd

import (
	"io"
	"math"
	"sort"

	"github.com/urfave/cli/v2"

	"sml/evaluation"
	"sml/evaluation/experiment"
)

func predictionsFlag() cli.Flag {
	return &cli.StringFlag{Name: "predictions", Usage: "write each row with its targets and predictions to `FILE`, as JSON lines or Parquet if it ends in .jsonl or .parquet, otherwise as CSV"}
}

// placePredictions returns an error if the file of --predictions cannot be written.
func placePredictions(c *cli.Context) error {
	if c.String("predictions") == "" {
		for _, flag := range []string{"keep", "force"} {
			if c.IsSet(flag) {
				return usage("--%s is for the file of --predictions, and there is none", flag)
			}
		}
	}
	return placeAs(c, "predictions")
}

// writePredictions writes judged rows to the file of --predictions, if there is one: their
// numbers, kept columns, targets and predictions, in the targets' units.
func writePredictions(c *cli.Context, m *experiment.Model, j judgedRows, p *evaluation.Predictions, truth evaluation.Truth) error {
	path := c.String("predictions")
	if path == "" {
		return nil
	}
	of, err := m.NewForm(experiment.Outputs{})
	if err != nil {
		return err
	}
	form := predictionForm{Form: of}
	columns := []resultColumn{{"row", wholeCell}}
	for _, name := range j.targets.Kept.Names[:j.kept] {
		columns = append(columns, resultColumn{name, textCell})
	}
	for _, target := range m.Targets {
		for _, name := range append(append([]string{"y"}, form.names()...), "pit") {
			columns = append(columns, resultColumn{ofTarget(m.Targets, target.Name, name), numberCell})
		}
	}
	rows, err := newResultForm(append(columns, resultColumn{"split", textCell}), formatFor("", path), 0)
	if err != nil {
		return err
	}
	return writeAs(c, "predictions", func(w io.Writer) error {
		file := &resultFile{resultForm: rows, out: w}
		var part encodedRows
		var line []cell
		const atOnce = 1024 // rows
		for i := range len(p.Values) / p.Targets {
			line = j.appendRow(line[:0], i, form, p, truth)
			rows.append(&part, line)
			if i%atOnce == atOnce-1 {
				if err := file.put(&part); err != nil {
					return err
				}
				if err := c.Context.Err(); err != nil {
					return err
				}
				part.reset()
			}
		}
		if err := file.put(&part); err != nil {
			return err
		}
		return file.close()
	})
}

// appendRow appends the cells of the judged row i.
func (j *judgedRows) appendRow(line []cell, i int, form predictionForm, p *evaluation.Predictions, truth evaluation.Truth) []cell {
	row := i
	if j.numbers != nil {
		row = j.numbers[i]
	}
	line = append(line, cell{number: float64(j.place(row))})
	for column := range j.kept {
		line = append(line, cell{text: j.targets.Kept.At(row, column)})
	}
	var values []float64
	var v experiment.Values
	for target := range truth.Columns {
		values, _ = form.values(append(values[:0], truth.Y[i*p.Targets+target]), &v, p, i, target)
		for _, x := range values {
			if math.IsInf(x, 0) { // an end of the interval that the calibration does not know
				x = math.NaN()
			}
			line = append(line, cell{number: x})
		}
		line = append(line, cell{number: pit(p, truth, i, target)})
	}
	return append(line, cell{text: j.splitOf(row)})
}

// pit returns the level at which a target stands in its predicted distribution (the
// probability integral transform), or NaN if the prediction is only a mean.
func pit(p *evaluation.Predictions, truth evaluation.Truth, row, target int) float64 {
	at := row*p.Targets + target
	y, v, column := truth.Y[at], p.Values[at], truth.Columns[target]
	var transform evaluation.Transform
	if truth.Transforms != nil {
		transform = truth.Transforms[target]
	}
	switch {
	case !v.NoStd:
		return evaluation.Level(v, p.Shape(at), column, transform, y)
	case p.Levels != nil:
		return levelBetween(p.Levels, evaluation.InUnit(v, column, transform).Quantiles, y)
	}
	return math.NaN()
}

// place returns the number of a row in its table, or in the test file, from 1.
func (j *judgedRows) place(row int) int {
	if own := j.targets.Rows() - j.targets.Held; row >= own {
		row -= own
	}
	return row + 1
}

// splitOf returns train, calibration or test, or, if the model was trained on another table,
// all.
func (j *judgedRows) splitOf(row int) string {
	has := func(rows []int) bool {
		at := sort.SearchInts(rows, row)
		return at < len(rows) && rows[at] == row
	}
	switch {
	case !j.same:
		return "all"
	case has(j.rows.Test):
		return "test"
	case has(j.rows.Calibration):
		return "calibration"
	}
	return "train"
}

// levelBetween returns the level of y by linear interpolation between quantiles, or NaN
// beyond the outermost ones.
func levelBetween(levels, quantiles []float64, y float64) float64 {
	above := sort.SearchFloat64s(quantiles, y)
	switch {
	case above < len(quantiles) && quantiles[above] == y:
		return levels[above]
	case above == 0 || above == len(quantiles):
		return math.NaN()
	}
	low, high := quantiles[above-1], quantiles[above]
	return levels[above-1] + float64((y-low)/(high-low)*(levels[above]-levels[above-1]))
}
