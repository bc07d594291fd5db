package explain

import "sml/evaluation/experiment"

// column is a column of the table and the range of network inputs that are made from it.
type column struct {
	name     string
	from, to int
}

// columnsOf returns the columns that the model's inputs are made from, in their order.
func inputColumns(m *experiment.Model) []column {
	var list []column
	if m.Preparation == nil {
		for i, c := range m.Inputs {
			list = append(list, column{c.Name, i, i + 1})
		}
		return list
	}
	last := -1
	for i, f := range m.Preparation.Features() {
		if f.Column != last {
			list = append(list, column{m.Preparation.Columns[f.Column].Name, i, i})
			last = f.Column
		}
		list[len(list)-1].to = i + 1
	}
	return list
}
