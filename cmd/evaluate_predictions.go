package cmd

import (
	"io"
	"math"
	"sort"

	"github.com/urfave/cli/v2"

	"sml/evaluation"
	"sml/models"
)

func predictionsFlag() cli.Flag {
	return &cli.StringFlag{Name: "predictions", Usage: "write each row with its targets and predictions to `FILE`, as JSON lines or Parquet if it ends in .jsonl or .parquet, otherwise as CSV"}
}

// judgedCoverage is that of the interval beside the predictions of judged rows.
const judgedCoverage = 0.95

// placePredictions makes sure that the file in --predictions can be written.
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

// writePredictions writes judged rows to the file in --predictions, if there is one:
// their numbers, kept columns, targets and what was predicted of them, in the targets'
// units.
func writePredictions(c *cli.Context, m *models.Model, j judgedRows, p *evaluation.Predictions, truth evaluation.Truth) error {
	path := c.String("predictions")
	if path == "" {
		return nil
	}
	form, err := predictionFormOf(m, judgedCoverage, false, nil)
	if err != nil {
		return err
	}
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

// appendRow appends what is written of the judged row i.
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
	for target, column := range truth.Columns {
		at := i*p.Targets + target
		y, v := truth.Y[at], p.Values[at]
		var through evaluation.Transform
		if truth.Transforms != nil {
			through = truth.Transforms[target]
		}
		values, _ = form.values(append(values[:0], y), v, p.Shape(at), target, column, through)
		for _, x := range values {
			if math.IsInf(x, 0) { // an end that a calibration does not know
				x = math.NaN()
			}
			line = append(line, cell{number: x})
		}
		pit := math.NaN()
		switch {
		case !v.NoStd:
			pit = evaluation.Level(v, p.Shape(at), column, through, y)
		case p.Levels != nil:
			pit = levelBetween(p.Levels, evaluation.InUnit(v, column, through).Quantiles, y)
		}
		line = append(line, cell{number: pit})
	}
	return append(line, cell{text: j.splitOf(row)})
}

// place is the number of a row in its table, or in its file of rows for testing, from 1.
func (j *judgedRows) place(row int) int {
	if own := j.targets.Rows() - j.targets.Held; row >= own {
		row -= own
	}
	return row + 1
}

// splitOf says what a row was for: train, calibration or test; all where the model knows
// nothing of the table.
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

// levelBetween is the level of y among quantiles, in a straight line between the two
// around it; NaN beyond the outermost, where nothing is known.
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
