package explain

import (
	"sml/evaluation/experiment"
)

// column is a column of the table, with the network inputs that the preparation makes from it, which are
// side by side.
type column struct {
	name       string
	start, end int // the inputs are start, …, end−1
}

// inputColumns returns the columns that the model's inputs are made from, in the order of the inputs. Without a
// preparation, every input is a column of the table.
func inputColumns(m *experiment.Model) []column {
	if m.Preparation != nil {
		return preparedColumns(m)
	}
	var columns []column
	for i, input := range m.Inputs {
		columns = append(columns, column{name: input.Name, start: i, end: i + 1})
	}
	return columns
}

// preparedColumns returns the columns that the model's preparation makes features of. A column has several features
// if it is a date or a category, and none if the preparation drops it, which leaves it out.
func preparedColumns(m *experiment.Model) []column {
	var columns []column
	previous := -1 // table index of the column of the feature before; -1 before the first feature
	for i, feature := range m.Preparation.Features() {
		if feature.Column != previous { // the features of a column are side by side
			columns = append(columns, column{name: m.Preparation.Columns[feature.Column].Name, start: i})
			previous = feature.Column
		}
		columns[len(columns)-1].end = i + 1 // until another column's feature follows
	}
	return columns
}
