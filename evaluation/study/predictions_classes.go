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

// encodeClasses writes the predictions of test rows whose targets are classes, as CSV or Parquet.
func encodeClasses(ctx context.Context, format string, t *experiment.Trained, p *evaluation.Predictions) ([]byte, error) {
	table := classTable(t, p)
	if format == parquetSuffix {
		var file bytes.Buffer
		err := table.WriteParquet(ctx, &file)
		return file.Bytes(), err
	}
	return encodeTexts(table)
}

// classTable returns a table with the columns row, target, y, one probability for each class and
// class, the most probable one. It has a row for each target of each test row. Classes stand with
// their labels, or with their numbers if they have no labels or if there are several targets.
func classTable(t *experiment.Trained, p *evaluation.Predictions) *data.Table {
	number, class := data.Field{Kind: data.Number}, data.Field{Kind: data.Number}
	prefix := "p"
	if len(t.Labels) == 1 {
		prefix, class = "p_", data.Field{Kind: data.Category, Categories: t.Labels[0]}
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
	table.Columns, table.Fields = append(table.Columns, "class"), append(table.Fields, class)
	targets, test := len(t.Targets), t.Experiment.Rows.Test
	for i, y := range t.Experiment.TargetsOf(test) {
		probabilities := p.Values[i].Distribution.(distribution.Classes)
		table.X = append(table.X, float64(test[i/targets]), float64(i%targets), y)
		table.X = append(table.X, probabilities...)
		table.X = append(table.X, float64(slices.Index(probabilities, slices.Max(probabilities))))
	}
	return table
}

// encodeTexts writes the inputs of a table as CSV, categories with their texts.
func encodeTexts(t *data.Table) ([]byte, error) {
	var file bytes.Buffer
	w := csv.NewWriter(&file)
	w.Write(t.Columns)
	line := make([]string, len(t.Columns))
	for row := range t.Rows() {
		for j := range line {
			line[j] = t.Fields[j].Show(t.X[row*len(line)+j])
		}
		w.Write(line)
	}
	w.Flush()
	return file.Bytes(), w.Error()
}
