package explain

import "sml/evaluation/experiment"

// column is a column of the table and the range of network inputs that a preparation makes from it.
type column struct {
	name     string
	from, to int // the inputs from, …, to−1
}

// inputColumns returns the columns that the model's inputs are made from, in their order.
func inputColumns(m *experiment.Model) []column {
	var columns []column
	if m.Preparation == nil {
		for i, c := range m.Inputs {
			columns = append(columns, column{name: c.Name, from: i, to: i + 1})
		}
		return columns
	}
	current := -1 // index of the table's column
	for i, feature := range m.Preparation.Features() {
		if feature.Column != current {
			current = feature.Column
			columns = append(columns, column{name: m.Preparation.Columns[current].Name, from: i})
		}
		columns[len(columns)-1].to = i + 1
	}
	return columns
}
