package explain

import "sml/evaluation/experiment"

// column is a column of the table, with the network inputs that the preparation makes from it, which are
// side by side.
type column struct {
	name       string
	start, end int // the inputs are start, …, end−1
}

// inputColumns returns the columns that the model's inputs are made from, in their order.
func inputColumns(m *experiment.Model) []column {
	var columns []column
	if m.Preparation == nil {
		for i, c := range m.Inputs {
			columns = append(columns, column{name: c.Name, start: i, end: i + 1})
		}
		return columns
	}
	tableColumn := -1 // index of the column of the features before
	for i, feature := range m.Preparation.Features() {
		if feature.Column != tableColumn {
			tableColumn = feature.Column
			columns = append(columns, column{name: m.Preparation.Columns[tableColumn].Name, start: i})
		}
		columns[len(columns)-1].end = i + 1
	}
	return columns
}
