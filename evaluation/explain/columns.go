package explain

import (
	"sml/evaluation/experiment"
	"sml/models"
)

// column is a column of a table, and the inputs that are made of it.
type column struct {
	name     string
	from, to int
}

// columnsOf are the columns that a model's inputs are made of, in their order.
func columnsOf(m *models.Model) ([]column, error) {
	p, err := experiment.PreparationOf(m)
	if err != nil {
		return nil, err
	}
	var list []column
	if p == nil {
		for i, c := range m.Inputs {
			list = append(list, column{c.Name, i, i + 1})
		}
		return list, nil
	}
	last := -1
	for i, f := range p.Features() {
		if f.Column != last {
			list, last = append(list, column{p.Columns[f.Column].Name, i, i}), f.Column
		}
		list[len(list)-1].to = i + 1
	}
	return list, nil
}
