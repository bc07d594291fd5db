package cmd

import (
	"context"
	"io"
	"math"
	"slices"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/rowio"
	"sml/data/write"
	"sml/evaluation"
	"sml/evaluation/experiment"
)

// predictionsFlag returns the flag --predictions. writePredictions reads it.
func predictionsFlag() cli.Flag {
	return &cli.StringFlag{Name: "predictions", Usage: "write each row with its targets and predictions to `FILE`, as JSON lines or Parquet if it ends in .jsonl or .parquet, otherwise as CSV"}
}

// checkPredictionsFile returns an error if the file of --predictions cannot be written, and a usage error for
// --keep, which applies to the file, if --predictions is not set. --force also reads a changed model.
func checkPredictionsFile(c *cli.Context) error {
	if c.String("predictions") == "" && c.IsSet("keep") {
		return usageErrorf("--keep needs --predictions FILE, which it applies to")
	}
	return flagFile(c, "predictions").check(c)
}

// writePredictions writes judged rows to the file of --predictions, if there is one: their
// numbers, kept columns, targets and predictions, in the targets' units, and their parts of the split.
func writePredictions(c *cli.Context, m *experiment.Model, rows *judgedRows, p *evaluation.Predictions, truth evaluation.Truth) error {
	path := c.String("predictions")
	if path == "" {
		return nil
	}
	converter, err := m.NewConverter(experiment.Outputs{})
	if err != nil {
		return err
	}
	f := &judgedFile{
		rows:        rows,
		predictions: p,
		truth:       truth,
		form:        rowio.Form{Converter: converter},
	}
	return flagFile(c, "predictions").write(c, func(w io.Writer) error {
		file, err := write.NewWriter(w, f.columns(m), write.Options{Format: write.FormatOf(path)})
		if err != nil {
			return err
		}
		if err := writeBlocks(c.Context, file, rows.count(), f.cells); err != nil {
			return err
		}
		return file.Close()
	})
}

// writeBlocks writes a number of rows to a file, in blocks, until ctx ends. cells returns the cells
// of a row, from 0.
func writeBlocks(ctx context.Context, file *write.Writer, rows int, cells func(row int) []write.Cell) error {
	const blockRows = 1024 // few enough that an interrupt ends the writing at once
	for first := 0; first < rows; first += blockRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		var block write.Block
		for row := first; row < min(first+blockRows, rows); row++ {
			file.Append(&block, cells(row))
		}
		if err := file.Write(&block); err != nil {
			return err
		}
	}
	return nil
}

// judgedFile composes the lines of the file of --predictions. Its methods count the judged rows from 0, as the
// predictions and truth do.
type judgedFile struct {
	rows        *judgedRows
	predictions *evaluation.Predictions
	truth       evaluation.Truth
	form        rowio.Form

	// Memory that is reused between rows.
	values experiment.Values
}

// columns returns the columns of the file, in the order of cells.
func (f *judgedFile) columns(m *experiment.Model) []write.Column {
	return slices.Concat(
		rowio.Columns(write.Whole, "row"),
		rowio.Columns(write.Text, f.rows.targets.KeptTexts.Names[:f.rows.kept]...),
		f.form.JudgedColumns(m.Targets),
		f.form.PairColumns(),
		rowio.Columns(write.Text, "split"))
}

// cells returns the cells of a judged row: its number in the file, kept columns, targets with their predictions, the
// correlations of the targets, and its part of the split.
func (f *judgedFile) cells(row int) []write.Cell {
	index := f.rows.tableIndex(row)
	cells := []write.Cell{{Number: float64(f.rows.targets.RowNumber(index))}}
	for column := range f.rows.kept {
		cells = append(cells, write.Cell{Text: f.rows.targets.KeptTexts.At(index, column)})
	}
	for target := range f.truth.Columns {
		cells = append(cells, f.targetCells(row, target)...)
	}
	cells = f.form.AppendCorrelations(cells, f.predictions, row)
	return append(cells, write.Cell{Text: f.rows.findSplitPart(index)})
}

// targetCells returns the cells of a target. Of a number, these are its value, the prediction, and the level of the value in
// the predicted distribution; of a class, its label, the probabilities of all classes, the label of the most probable class,
// and the labels of its prediction set.
func (f *judgedFile) targetCells(row, target int) []write.Cell {
	y := f.targetValue(row, target)
	predictsClasses := f.form.Family.Classes > 0
	cells := []write.Cell{{Number: y}}
	if predictsClasses {
		cells[0] = write.Cell{Text: f.form.Label(target, int(y))}
	}
	// A number that is not finite becomes an empty cell, so that the row need not be finite.
	cells, _ = f.form.AppendNumbers(cells, &f.values, f.predictions, row, target)
	for i, cell := range cells {
		if math.IsInf(cell.Number, 0) { // a calibrated interval may have no finite limit
			cells[i].Number = math.NaN()
		}
	}
	if predictsClasses {
		return f.form.AppendClasses(cells, &f.values, target)
	}
	return append(cells, write.Cell{Number: f.probabilityBelow(row, target)})
}

// targetValue returns the true value of a target in its unit, NaN if it is unknown, or the index of its class.
func (f *judgedFile) targetValue(row, target int) float64 {
	return f.truth.Y[row*f.predictions.Targets+target] // the targets of a row stand together
}

// probabilityBelow returns the predicted probability of values below the true value of a target (the
// probability integral transform), or NaN if the prediction is only a mean or the value is unknown.
func (f *judgedFile) probabilityBelow(row, target int) float64 {
	value := f.targetValue(row, target)
	if math.IsNaN(value) {
		return value
	}
	standardised := f.predictions.Values[row*f.predictions.Targets+target]
	prediction := f.truth.Unit(target).Convert(standardised)
	return prediction.CDF(value)
}

// findSplitPart returns the part of the split that the row of the table with an index is in: train,
// calibration or test. It returns all if the model was trained on another table.
func (j *judgedRows) findSplitPart(index int) string {
	if !j.isTrainingTable {
		return allRows
	}
	if _, isTest := slices.BinarySearch(j.split.Test, index); isTest {
		return testRows
	}
	if _, isCalibration := slices.BinarySearch(j.split.Calibration, index); isCalibration {
		return calibrationRows
	}
	return trainRows
}
