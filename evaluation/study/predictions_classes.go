package study

import (
	"bytes"
	"context"
	"encoding/csv"
	"slices"
	"strconv"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/models/distribution"
)

// encodeClasses returns a CSV or Parquet file with the predictions of test rows whose targets are classes.
func encodeClasses(ctx context.Context, format string, t *experiment.Trained, p *evaluation.Predictions) ([]byte, error) {
	table := classTable(t, p)
	if format == parquetSuffix {
		var file bytes.Buffer
		err := table.WriteParquet(ctx, &file)
		return file.Bytes(), err
	}
	return encodeTableAsCSV(table)
}

// classTable returns a table with the columns row, target, y, one probability for each class and
// class, the most probable one. It has a row for each target of each test row. Classes appear under
// their labels, or under their numbers if they have no labels or if there are several targets.
func classTable(t *experiment.Trained, p *evaluation.Predictions) *data.Table {
	number := data.Field{Kind: data.Number}
	class := number
	prefix := "p" // p0, p1, …
	if len(t.Labels) == 1 {
		class = data.Field{Kind: data.Category, Categories: t.Labels[0]}
		prefix = "p_" // p_red, p_green, …
	}
	table := &data.Table{
		Columns: []string{"row", "target", "y"},
		Fields:  []data.Field{number, number, class},
	}
	for k := range p.Family.Classes {
		label := strconv.Itoa(k)
		if class.Categories != nil {
			label = class.Categories[k]
		}
		table.Columns = append(table.Columns, prefix+label)
		table.Fields = append(table.Fields, number)
	}
	table.Columns = append(table.Columns, "class")
	table.Fields = append(table.Fields, class)
	table.X = classTableValues(t, p)
	return table
}

// classTableValues returns the values of the table that classTable describes, row by row.
func classTableValues(t *experiment.Trained, p *evaluation.Predictions) []float64 {
	var values []float64
	targets := len(t.Targets)
	testRows := t.Experiment.Rows.Test
	for i, y := range t.Experiment.TargetsOf(testRows) { // all targets of the first row, then of the second, …
		row := testRows[i/targets]
		target := i % targets
		probabilities := p.Values[i].Distribution.(distribution.Classes)
		mostProbable := slices.Index(probabilities, slices.Max(probabilities)) // the first of equal ones
		values = append(values, float64(t.Experiment.Data().RowNumber(row)), float64(target), y)
		values = append(values, probabilities...)
		values = append(values, float64(mostProbable))
	}
	return values
}

// encodeTableAsCSV returns a CSV file with the inputs of a table. Categories appear under their labels.
func encodeTableAsCSV(t *data.Table) ([]byte, error) {
	var file bytes.Buffer
	w := csv.NewWriter(&file)
	w.Write(t.Columns)
	fields := make([]string, len(t.Columns))
	for row := range t.Rows() {
		for column := range fields {
			value := t.X[row*len(fields)+column]
			fields[column] = t.Fields[column].Show(value)
		}
		w.Write(fields)
	}
	w.Flush()
	return file.Bytes(), w.Error() // the first error of any Write
}
