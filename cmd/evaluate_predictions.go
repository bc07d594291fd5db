package cmd

import (
	"context"
	"io"
	"math"
	"slices"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/rowio"
	"sml/evaluation"
	"sml/evaluation/experiment"
)

// predictionsFlag returns the flag --predictions. writePredictions reads it.
func predictionsFlag() cli.Flag {
	return &cli.StringFlag{Name: "predictions", Usage: "write each row with its targets and predictions to `FILE`, as JSON lines or Parquet if it ends in .jsonl or .parquet, otherwise as CSV"}
}

// checkPredictionsFile returns an error if the file of --predictions cannot be written.
func checkPredictionsFile(c *cli.Context) error {
	if c.String("predictions") == "" {
		for _, flag := range []string{"keep", "force"} {
			if c.IsSet(flag) {
				return usageErrorf("--%s needs --predictions FILE, which it applies to", flag)
			}
		}
	}
	return checkFileFlag(c, "predictions")
}

// writePredictions writes judged rows to the file of --predictions, if there is one: their
// numbers, kept columns, targets and predictions, in the targets' units.
func writePredictions(c *cli.Context, m *experiment.Model, j judgedRows, p *evaluation.Predictions, truth evaluation.Truth) error {
	path := c.String("predictions")
	if path == "" {
		return nil
	}
	converter, err := m.NewConverter(experiment.Outputs{})
	if err != nil {
		return err
	}
	form := rowio.Form{Converter: converter}
	columns := slices.Concat(
		[]rowio.Column{{Name: "row", Kind: rowio.Whole}},
		rowio.TextColumns(j.targets.KeptTexts.Names[:j.kept]),
		form.JudgedColumns(m.Targets),
		[]rowio.Column{{Name: "split", Kind: rowio.Text}})
	return writeFileFlag(c, "predictions", func(w io.Writer) error {
		file, err := rowio.NewWriter(w, columns, rowio.Options{Format: rowio.FormatOf(path)})
		if err != nil {
			return err
		}
		cells := func(i int) []rowio.Cell { return j.cells(i, form, p, truth) }
		if err := writeBlocks(c.Context, file, j.count(), cells); err != nil {
			return err
		}
		return file.Close()
	})
}

// writeBlocks writes a number of rows to a file, in blocks, until ctx ends. cells returns the cells
// of a row.
func writeBlocks(ctx context.Context, file *rowio.Writer, rows int, cells func(row int) []rowio.Cell) error {
	const blockRows = 1024
	for first := 0; first < rows; first += blockRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		var block rowio.Block
		for row := first; row < min(first+blockRows, rows); row++ {
			file.Append(&block, cells(row))
		}
		if err := file.Write(&block); err != nil {
			return err
		}
	}
	return nil
}

// cells returns the cells of the judged row with index i in p.
func (j *judgedRows) cells(i int, form rowio.Form, p *evaluation.Predictions, truth evaluation.Truth) []rowio.Cell {
	row := i // index in the table
	if j.numbers != nil {
		row = j.numbers[i]
	}
	line := []rowio.Cell{{Number: float64(j.rowNumber(row))}}
	for column := range j.kept {
		line = append(line, rowio.Cell{Text: j.targets.KeptTexts.At(row, column)})
	}
	var values []float64
	var v experiment.Values
	for target := range truth.Columns {
		if form.Family.Classes > 0 {
			line = append(line, classCells(&v, form, p, truth, i, target)...)
			continue
		}
		values, _ = form.AppendValues(append(values[:0], truth.Y[i*p.Targets+target]), &v, p, i, target)
		for _, x := range values {
			if math.IsInf(x, 0) { // an end of the interval that the calibration does not know
				x = math.NaN()
			}
			line = append(line, rowio.Cell{Number: x})
		}
		line = append(line, rowio.Cell{Number: pit(p, truth, i, target)})
	}
	return append(line, rowio.Cell{Text: j.splitPart(row)})
}

// classCells returns the cells of a judged row whose target is a class: its label, the
// probabilities of all classes, and the label of the most probable class.
func classCells(v *experiment.Values, form rowio.Form, p *evaluation.Predictions, truth evaluation.Truth, row, target int) []rowio.Cell {
	form.Convert(v, p, row, target)
	cells := []rowio.Cell{{Text: form.Label(target, int(truth.Y[row*p.Targets+target]))}}
	for _, probability := range v.Probabilities {
		cells = append(cells, rowio.Cell{Number: probability})
	}
	return append(cells, rowio.Cell{Text: form.Class(v, target)})
}

// pit returns the level at which a target stands in its predicted distribution (the
// probability integral transform), or NaN if the prediction is only a mean.
func pit(p *evaluation.Predictions, truth evaluation.Truth, row, target int) float64 {
	index := row*p.Targets + target
	return truth.Unit(target).Convert(p.Values[index]).CDF(truth.Y[index])
}

// rowNumber returns the number of a row, from 1, in its table or, for a row of the test file, in that
// file.
func (j *judgedRows) rowNumber(row int) int {
	tableRows := j.targets.Rows() - j.targets.TestRows // the rows of the test file follow these
	if row >= tableRows {
		row -= tableRows
	}
	return row + 1
}

// splitPart returns the part of the split that a row is in: train, calibration or test. It returns
// all if the model was trained on another table.
func (j *judgedRows) splitPart(row int) string {
	contains := func(sortedRows []int) bool {
		_, found := slices.BinarySearch(sortedRows, row)
		return found
	}
	switch {
	case !j.isTrainingTable:
		return allRows
	case contains(j.rows.Test):
		return testRows
	case contains(j.rows.Calibration):
		return calibrationRows
	}
	return trainRows
}
